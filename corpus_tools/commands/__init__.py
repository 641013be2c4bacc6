"""One module for each command, a thin layer over its stage. Nothing here computes."""
