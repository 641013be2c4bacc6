"""Whether an edit breaks the syntax of a source."""

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError


def breaks(path: str, before: bytes, after: bytes) -> bool:
    """True if a source has more syntax errors after an edit than before; False if its language is unknown, or if it
    can't be parsed in time."""
    language = language_for(path)
    if language is None or language.id not in GRAMMARS:
        return False
    try:
        left = _error_count(parse(path, after, language.id))
        return left > 0 and left > _error_count(parse(path, before, language.id))
    except SlowSourceError:
        return False


def _error_count(source: Source) -> int:
    count, open_nodes = 0, [source.root]
    while open_nodes:
        node = open_nodes.pop()
        if node.has_error:
            count += node.is_error or node.is_missing
            open_nodes += node.children
    return count
