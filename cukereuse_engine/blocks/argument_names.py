"""The names of a block's parameters, as reports show them and as the step that replaces the block has them."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.symbols import Meaning
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.refactor.arguments import MemberArgument, masked_arguments, with_delimiters
from cukereuse_engine.refactor.outline import NO_NAME, said_name
from cukereuse_engine.refactor.reordering import parameters_taking
from cukereuse_engine.text.words import words_of

At = tuple[int, int]
"""A step of the block, and one of its arguments."""
Read = Callable[[str], bytes]
Parameters = Callable[[StepDefinition], tuple[str, ...]]
"""The names of a function's parameters that take arguments; empty if they are unknown."""
_TELLS_NOTHING = re.compile(
    r"_*(?:args?|p|params?|s|str|strings?|texts?|txt|words?|v|val|values?|n|num|numbers?|i|ints?|d|doubles?|floats?|x)?_*\d*",
    re.IGNORECASE,
)
"""Names that tell nothing: for any argument, or for its type."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_LABEL = re.compile(r"[A-Za-z]\w*(?:[ ._-]\w+){0,2}", re.ASCII)
"""An argument that can name another one: up to three words."""


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A step of a block, with what its arguments are called."""

    text: str
    arguments: tuple[MemberArgument, ...]
    called: tuple[str, ...]
    """For each argument, the telling name that the step definition gives it, in snake case; or empty."""

    @classmethod
    def of(cls, text: str, match: Match | None, parameters: Parameters) -> "NamedStep":
        """A step with the arguments that its definition captures; without `match`, with those that look so."""
        if match is None:
            masked = masked_arguments(text)
            return cls(text, masked, ("",) * len(masked))
        spans = [(argument.start, argument.end) for argument in match.arguments]
        found = [with_delimiters(text, *span) if span[0] >= 0 else _NOWHERE for span in spans]
        return cls(text, tuple(found), tuple(_called(match, parameters)))

    def in_order(self) -> "NamedStep":
        """The step with those arguments alone that its text contains, from left to right."""
        both = sorted(
            (pair for pair in zip(self.arguments, self.called, strict=True) if pair[0] is not _NOWHERE),
            key=lambda pair: pair[0].start,
        )
        return NamedStep(self.text, tuple(argument for argument, _ in both), tuple(called for _, called in both))

    def name(self, argument: int, varying: Collection[int]) -> str:
        """The name of an argument: what its definition calls it, or a noun beside it, or the constant that is its
        label, as in `fill in "Email" with "…"`. `varying`: the arguments that are no constants."""
        if argument >= len(self.arguments):
            return NO_NAME
        if self.called[argument]:
            return self.called[argument]
        own = self.arguments[argument]
        said = said_name(self.text, own) if own is not _NOWHERE else NO_NAME
        if said != NO_NAME and said not in words_of(("en",), "action", "existence"):
            return said
        starts = {self.arguments[at].start for at in varying if at < len(self.arguments)}
        constants = (label for label in masked_arguments(self.text) if label.quote and label.start not in starts)
        return next((name for label in constants if (name := self._named_by(label, own))), NO_NAME)

    def _named_by(self, label: MemberArgument, own: MemberArgument) -> str:
        """A label as a name if only function words are between it and an argument; or empty."""
        first, second = sorted((label, own), key=lambda argument: argument.start)
        between = _WORD.findall(self.text[first.end : second.start].lower())
        if not between or {*between} - words_of(("en",), "function_words") or not _LABEL.fullmatch(label.value):
            return ""
        return "_".join(_WORD.findall(label.value)).lower()


_NOWHERE = MemberArgument("", "", -1, -1)
"""An argument that is not in its step's text."""


def unique_names(steps: Sequence[NamedStep], firsts: Sequence[At], varying: Collection[At]) -> dict[At, str]:
    """A name for each of these arguments of a block, as a word of ASCII letters, digits and `_`. `varying`: all
    arguments that are no constants."""
    names: dict[At, str] = {}
    for step, argument in sorted(firsts):
        named = steps[step]
        base = _identifier(named.name(argument, [at for number, at in varying if number == step]))
        tries = (base, *(f"{base}{number}" for number in range(2, len(firsts) + 2)))
        names[step, argument] = next(name for name in tries if name not in names.values())
    return names


def named(block: Block, meaning: Meaning, parameters_of: Parameters) -> Block:
    """The block with names for its parameters."""
    if not block.parameters:
        return block
    steps = [NamedStep.of(step.text, meaning(step).match, parameters_of) for step in block.steps]
    places = {at for parameter in block.parameters for at in ((parameter.step, parameter.argument), *parameter.also)}
    firsts = [(parameter.step, parameter.argument) for parameter in block.parameters]
    names = unique_names(steps, firsts, places)
    parameters = tuple(
        replace(parameter, name=names[at]) for parameter, at in zip(block.parameters, firsts, strict=True)
    )
    return replace(block, parameters=parameters)


def _called(match: Match, parameters: Parameters) -> Iterator[str]:
    taken = parameters(match.definition)
    for number, argument in enumerate(match.arguments):
        candidates = [argument.name, taken[number] if number < len(taken) else ""]
        if match.definition.kind is ExpressionKind.CUCUMBER:
            candidates.reverse()  # the expression names types
        yield _HUMP.sub("_", next(filter(_tells, candidates), "")).lower()


def parameters_read(read: Read | None) -> Parameters:
    """The parameters' names in sources, each definition's read once; unknown without `read`, which gives a source."""

    @cache
    def parameters(definition: StepDefinition) -> tuple[str, ...]:
        try:
            taking = parameters_taking(definition, read(definition.path)) if read is not None else None
        except OSError:
            return ()
        return taking.names if taking is not None else ()

    return parameters


def _tells(name: str) -> bool:
    return _TELLS_NOTHING.fullmatch(name) is None


def _identifier(called: str) -> str:
    name = re.sub(r"[^A-Za-z0-9]", "_", called).strip("_") or NO_NAME
    return f"a_{name}" if name[0].isdigit() else name
