"""Merges step definitions that run the same code, and removes unused ones. Everything is a plan first.

`merger` is the entry point. `stacking` and `sharing` put both expressions on one function; `wording` keeps one
expression; `constant` makes one definition with a parameter out of definitions that differ in a constant, by
`parametrised` functions; `shared` lets definitions call one function with the constant if their wordings do not contain
it. `check` proves a plan: every step binds as before, with the same arguments, and every expression runs the same code.
"""
