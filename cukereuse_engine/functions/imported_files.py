"""The files that a file imports, used or not, read from its text.

`Names.imports` says what names mean; this also knows imports that bind no name, re-exports and stars. Text that loads
nothing is no import: comments, strings, imports of types alone.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath

from cukereuse_engine.functions.languages import javascript, python
from cukereuse_engine.functions.module_files import language_of
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

_SCRIPT = re.compile(r"\b(?P<at>from|import|require)\b\s*\(?\s*(?P<quote>['\"`])(?P<module>[^'\"`\n]+)(?P=quote)")
_SCRIPT_SUFFIX = re.compile(r"\.[cm]?[jt]sx?$")
_PYTHON = re.compile(
    r"^[ \t]*(?P<at>from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import\b(?P<names>[ \t]*\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]+))",
    re.MULTILINE,
)
_CHECKING = re.compile(r"(?:\w+\.)?TYPE_CHECKING")


def imported_files(path: str, text: str, exists: Callable[[str], bool]) -> Iterator[str]:
    """Yields paths written as `path` is. `exists`: true for existing files. Modules without a file are left out."""
    folder = PurePath(path).parent.as_posix()
    if PurePath(path).suffix == ".py":
        imports = _loading(_PYTHON, path, text)
        groups = (list(python.files_of(module, path)) for module in _python_modules(folder, imports))
    else:
        groups = (_script_candidates(folder, match["module"]) for match in _loading(_SCRIPT, path, text))
    for candidates in groups:
        yield from (candidate for candidate in candidates if exists(candidate))


def _loading(pattern: re.Pattern[str], path: str, text: str) -> Iterator[re.Match[str]]:
    """The imports in a source, without those that load nothing."""
    spans = sorted(_idle(path, text.encode("utf-8", "replace")), reverse=True)
    at = place = idle_until = 0
    for match in pattern.finditer(text):
        place += len(text[at : match.start("at")].encode("utf-8", "replace"))
        at = match.start("at")
        while spans and spans[-1][0] <= place:
            idle_until = max(idle_until, spans.pop()[1])
        if place >= idle_until:
            yield match


def _idle(path: str, data: bytes) -> Iterator[tuple[int, int]]:
    """The byte spans of text that loads nothing."""
    language = language_of(path)
    try:
        source = parse(path, data, language) if language else None
    except SlowSourceError:
        source = None
    if source is None:
        return
    for node in source.nodes("comment", "string_fragment", "string_content", "regex_pattern"):
        yield node.start_byte, node.end_byte
    for node in source.nodes("import_statement", "export_statement"):
        if any(child.type == "type" for child in node.children):
            yield node.start_byte, node.end_byte
    for node in source.nodes("if_statement"):
        condition, block = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is not None and block is not None and _CHECKING.fullmatch(source.text(condition)):
            yield block.start_byte, block.end_byte


def _script_candidates(folder: str, module: str) -> list[str]:
    if not module.startswith("."):
        return []
    joined = posixpath.normpath(posixpath.join(folder, module))
    written = joined if joined.startswith(("/", "../")) else f"./{joined}"
    plain = _SCRIPT_SUFFIX.sub("", written)
    return list(dict.fromkeys((*javascript.files_of(written), *javascript.files_of(plain))))


def _python_modules(folder: str, imports: Iterable[re.Match[str]]) -> Iterator[str]:
    """Module names for `python.files_of`. A name that is imported from a package may be a module too."""
    for match in imports:
        if match["modules"] is not None:
            yield from (name for part in match["modules"].split(",") if (name := part.strip().partition(" ")[0]))
            continue
        written, names = match["module"], re.findall(r"\w+", match["names"])
        dots = len(written) - len(written.lstrip("."))
        module = written
        if dots:
            above = posixpath.normpath(posixpath.join(folder, *[".."] * (dots - 1), written[dots:].replace(".", "/")))
            module = above if above.startswith("/") else f"./{above}"
        separator = "/" if dots else "."
        yield from (module, *(f"{module}{separator}{name}" for name in names))
