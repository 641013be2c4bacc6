"""Syntax of one runner: behave's keywords in any case, Vanessa Automation's control lines and tags among steps."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType
from cukereuse_engine.gherkin.flavour import forget_configurations
from cukereuse_engine.gherkin.read import read_bytes, read_text


def read(text: str) -> FeatureFile:
    return read_bytes("a.feature", text.encode())


@pytest.mark.parametrize(
    ("runner", "lines", "texts"),
    [
        ("behave", "given I press go\n    WHEN it runs\n    and it stops", ["I press go", "it runs", "it stops"]),
        ("behave", "Given a\n    given b\n    gIvEn  c", ["a", "b", "c"]),
        ("", "Given a\n    given b", ["a"]),
    ],
)
def test_behave_reads_keywords_in_any_case(tmp_path: Path, runner: str, lines: str, texts: list[str]) -> None:
    """behave/parser.py, `Parser.parse_step`. For other runners, such a line is no step."""
    forget_configurations()
    folder = tmp_path / "features"
    folder.mkdir()
    (tmp_path / ".git").mkdir()
    if runner:
        (folder / "steps").mkdir()
        (folder / "steps" / "steps.py").touch()
    file = read_text(str(folder / "a.feature"), f"Feature: f\n  Scenario: s\n    {lines}\n")
    assert [step.text for step in file.steps] == texts
    assert bool(file.errors) is not bool(runner)
    if runner:
        assert all(step.keyword_type is not KeywordType.UNKNOWN for step in file.steps)
        text = f"Feature: f\n  Scenario: s\n    {lines}\n"
        assert all(text[step.span.start : step.span.end] == step.text for step in file.steps)


VANESSA = [
    (
        "# language: ru\nФункционал: ф\n  Сценарий: с\n    * Подготовка\n      Дано а\n      * Глубже\n        И б\n"
        "    Если появилось окно \"О\" Тогда\n      И в\n    ИначеЕсли 'Х = 1' тогда\n      И г\n    Иначе\n"
        "      И д\n    КонецЕсли;\n    // заметка\n    Попытка\n      И е\n    Исключение\n      И ж\n"
        "    Для каждого Стр из Список Цикл\n      И з\n    * Конец\n      Тогда и\n",
        list("абвгдежзи"),
    ),
    (
        "//раз\n# language: ru\n@т\n//два\nФункционал: ф\n  Сценарий: с\n    @Голос: а б\n    Дано а\n    @Снимок\n\n"
        "    И б\n    Попытка\n      И в\n    Исключение\n      И г\n    КонецПопытки\n",
        list("абвг"),
    ),
    ("# language: ru\nФункционал: ф\n  Сценарий: с\n    Дано а\n    @Голос: а, б\n    И б\n", ["а", "б"]),
    (
        'Feature: f\n  Scenario: s\n    * Setup\n      Given a\n    If window "W" appears Then\n      And b\n'
        "    ElseIf x Then\n      And c\n    Else\n      And d\n    EndIf\n    Try\n      And e\n    Except\n"
        "      And f\n    EndTry\n    While x Then\n      And g\n    EndDo\n    * I do it\n    And h\n",
        ["a", "b", "c", "d", "e", "f", "g", "I do it", "h"],
    ),
]


@pytest.mark.parametrize(("text", "steps"), VANESSA)
def test_control_lines_of_vanessa_automation(text: str, steps: list[str]) -> None:
    file = read(text)
    assert [step.text for step in file.steps] == steps
    assert file.errors == ()


def test_control_words_in_other_files_are_told() -> None:
    text = "Feature: f\n  Scenario: s\n    Given a\n    Else\n    * b\n      And c\n"
    file = read(text)
    assert [(error.line, error.message) for error in file.errors] == [
        (4, "Neither a step nor any other Gherkin; skipped.")
    ]
    assert [step.text for step in file.steps] == ["a", "b", "c"]


@pytest.mark.parametrize("line", ["@a: b c", "@a", "// a"])
def test_what_only_vanessa_automation_reads_is_told_elsewhere(line: str) -> None:
    assert read(f"Feature: f\n  Scenario: s\n    Given a\n    {line}\n    Given b\n").errors
    assert read("# language: ru\nФункция: ф\n  Сценарий: с\n    Дано а\n    @а\n    И б\n").errors
