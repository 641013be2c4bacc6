"""Reads files of other programs safely: YAML without its custom tags, programs for their literals.

Never raises, never builds an object.
"""

import re
import stat
from functools import cache
from pathlib import Path
from typing import Any

from cukereuse_engine.glue.definition import GlueError

MAX_BYTES = 1_000_000


_STRING_OR_COMMENT = re.compile(
    r"""('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|/\*.*?\*/|//[^\n]*""", re.DOTALL
)


def without_comments(program: str) -> str:
    """A program in JavaScript or PHP without its comments; strings, in which globs look like some, are kept."""
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or "", program)


@cache
def _loader() -> Any:
    """`SafeLoader`, by libyaml where it is there (a tenth of the time); values with tags of their own, such as
    Symfony's `!tagged_iterator`, are None."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    Loader.add_multi_constructor("", lambda *_: None)
    return Loader


def is_plain(path: Path) -> bool:
    """True if it is a file of at most `MAX_BYTES`, and no pipe, which has no end. Raises `OSError`."""
    status = path.stat()
    return stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES


def read_yaml(path: Path, errors: list[GlueError]) -> Any:
    """The file's document; None, with an error in `errors`, where it can't be read."""
    import yaml  # most suites have none

    try:
        if not path.is_file():
            return None
        if not is_plain(path):
            errors.append(GlueError(str(path), 0, 0, f"can't be read: more than {MAX_BYTES:,} bytes"))
            return None
        return yaml.load(path.read_bytes(), _loader())
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "strerror", None) or type(error).__name__
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        errors.append(GlueError(str(path), line, column, f"can't be read: {reason}"))
        return None
