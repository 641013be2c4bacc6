"""The names that step definitions give to the arguments of a block's steps."""

import re
from collections.abc import Callable

from cukereuse_engine.blocks.cut_places import CutPlace
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.reordering import parameters_taking

_TELLS_NOTHING = re.compile(
    r"_*(?:args?|p|params?|s|str|strings?|texts?|txt|words?|v|val|values?|n|num|numbers?|i|ints?|d|doubles?|floats?|x)?_*\d*",
    re.IGNORECASE,
)
"""Names that tell nothing: for any argument, or for its type."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def argument_names(place: CutPlace, read: Callable[[str], bytes]) -> dict[tuple[int, int], str]:
    """Maps (step, argument in its text) to a name in snake case, if the expression or the function has a telling one.
    `read` gives a source."""
    names: dict[tuple[int, int], str] = {}
    for step, match in enumerate(place.matches):
        written = [number for number, argument in enumerate(match.arguments) if argument.start >= 0]
        written.sort(key=lambda number: match.arguments[number].start)
        taken = _parameters(match.definition, read)
        for at, number in enumerate(written):
            candidates = [match.arguments[number].name, taken[number] if number < len(taken) else ""]
            if match.definition.kind is ExpressionKind.CUCUMBER:
                candidates.reverse()  # the expression names types
            name = next(filter(_tells, candidates), "")
            if name:
                names[step, at] = _HUMP.sub("_", name).lower()
    return names


def _parameters(definition: StepDefinition, read: Callable[[str], bytes]) -> tuple[str, ...]:
    """The names of the function's parameters that take arguments; empty if they are unknown."""
    try:
        taking = parameters_taking(definition, read(definition.path))
    except OSError:
        return ()
    return taking.names if taking is not None else ()


def _tells(name: str) -> bool:
    return _TELLS_NOTHING.fullmatch(name) is None
