"""Bytes that are no text: what they are instead, and what is said about them. `gherkin/decode` asks; the encodings that
are suspected here only appear in messages, a text is never guessed."""

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
_NEVER_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


def wide_without_mark(data: bytes) -> EncodingProblem | None:
    """UTF-16 or UTF-32 without a byte order mark, or binary data that looks so; None for all others."""
    encoding = _wide(data)
    if not encoding:
        return None
    if not _is_text(data, encoding):
        return _BINARY
    return EncodingProblem(encoding, f"Looks like {encoding.upper()} without a byte order mark. {_ADVICE}")


def not_utf8(data: bytes, start: int) -> EncodingProblem:
    """Bytes that claim no encoding and are not UTF-8, from offset `start` on."""
    if not _is_text(data, "latin-1"):
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


def _wide(data: bytes) -> str:
    """The UTF-16 or UTF-32 that zero bytes suggest, or ""."""
    sample = data[:4096]
    zeros = sample.count(0)
    if zeros < 2 or zeros * 5 < len(sample):
        return ""
    if zeros * 2 > len(sample) * 1.2:
        return "utf-32-le" if sample[0] else "utf-32-be"
    even = sample[0::2].count(0)
    return "utf-16-be" if even * 2 > zeros else "utf-16-le"


def _is_text(data: bytes, encoding: str) -> bool:
    """False if `encoding` makes of the first bytes what no text has: more than 2 % of control characters (not those
    of white space, nor the escape of ISO-2022) or of what can't be decoded. Random bytes have 10 %."""
    sample = data[:4096].decode(encoding, "replace")
    return len(_NEVER_TEXT.findall(sample)) * 50 <= len(sample)


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
