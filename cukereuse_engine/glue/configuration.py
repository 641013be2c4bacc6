"""Reads configuration files safely: YAML without its custom tags, and the literals of programs.

Never raises and never builds an object.
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
    """A program in JavaScript or PHP without its comments. Strings stay: globs in them may look like comments."""
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or "", program)


@cache
def _loader() -> Any:
    """`SafeLoader`, by libyaml if it is installed (ten times as fast). A value with a tag of its own, such as Symfony's
    `!tagged_iterator`, becomes None."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    Loader.add_multi_constructor("", lambda *_: None)
    return Loader


def is_plain(path: Path) -> bool:
    """True if a path is a file of at most `MAX_BYTES`, and no pipe, which has no end. Raises `OSError`."""
    status = path.stat()
    return stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES


def read_yaml(path: Path, errors: list[GlueError]) -> Any:
    """The document in a file. If it can't be read, None, with an error added to `errors`."""
    import yaml  # most suites have no configuration

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
