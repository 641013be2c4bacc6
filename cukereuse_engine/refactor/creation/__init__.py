"""A step definition for a step that has none: where it goes, how it reads.

`planning` is the way in. In the language, the kind of expression and the way of writing of a definition that is there
already, below it, with the body that the runner prints for an undefined step. What was written is read again by the
same readers as ever, and must match the step; else there is no plan. Writes nothing.
"""
