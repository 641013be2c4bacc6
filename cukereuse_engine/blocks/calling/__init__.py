"""Step definitions that call the functions of others, if the language allows it. `write` writes them, and `read`, which
knows nothing of the writing, reads them again. `styles` has a row for each language."""
