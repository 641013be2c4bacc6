"""The twins of a step definition: others that run its code, pass on to it, or differ from it in a constant.

Reads a suite as it is and changes nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from cukereuse_engine.functions.relations import Functions, Related, Relation
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_server.workspace.suite import SuiteState

_MOST_TWINS = 20
"""The number of twins of one relation that are named."""


@dataclass(frozen=True, slots=True)
class Twin:
    definition: StepDefinition
    related: Related
    """The relation of the requested definition to it."""


def twins_of(suite: SuiteState, definition: StepDefinition) -> list[Twin]:
    """Twins that run the same code come first; each function has one."""
    functions = suite.functions
    if functions is None:
        return []
    twins = [*_same(functions, definition), *_passing(functions, definition), *_with_constant(functions, definition)]
    return list({twin.definition.function_id: twin for twin in reversed(twins)}.values())[::-1]


def _same(functions: Functions, definition: StepDefinition) -> Iterator[Twin]:
    for key in islice(functions.equal_to(definition), _MOST_TWINS):
        yield from (Twin(sharer, Related(Relation.SAME)) for sharer in functions.definitions_of(key)[:1])


def _passing(functions: Functions, definition: StepDefinition) -> Iterator[Twin]:
    called = functions.passes_to(definition.function_id)
    for twin in functions.definitions_of(called)[:1] if called is not None else ():
        yield Twin(twin, Related(Relation.PASSES_ON))
    for key in islice(functions.calling(definition.function_id), _MOST_TWINS):
        for twin in functions.definitions_of(key)[:1] if key != definition.function_id else ():
            yield Twin(twin, Related(Relation.PASSES_ON, reversed=True))


def _with_constant(functions: Functions, definition: StepDefinition) -> Iterator[Twin]:
    """The functions of the same source that differ in a constant, nearest first."""
    beside = (twin for key in functions.alike_to(definition) for twin in functions.definitions_of(key)[:1])
    near = sorted(
        (twin for twin in beside if twin.path == definition.path), key=lambda twin: abs(twin.line - definition.line)
    )
    for other in near[:_MOST_TWINS]:
        related = functions.relation(definition, other)
        if related.relation is Relation.CONSTANT:
            yield Twin(other, related)
