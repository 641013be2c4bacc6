"""The official parser as the oracle of all readers' tests."""

import os
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from gherkin import Parser
from gherkin.token_matcher_markdown import GherkinInMarkdownTokenMatcher
from gherkin.token_scanner import TokenScanner

from cukereuse_engine.gherkin.records import KEYWORD_TYPES, FileRecord

Row = tuple[Any, ...]


def _official(text: str, *, markdown: bool = False) -> list[Row]:
    """Everything in the official parser's tree about each step. Raises `ParserError`."""
    document = Parser().parse(TokenScanner(text), GherkinInMarkdownTokenMatcher() if markdown else None)
    feature = document.get("feature")
    return list(_walk(feature, feature, None, ())) if feature else []


def _walk(feature: dict[str, Any], parent: dict[str, Any], rule: str | None, inherited: Row) -> Iterator[Row]:
    tags = inherited + tuple(tag["name"] for tag in parent["tags"])
    for child in parent["children"]:
        if "rule" in child:
            yield from _walk(feature, child["rule"], child["rule"]["name"], tags)
            continue
        block = child.get("background") or child["scenario"]
        own = tags + tuple(tag["name"] for tag in block.get("tags", ()))
        examples = tuple(_examples(table, own) for table in block.get("examples", ()))
        for step in block["steps"]:
            yield (
                step["text"],
                step["location"]["line"],
                step["keyword"],
                step["keywordType"].lower(),
                feature["name"],
                rule,
                block["name"],
                block["location"]["line"],
                own,
                "background" in child,
                examples,
                _argument(step),
            )


def _argument(step: dict[str, Any]) -> str | None:
    """The kind of a step's argument; the first if it has both."""
    arguments = [(step[name]["location"]["line"], kind) for name, kind in _ARGUMENTS.items() if name in step]
    return min(arguments)[1] if arguments else None


_ARGUMENTS = {"dataTable": "table", "docString": "docstring"}


def _examples(table: dict[str, Any], tags: Row) -> Row:
    header = tuple(cell["value"] for cell in table.get("tableHeader", {}).get("cells", ()))
    rows = tuple(tuple(cell["value"] for cell in row["cells"]) for row in table["tableBody"])
    return table["location"]["line"], tags + tuple(tag["name"] for tag in table["tags"]), header, rows


def _ours(record: FileRecord) -> list[Row]:
    """The same from a record."""
    rows: list[Row] = []
    for block in record.blocks:
        examples = tuple((table.line, table.tags, table.header, tuple(table.rows)) for table in block.examples)
        for step in block.steps:
            rows += [
                (
                    step.text,
                    step.line,
                    step.keyword,
                    KEYWORD_TYPES[step.keyword_type].value,
                    block.feature,
                    block.rule,
                    block.name,
                    block.line,
                    block.tags,
                    block.is_background,
                    examples,
                    step.argument,
                )
            ]
    return rows


@pytest.fixture(scope="session")
def official() -> Callable[..., list[Row]]:
    """Maps a text to the official parser's rows. Raises `ParserError` if it rejects the text."""
    return _official


@pytest.fixture(scope="session")
def ours() -> Callable[[FileRecord], list[Row]]:
    """Maps a record to the same rows."""
    return _ours


@pytest.fixture(scope="session")
def files_of_suites(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Every feature file of the reference suites, packed ones included, by its path below that of all suites; in the
    same order on every machine."""
    temporary = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        temporary = temporary.parent  # one for all workers
    unpacked, whole = temporary / "suites", temporary / "suites-unpacked"
    with FileLock(temporary / "suites.lock"):
        if not whole.exists():
            for archive in sorted((shared / "suites").glob("*.tar.xz")):
                with tarfile.open(archive) as packed:
                    packed.extractall(unpacked, filter="data")
            whole.touch()
    return {
        relative: path
        for relative, path in sorted(
            (path.relative_to(root), path) for root in (shared / "suites", unpacked) for path in root.rglob("*.feature")
        )
        if path.is_file()
    }


@pytest.fixture(scope="session")
def suites(files_of_suites: dict[Path, Path]) -> list[Path]:
    """Every feature file of the reference suites."""
    return list(files_of_suites.values())


_SYNTAX = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        *(rb'^\s*"""', rb"^\s*```", rb"^\s*\|", rb"^\s*@", rb"^\s*Rule:", rb"^\s*(?:Examples|Scenarios)\b"),
        *(rb"^\s*#", rb"^\s*#\s*language", rb"^\s*\*", rb"^\s*Background", rb"\\", rb"\t", rb"\r\n"),
        *(rb"[\x80-\xff]", rb"\A\xef\xbb\xbf"),
    )
)


@pytest.fixture(scope="session")
def kinds_of_files(files_of_suites: dict[Path, Path]) -> list[Path]:
    """For each suite, the first file with each combination of syntax: an eighth of all files, with the same variety."""
    kinds: dict[tuple[object, ...], Path] = {}
    for relative, path in files_of_suites.items():
        source = path.read_bytes()
        kinds.setdefault((relative.parts[0], *(bool(mark.search(source)) for mark in _SYNTAX)), path)
    return list(kinds.values())
