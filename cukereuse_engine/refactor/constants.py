"""Who else names a constant that says an expression: it can't say something else for them unasked."""

import re
from collections.abc import Callable, Iterable
from pathlib import PurePath

from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.refactor.calls import Code, languages_beside
from cukereuse_engine.refactor.edits import ChangedFileError, source_text

_OF_MODULE = frozenset(("javascript", "typescript", "python"))
"""Languages in which a name of another file is there only where that file is named."""
_OF_FOLDER = frozenset(("index", "__init__"))
"""Files that stand for their folder."""


def user_elsewhere(name: str, path: str, language: str, sources: Iterable[str], read: Callable[[str], bytes]) -> str:
    """Where another source than the one at `path`, which defines it, names a constant; empty where none does.

    A source that gives the name a value itself has one of its own.
    """
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    # at the beginning of a line, but for what declares it: `log(LOGIN=other.LOGIN)` gives an argument
    own = re.compile(
        rf"(?:^|[{{;])[ \t]*(?:[\w<>\[\]@]+[ \t]+)*{re.escape(name)}\s*(?::\s*[\w<>\[\]]+\s*)?(?::|\|\|)?=(?![=>~])",
        re.MULTILINE,
    )
    module = _module(path).encode() if language in _OF_MODULE else b""
    beside = languages_beside(language)
    for other in sources:
        spoken = language_for(other)
        if other == path or spoken is None or spoken.id not in beside:
            continue
        try:
            data = read(other)
            if name.encode() not in data or module not in data:
                continue
            text = source_text(data)
        except (OSError, ChangedFileError):
            continue
        code = Code(other, text, spoken.id)
        if any(code.holds(match.end() - 1) for match in own.finditer(text)):
            continue
        at = next((match.start() for match in word.finditer(text) if code.holds(match.start())), -1)
        if at >= 0:
            return f"{other}:{text.count(chr(10), 0, at) + 1}"
    return ""


def _module(path: str) -> str:
    pure = PurePath(path)
    stem = pure.name.split(".")[0]
    return pure.parent.name if stem in _OF_FOLDER else stem
