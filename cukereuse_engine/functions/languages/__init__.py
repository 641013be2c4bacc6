"""What functions of a glue language are made of: one module a language, named by its id."""
