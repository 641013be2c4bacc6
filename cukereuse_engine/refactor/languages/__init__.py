"""How code of a glue language is written: one module a language, named by its id."""
