"""Bad input: text that is no Gherkin is read and reported all the same.

`recovery` reads a file that the official parser rejects, with `docstrings` (missing fences) and `repaired_titles`;
`suspects` warns of prose that was meant as steps or `titles`. `encodings` is about bytes that are no text.
"""
