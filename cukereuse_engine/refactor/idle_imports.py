"""Imports that an edit leaves without a use. They stay: an import may run code, such as other step definitions, or pass
a name on to other sources; only its author knows."""

import re
from collections.abc import Callable, Iterable, Iterator

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.rename_plan import FileEdits

_IMPORTING = (
    *("import_statement", "import_from_statement", "import_declaration", "import", "import_header"),
    *("namespace_use_declaration", "use_declaration"),
)
"""Types of nodes that are imports, in any of the grammars."""
_COMMENTS = ("comment", "line_comment", "block_comment", "multiline_comment")
_DOCUMENTATION = ("/**", "///")
_NO_TYPE = re.compile(r"[^\w\s.,|\[\]]|\w\s+\w|^$")
"""What no type in a string has: other signs, or two words with only a blank between."""


def idle_imports(files: Iterable[FileEdits], read: Callable[[str], bytes]) -> Iterator[str]:
    """Yields a sentence without full stop for each import whose last use goes with the edits. `read` gives the sources
    as they are before."""
    for file in files:
        if file.is_glue and not file.is_new:
            before = read(file.path)
            after = edited_bytes(file, before)
            was, now = _uses(file.path, before), _uses(file.path, after)
            idle = [(line, name) for name, (line, used) in now.items() if not used and was.get(name, (0, False))[1]]
            yield from (
                f"{file.path}:{line} imports {name}, which nothing uses there then" for line, name in sorted(idle)
            )


def _uses(path: str, data: bytes) -> dict[str, tuple[int, bool]]:
    """Maps the names that a source imports to the line of the import, and to whether its other code says the name. A
    string that may be a type, as in Python, is code; so is a comment for documentation, which links to names."""
    language = language_for(path)
    grammar = GRAMMARS.get(language.id) if language is not None else None
    if language is None or grammar is None or grammar.imports is None:
        return {}
    try:
        source = parse(path, data, language.id)
    except SlowSourceError:
        return {}
    imports = {
        local.partition(".")[0]: node
        for node in source.nodes(*_IMPORTING)
        for local, _, _ in grammar.imports(source, node)
    }
    rest = bytearray(data)
    texts = (node for node in source.nodes(*grammar.contents) if _NO_TYPE.search(source.text(node)))
    comments = (node for node in source.nodes(*_COMMENTS) if not source.text(node).startswith(_DOCUMENTATION))
    for node in (*source.nodes(*_IMPORTING), *comments, *texts):
        rest[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    said = set(re.findall(r"\w+", rest.decode("utf-8", "replace")))
    return {name: (node.start_point.row + 1, name in said) for name, node in imports.items() if name.isidentifier()}
