"""What a file imports: local name to module and name in it."""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar
from cukereuse_engine.functions.paths import script_module
from cukereuse_engine.functions.syntax import child_of
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node


class Imports:
    """The imports of one file, added one by one."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self.source, self._read = source, grammar.imports
        self.text = source.text
        self.by_name: dict[str, tuple[str, str]] = {}
        """Local name to module (or namespace) and name in it; an empty name is the module itself."""
        self.whole: list[str] = []
        """Packages all names of which are imported."""
        self.whole_classes: list[str] = []
        """Classes all members of which are imported."""

    def read(self, node: "Node") -> None:
        for local, module, name in self._read(self.source, node) if self._read is not None else ():
            if local == "*":
                whole = self.whole_classes if module.rpartition(".")[2][:1].isupper() else self.whole
                whole.append(module)
            else:
                self.by_name[local] = (module, name)

    def required(self, value: "Node") -> str:
        """The module of `require("…")`."""
        match = re.fullmatch(r"require\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(\.default)?", self.text(value)[:300])
        return script_module(match[1], self.source.path) if match else ""

    def destructure(self, pattern: "Node", module: str) -> None:
        if pattern.type == "identifier":
            self.by_name[self.text(pattern)] = (module, "default")
            return
        for child in pattern.named_children:
            key, value = child_of(child, "key"), child_of(child, "value")
            original = self.text(key if key is not None else child)
            self.by_name[self.text(value if value is not None else child)] = (module, original)
