"""Reads step definitions from source bytes: one module for each language.

A new language is one module here with a `LANGUAGE`; one of its id in `functions/languages` and in `refactor/languages`,
for its functions; its grammar in `pyproject.toml`; and a folder in each of the tests' `languages` folders.
"""
