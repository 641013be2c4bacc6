"""Engine types <-> lsprotocol types; the only place that knows the client's position units and its URIs.

Lines split as the protocol says: on LF, CRLF and lone CR, never on U+2028 and its like. Never asks the worker.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from cukereuse_engine.gherkin.lines import line_at, split_lines
from cukereuse_server.protocol.diagnostics import Diagnosis
from cukereuse_server.protocol.places import Place

SOURCE = "cukereuse"
UriOf = Callable[[str], str]
"""Maps a path to the client's URI for it."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a UTF-16 pair."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def path_of(uri: str) -> str | None:
    """The absolute path of a `file:` URI, or None. `#` should be percent-encoded; an unencoded one is accepted too."""
    scheme, separator, rest = uri.partition(":")
    if not separator or scheme.lower() != "file":
        return None
    parts = urlsplit(rest, allow_fragments=False)
    path = unquote(parts.path + (f"?{parts.query}" if parts.query else ""))
    if os.name == "nt":
        path = path.removeprefix("/") if path[2:3] == ":" else path
        path = f"//{parts.netloc}{path}" if parts.netloc else path
    return os.path.normpath(path) if path else None


@lru_cache(maxsize=4096)
def uri_of(path: str) -> str:
    return Path(path).as_uri()


def units(text: str, encoding: str) -> int:
    """The length of `text` in the client's units."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def code_points(line: str, character: int, encoding: str) -> int:
    """The number of code points of `line` before a client's `character`; a position inside a code point counts as
    before it."""
    if encoding == "utf-32" or line.isascii():
        return max(0, min(character, len(line)))
    at = 0
    for index, letter in enumerate(line):
        at += units(letter, encoding)
        if at > character:
            return index
    return len(line)


def line_column(lines: list[str], position: types.Position, encoding: str) -> tuple[int, int]:
    """1-based line and column, in code points, of a client's position; clamped to the text."""
    line = lines[position.line] if 0 <= position.line < len(lines) else ""
    return position.line + 1, code_points(line, position.character, encoding) + 1


def lines_of(text: str) -> list[str]:
    """A byte order mark at the beginning is a character of the first line for the client, but none for the engine."""
    return split_lines(text)[0]


def edited(text: str, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: str) -> str:
    """A text after a client's changes, applied in order; a change without a range is the whole text."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            text, seams = change.text, change.text
        else:
            before = _parts_at(text, change.range.start, encoding)[0]
            behind = _parts_at(text, change.range.end, encoding)[1]
            text = before + change.text + behind
            seams = before[-1:] + change.text + behind[:1]
        if not seams.isascii() and _HALF.search(seams):  # halves of a pair may have come separately
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _parts_at(text: str, position: types.Position, encoding: str) -> tuple[str, str]:
    """The text before a client's position, and the text after it; clamped to the text. A UTF-16 pair may be cut in
    two."""
    place = line_at(text, position.line)
    if place is None:
        return text, ""
    start, end = place
    line = text[start:end]
    if encoding == "utf-16" and not line.isascii():
        units = line.encode("utf-16-le", "surrogatepass")
        halves = (units[: 2 * position.character], units[2 * position.character :])
        before, behind = (half.decode("utf-16-le", "surrogatepass") for half in halves)
    else:
        at = code_points(line, position.character, encoding)
        before, behind = line[:at], line[at:]
    return text[:start] + before, behind + text[end:]


def range_of(place: Place, encoding: str) -> types.Range:
    """Line 0 of the engine (an unreadable file) becomes the first."""
    line = max(place.line - 1, 0)
    start, end = max(place.column - 1, 0), max(place.end_column - 1, 0)
    if place.line_text:
        start, end = (units(place.line_text[:offset], encoding) for offset in (start, end))
    return types.Range(types.Position(line, start), types.Position(line, end))


def location_of(place: Place, encoding: str, uri: UriOf) -> types.Location:
    return types.Location(uri(place.path), range_of(place, encoding))


def diagnostic_of(diagnosis: Diagnosis, encoding: str, uri: UriOf, *, related: bool) -> types.Diagnostic:
    information = [
        types.DiagnosticRelatedInformation(location_of(other.place, encoding, uri), other.message)
        for other in diagnosis.related
    ]
    return types.Diagnostic(
        range=range_of(diagnosis.place, encoding),
        severity=_SEVERITIES.get(diagnosis.severity, types.DiagnosticSeverity.Information),
        code=diagnosis.rule,
        source=SOURCE,
        message=diagnosis.message,
        related_information=information if related and information else None,
        tags=[types.DiagnosticTag.Unnecessary] if diagnosis.rule == "unused-definition" else None,
        data={"fingerprint": diagnosis.fingerprint, "rule": diagnosis.rule} if diagnosis.fingerprint else None,
    )
