"""Lines of a decoded text, as editors count them.

Lines end with LF, CRLF or a lone CR; U+2028, U+0085, VT and FF stay inside a line. Never changes a text.
"""

import re
from itertools import accumulate

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONE_CR = re.compile(r"\r(?!\n)")


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
