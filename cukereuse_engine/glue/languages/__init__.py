"""One module a language: source bytes to step definitions.

Adding a language is one file here and one folder of tests.
"""
