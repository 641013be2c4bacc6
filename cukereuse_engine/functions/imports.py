"""The imports of a file: local name to module and name in it."""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.paths import script_module
from cukereuse_engine.functions.syntax import child_of
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_REQUIRED = re.compile(r"require\(\s*['\"`]([^'\"`]+)['\"`]\s*\)((?:\.\w+)*)")


class Imports:
    """The imports of one file, added one by one."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self.source, self._read = source, grammar.imports
        self.text = source.text
        self.by_name: dict[str, tuple[str, str]] = {}
        """Maps a local name to its module (or namespace) and its name there; an empty name is the module itself."""
        self.whole: list[str] = []
        """Packages that are imported as a whole."""
        self.whole_classes: list[str] = []
        """Classes whose members are all imported."""

    def read(self, node: "Node") -> None:
        for local, module, name in self._read(self.source, node) if self._read is not None else ():
            if local == "*":
                whole = self.whole_classes if module.rpartition(".")[2][:1].isupper() else self.whole
                whole.append(module)
            else:
                self.by_name[local] = (module, name)

    def require(self, name: "Node", value: "Node") -> bool:
        """Read `name = require("…")`, or a member of its result, or a destructuring of it; true if it is such an
        import."""
        match = _REQUIRED.fullmatch(self.text(value)[:300]) if name.type in ("object_pattern", "identifier") else None
        if match is None:
            return False
        module, member = script_module(match[1], self.source.path), re.sub(r"^\.default\b", "", match[2]).strip(".")
        if name.type == "identifier":
            self.by_name[self.text(name)] = (module, member or "default")
            return True
        for child in name.named_children:
            key, local = child_of(child, "key"), child_of(child, "value")
            original = self.text(key if key is not None else child)
            path = f"{member}.{original}" if member else original
            self.by_name[self.text(local if local is not None else child)] = (module, path)
        return True
