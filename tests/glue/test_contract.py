"""Every glue language tested with one table; `README.md` beside this file describes a folder."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import Extraction, StepDefinition
from cukereuse_engine.glue.languages import base
from cukereuse_engine.glue.text_binding import Status

LANGUAGES = Path(__file__).parent / "languages"
FOLDERS = sorted(path for path in LANGUAGES.iterdir() if path.is_dir())
REQUIRED = {"ready", "stock", "takes"}
STEPS: list[tuple[str, KeywordType, str, list[str]]] = [
    ("the machine is ready", KeywordType.CONTEXT, "ready", []),
    ("there are 12 apples", KeywordType.CONTEXT, "stock", ["12"]),
    ('"Ann" takes 3 of them', KeywordType.ACTION, "takes", ["Ann", "3"]),
    ("it holds 1 apple", KeywordType.OUTCOME, "holds", ["1"]),
    ("it holds 50 apples", KeywordType.OUTCOME, "holds", ["50"]),
    ("the sign is red", KeywordType.OUTCOME, "sign", ["red"]),
    ("the sign is amber", KeywordType.OUTCOME, "sign", ["amber"]),
    ("it costs 5 € (net)", KeywordType.OUTCOME, "price", ["5"]),
]
"""Text, keyword type, id of the only definition that it binds to, and the arguments without their quotes."""
UNBOUND = [
    "the machine is ready to start",
    "so the machine is ready",
    "there are 12 apples and 3 pears",
    "it holds 5 appless",
    "the sign is green",
    "it costs 5 € net",
]


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
    extractions = [
        base.extract(path.name, path.read_bytes()) for path in sorted(folder.iterdir()) if path.name != "expected.tsv"
    ]
    return Extraction(
        tuple(definition for extraction in extractions for definition in extraction.definitions),
        tuple(parameter_type for extraction in extractions for parameter_type in extraction.parameter_types),
        tuple(error for extraction in extractions for error in extraction.errors),
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
    errors = extracted(folder).errors
    wanted = expected(folder).errors
    assert [f"{error.path}:{error.line}" for error in errors] == [place for place, _ in wanted]
    for error, (_, message) in zip(errors, wanted, strict=True):
        assert message in error.message


def test_parameter_types(folder: Path) -> None:
    types = [
        [f"{parameter_type.path}:{parameter_type.line}", parameter_type.name, " | ".join(parameter_type.regexps) or "-"]
        for parameter_type in extracted(folder).parameter_types
    ]
    assert types == expected(folder).types


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


def bound(folder: Path) -> tuple[Binder, dict[str, str]]:
    """A binder with the folder's definitions, and its ids of definitions mapped to the table's."""
    extraction = extracted(folder)
    binder = Binder()
    binder.update_files({"all": extraction})
    ids = dict(zip((definition.id for definition in extraction.definitions), expected(folder).ids, strict=True))
    return binder, ids


@pytest.mark.parametrize(("text", "keyword_type", "wanted", "arguments"), STEPS, ids=[step[0] for step in STEPS])
def test_common_steps_bind(
    folder: Path, text: str, keyword_type: KeywordType, wanted: str, arguments: list[str]
) -> None:
    binder, ids = bound(folder)
    if wanted not in ids.values():
        pytest.skip(f"{folder.name} has no way to say {wanted!r}")
    binding = binder.bind(text, keyword_type)
    assert [ids[match.definition.id] for match in binding.matches] == [wanted]
    taken = [argument for argument in binding.matches[0].arguments if argument.value is not None]
    assert [(argument.value or "").strip("\"'") for argument in taken] == arguments
    for argument in taken:
        assert text[argument.start : argument.end] == argument.value


@pytest.mark.parametrize("text", UNBOUND)
def test_near_misses_do_not_bind(folder: Path, text: str) -> None:
    binder, _ = bound(folder)
    assert binder.bind(text).status is Status.UNDEFINED


def test_no_definition_is_broken(folder: Path) -> None:
    binder, _ = bound(folder)
    broken = [error for error in binder.errors if "broken" in error.message]
    assert not broken
