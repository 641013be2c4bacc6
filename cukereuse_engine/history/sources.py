"""The source of a function, read as text: what it says beside what it does."""

import re

_BLOCK = re.compile(r"/\*.*?\*/|^=begin\b.*?^=end\b", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^[ \t]*(?://+|#+|--)(.*)$", re.MULTILINE)
_MARK = re.compile(r"^[ \t]*(?:/\*+|//+|#+|--|\*+(?!/))|\*/[ \t]*$")
_BLANK = re.compile(r"[\s;,]+")
_PENDING = re.compile(
    r"^[ \t]*(?:(?:throw|raise|return)\b.*(?:[Pp]ending|[Ss]kip|NotImplemented)|(?:pending|skip|todo|unimplemented)\b"
    r"|[\w.>$-]+(?:\.|->)(?:[Pp]ending|skip)\()",
    re.MULTILINE,
)
"""Calls by which a function tells its runner that it is not written yet."""
_MIN_CHARACTERS = 6
"""Minimum length of a meaningful line: a closing bracket is in every comment."""


def parked(before: str, now: str) -> int:
    """The number of lines of one version that are comments in the other one, to be used again some day."""
    comments = {_bare(_MARK.sub("", line)) for line in _comments(now)}
    running = {_bare(line) for line in uncommented(now).splitlines()}
    lines = {_bare(line) for line in uncommented(before).splitlines()}
    return sum(len(line) >= _MIN_CHARACTERS for line in (lines & comments) - running)


def says_pending(code: str) -> bool:
    """True if a function tells its runner that it is not written yet, or is skipped."""
    return _PENDING.search(uncommented(code)) is not None


def uncommented(code: str) -> str:
    """The code without lines of comments."""
    return _LINE.sub("", _BLOCK.sub("", code))


def _comments(code: str) -> list[str]:
    blocks = [line for block in _BLOCK.findall(code) for line in block.splitlines()]
    return blocks + [match.group() for match in _LINE.finditer(_BLOCK.sub("", code))]


def _bare(line: str) -> str:
    return _BLANK.sub("", line)
