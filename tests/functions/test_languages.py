"""Every glue language with pairs of each relation.

A folder contains sources and `relations.tsv`: relation, the expressions of two definitions, and the name of the
parameter that would serve both. PASSES_ON and CONTAINS are about the first. *loosely* is *same* with other fields of
one type, or with parameters in another order.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.relations import Functions, Related, Relation
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import Extraction, StepDefinition
from cukereuse_engine.glue.languages.base import extract

FOLDERS = sorted(path for path in (Path(__file__).parent / "languages").iterdir() if path.is_dir())


def rows(folder: Path) -> list[list[str]]:
    lines = (folder / "relations.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


class Suite:
    def __init__(self, folder: Path) -> None:
        self.sources = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != ".tsv"
        }
        self.extractions: dict[str, Extraction] = {path: extract(path, data) for path, data in self.sources.items()}
        self.definitions = [definition for file in self.extractions.values() for definition in file.definitions]
        self.binder = Binder()
        self.binder.update_files(dict(self.extractions))
        self.functions = Functions(self.sources.get, self.bind, listing=self.listing)
        self.functions.load(self.definitions)

    def listing(self, folder: str) -> list[str]:
        below = [path.removeprefix(f"{folder}/" if folder else "") for path in self.sources if is_below(path, folder)]
        return list(dict.fromkeys(re.sub("/.*", "/", path) for path in below))

    def bind(self, text: str, _path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = self.binder.bind(text).matches
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    def definition(self, expression: str) -> StepDefinition:
        matching = [definition for definition in self.definitions if definition.expression == expression]
        assert len(matching) == 1, expression
        return matching[0]

    def relation(self, one: str, other: str) -> Related:
        return self.functions.relation(self.definition(one), self.definition(other))


CASES = [
    pytest.param(folder, row, id=f"{folder.name}: {row[1]} - {row[2]}") for folder in FOLDERS for row in rows(folder)
]
SUITES = {folder: Suite(folder) for folder in FOLDERS}


def test_every_grammar_is_here() -> None:
    assert {definition.language for suite in SUITES.values() for definition in suite.definitions} == set(GRAMMARS)


@pytest.mark.parametrize(("folder", "row"), CASES)
def test_relation(folder: Path, row: list[str]) -> None:
    wanted, one, other, *parameter = row
    suite = SUITES[folder]
    related = suite.relation(one, other)
    forms = [suite.functions.form(suite.definition(each)) for each in (one, other)]
    tokens = [form.tokens if form is not None else None for form in forms]
    kinds = {Relation.CONSTANT: "constant", Relation.SAME: "loosely" if related.loosely else "same"}
    assert kinds.get(related.relation, related.relation.value) == wanted, tokens
    assert not related.reversed
    assert [related.parameter] == parameter or not parameter
    assert suite.relation(other, one).relation is related.relation
