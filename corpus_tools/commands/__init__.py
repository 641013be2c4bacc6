"""One command a module, each a thin layer over a stage. Nothing here computes."""
