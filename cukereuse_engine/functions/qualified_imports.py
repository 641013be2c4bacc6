"""Imports of the JVM's languages: a package, and a class or member in it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Import

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source


def of_packages(source: "Source", node: "Node") -> Iterator[Import]:
    """`import a.b.C`, `import static a.b.C.d`, `import a.b.C as D`, `import a.b.*`, `import static a.b.C.*`."""
    text = source.text(node)
    whole = re.match(r"import\s+(?:static\s+)?([\w.]+)\.(?:\*|_)\s*;?\s*$", text)
    written = re.match(r"import\s+(?:static\s+)?([\w.]+?)(?:\s+as\s+(\w+))?\s*;?\s*$", text)
    if whole is not None:
        yield "*", whole[1], ""
    elif written is not None:
        module, _, name = written[1].rpartition(".")
        yield written[2] or name, module, name
