"""Drops findings that people have already answered: by pragmas, `ignore` patterns, a baseline, or because the files did
not change.

This limits what is reported, never what is compared: it works on findings, after detection.
"""
