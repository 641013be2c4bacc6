"""Files that a runner loads and the engine does not read: hidden by `.gitignore`, or in a language without a reader.

They are searched for a step before it is renamed, and never edited.
"""

# ruff: noqa: PTH100, PTH120

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import regex

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.gherkin.walk import is_foreign, spec_of
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.glue.fragments import fold
from cukereuse_engine.glue.languages.base import language_for, suffixes
from cukereuse_engine.glue.languages.source import as_utf8, text_of
from cukereuse_engine.glue.matchers import Matcher, compile_definition
from cukereuse_engine.glue.patterns import TIMEOUT
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.refactor.calls import calls_in
from cukereuse_engine.refactor.rename_plan import Bindings
from cukereuse_engine.refactor.step_call import PUT_IN_TEXT

UNREAD_SUFFIXES = (".vb", ".fs", ".fsx", ".groovy")
"""Suffixes of other languages of .NET and Java runners."""
_GENERATED = re.compile(r"\.feature\.\w+$|\.d\.ts$|\.min\.js$")
"""Files that each build generates again from features or sources."""
_MAX_BYTES = 1_000_000
_LITERAL = re.compile(
    r'"""([^\n]*?)"""|``([^`\n]+)``'  # names of functions in F# may be steps
    r'|"((?:[^"\\\n]|\\.|"")*)"|/((?:[^/\\\n]|\\.)+)/|\'((?:[^\'\\\n]|\\.)*)\''
)
_WRITTEN = re.compile(r"[a-zA-Z@$]{0,2}([\"'`/])((?:[^\\\n]|\\.)*?)\1")
_QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|<[^<>]*>")
_SIGNS = re.compile(r"[\\^$.|?*+({\[]")
_PUT_IN = re.compile(r"\{[^{}]*\}")
_PARAMETER = re.compile(r"\\\{\w*\\\}")


def hidden_beside(
    features: Iterable[str], glue: Iterable[str], known: Collection[str], exclude: Sequence[str] = ()
) -> list[str]:
    """The files beside feature files and step definitions that are not `known`, by path.

    `features`, `glue`: paths of the files that are read. Below folders of features, folders without known files count
    too. `exclude`: patterns of files that the user leaves out, as in `.gitignore`.
    """
    left_out = spec_of(exclude) if exclude else None
    places = _Places()
    read = {places.of(path) for path in known}
    homes = {os.path.dirname(path): True for path in features}
    homes |= {folder: False for path in glue if (folder := os.path.dirname(path)) not in homes}
    inside = _with_all_above(places.folders.values())
    paths: dict[str, None] = {}
    for folder, of_features in homes.items():
        for path in _below(folder or os.curdir, inside, deep=of_features):
            is_left_out = left_out is not None and left_out.match_file(path)
            is_link_to_known = Path(path).is_symlink() and places.of(os.path.realpath(path)) in read
            if places.of(path) not in read and not _is_built(path) and not is_left_out and not is_link_to_known:
                paths[os.path.normpath(path)] = None
    return sorted(paths)


