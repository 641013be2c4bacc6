"""TypeScript: like JavaScript, with another grammar."""

from dataclasses import replace

from cukereuse_engine.functions.languages import javascript

GRAMMAR = replace(
    javascript.GRAMMAR,
    module="tree_sitter_typescript",
    entry="language_typescript",
    entries={".tsx": "language_tsx"},
)
