"""Decodes the bytes of a text file, strictly.

UTF-8, byte order marks (UTF-8, UTF-16, UTF-32) and an `# encoding:` header are understood; anything else is an error
that names the likely encoding. Never yields a replacement character, never guesses a text.
"""

import codecs
import re
from dataclasses import dataclass

_MARKS = (  # UTF-32-LE begins with UTF-16-LE's mark: longest first
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEADER = re.compile(rb"[ \t]*#[ \t]*(?:-\*-[ \t]*)?(?:en)?coding[ \t]*[:=][ \t]*([\w.-]+)", re.IGNORECASE)
_HEADER_LINES = 10
_NEVER_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
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
            return decoded if decoded.failed else Decoded(decoded.text, "utf-8", _unknown(name), line)
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
    suspected = _wide(data)
    if suspected:
        if not _is_text(data, suspected):
            return _BINARY
        return Decoded("", suspected, f"Looks like {suspected.upper()} without a byte order mark. {_ADVICE}", 0, True)
    return _strictly(data, "utf-8")


_BINARY = Decoded("", "unknown", "Not a text file, but binary data. Remove it, or name it under `exclude`.", 0, True)
_ADVICE = "Save the file as UTF-8."


def _strictly(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        line = _line_of(data, error.start, encoding)
        if encoding == "utf-8" and not _is_text(data, "latin-1"):
            return _BINARY
        if encoding == "utf-8":
            suspected = _suspect(data)
            looks = f"looks like {suspected}" if suspected else "no known encoding fits"
            advice = f'{_ADVICE[:-1]}, or write "# encoding: {suspected}" in its first line.' if suspected else _ADVICE
            message = f"Not UTF-8 (byte 0x{data[error.start]:02X}); {looks}. {advice}"
            return Decoded("", suspected or "unknown", message, line, True)
        named = {"utf-8-sig": "UTF-8 (by its byte order mark)"}.get(encoding, encoding.upper())
        return Decoded("", encoding, f"Is not valid {named}, although it claims to be. {_ADVICE}", line, True)
    except UnicodeError as error:  # a byte order mark with nothing usable after it
        return Decoded("", encoding, f"Is not valid {encoding.upper()}: {error}. {_ADVICE}", 0, True)


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


def _unknown(name: str) -> str:
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
    """The likeliest encoding of bytes that are not UTF-8; only used in messages."""
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
