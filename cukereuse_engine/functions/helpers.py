"""Inlines helpers, to a limited depth, with values for their parameters."""

from collections.abc import Iterable

from cukereuse_engine.functions.tokens import CLOSE, OPEN

MAX_DEPTH = 3
"""The depth to which helpers are inlined into each other."""
MAX_TOKENS = 600
"""A helper with more stays a name: what differs so far down is not seen, and equal helpers count as one function."""


def substitute(tokens: Iterable[str], handed: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """`tokens` with parameters replaced; parameters of inlined helpers are replaced already."""
    substituted: list[str] = []
    own_depth = 0
    for token in tokens:
        if token[:1] == OPEN and (own_depth or token == f"{OPEN}own"):
            own_depth += 1
        elif token == CLOSE and own_depth:
            own_depth -= 1
        if not own_depth and token in handed:
            substituted += handed[token]
        else:
            substituted.append(token)
    return tuple(substituted)
