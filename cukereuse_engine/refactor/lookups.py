"""Finds what refers to scenarios by name, number or line: pytest-bdd's `@scenario(file, name)`, the tests of jest- and
vitest-cucumber, rstest-bdd's `index = 1`, `--name` and `file.feature:LINE` in scripts and in the files of a CI.

References are found by their syntax. A scenario with references can't be folded without changing them; nothing is
edited here.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_engine.refactor.feature_scenarios import FoldKind, FoldSuggestion

SUFFIXES = (
    *suffixes(),
    *(".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd", ".yml", ".yaml", ".json", ".toml", ".ini", ".cfg", ".xml"),
    *(".gradle", ".mk", ".properties", ".dist", "Makefile", "Rakefile", "Jenkinsfile", "Dockerfile", "Justfile"),
)
"""Endings of files that may name a scenario: sources, scripts, configurations."""
_MOST_BYTES = 1_000_000
"""A larger file is generated."""
_NAME_OPTION = (
    r"(?:(?:--name|(?<!\w)-n|filter[.]name)[ =,:\"'\\]+"
    r"|(?:--(?:filter|grep|tests?|testNamePattern)|(?<!\w)-[tgk])[ =,\"']*[\"']\\?(?:\w+[~=]+)?"
    r"|\bfilters:\s+name:[ \"']*)"
)
"""Options of runners: Cucumber, behave, Behat and its filters, Cucumber-JVM's property, `dotnet test`, Playwright,
Jest, Vitest, pytest. An ambiguous option counts only with a quoted value."""
_BLOCKS = re.compile(r"\bdescribeFeature\s*\(")
"""vitest-cucumber: a test has a block for each scenario and background of its feature, with the steps there."""
_TOLD = re.compile(rb"\.feature|--name|(?<!\w)-[ntgk]\b|--(?:filter|grep|test)|filter\.name|filters:")


@dataclass(frozen=True, slots=True)
class Lookup:
    """A place that refers to a scenario."""

    path: str
    line: int
    """1-based."""
    what: str = "refers to a name or line that would disappear"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def refusal(self) -> str:
        """The refusal, for the person who wants to fold."""
        return f"{self} {self.what}; change that first, or fold other scenarios"


class Lookups:
    """The lookups in some files."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes]) -> None:
        """`read` may raise `OSError`; such a file has no lookups."""
        self._texts: list[tuple[str, str]] = []
        for path in paths:
            try:
                data = read(path)
            except OSError:
                continue
            if len(data) <= _MOST_BYTES and _TOLD.search(data):
                self._texts.append((path, data.decode("utf-8", "replace")))

    @classmethod
    def below(cls, root: str, read: Callable[[str], bytes]) -> "Lookups":
        """The lookups in the files of a repository."""
        return cls(discover([root], suffixes=SUFFIXES), read)

    def of(self, suggestion: FoldSuggestion) -> Lookup | None:
        """The first lookup that would no longer find its scenario if the suggestion was applied."""
        return next(self._of(suggestion), None)

    def _of(self, suggestion: FoldSuggestion) -> Iterator[Lookup]:
        file = PurePath(suggestion.path).name
        lines = re.compile(rf"{re.escape(file)}((?::\d+)+)")
        names = "|".join(re.escape(name) for name in suggestion.gone if name)
        named = re.compile(rf"([\"'`])(?:{names})\1")
        anywhere: list[re.Pattern[str]] = []
        if names:
            anywhere.append(re.compile(rf"{_NAME_OPTION}(?:{names})(?!\w)"))
        if suggestion.kind is FoldKind.OUTLINE:
            anywhere.append(re.compile(rf"{re.escape(file)}\"\s*,\s*index\s*="))
        for path, text in self._texts:
            for match in lines.finditer(text):
                if any(int(line) >= suggestion.line for line in match.group(1).split(":")[1:]):
                    yield Lookup(path, text.count("\n", 0, match.start()) + 1)
            mentioned = file in text
            for pattern in [named, *anywhere] if mentioned and names else anywhere:
                for match in pattern.finditer(text):
                    yield Lookup(path, text.count("\n", 0, match.start()) + 1)
            for match in _BLOCKS.finditer(text) if mentioned else ():
                what = "has a block for each scenario and background, with their steps"
                yield Lookup(path, text.count("\n", 0, match.start()) + 1, what)
