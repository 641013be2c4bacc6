"""Makes text from a suite safe and legible for people and for encoders.

Two step texts often differ in invisible or direction-changing characters, which can also make a terminal or a page lie.
This module never drops a character: what can't be seen is written as an escape.
"""

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def is_hidden(character: str) -> bool:
    """True if a reader can't see `character`: controls, format characters (bidi marks, zero widths), separators and
    every blank but U+0020."""
    category = unicodedata.category(character)
    return category in _HIDDEN or (category == "Zs" and character != " ")


def visible(text: str) -> str:
    r"""`text` with each hidden character written as `\t`, `\n`, `\r`, `\u202e` or `\U000e0041`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if is_hidden(character) else character for character in text)


def _escape(character: str) -> str:
    short = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}.get(character)
    if short:
        return short
    point = ord(character)
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def encodable(text: str) -> str:
    r"""`text` in a form that UTF-8 can hold: lone surrogates (file names that are not Unicode) become `\udce9`."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


STEP_BORDER = " / "


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` code points: the middle of a longer one becomes an ellipsis, because step texts differ
    at either end."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 3
    return f"{text[: limit - 1 - tail].rstrip()}…{text[len(text) - tail :].lstrip() if tail else ''}"


def shortened_steps(text: str, limit: int) -> str:
    """Steps, separated by ` / `, in about `limit` code points: those in the middle are left out. A step itself is
    shortened only if the first and the last one are too long."""
    first, *middle = text.split(STEP_BORDER)
    if len(text) <= limit or not middle:
        return shortened(text, limit)
    *middle, last = middle
    room = limit - 2 * len(STEP_BORDER) - 1
    if len(first) + len(last) > room:
        first, last = shortened(first, room // 2), shortened(last, room - room // 2)
    kept = [first]
    for step in middle:
        if len(STEP_BORDER.join([*kept, step])) + len(last) > room:
            break
        kept.append(step)
    return STEP_BORDER.join([*kept, "…", last])
