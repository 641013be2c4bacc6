"""TypeScript: what `javascript` reads, through TypeScript's own grammars."""

from collections.abc import Set

from cukereuse_engine.glue.definition import Constant, Extraction
from cukereuse_engine.glue.languages import javascript
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.source import ConstantNames, Source
from cukereuse_engine.glue.regexes import dialects


def _parsed(path: str, source: bytes, names: ConstantNames | None = None) -> Source:
    function = "language_tsx" if path.lower().endswith(".tsx") else "language_typescript"
    return Source(path, source, "tree_sitter_typescript", function, names=names)


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    return javascript.read(_parsed(path, source, names), LANGUAGE.id)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return javascript.constants_of(_parsed(path, source), names)


LANGUAGE = Language(
    id="typescript",
    name="TypeScript",
    regex=dialects.ECMASCRIPT,
    suffixes=(".ts", ".mts", ".cts", ".tsx"),
    comments=C_LIKE,
    editor_ids=("typescript", "typescriptreact"),
    hint=javascript.HINT,
    extract=extract,
    constants=constants,
    takes_over=javascript.TAKES_OVER,
)
