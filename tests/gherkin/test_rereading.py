"""Rereading a text after an edit gives the same as reading it for the first time, whatever was typed."""

import random
from collections.abc import Iterator

import pytest

from cukereuse_engine.gherkin import rereading
from cukereuse_engine.gherkin.flavour import Flavour
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.marks import Mark, Recorder, whole_docstrings
from cukereuse_engine.gherkin.parse import build
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.gherkin.rereading import Reading, reading_of

PATH = "/nowhere/some.feature"
WORDS = {
    "en": ("Feature", "Background", "Scenario", "Scenario Outline", "Examples", "Rule", "Given ", "And ", "Then "),
    "fr": ("Fonctionnalité", "Contexte", "Scénario", "Plan du scénario", "Exemples", "Règle", "Soit ", "Et ", "Alors "),
    "ru": ("Функция", "Предыстория", "Сценарий", "Структура сценария", "Примеры", "Правило", "Дано ", "И ", "Тогда "),
}
# fmt: off
HALF = [
    "", "W", "    Wh", "    Whe", "    When", "    When ", "    When I", "  Scen", "  Scenario", "  Scenario:",
    "    Givn a cat", "    Given: a", "    * it", "      ```", "      | a | b |", "|", "  @tag", "  @a b",
    "  # a comment", "# cukereuse: ignore -- so", "  Rule: other", "Feature: two", "words", "Äé 😀",
    "<<<<<<< HEAD", "=======", ">>>>>>> other", "  Background:", "    Examples:", "    If a Then",
    "  Scenaro: c", "*", "# language: fr", "    Examples: b", "      | a |", "      | 1 | 2 | 3 |",
    "    Then the page is shown", "", "  ", "    And\ta tab", "\\", '      """',
]
# fmt: on
"""Lines as somebody types them."""


def feature(chance: random.Random, language: str) -> str:
    title, background, scenario, outline, examples, rule, *steps = WORDS[language]
    lines = [f"# language: {language}"] if language != "en" else []
    lines += [f"{title}: shop", "  As a buyer", ""]

    def add_steps(many: int) -> None:
        for _ in range(chance.randrange(many)):
            lines.append(f"    {chance.choice([*steps, '* '])}step {chance.randrange(9)} <a>")
            if chance.random() < 0.1:
                lines.extend(["      | a | b |", "      | 1 | \\| |"])
            if chance.random() < 0.1:
                inside = chance.choice(["text", "", '{"a": 1}', f"{steps[0]}a step", f"{scenario}: not one"])
                lines.extend(['      """', f"      {inside}", '      """'])

    if chance.random() < 0.5:
        lines.append(f"  {background}:")
        add_steps(3)
    for number in range(chance.randrange(1, 9)):
        if chance.random() < 0.2:
            lines.extend(["", f"  {rule}: rule {number}"])
            if chance.random() < 0.5:
                lines.append(f"  {background}:")
                add_steps(3)
        lines.extend(chance.choice([[], [""], ["", "  # why"], ["", "  @a @b"], ["  @c", "  # so", ""]]))
        if chance.random() < 0.2:
            lines.append(f"  {outline}: {number}")
            add_steps(5)
            lines.extend([f"    {examples}:", "      | a |", f"      | {number} |"])
        else:
            lines.append(f"  {scenario}: {number}")
            lines.extend(chance.choice([[], [], ["    a description"], ["    Steps: none", "    of it"]]))
            add_steps(7)
    return chance.choice(["\n", "\n", "\r\n"]).join(lines) + chance.choice(["", "\n", "\n\n"])


def edited(chance: random.Random, text: str) -> str:
    """A text after somebody typed, deleted or pasted."""
    lines = text.splitlines(keepends=True) or ["\n"]
    at = chance.randrange(len(lines))
    line = lines[at]
    match chance.randrange(7):
        case 0 | 1:  # a character
            column = chance.randrange(len(line))
            lines[at] = line[:column] + chance.choice('ax:@#|"* \n\r<') + line[column:]
        case 2:
            column = chance.randrange(len(line))
            lines[at] = line[:column] + line[column + 1 :]
        case 3 | 4:
            lines.insert(at, chance.choice(HALF) + "\n")
        case 5:
            del lines[at : at + chance.randrange(4)]
        case _:  # a piece of the file itself
            start = chance.randrange(len(lines))
            lines[at:at] = lines[start : start + chance.randrange(8)]
    return "".join(lines)


