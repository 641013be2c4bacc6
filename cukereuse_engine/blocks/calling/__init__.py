"""A step definition that calls the functions of others, if the language allows it: written by `write`, and read again
by `read`, which knows nothing of the writing. One row for each language (`styles`)."""
