"""The headline of a report, above all if nothing was found."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.report.headline import headline
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.result import ScanResult


@pytest.mark.parametrize(
    ("values", "title", "detail"),
    [
        (
            {"model": "a-model"},
            "No duplicate wordings found.",
            "2 wordings compared with each other, 0 step definitions known, by wording and by meaning (a-model).",
        ),
        (
            {"model": None},
            "Nothing found by wording; meaning was not compared.",
            "`cukereuse model download` downloads the model.",
        ),
        ({"strategy": "near-exact"}, "The strategy near-exact found no duplicate wordings.", "`auto` also judges"),
        (
            {"strategy": "exact", "model": None},
            "The strategy exact found no duplicate wordings.",
            "joins only equal texts",
        ),
    ],
)
def test_nothing_found_says_what_was_compared(
    values: dict[str, str | None],
    title: str,
    detail: str,
    suite_builder: type,
    result_of: Callable[..., ScanResult],
) -> None:
    suite = suite_builder()
    suite.add("I wait", "a.feature", [3, 4])
    suite.add("I sleep", "a.feature", [5])
    line = headline(result_of(suite.build(), **values))
    assert line.title == title
    assert detail in line.detail
    assert line.is_clean is (title == "No duplicate wordings found.")


def test_what_is_suppressed_is_not_nothing(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder(suppressed=2)
    suite.add("I wait", "a.feature", [3])
    assert headline(result_of(suite.build(), model="a-model")).title == "Nothing new: 2 findings are suppressed."


@pytest.mark.parametrize(
    ("unread", "title", "detail"),
    [
        (Severity.WARNING, "3 things to look at: 2 warnings, 1 information.", "1 place could not be read."),
        (Severity.ERROR, "3 things to look at: 1 error, 1 warning, 1 information.", "1 place could not be read."),
        (Severity.OFF, "2 things to look at: 1 warning, 1 information.", ""),
    ],
)
def test_findings_and_unread_places_are_counted_by_severity(
    unread: Severity, title: str, detail: str, shop: ScanResult
) -> None:
    line = headline(replace(shop, unread=unread))
    assert (line.title, line.detail) == (title, detail)


def test_a_suite_of_which_nothing_could_be_read(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder()
    suite.errors.append(ReadError("a.feature", 0, 0, "not text"))
    line = headline(result_of(suite.build(), model="a-model"))
    assert (line.title, line.is_clean) == ("1 thing to look at: 1 warning.", False)
    assert line.detail.startswith("1 place could not be read. 0 wordings compared")
