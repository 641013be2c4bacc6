"""Decodes the bytes of a text file, strictly.

UTF-8, byte order marks (UTF-8, UTF-16, UTF-32) and an `# encoding:` header are understood; anything else is an error
that names the likely encoding. Never yields a replacement character, never guesses a text. What is said
of bytes that are no text is in `broken/encodings`.
"""

import codecs
import re
from dataclasses import dataclass

from cukereuse_engine.gherkin.broken.encodings import (
    not_utf8,
    not_what_it_claims,
    nothing_after_mark,
    unknown_encoding,
    wide_without_mark,
)

_MARKS = (  # UTF-32-LE begins with UTF-16-LE's mark: longest first
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADER = re.compile(rb"[ \t]*#[ \t]*(?:-\*-[ \t]*)?(?:en)?coding[ \t]*[:=][ \t]*([\w.-]+)", re.IGNORECASE)
_HEADER_LINES = 10
_ASCII = "".join(map(chr, range(32, 92))) + "\n\t" + "".join(map(chr, range(97, 123)))
"""Characters that an encoding shares with ASCII if its header is readable; `\\` and `~` differ in Japanese ones."""


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    """Without the byte order mark; line endings as in the file. Empty where `error` is set."""
    encoding: str
    """The codec: "utf-8", "utf-8-sig", "utf-16", "utf-32", or the header's, by Python's name."""
    error: str = ""
    """Why there is no text, naming the suspected encoding; or, with a text, what was ignored."""
    line: int = 0
    """1-based line of the first byte that can't be decoded; 0 where none can be named."""
    failed: bool = False


def decode(data: bytes) -> Decoded:
    """The text of `data`, or an error. Never raises."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    header = _header(data)
    if header is not None:
        name, line = header
        codec = _text_codec(name)
        if codec is None:
            decoded = _as_utf8(data)
            return decoded if decoded.failed else Decoded(decoded.text, "utf-8", unknown_encoding(name), line)
        if codec != "utf-8":
            return _strictly(data, codec)
    return _as_utf8(data)


def encode_like(text: str, encoding: str, original: bytes) -> bytes:
    """`text` in `encoding` with the byte order mark and byte order of `original`, the bytes that were decoded.

    Raises `UnicodeEncodeError` if the encoding lacks a character.
    """
    for mark, codec in _MARKS:
        if original.startswith(mark) and codec == encoding:
            if codec == "utf-8-sig":
                return mark + text.encode("utf-8")
            order = "le" if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF32_LE) else "be"
            return mark + text.encode(f"{codec}-{order}")
    return text.encode(encoding)


def _as_utf8(data: bytes) -> Decoded:
    problem = wide_without_mark(data)
    return _strictly(data, "utf-8") if problem is None else Decoded("", problem.encoding, problem.message, 0, True)


def _strictly(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        problem = not_utf8(data, error.start) if encoding == "utf-8" else not_what_it_claims(encoding)
        line = _line_of(data, error.start, encoding) if problem.has_line else 0
        return Decoded("", problem.encoding, problem.message, line, True)
    except UnicodeError as error:  # a byte order mark with nothing usable after it
        problem = nothing_after_mark(encoding, error)
        return Decoded("", problem.encoding, problem.message, 0, True)


def _line_of(data: bytes, position: int, encoding: str) -> int:
    """1-based line of a byte position."""
    before = data[:position].decode(encoding, "ignore")
    return 1 + before.count("\n") + len(re.findall(r"\r(?!\n)", before))


def _header(data: bytes) -> tuple[str, int] | None:
    """Encoding name and line of an `# encoding:` comment above everything but comments."""
    lines = re.split(rb"\r\n|\r|\n", data[:4096], maxsplit=_HEADER_LINES)[:_HEADER_LINES]
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if stripped and not stripped.startswith(b"#"):
            return None
        match = _HEADER.match(line)
        if match:
            return match.group(1).decode("ascii", "replace"), number
    return None


def _text_codec(name: str) -> str | None:
    """Python's name of an ASCII-like text encoding, or None."""
    try:
        info = codecs.lookup(name)
        if "escape" in info.name or _ASCII.encode("ascii").decode(info.name) != _ASCII:
            return None
    except (LookupError, UnicodeError, ValueError, AssertionError, TypeError):
        return None
    return "utf-8" if info.name == "ascii" else info.name
