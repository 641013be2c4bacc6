"""Which files a file imports, whatever it takes from them: told from its text, with no regard to when they are loaded.

`Names.imports` says what names mean; this also knows imports that bind no name, re-exports and stars.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath

from cukereuse_engine.functions.places import python_files, script_files

_SCRIPT = re.compile(r"\b(?:from|import|require)\b\s*\(?\s*(['\"`])(?P<module>[^'\"`\n]+)\1")
_SCRIPT_SUFFIX = re.compile(r"\.[cm]?[jt]sx?$")
_PYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import\b(?P<names>[ \t]*\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]+))",
    re.MULTILINE,
)


def imported_files(path: str, text: str, exists: Callable[[str], bool]) -> Iterator[str]:
    """Paths as `path` is one. `exists`: whether there is a file. Modules that stand in no file here are left out."""
    folder = PurePath(path).parent.as_posix()
    if PurePath(path).suffix == ".py":
        groups = (list(python_files(module, path)) for module in _python_modules(folder, text))
    else:
        groups = (_script_candidates(folder, match["module"]) for match in _SCRIPT.finditer(text))
    for candidates in groups:
        yield from (candidate for candidate in candidates if exists(candidate))


def _script_candidates(folder: str, module: str) -> list[str]:
    if not module.startswith("."):
        return []
    joined = posixpath.normpath(posixpath.join(folder, module))
    written = joined if joined.startswith(("/", "../")) else f"./{joined}"
    plain = _SCRIPT_SUFFIX.sub("", written)
    return list(dict.fromkeys((*script_files(written), *script_files(plain))))


def _python_modules(folder: str, text: str) -> Iterator[str]:
    """Modules as `python_files` takes them; of a name that is imported from a package, also the module it may be."""
    for match in _PYTHON.finditer(text):
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
