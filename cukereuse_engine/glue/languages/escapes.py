"""Backslash escapes in the string literals of C's descendants."""

import re

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u+([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|.))", re.DOTALL
)
_SIMPLE = dict(zip("ntrbfva0se", "\n\t\r\b\f\v\a\0 \x1b", strict=True))


def unescape(body: str, *, simple: str = "ntrbfv", unknown_keeps_backslash: bool = False, octal: bool = True) -> str:
    """Resolve backslash escapes as C's descendants do: `simple` are the one-letter ones that the language knows.

    `\\uXXXX` (with surrogate pairs), `\\u{X}`, `\\UXXXXXXXX`, `\\xXX` and octal ones are resolved, a backslash before
    a line end joins lines, `\\c` for another c is c, or stays as it is if `unknown_keeps_backslash`.
    """

    def character(match: re.Match[str]) -> str:
        braced, four, eight, two, octal_digits, other = match.groups()
        digits = braced or four or eight or two
        if digits:
            code = int(digits, 16)
            return chr(code) if code <= 0x10FFFF else match.group()
        if octal_digits:
            if octal:
                return chr(int(octal_digits, 8))
            return match.group() if unknown_keeps_backslash else octal_digits
        if other in ("\n", "\r\n"):
            return ""
        if other in simple:
            return _SIMPLE[other]
        return match.group() if unknown_keeps_backslash and other not in "\\\"'`$/" else other

    text = _ESCAPE.sub(character, body)
    return whole_characters(text)


def whole_characters(text: str) -> str:
    """Surrogate pairs joined, lone surrogates replaced: a text that every encoding can hold."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
