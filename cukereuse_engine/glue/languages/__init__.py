"""Reads step definitions from source bytes: one module for each language.

Adding a language is one file here and one folder of tests.
"""
