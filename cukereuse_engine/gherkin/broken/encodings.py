"""Bytes that are no text: what they are instead, and what is said about them. `gherkin/decode` asks; the encodings that
are suspected here only appear in messages, a text is never guessed."""

import codecs
import re
from typing import NamedTuple


class EncodingProblem(NamedTuple):
    encoding: str
    """The likely or claimed encoding; "unknown" for none."""
    message: str
    has_line: bool = False
    """True if the line of the first byte that can't be decoded helps."""


_ADVICE = "Save the file as UTF-8."
_BINARY = EncodingProblem("unknown", "Not a text file, but binary data. Remove it, or name it under `exclude`.")
_TEXT_DAMAGE = 0.02
"""Share of damaged characters that a text may have; random bytes have 10 %."""
_WIDE_DAMAGE = 0.2
"""Share of control characters or damage in UTF-8 from which zero bytes are no accident. In UTF-16, one byte of each
character below U+2000 is a control character; of Chinese and Japanese, more than half can't be decoded."""
_ASCII = re.compile(r"[\t\n\r -~]")
"""In a text whose bytes are read in the wrong order, these are letters that nobody uses."""
_CONTROL = re.compile("[\x00-\x1f\x7f\ufffd]")
_NEVER_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
"""Control characters that are no white space, nor the escape of ISO-2022; and what can't be decoded."""


def wide_without_mark(data: bytes) -> EncodingProblem | None:
    """UTF-16 or UTF-32 without a byte order mark, or binary data that looks so; None for all others."""
    if 0 not in data or _share(_CONTROL, _start(data, "utf-8")) < _WIDE_DAMAGE:
        return None
    texts = {encoding: _start(data, encoding) for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")}
    ascii_only = {encoding: len(_ASCII.findall(text)) for encoding, text in texts.items() if _is_text(text)}
    encoding = max(ascii_only, key=ascii_only.__getitem__, default="")
    if not ascii_only.get(encoding):
        return _BINARY
    return EncodingProblem(encoding, f"Looks like {encoding.upper()} without a byte order mark. {_ADVICE}")


def not_utf8(data: bytes, start: int) -> EncodingProblem:
    """Bytes that claim no encoding and are not UTF-8, from offset `start` on."""
    if not _is_text(_start(data, "latin-1")):
        return _BINARY
    suspected = _suspect(data)
    looks = f"looks like {suspected}" if suspected else "no known encoding fits"
    advice = f'{_ADVICE[:-1]}, or write "# encoding: {suspected}" in its first line.' if suspected else _ADVICE
    message = f"Not UTF-8 (byte 0x{data[start]:02X}); {looks}. {advice}"
    return EncodingProblem(suspected or "unknown", message, has_line=True)


def not_what_it_claims(encoding: str) -> EncodingProblem:
    named = {"utf-8-sig": "UTF-8 (by its byte order mark)"}.get(encoding, encoding.upper())
    return EncodingProblem(encoding, f"Is not valid {named}, although it claims to be. {_ADVICE}", has_line=True)


def nothing_after_mark(encoding: str, error: UnicodeError) -> EncodingProblem:
    return EncodingProblem(encoding, f"Is not valid {encoding.upper()}: {error}. {_ADVICE}")


def unknown_encoding(name: str) -> str:
    return f'Unknown encoding "{name}"; read as UTF-8. Write "# encoding: utf-8", or remove the line.'


def _start(data: bytes, encoding: str) -> str:
    """The first characters of a text, if it is one; without one that is cut at the end."""
    return codecs.getincrementaldecoder(encoding)("replace").decode(data[:4096])


def _is_text(start: str) -> bool:
    return bool(start) and _share(_NEVER_TEXT, start) <= _TEXT_DAMAGE


def _share(of: re.Pattern[str], start: str) -> float:
    return len(of.findall(start)) / max(1, len(start))


def _suspect(data: bytes) -> str:
    """The likeliest encoding of bytes that are not UTF-8."""
    sample = b"\n".join(line for line in data.split(b"\n") if not line.isascii())[:20000]
    for name in ("euc_jp", "cp932"):
        text = _try(sample, name)
        kana = len(re.findall("[\u3040-\u30ff]", text))
        half_width = len(re.findall("[\uff61-\uff9f]", text))
        if kana > 1 and kana > 4 * half_width:
            return "shift_jis" if name == "cp932" else "euc-jp"
    for name in ("gb18030", "big5", "euc_kr"):
        text = _try(sample, name)
        common = len(re.findall("[\u4e00-\u9fa5\uac00-\ud7a3]{2,}", text))
        if common and not re.search("[A-Za-z][\u4e00-\u9fa5]|[\u4e00-\u9fa5][a-z]", text):
            return name.replace("_", "-")
    cyrillic = _try(sample, "cp1251")
    if len(re.findall("[А-Яа-яё]{3,}", cyrillic)) > len(re.findall("[A-Za-z]{3,}", cyrillic)) / 2:
        return "windows-1251"
    if re.search(rb"[\x80-\x9f]", sample):
        return "windows-1252" if _try(sample, "cp1252") else ""
    return "iso-8859-1"


def _try(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""