class _Places:
    """The places of many files in few folders."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}
        """Folder as named to its absolute path."""

    def of(self, path: str) -> tuple[str, str]:
        """The absolute folder of a file, and its name there."""
        folder, name = os.path.split(path)
        if folder not in self.folders:
            self.folders[folder] = os.path.abspath(folder)
        return self.folders[folder], name


def _with_all_above(folders: Iterable[str]) -> set[str]:
    """Absolute folders, and all folders around them."""
    all_above: set[str] = set()
    for folder in folders:
        above = folder
        while above not in all_above:
            all_above.add(above)
            above = os.path.dirname(above)
    return all_above


def _below(folder: str, inside: Collection[str], *, deep: bool) -> Iterator[str]:
    endings = (*FEATURE_SUFFIXES, *suffixes(), *UNREAD_SUFFIXES)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    names = {entry.name for entry in entries}
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            is_own = os.path.abspath(entry.path) not in inside and not entry.name.startswith(".")
            if deep and is_own and not is_foreign(entry.name, os.path.abspath(entry.path), names):
                yield from _below(entry.path, inside, deep=True)
        elif entry.name.endswith(endings) and not _GENERATED.search(entry.name) and entry.is_file():
            yield entry.path


def _is_built(path: str) -> bool:
    """True for a file that a compiler writes beside its source."""
    stem = path.removesuffix(".js")
    return stem != path and any(os.path.exists(stem + other) for other in (".ts", ".tsx"))  # noqa: PTH110


def users_of(
    texts: Collection[str], definitions: Sequence[StepDefinition], paths: Iterable[str], read: Callable[[str], bytes]
) -> Iterator[tuple[str, int]]:
    """Path and line where files define one of `texts`, or use one of the `definitions`, which are rewritten."""
    matchers = _matchers(definitions)
    for path in paths:
        try:
            data = read(path)
        except OSError:
            continue
        if len(data) > _MAX_BYTES:
            continue
        if path.lower().endswith(FEATURE_SUFFIXES):
            for step in read_bytes(path, data).steps if _may_say(matchers, data) else ():
                if _any_says(matchers, expanded_texts(step)):
                    yield path, step.line
        elif language_for(path) is None:
            yield from ((path, line) for line in _saying(text_of(data), texts))
        else:
            for definition in extract_source(path, data).definitions:
                if _any_says(_matchers([definition]), texts):
                    yield path, definition.line
            for call in calls_in(path, data):
                if _any_says(matchers, call.could_say()):
                    yield path, call.step.line


def perhaps_defined(
    texts: Iterable[str], glue: Bindings, paths: Iterable[str], read: Callable[[str], bytes]
) -> tuple[GlueError, str] | None:
    """A definition with an unknown expression that may define one of `texts`, and the path of the source that says so:
    the known part of its expression matches, its source contains the first two words of the text's longest run of
    words, or any source contains the whole run. Known expressions do not count. `paths`: all sources."""
    errors = [error for error in glue.errors if error.untold]
    if not errors:
        return None
    sources = _UntoldSources(glue, errors, read)
    for text in texts:
        words = max(re.split(r"[^\w\s'-]+|\b\d+\b", _QUOTED.sub("|", text)), key=len).split()
        begins, whole = " ".join(words[:2]), " ".join(words)
        for error in errors:
            says_beginning = begins and begins in sources.text(error.path)
            if says_beginning or any(_fits(frame, [text]) for frame in sources.frames(error)):
                return error, error.path
        path = next((path for path in paths if whole in sources.text(path)), None) if len(words) > 1 else None
        if path is not None:
            return errors[0], path
    return None


class _UntoldSources:
    """Sources without the expressions that are known."""

    def __init__(self, glue: Bindings, errors: Sequence[GlueError], read: Callable[[str], bytes]) -> None:
        self._read = read
        places = {(error.path, error.line) for error in errors}
        self._told: dict[str, list[tuple[int, int]]] = {}
        for definition in glue.definitions:
            if definition.rewritable and (definition.path, definition.line) not in places:
                literal = definition.literal
                self._told.setdefault(definition.path, []).append((literal.start_byte, literal.end_byte))
        self.text, self.frames = cache(self._text_of), cache(self._frames_of)

    def _text_of(self, path: str) -> str:
        try:
            data = as_utf8(self._read(path))
        except OSError:
            return ""
        for start, end in self._told.get(path, ()):
            data = b"%b%b%b" % (data[:start], b" " * (end - start), data[end:])
        return " ".join(text_of(data).split())

    def _frames_of(self, error: GlueError) -> "list[regex.Pattern[str]]":
        """Patterns for the known part of the expression at the place of an error."""
        try:
            return _frames(text_of(self._read(error.path)).split("\n")[error.line - 1][error.column - 1 :])
        except (OSError, IndexError):
            return []


def why_unread(path: str) -> str:
    """A message why a hidden file is not read, and what to do."""
    if path.lower().endswith(UNREAD_SUFFIXES):
        return f".{path.rpartition('.')[2]} files are not read; change the step by hand, there and here"
    return f"an ignore file hides it; add --include {path!r}, or change it by hand first"


def _matchers(definitions: Sequence[StepDefinition]) -> list[Matcher]:
    return [
        matcher for definition in definitions if (matcher := compile_definition(definition, {}).matcher) is not None
    ]


def _may_say(matchers: Sequence[Matcher], data: bytes) -> bool:
    """True if a feature file may contain a match. The value of a placeholder may be a part of any word."""
    folded = fold(decode(data).text)
    return bool(matchers) and ("<" in folded or any(matcher.requirement.allows(folded) for matcher in matchers))


def _any_says(matchers: Sequence[Matcher], texts: Iterable[str]) -> bool:
    return bool(matchers) and any(matcher.match(text) is not None for text in texts for matcher in matchers)


def _saying(source: str, texts: Collection[str]) -> Iterator[int]:
    """The 1-based lines with a literal that is one of the texts, or an expression that matches one."""
    for match in _LITERAL.finditer(source):
        literal = next(group for group in match.groups() if group is not None).replace('""', '"').replace('\\"', '"')
        is_put_together = source[match.start() - 1 : match.start()] == "$"
        if is_put_together and not re.search(r"\w{3}", _PUT_IN.sub("", literal)):
            continue  # `$"{first} {last}"` is any text
        if literal in texts or any(_fits(pattern, texts) for pattern in _patterns(literal)):
            yield source.count("\n", 0, match.start()) + 1


def _fits(pattern: "regex.Pattern[str]", texts: Collection[str]) -> bool:
    """True if the pattern matches one of the texts; a pattern that takes too long matches none."""
    try:
        return any(pattern.fullmatch(text, timeout=TIMEOUT) for text in texts)
    except TimeoutError:
        return False


def _frames(code: str) -> "list[regex.Pattern[str]]":
    """A pattern for the literal that some code begins with, whatever a program inserts; none if the literal has no word
    of its own."""
    written = _WRITTEN.match(code)
    parts = PUT_IN_TEXT.split(written[2]) if written is not None else []
    if not re.search(r"\w", re.sub(r"\\.", "", "".join(parts))):
        return []
    with suppress(regex.error, OverflowError, RecursionError):
        return [regex.compile(".*".join(parts))]
    return []


def _patterns(said: str) -> "list[regex.Pattern[str]]":
    """Patterns for a literal as an expression with parameters, and as a regex, if it has special characters."""
    if not _SIGNS.search(said):
        return []
    plain = re.escape(said)
    open_text = _PARAMETER.sub(".+", plain)
    patterns = [regex.compile(open_text)] if open_text != plain else []
    if len(said) < 500 and re.search(r"\w{3}", said):
        with suppress(regex.error, OverflowError, RecursionError):
            patterns.append(regex.compile(said))
    return patterns
