"""What a report says first, above all where nothing was found."""

from collections.abc import Callable

import pytest

from cukereuse_engine.report.headline import headline
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
    said = headline(result_of(suite.build(), **values))
    assert said.title == title
    assert detail in said.detail
    assert said.is_clean is (title == "No duplicate wordings found.")


def test_what_is_suppressed_is_not_nothing(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder(suppressed=2)
    suite.add("I wait", "a.feature", [3])
    assert headline(result_of(suite.build(), model="a-model")).title == "Nothing new: 2 findings are suppressed."


def test_findings_are_counted_by_severity(shop: ScanResult) -> None:
    assert headline(shop).title == "2 things to look at: 1 warning, 1 information."
