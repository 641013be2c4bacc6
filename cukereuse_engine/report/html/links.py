"""The targets of the links in the HTML report.

By default, a link leads to the file itself, relative to the report. It never leads to a script: the scheme of a
template is checked.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import quote

from cukereuse_engine.errors import CukereuseError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")
_REFUSED = frozenset({"javascript", "data", "vbscript", "blob", "about"})
_FIELD = re.compile(r"\{(\w+)\}")
_FIELDS = frozenset({"path", "absolute", "line", "column"})


@dataclass(frozen=True, slots=True)
class PlaceLinks:
    """How places become links. Raises `CukereuseError` for a template with an unknown field or a scheme that runs
    scripts."""

    folder: str = "."
    """Folder of the report file: relative links start there."""
    template: str = ""
    """Such as `https://git.example/repo/blob/main/{path}#L{line}` or `vscode://file/{absolute}:{line}:{column}`.
    Fields: path (as the scan named it), absolute, line, column. Empty: the file itself, relative to `folder`."""

    def __post_init__(self) -> None:
        unknown = sorted(set(_FIELD.findall(self.template)) - _FIELDS)
        if unknown:
            raise CukereuseError(
                f"the link template has no field {{{unknown[0]}}}",
                "Its fields are {path}, {absolute}, {line}, {column}.",
            )
        scheme = _SCHEME.match(self.template.strip())
        if scheme and scheme.group().lower() in _REFUSED:
            raise CukereuseError(
                f"the link template must not begin with {scheme.group()}:", "Use https, file or vscode."
            )

    def href(self, path: str) -> str:
        """The link of a file, percent-encoded, `{line}` and `{column}` left for the page to fill."""
        if self.template:
            filled = self.template.replace("{path}", _encoded(PurePath(path).as_posix()))
            return filled.replace("{absolute}", _encoded(PurePath(os.path.abspath(path)).as_posix()))  # noqa: PTH100 - keeps symlinks
        try:
            relative = os.path.relpath(path, self.folder)
        except ValueError:  # another drive
            return Path(path).absolute().as_uri()
        return _encoded(PurePath(relative).as_posix())


def _encoded(path: str) -> str:
    """A path as a URL's path: a colon is encoded too, so that no file name reads as a scheme."""
    return quote(os.fsencode(path), safe="/")
