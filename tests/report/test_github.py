"""Workflow commands and the summary page, read back as GitHub's runner and Markdown do."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.report import github
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.result import ScanResult

COMMAND = re.compile(r"::(?P<command>error|warning|notice) (?P<fields>[^:]*)::(?P<message>.*)")


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Commands as the runner's command parser reads them: one in each line, with fields separated by commas."""
    commands = []
    for line in text.split("\n")[:-1]:
        match = COMMAND.fullmatch(line)
        assert match, line
        fields = dict(field.split("=", 1) for field in match["fields"].split(","))
        commands.append(
            (match["command"], {key: unescaped(value) for key, value in fields.items()}, unescaped(match["message"]))
        )
    return commands


def test_findings_and_unread_places_are_annotated(shop: ScanResult) -> None:
    warning, unread, notice = commands(github.annotations(shop))
    assert warning == (
        "warning",
        {"file": "shop/features/orders.feature", "line": "9", "col": "10", "endColumn": "37",
         "title": "cukereuse: Step definitions mean the same"},
        "“I log in as \"ada\"” says this already.",
    )  # fmt: skip
    assert unread[1]["file"] == "shop/features/broken.feature"
    assert "endColumn" not in unread[1]
    assert notice[0] == "notice"
    assert len(commands(github.annotations(replace(shop, unread=Severity.OFF)))) == 2


def test_nothing_found_says_nothing(result_of: Callable[..., ScanResult]) -> None:
    assert github.annotations(result_of()) == ""
    assert "No feature files were found." in github.step_summary(result_of())


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING, Severity.HINT])
@pytest.mark.parametrize("many", [3, 10, 11, 200])
def test_at_most_ten_of_a_kind(
    severity: Severity, many: int, suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    suite = suite_builder()
    suite.errors += [ReadError("a.feature", line + 1, 1, f"no {line}") for line in range(many)]
    lines = commands(github.annotations(replace(result_of(suite.build()), unread=severity)))
    by_command = {command: [c for c in lines if c[0] == command] for command in ("error", "warning", "notice")}
    assert all(len(some) <= 10 for some in by_command.values())
    shown = [c for c in lines if "file" in c[1]]
    assert [c[2] for c in shown] == [f"no {line}" for line in range(len(shown))]
    left = many - len(shown)
    assert (left > 0) == (lines[-1][2].startswith(f"{left} more") if lines else False)


def test_hostile_content_starts_no_command(hostile: ScanResult) -> None:
    for _, fields, message in commands(github.annotations(hostile)):
        assert "\x1b" not in message
        assert "\u202e" not in message
        assert fields["title"].startswith("cukereuse")


@given(st.text(st.characters(exclude_categories=("Cs",))), st.text(min_size=1))
@example("50%0A done, 7%25: ::error::x\r\n", "a%3Ab,c=d::.feature")
def test_escapes_read_back(message: str, path: str) -> None:
    error = ReadError(path, 3, 1, message)
    line = str(github._unread(error, Severity.ERROR))
    assert "\n" not in line
    assert "\r" not in line
    [(command, fields, read)] = commands(line + "\n")
    assert command == "error"
    assert read.split("\n") == [github.visible(part) for part in message.split("\n")]
    assert fields["file"].replace("\n", "") == "".join(github.visible(part) for part in path.split("\n"))
    assert fields["line"] == "3"


def test_the_summary_is_a_table_that_no_text_breaks(hostile: ScanResult, shop: ScanResult) -> None:
    for result in (hostile, shop):
        rows = [line for line in github.step_summary(result).splitlines() if line.startswith("| information")]
        for row in rows:
            assert len(re.findall(r"(?<!\\)\|", row)) == 7, row
        text = github.step_summary(result)
        assert "\u202e" not in text
        assert "<script>note" not in text
    assert '| warning | `the customer "ada" signs in` | 1 |' in github.step_summary(shop)
    assert "| 4 | 12 | 7 | 42 % | 1 |" in github.step_summary(shop)


def test_a_long_summary_is_cut(large: Callable[..., ScanResult]) -> None:
    text = github.step_summary(large(300, 900, findings=120))
    assert "And 70 more." in text
    assert len(text) < 60_000
