"""TypeScript: what `javascript` reads, through TypeScript's own grammars."""

from cukereuse_engine.glue.languages import javascript
from cukereuse_engine.glue.languages.base import Language, Source
from cukereuse_engine.glue.model import Extraction
from cukereuse_engine.glue.regexes import dialects


def extract(path: str, source: bytes) -> Extraction:
    function = "language_tsx" if path.lower().endswith(".tsx") else "language_typescript"
    return javascript.read(Source(path, source, "tree_sitter_typescript", function), LANGUAGE.id)


LANGUAGE = Language(
    id="typescript",
    regex=dialects.ECMASCRIPT,
    suffixes=(".ts", ".mts", ".cts", ".tsx"),
    hint=javascript.HINT,
    extract=extract,
)
