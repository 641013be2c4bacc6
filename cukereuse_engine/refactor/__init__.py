"""Plans text edits: rename a cluster, merge definitions, fold scenarios.

A plan is data, and is checked before a byte changes. The caller applies it.
"""
