"""The report on a terminal and in a pipe."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from cukereuse_engine.findings.finding import Place, Reason
from cukereuse_engine.findings.messages import message_of
from cukereuse_engine.glue.definition import GlueError
from cukereuse_engine.report import console, github, json_report, sarif, tables
from cukereuse_engine.report.html import PlaceLinks
from cukereuse_engine.report.html.data import build
from cukereuse_engine.report.visible import is_hidden
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.result import ScanResult
from tests.report.conftest import make_definition


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def piped(result: ScanResult, **values: object) -> str:
    stream = io.StringIO()
    console.print_report(result, tables.console_for(stream), **values)  # type: ignore[arg-type]
    return stream.getvalue()


def on_terminal(result: ScanResult, width: int, monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Terminal()
    console.print_report(result, tables.console_for(stream))
    return stream.getvalue()


def test_what_costs_comes_first_then_the_figures(shop: ScanResult) -> None:
    assert piped(shop).startswith(
        "warning  Step definitions mean the same  divergent-definition\n"
        '    the customer "ada" signs in  1×\n'
        '  → I log in as "ada"  2×\n'
        "    only the verb differs\n"
        "    shop/features/orders.feature:9:10\n"
        "    defined at shop/steps/orders.rb:8  the customer {string} signs in\n"
        "    preferred at shop/steps/login.rb:3  I log in as {string}\n"
        "\n"
        "information  Different wordings mean the same  divergent-wording\n"
    )
    text = piped(shop)
    order = [
        "divergent-definition",
        "divergent-wording",
        "Not read (1)",
        "3 things to look at: 2 warnings, 1 information.",
        "4 feature files, 12 steps",
    ]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    assert "42 % of the steps repeat the text of another step; 1 place not read." in text
    assert "note: Only wordings are compared: the model is not installed.\n" in text
    assert text.endswith("Strategy: auto. Model: none, so only wordings were compared.\n")


def test_a_reason_stands_at_the_wording_that_it_is_about(
    suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    suite = suite_builder()
    for line, said in enumerate(("a bed is dug", "the bed is mown", "the bed is dug"), 3):
        suite.add(said, "a.feature", [line])
    suite.finding(["a bed is dug", "the bed is mown"], "the bed is dug")
    reasons = (Reason("judge", "only “a” differs", about="a bed is dug"), Reason("functions", "they do the same"))
    suite.findings[0] = replace(suite.findings[0], reasons=reasons)
    result = result_of(suite.build())
    assert (
        "a bed is dug  1×\n      only “a” differs\n    the bed is mown  1×\n  → the bed is dug  1×\n    they do"
        in piped(result)
    )
    (told,) = json.loads(json_report.render(result))["findings"]
    assert [reason["about"] for reason in told["reasons"]] == ["a bed is dug", ""]
    (shown,) = json.loads(sarif.render(result))["runs"][0]["results"]
    assert shown["properties"]["reasons"] == ["“a bed is dug”: only “a” differs", "they do the same"]


@pytest.mark.parametrize(
    ("confidence", "against", "verb"),
    [(0.97, (), "mean"), (None, (), "mean"), (0.49, (), "may mean"), (0.65, ("functions",), "seem to mean")],
)
def test_every_report_is_as_sure_as_the_message(
    confidence: float | None,
    against: tuple[str, ...],
    verb: str,
    suite_builder: type,
    result_of: Callable[..., ScanResult],
) -> None:
    suite = suite_builder()
    definitions = {}
    for line, (said, keyword) in enumerate((("the bed is dug", "Given"), ("a bed is dug", "When")), 3):
        suite.add(said, "a.feature", [line])
        definitions[said] = [replace(make_definition(said, "steps.rb", line), keyword=keyword)]
    made = suite.finding("a bed is dug", "the bed is dug", rule="divergent-definition", definitions=definitions)
    message = message_of(made.rule, made.others, made.preferred, confidence=confidence, is_doubtful=bool(against))
    reasons = tuple(Reason(each, "they do different things", against=True) for each in against)
    suite.findings[:] = [replace(made, message=message, confidence=confidence, reasons=reasons)]
    result = result_of(suite.build())
    assert f", defined at steps.rb:3 (Given), {verb} the same" in message
    title = f"Step definitions {verb} the same"
    assert f"  {title}  divergent-definition\n" in piped(result)
    assert "    preferred at steps.rb:3  the bed is dug (Given)\n" in piped(result)
    assert f"title=cukereuse%3A {title}::" in github.annotations(result)
    (told,) = build(result, PlaceLinks())["findings"]
    assert told["title"] == title
    assert told["preferred"]["definitions"][0][3] == "the bed is dug (Given)"
    log = json.loads(sarif.render(result))["runs"][0]
    assert all("may mean" in rule["shortDescription"]["text"] for rule in log["tool"]["driver"]["rules"][:2])
    assert "(When)" in json.dumps(log["results"])
    (finding,) = json.loads(json_report.render(result))["findings"]
    assert finding["preferred"]["definitions"][0]["keyword"] == "Given"


def test_what_lies_in_code_is_named_once(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    """A definition's place is not listed in front of the definition; what two suites can't read is one problem."""
    suite = suite_builder()
    definition = make_definition("the bed is dug", "steps.rb", 7)
    suite.add("the bed is dug", "a.feature", [3])
    finding = suite.finding("the bed is dug", None, definitions={"the bed is dug": [definition]})
    other = replace(finding.others[0], places=(Place.of_definition(definition),))
    suite.findings[:] = [replace(finding, others=(other,))]
    suite.glue_errors.append(GlueError("steps.rb", 20, 7, "The expression is computed."))
    built = suite.build()
    text = piped(result_of(built, replace(built, root="again", findings=())))
    assert text.count("steps.rb:7") == 1
    assert "Problems with step definitions (1)" in text


def test_a_pipe_has_no_colour_and_no_hidden_characters(hostile: ScanResult) -> None:
    for character in piped(hostile).replace("\n", ""):
        assert not is_hidden(character)


def test_a_terminal_has_colour_unless_told_not_to(shop: ScanResult, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in on_terminal(shop, 80, monkeypatch)
    # NO_COLOR takes colours (30 to 37, 90 to 97), not bold or dim.
    assert not re.search(r"\x1b\[[0-9;]*\b(?:3[0-7]|9[0-7])m", on_terminal(shop, 80, monkeypatch, NO_COLOR="1"))


def test_no_control_of_a_suite_reaches_a_terminal(hostile: ScanResult, monkeypatch: pytest.MonkeyPatch) -> None:
    text = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(hostile, 100, monkeypatch)).replace("\n", "")
    assert not [character for character in text if is_hidden(character)]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_wordings_are_cut_to_the_width(
    width: int, suite_builder: type, result_of: Callable[..., ScanResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_builder()
    long = "the warehouse 倉庫 keeps " + "very " * 60 + "many crates"
    suite.add(long, "a.feature", [3])
    suite.add("many crates are kept", "a.feature", [4])
    suite.finding(long, "many crates are kept", reasons=[])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal(result_of(suite.build()), width, monkeypatch)).split("\n")
    [wording] = [line for line in lines if "the warehouse" in line]
    assert cell_len(wording) <= width
    assert "…" in wording
    assert "crates  1×" in wording


def test_limits_are_told(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder()
    for number in range(12):
        suite.add(f"wording {'x' * number}", "a.feature", range(1, 9))
    suite.add("the one", "a.feature", range(20, 40))
    for number in range(12):
        suite.finding(f"wording {'x' * number}", "the one")
    text = piped(result_of(suite.build()), limit=5)
    assert text.count("divergent-wording") == 5
    assert "and 5 more places" in text
    assert "and 7 more; the HTML and JSON reports list all of them" in text
    assert piped(result_of(suite.build()), limit=None).count("divergent-wording") == 12


def test_nothing_found(result_of: Callable[..., ScanResult]) -> None:
    says = "No feature files were found.\nPoint cukereuse at a folder that holds .feature files.\n"
    assert piped(result_of()) == says


def test_the_papers_strategies_list_their_clusters(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder()
    suite.add("we ship it", "a.feature", [3, 4])
    suite.cluster("we ship it", strategy="exact")
    text = piped(result_of(suite.build(), strategy="exact"))
    assert "Clusters (1 of 1)\nsteps  texts  kind   canonical phrasing\n    2      1  exact  we ship it\n" in text


def test_unread_can_be_left_to_the_figures(shop: ScanResult) -> None:
    assert "broken.feature" not in piped(replace(shop, unread=Severity.OFF))


def test_suites_are_named_where_there_are_several(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suites = []
    for root in ("one", "two"):
        suite = suite_builder(root=root)
        suite.add("we ship it", f"{root}/a.feature", [3])
        suite.add("it is shipped", f"{root}/a.feature", [4, 5])
        suite.finding("we ship it", "it is shipped")
        suites.append(suite.build())
    text = piped(result_of(*suites))
    assert text.index("one\n") < text.index("one/a.feature:3") < text.index("two\n") < text.index("two/a.feature:3")


def table(width: int | None, columns: list[tables.Column], rows: list[tuple[object, ...]]) -> list[str]:
    stream = io.StringIO()
    target = Console(file=stream, width=width, no_color=True) if width else tables.console_for(stream)
    tables.print_table(target, columns, rows)
    return stream.getvalue().split("\n")[:-1]


def test_a_table_aligns_wide_characters_and_numbers() -> None:
    columns = [tables.Column("n", right=True), tables.Column("name"), tables.Column("score", right=True)]
    rows: list[tuple[object, ...]] = [(1_200, "倉庫", 0.5), (3, "box", None), (40, "a\tb", True)]
    assert table(None, columns, rows) == [
        "    n  name  score",
        "1,200  倉庫  0.500",
        "    3  box       -",
        r"   40  a\tb    yes",
    ]


@given(st.lists(st.tuples(st.text(max_size=60), st.integers(), st.text(max_size=60)), max_size=5), st.integers(40, 90))
def test_a_table_fits_the_terminal(rows: list[tuple[str, int, str]], width: int) -> None:
    columns = [tables.Column("a", flexible=True), tables.Column("n", right=True), tables.Column("b", flexible=True)]
    small = [(a, n % 1000, b) for a, n, b in rows]
    lines = table(width, columns, small)  # type: ignore[arg-type]
    assert len(lines) == 1 + len(rows)
    assert all(cell_len(line) <= width for line in lines)


@given(st.text(), st.integers(1, 30))
def test_fitted_text_fits(text: str, width: int) -> None:
    clean = tables.shown(text)
    assert cell_len(tables.fitted(clean, width)) <= width
