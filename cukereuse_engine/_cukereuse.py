"""cukereuse: finds steps, step definitions and scenarios of a Gherkin suite that say the same. See `help(cukereuse)`.

Installed as the module `cukereuse`; the names are those of `cukereuse_engine.api`.
"""

from typing import TYPE_CHECKING, Any

from cukereuse_engine import api
from cukereuse_engine.api import __all__ as __all__

if TYPE_CHECKING:
    from cukereuse_engine.api import *  # noqa: F403


def __getattr__(name: str) -> Any:
    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
