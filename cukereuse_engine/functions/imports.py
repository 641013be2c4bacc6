"""What a file imports: local name to module and name in it."""

import posixpath
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.syntax import child_of
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node


class Imports:
    """The imports of one file, added one by one."""

    def __init__(self, source: Source, language: str) -> None:
        self.source, self.language = source, language
        self.text = source.text
        self.by_name: dict[str, tuple[str, str]] = {}
        """Local name to module (or namespace) and name in it; an empty name is the module itself."""
        self.whole: list[str] = []
        """Packages all names of which are imported."""

    def read(self, node: "Node") -> None:
        text = self.text(node)
        if self.language in ("javascript", "typescript"):
            self._read_script_import(node)
        elif self.language == "python":
            self._read_python_import(node)
        elif self.language == "php":
            self._read_php_import(text)
        elif self.language == "go":
            for match in re.finditer(r"(?m)^[ \t]*(?:import\s+)?(?:(\w+|\.)\s+)?\"([^\"]+)\"", text):
                self.by_name[match[1] or match[2].rsplit("/", 1)[-1]] = (match[2], "")
        elif self.language == "rust":
            for name in re.findall(r"\w+", text):
                self.by_name.setdefault(name, ("use", name))
        else:
            written = re.match(
                r"(?:import|using)\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+?)(?:\s+as\s+(\w+))?\s*;?\s*$", text
            )
            whole = re.match(r"import\s+([\w.]+)\.(?:\*|_)\s*;?\s*$", text)
            if whole is not None:
                self.whole.append(whole[1])
            elif written and self.language != "csharp":
                module, _, name = written[2].rpartition(".")
                self.by_name[written[3] or name] = (module, name)
            elif written and written[1]:
                self.by_name[written[1]] = (written[2], "")

    def _read_script_import(self, node: "Node") -> None:
        module_node = child_of(node, "source")
        if module_node is None:
            return
        module = self._module(self.text(module_node).strip("'\"`"))
        for child in self.source.nodes("import_specifier", "import_clause", "namespace_import", within=node):
            if child.type == "import_specifier":
                name, alias = child_of(child, "name"), child_of(child, "alias")
                if name is not None:
                    self.by_name[self.text(alias if alias is not None else name)] = (module, self.text(name))
            elif child.type == "namespace_import":
                self.by_name[self.text(child.named_children[-1])] = (module, "")
            else:
                for name in child.named_children:
                    if name.type == "identifier":
                        self.by_name[self.text(name)] = (module, "default")

    def _read_python_import(self, node: "Node") -> None:
        module_node = child_of(node, "module_name")
        module = self._module(self.text(module_node)) if module_node is not None else ""
        for name in node.children_by_field_name("name"):
            original, alias = child_of(name, "name"), child_of(name, "alias")
            written = self.text(original if original is not None else name)
            local = self.text(alias) if alias is not None else written
            self.by_name[local] = (module, written) if module else (written, "")

    def _read_php_import(self, text: str) -> None:
        match = re.match(r"use\s+(?:function\s+|const\s+)?(.*?);?\s*$", text, re.DOTALL)
        if match is None:
            return
        prefix, brace, group = match[1].partition("{")
        for part in (group.rstrip("} \n") if brace else match[1]).split(","):
            name, _, alias = part.strip().partition(" as ")
            full = (prefix.strip() + name.strip()).lstrip("\\") if brace else name.strip().lstrip("\\")
            namespace, _, last = full.rpartition("\\")
            self.by_name[alias.strip() or last] = (namespace, last)

    def required(self, value: "Node") -> str:
        """The module of `require("…")`."""
        match = re.fullmatch(r"require\(\s*['\"`]([^'\"`]+)['\"`]\s*\)(\.default)?", self.text(value)[:300])
        return self._module(match[1]) if match else ""

    def destructure(self, pattern: "Node", module: str) -> None:
        if pattern.type == "identifier":
            self.by_name[self.text(pattern)] = (module, "default")
            return
        for child in pattern.named_children:
            key, value = child_of(child, "key"), child_of(child, "value")
            original = self.text(key if key is not None else child)
            self.by_name[self.text(value if value is not None else child)] = (module, original)

    def _module(self, written: str) -> str:
        """A relative module as a path without suffix."""
        if self.language == "python" and written.startswith("."):
            dots = len(written) - len(written.lstrip("."))
            folder = PurePath(self.source.path).parent.as_posix() + "/.." * (dots - 1)
            return _as_path(posixpath.join(folder, written[dots:].replace(".", "/")))
        if written.startswith("."):
            folder = PurePath(self.source.path).parent.as_posix()
            return re.sub(r"\.[cm]?[jt]sx?$|/index$", "", _as_path(posixpath.join(folder, written)))
        return written


def _as_path(written: str) -> str:
    """Nothing that a package could be called."""
    path = posixpath.normpath(written)
    return path if path.startswith(("/", "../")) else f"./{path}"
