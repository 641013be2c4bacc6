"""The syntax of functions in each glue language: one module for each language, named by its id."""
