"""Functions of another Python file, imported as its package allows."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from cukereuse_engine.blocks.calling.elsewhere.imported import Imported
from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
)
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.rename_plan import TextEdit

_NAMES_A_MODULE = re.compile(r"^(?:from[ \t]+|[^#\n]*[\"'])(\w+(?:\.\w+)+)(?=[ \t]+import\b|[\"'])", re.MULTILINE)
"""An import, or a name in quotes, as in `pytest_plugins`."""
_COLLECTED = re.compile(r"conftest|test_.*|.*_test")
"""Modules that pytest imports itself, with their folder on the import path."""


class PythonModules:
    def __init__(self, home: SourceFunctions, _: int, suite: SuiteFunctions) -> None:
        self._home, self._suite = home, suite
        self._imported = Imported(home, suite)

    def called(self, function: StepFunction, name: str) -> str:
        source = self._suite.of(function.definition.path)
        for local, (module, inner) in self._imported.imports(self._home).items():
            if inner == name and self._suite.module(module, self._home.path) is source:
                self._imported.used.add(local)
                return local
        self._module(source)
        self._imported.check(function, source)
        return self._imported.local(source, name, "{name}_{number}")

    def names(self) -> frozenset[str]:
        return frozenset(self._imported.used)

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        if not self._imported.by_path:
            return {}
        statements = []
        for path, names in sorted(self._imported.by_path.items()):
            listed = ", ".join(name if name == local else f"{name} as {local}" for name, local in names.items())
            statements.append(f"from {self._module(self._suite.of(path))} import {listed}")
        assert self._home.source is not None
        kinds = ("import_statement", "import_from_statement", "future_import_statement")
        imports = [node for node in self._home.source.root.named_children if node.type in kinds]
        if not imports:
            raise NotCallableError(f"{self._home.path} has no imports, so the place for one is unknown")
        ending, at = "\r\n" if "\r\n" in self._home.text else "\n", imports[-1].end_byte
        return {
            self._home.path: [
                byte_edit(self._home.text, at, at, "".join(ending + statement for statement in statements))
            ]
        }

    def _module(self, source: SourceFunctions) -> str:
        """The code's name for the other module. Raises `NotCallableError`."""
        home, other = PurePath(self._home.path), PurePath(source.path)
        if any(definition.framework == "behave" for definition in self._home.definitions):
            # behave runs each file of `steps` by itself: relative imports fail, absolute ones define all steps twice
            raise NotCallableError(f"behave does not let {home} import the step functions of {other}")
        name = self._within_package(home, other) or self._on_the_path(home, other)
        if not name:
            raise NotCallableError(f"{self._home.path} can't import {source.path}: they are not in one package")
        return name

    def _within_package(self, home: PurePath, other: PurePath) -> str:
        """The other module's name from this one, if both are in one package."""
        package, theirs = self._package(home), self._package(other)
        if not (package and theirs and package[0] == theirs[0]):
            return ""
        mine, of_other = package[1], theirs[1]
        shared = 0
        while shared < min(len(mine), len(of_other)) and mine[shared] == of_other[shared]:
            shared += 1
        return "." * (len(mine) - shared + 1) + ".".join((*of_other[shared:], other.stem))

    def _on_the_path(self, home: PurePath, other: PurePath) -> str:
        """The other module's name below a folder on the import path. Raises `NotCallableError` for a conftest.py."""
        is_collected = _COLLECTED.fullmatch(home.stem) is not None and self._package(home) is None
        if is_collected and other.is_relative_to(home.parent):
            if other.stem == "conftest":
                raise NotCallableError("the functions of a conftest.py can't be imported by its name")
            if name := _name_below(home.parent, other):  # pytest puts the folder on the path
                return name
        root = self._root_of_names(home) if other.stem != "conftest" else None
        return _name_below(root, other) if root is not None else ""

    def _root_of_names(self, home: PurePath) -> PurePath | None:
        """The folder on the import path below which a conftest.py around names modules, by an import or as plugins:
        what is there needs no `__init__.py`."""
        for folder in home.parents:
            text = self._suite.text((folder / "conftest.py").as_posix()) or ""
            for name in _NAMES_A_MODULE.findall(text):
                file = name.replace(".", "/") + ".py"
                for root in (folder, *folder.parents):
                    if self._suite.text((root / file).as_posix()) is not None:
                        return root
        return None

    def _package(self, path: PurePath) -> tuple[str, tuple[str, ...]] | None:
        """The folder that contains a file's outermost package, and the packages from there; None if there is none."""
        names: list[str] = []
        folder = path.parent
        while folder.name and self._suite.text((folder / "__init__.py").as_posix()) is not None:
            names.insert(0, folder.name)
            folder = folder.parent
        return (folder.as_posix(), tuple(names)) if names else None


def _name_below(folder: PurePath, path: PurePath) -> str:
    """A module's name if the folder is on the import path; empty if it has none there."""
    below = path.relative_to(folder).with_suffix("").parts if path.is_relative_to(folder) else ()
    return ".".join(below) if all(map(str.isidentifier, below)) else ""
