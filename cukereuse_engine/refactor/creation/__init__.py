"""A step definition for a step that has none: where it goes, how it reads.

`plan` is what others use. In the language, the kind of expression and the way of writing of a definition that is there
already, below it, with the body that the runner prints for an undefined step. What was written is read again by the
same readers as ever, and must match the step; else there is no plan. Writes nothing.
"""

from cukereuse_engine.refactor.creation.new_file import new_file_for
from cukereuse_engine.refactor.creation.planning import model_for, plan_creation, plan_creations, plan_new_file

__all__ = ["model_for", "new_file_for", "plan_creation", "plan_creations", "plan_new_file"]
