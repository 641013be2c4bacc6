"""Which findings a person has already answered: pragmas, `ignore` patterns, a baseline, files that did not change.

Limits what is reported, never what is compared: it works on findings, after detection.
"""
