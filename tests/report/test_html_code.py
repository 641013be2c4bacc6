"""The functions of a finding in the HTML report."""

from dataclasses import replace

from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.glue.definition import ExpressionKind, SourceSpan, StepDefinition
from cukereuse_engine.report.html.code import code_of
from cukereuse_engine.rules import Severity

SOURCE = """class Steps:
    @given("one")
    def one(self, count):
        self.page.fill("start", count)

    @given("two")
    def two(self, books):
        self.page.fill("end", books)
"""


def definition(expression: str) -> StepDefinition:
    start = SOURCE.index(f"def {expression}")
    end = SOURCE.index("\n\n", start) if "\n\n" in SOURCE[start:] else len(SOURCE.rstrip())
    line = SOURCE[:start].count("\n") + 1
    literal = SourceSpan("steps.py", start - 10, start - 5, line - 1, 1, line - 1, 5)
    function = SourceSpan("steps.py", start, end, line, 5, line + 1, 1)
    return StepDefinition(
        expression, ExpressionKind.PARSE, frozenset(), "given", "python", "behave", literal, "", function, expression
    )


def finding(*names: str) -> Finding:
    subjects = [Subject(name, name, 1, (Place("steps.py", 1, 1, 1, 2),), (definition(name),)) for name in names]
    return Finding("same-code", Severity.HINT, "m", tuple(subjects[1:]) or (subjects[0],), subjects[0])


def test_both_functions_with_what_differs_marked() -> None:
    one, two = code_of(finding("one", "two"), lambda _: 7, lambda _: SOURCE.encode())
    assert one[:3] == [7, 3, "one"]
    assert two[:3] == [7, 7, "two"]
    text, marks = one[3][::2], one[3][1::2]
    assert "".join(text) == 'def one(self, count):\n    self.page.fill("start", count)'
    assert [part for part, marked in zip(text, marks, strict=True) if marked] == ["one", "count", "start", "count"]


def test_nothing_where_a_source_is_gone_or_the_rule_is_about_wordings() -> None:
    assert code_of(finding("one", "two"), lambda _: 0, lambda _: None) == []
    other = replace(finding("one", "two"), rule="divergent-wording", fingerprint="x")
    assert code_of(other, lambda _: 0, lambda _: SOURCE.encode()) == []
