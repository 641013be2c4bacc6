"""The result of reading functions."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_

from cukereuse_engine.functions.checks import may_check, names_in
from cukereuse_engine.functions.tokens import MEMBER, NAME, OWN, PARAMETER, STEP


@dataclass(frozen=True)
class Form:
    """A function's normal form. Two functions with equal `tokens` do the same to the same things."""

    statements: tuple[tuple[str, ...], ...]
    """Their tokens (`tokens`); those of private helpers and constants put in place."""
    signature: tuple[str, ...] = ()
    """Types and defaults of the parameters that the body uses, and what the decorator says beside the expression."""
    parameters: tuple[str, ...] = ()
    """Names by position; empty for what is taken apart."""
    unused: tuple[str, ...] = ()
    """Names of parameters that the body never mentions."""
    calls: str = ""
    """All that the body does is to call this function, an `OWN` or imported token; empty: no."""
    arguments: tuple[tuple[str, ...], ...] = ()
    """What it hands on to it."""
    steps: tuple[str, ...] = ()
    """Texts of the steps that it calls, arguments as `\\0` and their number in `step_arguments`."""
    step_arguments: tuple[tuple[str, ...], ...] = ()
    mentions: tuple[str, ...] = ()
    """Functions that it calls, as tokens, where they are of this file, class, or imported."""
    at: int = -1
    """Byte offset of the function in its file: definitions that name one function share it. -1: it is elsewhere."""
    is_partial: bool = False
    """Some of it does not parse."""

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return (*self.signature, *(token for statement in self.statements for token in (*statement, ";")))

    @cached_property
    def weight(self) -> int:
        """The amount of content: the number of tokens that name something."""
        return sum(token[:1] in (NAME, MEMBER, PARAMETER, OWN, STEP) for token in self.tokens)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in the form, without their owners."""
        return names_in(self.tokens)

    @cached_property
    def may_check(self) -> bool:
        """True if anything in it may check something, or fail if something is missing."""
        return may_check(self.tokens)


def with_statements(form: Form, statements: tuple[tuple[str, ...], ...], calls: str | None = None) -> Form:
    """A form with other statements and, if given, another called function; the form itself if nothing differs."""
    calls = form.calls if calls is None else calls
    same = (
        calls == form.calls and all(map(is_, statements, form.statements)) and len(statements) == len(form.statements)
    )
    return form if same else replace(form, statements=statements, calls=calls)


def moved(form: Form, at: int) -> Form:
    """The form of a function that has moved to another line."""
    return form if form.at == at else replace(form, at=at)


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """The facts about a class that linking needs."""

    id: str
    parents: tuple[str, ...]
    is_trait: bool
    members: tuple[str, ...]
    handed: tuple[tuple[str, str], ...] = ()
    """Types and names of the fields that it is handed, where names tell services of one type apart (PHP)."""
    sets: tuple[str, ...] = ()
    """Names that its constructor sets and it does not declare."""


@dataclass(frozen=True, slots=True)
class FileForms:
    """The functions of one source file's step definitions."""

    forms: dict[str, Form]
    """By `StepDefinition.function_id`; functions that are still to be written are left out."""
    owners: dict[str, str]
    """`OWN` token of a function that serves a definition, to its `function_id`."""
    classes: tuple[ClassFacts, ...] = ()
    unwritten: tuple[str, ...] = ()
    """Ids of functions that are still to be written, or do nothing that a comparison could look at."""
    idle: tuple[str, ...] = ()
    """Those of them that run nothing."""
    telling: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Of these, those all of which logs plain texts by its names, each with the statements of which another file may
    tell that they do something else."""
    is_partial: bool = False
    """Some of the source does not parse."""
