"""Writes a step definition for a step that has none.

The entry is `planning`. A new definition goes below an existing one and has its language, kind of expression and style,
with the body that the runner proposes for an undefined step. The usual readers read it again, and it must match the
step; otherwise there is no plan. Writes nothing.
"""
