"""The binding of a text: the matches that its runners choose, in one scope or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cukereuse_engine.glue import choice
from cukereuse_engine.glue.definition import Match


class Status(StrEnum):
    BOUND = "bound"
    """Exactly one definition, or one in each of several frameworks that run the same features."""
    UNDEFINED = "undefined"
    """None."""
    AMBIGUOUS = "ambiguous"
    """Several in one framework, and its runner would not choose between them."""


@dataclass(frozen=True, slots=True)
class TextBinding:
    """The binding of one text after one keyword type."""

    text: str
    matches: tuple[Match, ...]
    """By the definitions' path and place. If a runner chooses (behave: the first registered), only its choice."""
    scopes: tuple[tuple[Match, ...], ...] = ()
    """The matches in each scope, if a runner's configuration has scopes with definitions of their own; `matches`
    contains all of them. Empty: there are no scopes."""
    guessed: bool = False
    """True if no own definition matches in some scope, but not all of them were found: `matches` are those of the other
    scopes or, if these have none either, any."""

    @classmethod
    def over(cls, scopes: Sequence["TextBinding"]) -> "TextBinding":
        """The binding of a text over one or more scopes."""
        scopes = list(dict.fromkeys(scopes)) if len(scopes) > 1 else scopes
        if len(scopes) == 1:
            return scopes[0]
        guessed = any(scope.guessed for scope in scopes)
        scopes = [scope for scope in scopes if scope.matches and not scope.guessed] or scopes if guessed else scopes
        matches = {match.definition.id: match for scope in scopes for match in scope.matches}
        ordered = sorted(matches.values(), key=lambda match: choice.registration_order(match.definition))
        each = tuple(matches for scope in scopes for matches in (scope.scopes or (scope.matches,)))
        return cls(scopes[0].text, tuple(ordered), each, guessed)

    @classmethod
    def over_runs(cls, runs: Sequence["TextBinding"]) -> "TextBinding":
        """Over runs, if people choose one: the runs that define the text count, without guesses if possible."""
        defining = [run for run in runs if run.status is not Status.UNDEFINED]
        return cls.over([run for run in defining if not run.guessed] or defining or runs)

    @property
    def status(self) -> Status:
        """The worst status of all scopes: UNDEFINED, then AMBIGUOUS. A runner that guesses never finds a step
        ambiguous."""
        statuses = {_status(matches) for matches in self.scopes or (self.matches,)}
        if Status.UNDEFINED in statuses or (self.guessed and Status.AMBIGUOUS in statuses):
            return Status.UNDEFINED
        return Status.AMBIGUOUS if Status.AMBIGUOUS in statuses else Status.BOUND


def _status(matches: Sequence[Match]) -> Status:
    if not matches:
        return Status.UNDEFINED
    frameworks = {match.definition.framework for match in matches}
    return Status.BOUND if len(matches) == len(frameworks) else Status.AMBIGUOUS