def fresh_marks(text: str, flavour: Flavour) -> list[Mark]:
    builder, _ = build(text, Recorder, flavour=flavour)
    return whole_docstrings(builder.marks, split_lines(text)[0])


def assert_as_new(reading: Reading, text: str) -> None:
    data = text.encode()
    assert reading.feature_file(PATH, content_hash(data)) == read_bytes(PATH, data)
    assert list(reading.marks()) == fresh_marks(text, Flavour.GHERKIN)


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    rereading._recent.clear()
    yield
    rereading._recent.clear()


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
@pytest.mark.parametrize("seed", range(25))
def test_reading_again_is_reading_anew(seed: int, language: str) -> None:
    chance = random.Random(f"{seed} {language}")
    text = feature(chance, language)
    assert_as_new(reading_of(text, Flavour.GHERKIN), text)
    for _ in range(12):
        before = text
        text = edited(chance, text)
        assert_as_new(reading_of(text, Flavour.GHERKIN), text)
        if chance.random() < 0.3:
            text = before  # undone


def test_most_edits_read_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit in a scenario, even a half-typed one, needs only the scenarios beside it."""
    read: list[int] = []
    built = rereading._built

    def counted(lines: list[str], starts: list[int], flavour: Flavour) -> object:
        read.append(len(lines))
        return built(lines, starts, flavour)

    monkeypatch.setattr(rereading, "_built", counted)
    scenarios = [
        f"\n  Scenario: {n}\n    Given a cat\n    When it sees {n} mice\n    Then it runs\n" for n in range(400)
    ]
    text = "Feature: cats\n" + "".join(scenarios)
    reading_of(text, Flavour.GHERKIN)
    read.clear()
    before, after = text.split("    When it sees 200 mice\n")
    for typed in (
        "W",
        "Wh",
        "When",
        "When ",
        "When it",
        "When it s",
        "When it s\n\n",
        "  @tag\n  Scenario: a\n    * b",
    ):
        text = f"{before}    {typed}\n{after}"
        assert reading_of(text, Flavour.GHERKIN).feature_file(PATH, "").steps == read_bytes(PATH, text.encode()).steps
    assert max(read) < 30, read


def test_steps_that_stand_where_they_stood_are_the_same_objects() -> None:
    text = "Feature: a\n" + "".join(f"  Scenario: {n}\n    Given {n} cats\n    Then I smile\n\n" for n in range(9))
    before = reading_of(text, Flavour.GHERKIN).feature_file(PATH, "")
    after = reading_of(text.replace("Given 5 cats", "Given 7 dogs"), Flavour.GHERKIN).feature_file(PATH, "")
    same = [one is other for one, other in zip(before.steps, after.steps, strict=True)]
    assert not same[10]
    assert same.count(False) <= 6


@pytest.mark.parametrize("line", ["Rule : r", "Rule r", "RULE: r", "Regel", "Examples", "Scenario: x"])
def test_a_misspelt_title_above_the_next_section_is_told_as_anew(line: str) -> None:
    before = "Feature: f\n" + "".join(f"  Scenario: {n}\n    Given {n}\n\n" for n in range(6))
    for place in ("  Scenario: 3\n", "  Scenario: 3\n    Words here\n\n"):
        text = before.replace("  Scenario: 3\n    Given 3\n", place)
        reading_of(text, Flavour.GHERKIN)
        edited = text.replace(place, f"{place}  {line}\n")
        assert_as_new(reading_of(edited, Flavour.GHERKIN), edited)
        again = reading_of(edited, Flavour.GHERKIN).feature_file(PATH, "")
        assert again.errors == read_bytes(PATH, edited.encode()).errors


def test_a_text_is_read_by_its_own_flavour() -> None:
    text = "Feature: a\n  Scenario: b\n    given a cat\n"
    assert not reading_of(text, Flavour.GHERKIN).feature_file(PATH, "").steps
    assert reading_of(text, Flavour.BEHAVE).feature_file(PATH, "").steps
