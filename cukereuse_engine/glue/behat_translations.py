"""Translations of Behat's step patterns, from files that a context names (TranslatableContext.php).

A translation is a further definition in the place of the one that it translates. In Behat, it counts for the whole
suite; here, for the contexts in its folder. Nothing is executed: a resource in PHP is read for its literals.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from html import unescape
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain, read_yaml
from cukereuse_engine.glue.definition import Extraction, StepDefinition
from cukereuse_engine.glue.languages.php import pattern_of

SUFFIX = ".xliff"
"""The suffix of files that contain only translations; for other suffixes, the folder's name tells."""
FOLDERS = ("i18n", "translations")
_METHOD = "getTranslationResources"
_NAMED = re.compile(r"__DIR__\s*\.\s*(['\"])/?([^'\"\n]*\.(?:xliff|yml|php))\1")
_UNIT = re.compile(
    r"<trans-unit\b(?P<says>[^>]*)>\s*<source[^>]*>(?P<source>.{0,4000}?)</source>\s*<target[^>]*>(?P<target>.{0,4000}?)</target>",
    re.DOTALL,
)
_KEY = re.compile(r"\bresname\s*=\s*([\"'])(.*?)\1")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
_PAIR = re.compile(r"'((?:[^'\\]|\\.)*)'\s*=>\s*'((?:[^'\\]|\\.)*)'")


def with_translations(path: str, extraction: Extraction) -> Extraction:
    """The definitions of a context, with the translations of their patterns."""
    more = [
        _translated(definition, table[pattern])
        for definition in extraction.definitions
        for table in tables(os.path.dirname(path))  # noqa: PTH120
        for pattern in _spellings(definition)
        if pattern in table
    ]
    return replace(extraction, definitions=(*extraction.definitions, *dict.fromkeys(more))) if more else extraction


@lru_cache(maxsize=1000)
def tables(folder: str) -> tuple[Mapping[str, str], ...]:
    """The tables that the contexts in a folder name; each maps a pattern to its translation."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return ()
    texts = (_text(Path(folder, name)) for name in names if name.endswith(".php"))
    files = dict.fromkeys(file for text in texts if _METHOD in text for file in _resources(Path(folder), text))
    return tuple(table for file in files if (table := _table(file)))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if is_plain(path) else ""
    except (OSError, ValueError):
        return ""


def _resources(folder: Path, source: str) -> Iterator[Path]:
    for _, name in _NAMED.findall(source):
        try:
            yield from sorted(folder.glob(name)) if "*" in name and ".." not in name else _globbed(folder / name)
        except (OSError, ValueError, NotImplementedError):
            continue


def _globbed(path: Path) -> list[Path]:
    """Globs in the folder of a path: a pattern of `Path.glob` may not contain `..`."""
    return sorted(path.parent.resolve().glob(path.name))


def _table(path: Path) -> Mapping[str, str]:
    """Maps each pattern to its translation."""
    if path.suffix == ".yml":
        document = read_yaml(path, [])
        items = document.items() if isinstance(document, dict) else ()
        return {key: value for key, value in items if isinstance(key, str) and isinstance(value, str)}
    text = _text(path)
    if path.suffix == ".php":
        return {_unquoted(key): _unquoted(value) for key, value in _PAIR.findall(text)}
    table = {}
    for unit in _UNIT.finditer(text):
        key = _KEY.search(unit["says"])
        table[unescape(key[2]) if key is not None else _plain(unit["source"])] = _plain(unit["target"])
    return table


def _unquoted(text: str) -> str:
    return re.sub(r"\\([\\'])", r"\1", text)


def _plain(text: str) -> str:
    data = _CDATA.fullmatch(text)
    return data[1] if data is not None else unescape(text)


def _spellings(definition: StepDefinition) -> tuple[str, ...]:
    """The ways in which a resource may write a pattern: with its delimiters, or without the quotes of an attribute."""
    written = definition.source_literal
    return tuple(dict.fromkeys((definition.expression, written, _unquoted(written[1:-1]))))


def _translated(definition: StepDefinition, text: str) -> StepDefinition:
    pattern = pattern_of(text)
    return replace(
        definition,
        expression=pattern.text,
        kind=pattern.kind,
        anchoring=pattern.anchoring,
        flags=pattern.flags,
        rewritable=False,
        is_translation=True,
    )
