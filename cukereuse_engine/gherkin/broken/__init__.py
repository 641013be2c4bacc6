"""Bad input: what is no Gherkin, read and complained about all the same.

`recovery` reads a file that the official parser rejects, with `docstrings` (fences that are missing) and
`repaired_titles`; `suspects` warns of prose that was meant as steps or `titles`. Bytes that are no text: `decode`.
"""
