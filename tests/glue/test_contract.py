"""Every glue language against one table; `README.md` beside this file says how a folder is written."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from cukereuse_engine.glue.languages import base
from cukereuse_engine.glue.model import Extraction, StepDefinition

LANGUAGES = Path(__file__).parent / "languages"
FOLDERS = sorted(path for path in LANGUAGES.iterdir() if path.is_dir())
REQUIRED = {"ready", "stock", "takes"}


@dataclass(frozen=True)
class Expected:
    definitions: list[list[str]]
    errors: list[list[str]]
    types: list[list[str]]

    @property
    def ids(self) -> list[str]:
        return [row[0] for row in self.definitions]


def expected(folder: Path) -> Expected:
    lines = (folder / "expected.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return Expected(
        [row for row in rows if row[0] not in ("error", "type")],
        [row[1:] for row in rows if row[0] == "error"],
        [row[1:] for row in rows if row[0] == "type"],
    )


def extracted(folder: Path) -> Extraction:
    found = [
        base.extract(path.name, path.read_bytes()) for path in sorted(folder.iterdir()) if path.name != "expected.tsv"
    ]
    return Extraction(
        tuple(definition for one in found for definition in one.definitions),
        tuple(parameter_type for one in found for parameter_type in one.parameter_types),
        tuple(error for one in found for error in one.errors),
    )


def row(definition: StepDefinition) -> list[str]:
    return [
        f"{definition.path}:{definition.line}",
        definition.kind.value,
        ",".join(sorted(definition.keyword_types)) or "-",
        definition.function_name or "-",
        "yes" if definition.rewritable else "no",
        definition.expression,
    ]


@pytest.fixture(params=FOLDERS, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_definitions(folder: Path) -> None:
    assert [row(definition) for definition in extracted(folder).definitions] == [
        line[1:] for line in expected(folder).definitions
    ]


def test_errors(folder: Path) -> None:
    found = extracted(folder).errors
    wanted = expected(folder).errors
    assert [f"{error.path}:{error.line}" for error in found] == [place for place, _ in wanted]
    for error, (_, message) in zip(found, wanted, strict=True):
        assert message in error.message


def test_parameter_types(folder: Path) -> None:
    found = [
        [f"{one.path}:{one.line}", one.name, " | ".join(one.regexps) or "-"]
        for one in extracted(folder).parameter_types
    ]
    assert found == expected(folder).types


def test_folder_holds_the_common_definitions(folder: Path) -> None:
    assert set(expected(folder).ids) >= REQUIRED


def test_spans_cut_the_literal_out_of_the_file(folder: Path) -> None:
    for definition in extracted(folder).definitions:
        source = (folder / definition.path).read_bytes()
        span = definition.literal
        assert source[span.start_byte : span.end_byte].decode() == definition.source_literal
        line = source.decode().split("\n")[span.line - 1]
        assert line[span.column - 1 :].startswith(definition.source_literal.split("\n")[0])


def test_every_prefix_of_a_source_is_read_without_raising(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        source = path.read_bytes()
        for end in range(0, len(source), 97):
            base.extract(path.name, source[:end])
