"""Two pieces of code side by side, with their differences marked."""

import re
from difflib import SequenceMatcher
from typing import Any

from cukereuse_engine.report.visible import encodable

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def tokens(code: str) -> list[str]:
    """Words, white space and signs, in order."""
    return _TOKEN.findall(code)


def pieces(mine: list[str], other: list[str]) -> list[Any]:
    """`mine` as pieces of text, each followed by 1 if `other` lacks it, and by 0 otherwise."""
    words, others = ([token for token in code if not token.isspace()] for code in (mine, other))
    matcher = SequenceMatcher(None, others, words, autojunk=False)
    differing = set(range(len(words))).difference(
        at for block in matcher.get_matching_blocks() for at in range(block.b, block.b + block.size)
    )
    runs: list[Any] = []
    number = -1
    for token in mine:
        number += not token.isspace()
        marked = int(not token.isspace() and number in differing)
        if runs and runs[-1] == marked:
            runs[-2] += encodable(token)
        else:
            runs += [encodable(token), marked]
    return runs
