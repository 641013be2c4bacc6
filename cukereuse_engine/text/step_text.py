"""A step text in the form that all comparisons use."""

from dataclasses import dataclass

from cukereuse_engine.text.template import Template

CONTEXT, ACTION, OUTCOME = 1, 2, 4
"""Bits of `StepText.roles`."""


@dataclass(frozen=True, slots=True)
class StepText:
    """One distinct step text of a suite."""

    text: str
    """Normalised."""
    identity: str
    template: Template
    occurrences: int
    roles: int = 0
    """The roles of its steps: bits of `CONTEXT`, `ACTION` and `OUTCOME`; 0 where that is not known."""
