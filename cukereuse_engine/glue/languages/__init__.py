"""Reads step definitions from source bytes: one module for each language.

A new language is one module here with a `LANGUAGE`, its grammar in `pyproject.toml` and a folder in
`tests/glue/languages`. Modules of its id in `functions/languages` and `refactor/languages` may follow: until then, its
functions are not compared, and its code is not rewritten.
"""
