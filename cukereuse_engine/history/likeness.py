"""How similar two versions of step definitions are, by their functions.

Functions are compared by their normal forms: by statement, with or without local names and constants, and by the words
that their tokens name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from cukereuse_engine.functions.tokens import (
    HOLE,
    LOCAL,
    MEMBER,
    NAME,
    OWN,
    STEP,
    TEXT,
    VALUE,
    is_literal,
    without_literals,
    words,
)
from cukereuse_engine.history.definitions import SEPARATOR, DefinitionState
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage

MIN_WEIGHT = 3
"""Names that a function must say: smaller ones are equal by chance."""
MIN_NEAR = 5
"""The same for functions that are nearly equal."""
MIN_COPY = 0.75
"""Share of their statements, constants aside, that two functions must both have to be one a copy of the other."""
MOST_COPIES = 60
"""Definitions of one form that are compared with one another."""
MIN_WORD = 2
"""Letters of the words that name nothing: `to_i`."""
TELLING = frozenset((NAME, OWN, MEMBER, TEXT))
"""The tokens that name something."""
_DOING = frozenset((NAME, OWN, MEMBER, STEP))


def likeness(left: DefinitionState, right: DefinitionState) -> float:
    """The share of two functions that both have: of their statements or, if these are few, of their tokens."""
    statements = _share(bare(left), bare(right))
    tokens = _share(Counter(_tokens(left)), Counter(_tokens(right)))
    return max(statements, tokens)


def _share(mine: Counter[str], theirs: Counter[str]) -> float:
    total = (mine | theirs).total()
    return (mine & theirs).total() / total if total else 1.0


def _tokens(state: DefinitionState) -> Iterator[str]:
    return (token for token in state.form.split(SEPARATOR) if token[:1] in TELLING or is_literal(token))


_LOCALS = re.compile(rf"(?:(?<={SEPARATOR})|^){re.escape(LOCAL)}\d+")


@lru_cache(maxsize=50_000)
def _local(statements: tuple[str, ...]) -> Counter[str]:
    return Counter(_LOCALS.sub(LOCAL, statement) for statement in statements)


def bare(state: DefinitionState) -> Counter[str]:
    """The statements without their local names."""
    return _local(state.statements)


_CONSTANTS = re.compile(rf"(?:(?<={SEPARATOR})|^)[{TEXT}{VALUE}][^{SEPARATOR}]*")


@lru_cache(maxsize=50_000)
def _holed(statements: tuple[str, ...]) -> Counter[str]:
    return Counter(_CONSTANTS.sub(HOLE, statement) for statement in _local(statements).elements())


def shape_of(state: DefinitionState) -> Counter[str]:
    """The statements without their constants and local names."""
    return _holed(state.statements)


def does_more(left: DefinitionState, right: DefinitionState) -> bool:
    """True if a function does everything that the other does, in its order, and names something more; without constants
    and local names."""
    return any(token[:1] in _DOING for token in surplus(left, right))


def surplus(left: DefinitionState, right: DefinitionState) -> Counter[str]:
    """The tokens that one of two functions has in addition to all those of the other one, in its order; none if each
    has its own. Without constants and local names."""
    fewer, more = sorted((without_literals(_written(state)) for state in (left, right)), key=len)
    return Counter(more) - Counter(fewer) if _is_within(fewer, more) else Counter()


def is_part(state: DefinitionState, whole: DefinitionState) -> bool:
    """True if a function contains all of the other, in the same order, without local names."""
    return _is_within(_written(state), _written(whole))


def lost_tokens(before: DefinitionState, now: DefinitionState) -> Counter[str]:
    """The tokens that a function has less often than before, without local names."""
    return Counter(_written(before)) - Counter(_written(now))


def _is_within(fewer: Iterable[str], more: Iterable[str]) -> bool:
    rest = iter(more)
    return all(token in rest for token in fewer)


def other_texts(left: DefinitionState, right: DefinitionState) -> bool:
    """True if two functions differ in texts, and otherwise only in constants: another number is mostly another pause or
    id."""
    mine, theirs = (
        Counter(token for token in state.form.split(SEPARATOR) if token[:1] == TEXT) for state in (left, right)
    )
    return shape_of(left) == shape_of(right) and mine != theirs


def _written(state: DefinitionState) -> list[str]:
    return _LOCALS.sub(LOCAL, state.form).split(SEPARATOR) if state.form else []


def are_copies(left: DefinitionState, right: DefinitionState) -> bool:
    """Small functions are copies if they are equal, larger ones if most of their statements are."""
    if left.form == right.form:
        return True
    return min(left.weight, right.weight) >= MIN_NEAR and _share(shape_of(left), shape_of(right)) >= MIN_COPY


class Shapes:
    """Looks up definitions by their statements."""

    def __init__(self, lineages: Iterable[Lineage]) -> None:
        self._by_statement: dict[tuple[str, str], list[tuple[Lineage, Counter[str]]]] = defaultdict(list)
        for lineage in lineages:
            state = lineage.now.state
            if state.is_known and state.weight >= MIN_WEIGHT:
                shape = shape_of(state)
                for statement in shape:
                    self._by_statement[state.language, statement].append((lineage, shape))

    def near(self, version: DefinitionVersion) -> Iterator[tuple[float, Lineage]]:
        """Definitions that are copies of a version, with their likeness."""
        shape = shape_of(version.state)
        seen: set[int] = set()
        for statement in shape:
            group = self._by_statement[version.state.language, statement]
            for lineage, other in group if len(group) <= MOST_COPIES else ():
                if id(lineage) not in seen:
                    seen.add(id(lineage))
                    if are_copies(version.state, lineage.now.state):
                        exact = version.state.form == lineage.now.state.form
                        yield (1.0 if exact else 0.9 * _share(shape, other)), lineage


def told_by(statements: Iterable[str]) -> set[str]:
    """The words in statements."""
    tokens = (token for statement in statements for token in statement.split(SEPARATOR))
    return {word for token in tokens if token[:1] in TELLING for word in telling(token[1:])}


def telling(name: str) -> set[str]:
    """The words of a name, or of a wording, that name something."""
    return {word for word in words(name) if len(word) > MIN_WORD}
