"""Imports of other files' step functions, in languages whose files are modules."""

from collections.abc import Mapping

from cukereuse_engine.blocks.calling.elsewhere.reach import says
from cukereuse_engine.blocks.calling.functions import NotCallableError, SourceFunctions, StepFunction, SuiteFunctions
from cukereuse_engine.functions.imported_files import imported_files

_MOST_FILES = 1_000
"""The number of files that are searched for a circle of imports."""


class Imported:
    def __init__(self, home: SourceFunctions, suite: SuiteFunctions) -> None:
        """`home`: the file of the code."""
        self._home, self._suite = home, suite
        self.by_path: dict[str, dict[str, str]] = {}
        """Maps a path and the names of its functions to their names in the code."""
        self.used: set[str] = set()
        """The names that the code uses."""

    def local(self, source: SourceFunctions, name: str, numbered: str) -> str:
        """The code's name for a function of another file: its own if that is free, else the one in `numbered`."""
        names = self.by_path.setdefault(source.path, {})
        if name not in names:
            local, number = name, 1
            while says(self._home, local) or local in self.used:
                number += 1
                local = numbered.format(name=name, number=number)
            names[name] = local
            self.used.add(local)
        return names[name]

    def imports(self, source: SourceFunctions) -> Mapping[str, tuple[str, str]]:
        """Maps local names to module and name, as `Names.imports` does."""
        return source.names.imports if source.names is not None else {}

    def check(self, function: StepFunction, source: SourceFunctions) -> None:
        """Raises `NotCallableError` for a function that no import reaches, and for a circle of imports."""
        if function.owner >= 0 or function.around >= 0:
            raise NotCallableError(f"the function of “{function.definition.shown}” is nested in another function")
        if self._reaches_home(source.path):
            raise NotCallableError(f"{source.path} imports {self._home.path}, which can't import it back")

    def _reaches_home(self, path: str) -> bool:
        """True if a file imports the file of the code, directly or through other files."""
        seen, waiting = {path}, [path]
        while waiting:
            importer = waiting.pop()
            text = self._suite.text(importer) or ""
            for imported in imported_files(importer, text, lambda candidate: self._suite.text(candidate) is not None):
                if imported == self._home.path:
                    return True
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)
            if len(seen) > _MOST_FILES:
                raise NotCallableError(f"{path} imports too many files to tell whether {self._home.path} is among them")
        return False
