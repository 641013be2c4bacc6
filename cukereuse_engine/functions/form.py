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
    """The tokens of each statement (`tokens`); private helpers and constants are inlined."""
    signature: tuple[str, ...] = ()
    """Types and defaults of the parameters that the body uses, and the decorator's arguments beside the expression."""
    parameters: tuple[str, ...] = ()
    """The names in order; empty for a destructured parameter."""
    unused: tuple[str, ...] = ()
    """The names of parameters that the body never mentions."""
    calls: str = ""
    """The function whose call is all that the body does, an `OWN` or imported token; empty: none."""
    arguments: tuple[tuple[str, ...], ...] = ()
    """The arguments that it passes on to that function."""
    steps: tuple[str, ...] = ()
    r"""The texts of the steps that it calls; an argument is `\0` and its number in `step_arguments`."""
    step_arguments: tuple[tuple[str, ...], ...] = ()
    mentions: tuple[str, ...] = ()
    """The functions that it calls, as tokens, if they are of this file or class, or imported."""
    at: int = -1
    """Byte offset of the function in its file: definitions that name one function share it. -1: it is elsewhere."""
    is_partial: bool = False
    """True if a part of it does not parse."""

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
    """Types and names of the injected fields, if names distinguish services of one type (PHP)."""
    sets: tuple[str, ...] = ()
    """Names that its constructor sets and it does not declare."""


@dataclass(frozen=True, slots=True)
class FileForms:
    """The functions of one source file's step definitions."""

    forms: dict[str, Form]
    """By `StepDefinition.function_id`, without functions that are not written yet."""
    owners: dict[str, str]
    """Maps the `OWN` token of a function with a definition to its `function_id`."""
    classes: tuple[ClassFacts, ...] = ()
    unwritten: tuple[str, ...] = ()
    """Ids of functions that are not written yet, or have no content to compare."""
    idle: tuple[str, ...] = ()
    """Functions of `unwritten` that run nothing."""
    telling: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Functions of `idle` that, by the names in them, only log plain texts, each with the statements that may do
    something else in another file."""
    is_partial: bool = False
    """True if a part of the source does not parse."""
