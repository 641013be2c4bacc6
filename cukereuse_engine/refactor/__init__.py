"""Plans of text edits: rename a cluster, fold scenarios into an outline.

A plan is data, checked before a byte changes; applying it is the caller's.
"""
