"""Lines of a decoded text, as editors count them.

Lines end with LF, CRLF or a lone CR; U+2028, U+0085, VT and FF stay inside a line. Never changes a text.
"""

import re
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONE_CR = re.compile(r"\r(?!\n)")
_FEW_CHARACTERS = 256


def split_lines(text: str) -> tuple[list[str], list[int]]:
    """Lines without their endings, and the offset (code points) of each line's start.

    A line ending at the end of the text opens no further line, as in the official parser.
    """
    if "\r" in text and _LONE_CR.search(text):
        lines, starts, begin = [], [], 0
        for match in _LINE_END.finditer(text):
            lines.append(text[begin : match.start()])
            starts.append(begin)
            begin = match.end()
        if begin < len(text):
            lines.append(text[begin:])
            starts.append(begin)
        return lines, starts
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
    if not lines[-1]:
        lines.pop()
        starts.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines, starts


def line_at(text: str, number: int) -> tuple[int, int] | None:
    """The beginning and the end (without its ending) of a line (from 0 on) of `split_lines`; None if there is none.
    Does not split the whole text."""
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        lines, starts = split_lines(text)
        return (starts[number], starts[number] + len(lines[number])) if number < len(lines) else None
    start, end = 0, len(text)  # after `number` line endings; those before `start` are counted
    left = number
    while left and end - start > _FEW_CHARACTERS:
        middle = (start + end) // 2
        many = text.count("\n", start, middle)
        if many < left:
            start, left = middle, left - many
        else:
            end = middle
    for _ in range(left):
        start = text.find("\n", start) + 1
        if not start:
            return None
    if start == len(text):
        return None
    end = text.find("\n", start)
    if end < 0:
        return start, len(text)
    return start, end - 1 if end > start and text[end - 1] == "\r" else end
