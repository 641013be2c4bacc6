"""Functions of another JavaScript or TypeScript file: exported there and imported here, in the style of both files."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.calling.elsewhere.exports import exports_of, is_module
from cukereuse_engine.blocks.calling.elsewhere.imported import Imported
from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
)
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.rename_plan import TextEdit

if TYPE_CHECKING:
    from tree_sitter import Node

_HOOKS = re.compile(r"(?<![\w.])(?:Before|After)(?:All|Step)?\s*\(")
_RELATIVE = re.compile(
    r"(?:\bfrom|\brequire\(|\bimport)\s*(?P<quote>['\"])\.{1,2}/[^'\"]*?(?P<suffix>\.[cm]?[jt]s)?(?P=quote)"
)
_BUILDS = re.compile(r"\bcreateBdd\s*\(([^)]*)\)")
_SCRIPTS = (".js", ".cjs", ".mjs")


class Scripts:
    def __init__(self, home: SourceFunctions, _: int, suite: SuiteFunctions) -> None:
        self._home, self._suite = home, suite
        self._imported = Imported(home, suite)

    def called(self, function: StepFunction, name: str) -> str:
        source = self._suite.of(function.definition.path)
        self._check(function, source)
        imported = self._imported_name(source, name) if function.name else None
        if imported is not None:
            self._imported.used.add(imported.partition(".")[0])
            return imported
        return self._imported.local(source, name, "{name}{number}")

    def names(self) -> frozenset[str]:
        return frozenset(self._imported.used)

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        edits: dict[str, list[TextEdit]] = {}
        statements = []
        for path, names in sorted(self._imported.by_path.items()):
            source = self._suite.of(path)
            statements.append(self._import(source, names))
            missing = [name for name in names if name not in exported(source)]
            if missing:
                edits[path] = [_export(source, missing)]
        if statements:
            edits[self._home.path] = [self._inserted(statements)]
        return edits

    def _imported_name(self, source: SourceFunctions, name: str) -> str | None:
        """The name by which an existing import calls the function."""
        for local, (module, inner) in self._imported.imports(self._home).items():
            if self._suite.module(module, self._home.path) is not source or name not in exported(source):
                continue
            if inner == name:
                return local
            if inner == "" or (inner == "default" and not is_module(self._home)):
                return f"{local}.{name}"
        return None

    def _check(self, function: StepFunction, source: SourceFunctions) -> None:
        if is_module(self._home) != is_module(source):
            raise NotCallableError(
                f"{self._home.path} and {source.path} are different kinds of modules, CommonJS and ES"
            )
        self._imported.check(function, source)
        if _HOOKS.search(source.text) and source.path > self._home.path:
            raise NotCallableError(f"{source.path} defines hooks, which would run in another order if it were imported")
        if function.definition.framework == "playwright-bdd" and _world(source) != _world(self._home):
            raise NotCallableError(f"{self._home.path} and {source.path} may have different fixtures")

    def _import(self, source: SourceFunctions, names: Mapping[str, str]) -> str:
        last = _last_import(self._home)
        if last is None:
            raise NotCallableError(f"{self._home.path} has no imports, so the place for one is unknown")
        written = self._home.text_of(last)
        quote = "'" if written.count("'") > written.count('"') else '"'
        end = ";" if written.rstrip().endswith(";") else ""
        module = f"{quote}{self._module(source)}{quote}"
        if is_module(self._home):
            listed = ", ".join(name if name == local else f"{name} as {local}" for name, local in names.items())
            return f"import {{ {listed} }} from {module}{end}"
        listed = ", ".join(name if name == local else f"{name}: {local}" for name, local in names.items())
        return f"const {{ {listed} }} = require({module}){end}"

    def _module(self, source: SourceFunctions) -> str:
        target, folder = PurePath(source.path), PurePath(self._home.path).parent
        relative = posixpath.relpath(target.with_suffix("").as_posix(), folder.as_posix())
        return (relative if relative.startswith(".") else f"./{relative}") + self._suffix(source)

    def _suffix(self, source: SourceFunctions) -> str:
        """The module's suffix, as in both files' relative imports; Node needs it in ES modules, and unless it is
        `.js`."""
        suffix = PurePath(source.path).suffix
        written = [
            match["suffix"] for source_file in (self._home, source) for match in _RELATIVE.finditer(source_file.text)
        ]
        if suffix in _SCRIPTS:
            is_needed = is_module(self._home) or suffix != ".js"
            return suffix if is_needed and not (written and not any(written) and suffix == ".js") else ""
        first = next((suffix for suffix in written if suffix), None)
        return "" if first is None else suffix.replace("ts", "js") if "js" in first else suffix

    def _inserted(self, statements: Sequence[str]) -> TextEdit:
        last = _last_import(self._home)
        assert last is not None
        ending = "\r\n" if "\r\n" in self._home.text else "\n"
        return byte_edit(
            self._home.text, last.end_byte, last.end_byte, "".join(ending + statement for statement in statements)
        )


def _last_import(source: SourceFunctions) -> "Node | None":
    assert source.source is not None
    last = None
    for node in source.source.root.named_children:
        requires = node.type in ("lexical_declaration", "variable_declaration") and re.search(
            r"\brequire\s*\(\s*['\"]", source.text_of(node)
        )
        if node.type == "import_statement" or requires:
            last = node
    return last


def exported(source: SourceFunctions) -> frozenset[str]:
    """The names of functions that other files can import under the same name."""
    return frozenset(exports_of(source).own)


def _export(source: SourceFunctions, names: Sequence[str]) -> TextEdit:
    """The edit that exports names at the end. Raises `NotCallableError` if that is too late, or if a name is taken."""
    text = source.text.removeprefix("\ufeff")
    ending = "\r\n" if "\r\n" in text else "\n"
    end = ";" if ";" in text else ""
    exports = exports_of(source)
    if not exports.is_open:
        raise NotCallableError(f"{source.path} exports its functions in a way that can't be extended")
    for name in names:
        if name in exports.others:
            raise NotCallableError(f"{source.path} exports something else as {name}")
    if is_module(source):
        lines = [f"export {{ {', '.join(names)} }}{end}"]
    else:
        lines = [f"module.exports.{name} = {name}{end}" for name in names]
    missing = "" if text.endswith("\n") else ending
    at = len(source.data)
    return byte_edit(source.text, at, at, missing + ending + "".join(line + ending for line in lines))


def _world(source: SourceFunctions) -> tuple[object, ...]:
    """The sources of the fixtures in a playwright-bdd file."""
    imports = source.names.imports if source.names is not None else {}
    names = [(*imports[name],) for name in ("Given", "When", "Then", "Step") if name in imports]
    built = [given.strip() for given in _BUILDS.findall(source.text)]
    return (*sorted(set(names)), *((name, imports.get(name)) for name in sorted(set(built))))
