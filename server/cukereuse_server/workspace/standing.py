"""Findings that may already be known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cukereuse_engine.findings.finding import Finding


@dataclass(frozen=True, slots=True)
class Standing:
    owner: object | None
    """The same object as long as the findings are the same, except for the places of their steps; None if it is still
    unknown."""
    find: Callable[[], tuple[object, Sequence[Finding]]]
    """Gives the owner, and the findings with the present places of their steps."""
    stands_alone: bool = False
    """True if they are shown beside others with the same fingerprint; else the same finding is shown once."""
