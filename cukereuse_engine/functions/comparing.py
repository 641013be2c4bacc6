"""How two functions are related, from their forms alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.tokens import (
    CLOSE,
    MEMBER,
    OPEN,
    PARAMETER,
    SIGN,
    TEXT,
    is_literal,
    renumbered,
    words,
)

MIN_CONTAINED = 2
"""The number of statements from which a function can count as contained in another one."""


class Relation(StrEnum):
    SAME = "same"
    """Equal forms: they do the same to the same things."""
    PASSES_ON = "passes on"
    """One only calls the other."""
    CONSTANT = "same but for a constant"
    """One function with one more parameter would serve both."""
    CONTAINS = "contains"
    """One does all that the other does, and more."""
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    """A function is unknown, not written yet, or does not parse."""


@dataclass(frozen=True, slots=True)
class Related:
    """The relation of two functions."""

    relation: Relation
    parameter: str = ""
    """For CONSTANT: a name for the constant."""
    values: tuple[str, str] = ("", "")
    """For CONSTANT: its value in each function."""
    loosely: bool = False
    """SAME: if fields of one type hold the same in both classes, or with their parameters in another order."""
    by_fields: bool = False
    """If `loosely`: true unless their parameters are all in which they differ."""
    unchanged: bool = False
    """For PASSES_ON: true if it passes on exactly its own arguments."""
    copied: bool = False
    """For SAME: true in two modules of one build that have copies of what they name."""
    reversed: bool = False
    """For PASSES_ON and CONTAINS: true if the second one calls, or contains, the first."""

    @property
    def is_same(self) -> bool:
        """True if both do the same with the same arguments."""
        return self.relation is Relation.SAME or self.unchanged


def differing_constant(left: Form, right: Form) -> Related | None:
    """The only constant in which two functions of one shape differ; None if they differ in more."""
    mine, theirs = left.tokens, right.tokens
    differing = [at for at, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1]]
    pairs = {(mine[at], theirs[at]) for at in differing}
    if len(pairs) != 1 or not all(is_literal(mine[at]) for at in differing):
        return None
    values = pairs.pop()
    if len({value[:1] for value in values}) > 1:
        return None
    shown = tuple(value[1:] for value in values)
    return Related(Relation.CONSTANT, _name_for(mine, differing[0]), (shown[0], shown[1]))


def _name_for(tokens: Sequence[str], place: int) -> str:
    """A name for the constant: the named argument or the attribute before it, or else its kind."""
    for token in reversed(tokens[:place]):
        if token[:1] == MEMBER:
            return "_".join(words(token[1:])) or _kind_of(tokens[place])
        if token == CLOSE or token == f"{OPEN}call" or token[:1] not in (SIGN, OPEN):
            break
    return _kind_of(tokens[place])


def _kind_of(token: str) -> str:
    if token[:1] == TEXT and not token[1:].isdecimal():
        return "text"
    return "number" if token[1:2].isdecimal() else "value"


def contains(outer: Form, inner: Form) -> bool:
    """True if `outer` contains all statements of `inner` in a row, and more of its own."""
    if not MIN_CONTAINED <= len(inner.statements) < len(outer.statements):
        return False
    parameters = {token for statement in inner.statements for token in statement if token[:1] == PARAMETER}
    wanted = _renumbered(inner.statements)
    size = len(inner.statements)
    if parameters and inner.signature and not set(inner.signature) <= set(outer.signature):
        return False
    return any(
        _renumbered(outer.statements[start : start + size]) == wanted
        for start in range(len(outer.statements) - size + 1)
        if outer.statements[start][:1] == inner.statements[0][:1]
    )


def _renumbered(statements: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return renumbered(token for statement in statements for token in (*statement, ";"))
