"""Inputs that break readers of Gherkin."""

import time

import pytest
from gherkin.dialect import DIALECTS
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType
from cukereuse_engine.gherkin.read import content_hash, read_bytes, read_text


def read(text: str, path: str = "a.feature") -> FeatureFile:
    file = read_bytes(path, text.encode("utf-8", "surrogatepass"))
    for step in file.steps:
        assert text.removeprefix("\ufeff")[step.span.start : step.span.end] == step.text
    return file


def texts(text: str, path: str = "a.feature") -> list[str]:
    return [step.text for step in read(text, path).steps]


def errors(text: str, path: str = "a.feature") -> list[tuple[int, str]]:
    return [(error.line, error.message) for error in read(text, path).errors]


SCENARIO = "Feature: f\n  Scenario: s\n    Given a\n    When b\n"


@pytest.mark.parametrize("text", [SCENARIO, "# language: ru\nФункция: ф\n  Сценарий: с\n    Допустим а\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_move_nothing(text: str, encoding: str) -> None:
    plain, marked = read_bytes("a.feature", text.encode()), read_bytes("a.feature", text.encode(encoding))
    assert marked.steps == plain.steps
    assert marked.steps
    assert (marked.language, marked.errors) == (plain.language, ())


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings(ending: str) -> None:
    file = read(SCENARIO.replace("\n", ending))
    assert [(step.text, step.line, step.column) for step in file.steps] == [("a", 3, 11), ("b", 4, 10)]
    assert not file.errors


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "\x0c", "\u00a0", "\u200b", "\u202e", "\x1c"])
def test_odd_characters_stay_inside_a_step(odd: str) -> None:
    file = read(f"Feature: f\n  Scenario: s\n    Given x{odd}y\n    When z\n")
    assert [(step.text, step.line) for step in file.steps] == [(f"x{odd}y", 3), ("z", 4)]


@pytest.mark.parametrize(
    "text", ["a # not a comment", "the colour #00FF00", '"""', "a | b", "e\u0301 é", "@tag", "<a> and <two words>"]
)
def test_step_text_is_whole(text: str) -> None:
    assert texts(f"Feature: f\n  Scenario: s\n    Given {text}  \n") == [text]


@pytest.mark.parametrize(("fence", "other"), [('"""', "```"), ("```", '"""')])
def test_nothing_inside_a_doc_string_is_a_step(fence: str, other: str) -> None:
    inside = f"{fence}json\n Given x\n | a |\n{other}\n Scenario: no\n # no comment\n @t\n{fence}"
    file = read(f"Feature: f\n  Scenario: s\n    Given a\n{inside}\n    When b\n")
    assert [(step.text, step.argument) for step in file.steps] == [("a", "docstring"), ("b", None)]
    assert (file.errors, file.comments) == ((), ())


def test_what_a_step_knows() -> None:
    file = read(
        "@f\nFeature: F\n  Background:\n    Given a\n  @r @q\n  Rule: R\n    Background:\n      And b\n"
        "    @s\n    Scenario Outline: O\n      And c <x>\n        | t |\n      When d\n      But e\n"
        "      * f\n      And g\n"
        "      @e\n      Examples:\n        | x | y z |\n        | 1 | \\| |\n"
    )
    a, b, c, d, e, f, g = file.steps
    assert (a.tags, a.rule, a.is_background, a.scenario, a.scenario_line) == (("@f",), None, True, "", 3)
    assert (b.tags, b.rule, b.is_background, b.resolved_type) == (("@f", "@r", "@q"), "R", True, KeywordType.CONTEXT)
    assert (c.tags, c.scenario, c.is_outline, c.argument) == (("@f", "@r", "@q", "@s"), "O", True, "table")
    kinds = [(step.keyword, step.keyword_type.value, step.resolved_type.value) for step in (c, d, e, f, g)]
    assert kinds == [
        ("And ", "conjunction", "context"),
        ("When ", "action", "action"),
        ("But ", "conjunction", "action"),
        ("* ", "unknown", "unknown"),
        ("And ", "conjunction", "unknown"),
    ]
    (examples,) = c.examples
    assert (examples.header, examples.rows, examples.line) == (("x", "y z"), (("1", "|"),), 18)
    assert examples.tags == ("@f", "@r", "@q", "@s", "@e")
    assert not a.examples
    assert not a.is_outline


@pytest.mark.parametrize("title", ["Example", "Scenario Template", "Scenario", "Scenario Outline"])
@pytest.mark.parametrize("table", ["", "      | a |\n", "      | a | a |\n", "      | a |\n      | 1 |\n      | 2 |\n"])
def test_outlines_count_once(title: str, table: str) -> None:
    file = read(f"Feature: f\n  {title}: s\n    Given <a>\n    Examples:\n{table}")
    assert [step.text for step in file.steps] == ["<a>"]
    assert file.steps[0].is_outline
    assert len(file.steps[0].examples) == 1
    assert not file.errors


@pytest.mark.parametrize(
    ("language", "line", "keyword", "text"),
    [
        ("fr", "Etant donné que le livre", "Etant donné que ", "le livre"),
        ("fr", "Etant donné le livre", "Etant donné ", "le livre"),
        ("fr", "Etant donné qu'un livre", "Etant donné qu'", "un livre"),
        ("zh-CN", "假如有书", "假如", "有书"),
        ("em", "😐a book", "😐", "a book"),
        ("ja", "前提本がある", "前提", "本がある"),
    ],
)
def test_longest_keyword(language: str, line: str, keyword: str, text: str) -> None:

    spec = DIALECTS[language]
    file = read(f"# language: {language}\n{spec['feature'][0]}: f\n  {spec['scenario'][0]}: s\n    {line}\n")
    assert [(step.keyword, step.text) for step in file.steps] == [(keyword, text)]
    assert file.language == language


@pytest.mark.parametrize(
    "description",
    [
        "Dato che è così",
        "Wenn es regnet",
        "Als ik wil",
        "Given the nature\nof things, prose",
        "When it rains, it pours",
        "* a list",
    ],
)
def test_prose_is_no_step_and_no_warning(description: str) -> None:
    in_scenario = description.replace("Given", "Taken").replace("When", "If")
    file = read(f"Feature: f\n{description}\n\n  Scenario: s\n{in_scenario}\n    Given a\n")
    assert [step.text for step in file.steps][-1] == "a"
    assert not file.errors


@pytest.mark.parametrize(
    ("description", "lines"),
    [
        ("and then it is over.", []),
        ("The sun rises\nand the moon sets\nthen night falls", []),
        ("The sun rises\n\ngiven a user", [5]),
        ("The sun rises\nGivn a user", [4]),
        ("given a user\nand another", [3, 4]),
    ],
)
def test_a_sentence_that_goes_on_is_no_step(description: str, lines: list[int]) -> None:
    assert [number for number, _ in errors(f"Feature: f\nScenario: s\n{description}\nThen c\n")] == lines


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("Given: a user", "Given a user"),
        ("Given\ta user", "Given a user"),
        ("Given\u00a0a user", "Given a user"),
        ("Givn a user", "Given a user"),
        ("given a user", "Given a user"),
        ("WHEN a user", "When a user"),
        ("Whne a user", "When a user"),
        ("Adn a user", "And a user"),
    ],
)
@pytest.mark.parametrize("place", ["first", "later"])
def test_meant_as_a_step(line: str, better: str, place: str) -> None:
    before = "" if place == "first" else "    Given x\n"
    text = f"Feature: f\n  Scenario: s\n{before}    {line}\n    Then c\n"
    assert "a user" not in texts(text)
    ((number, message),) = errors(text)
    assert number == (3 if place == "first" else 4)
    assert f'Write "{better}"' in message


@pytest.mark.parametrize(
    ("text", "line", "words", "steps"),
    [
        ("Feature: f\n  Given a\n  When b\n", 2, "outside any scenario", []),
        ("Feature: f\n  Given a\n\n  Scenario: s\n    Given b\n", 2, "outside any scenario", ["b"]),
        ("Given a\nFeature: f\n  Scenario: s\n    Given b\n", 1, "outside any scenario", ["b"]),
        ("Scenario: s\n  Given a\n  When b\n", 1, '"Feature:" is missing', ["a", "b"]),
        ("# language: xx\n" + SCENARIO, 1, 'Unknown language "xx"', ["a", "b"]),
        ("# language: en-US\n" + SCENARIO, 1, 'Did you mean "en"?', ["a", "b"]),
        ("Fonctionnalité: f\n  Scénario: s\n    Etant donné a\n", 1, "# language: fr", []),
        (SCENARIO + "\nFeature: g\n  Scenario: t\n    Given c\n", 6, "second", ["a", "b", "c"]),
        (SCENARIO + "      | x |\n      | y | z |\n  Scenario: t\n    Given c\n", 6, "cells", ["a", "b", "c"]),
        (SCENARIO + '      """\n      text\n\n  @t\n  Scenario: t\n    Given c\n', 5, "never closed", ["a", "b", "c"]),
        (SCENARIO + '      """\n      text\n', 5, "never closed", ["a", "b"]),
        ("Feature: f\n  @a b\n  Scenario: s\n    Given a\n", 2, "spaces", ["a"]),
        (
            "Feature: f\n  @a\n  Background:\n    Given a\n  Scenario: s\n    Given b\n",
            2,
            "cannot have tags",
            ["a", "b"],
        ),
        (SCENARIO + "  Background:\n    Given c\n", 5, "before the first scenario", ["a", "b", "c"]),
        (SCENARIO + "<<<<<<< HEAD\n    Then c\n=======\n    Then d\n>>>>>>> x\n", 5, "conflict", ["a", "b", "c", "d"]),
        (SCENARIO + "  @lost\n", 5, "belong to nothing", ["a", "b"]),
        (SCENARIO + "  Examples:\n    | a |\n  Given c\n  When d\n", 7, "below examples", ["a", "b"]),
        (SCENARIO + "    some prose\n    more prose\n    Then c\n", 5, "Neither a step", ["a", "b", "c"]),
    ],
)
def test_what_is_skipped(text: str, line: int, words: str, steps: list[str]) -> None:
    assert texts(text) == steps
    ((number, message),) = errors(text)
    assert number == line
    assert words in message


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        # the first fence is one too many: what follows is no text of DocStrings, and what is inside them no step
        ('"""\n    Then c\n      """\n      - x\n      """\n    Then d\n', ["a", "b", "c", "d"]),
        ('"""\n    Then c\n      """\n      Feature: g\n        Scenario: t\n      """\n', ["a", "b", "c"]),
        # never closed, and the next scenario is indented more than this one
        ('"""\n      text\n\n    Scenario: t\n      Given c\n', ["a", "b", "c"]),
        ('"""\n      text\n\n\tScenario: t\n\t\tGiven c\n', ["a", "b", "c"]),
        # a title deeper than the fence is text
        ('"""\n        Scenario: t\n          Given x\n', ["a", "b"]),
        # steps at their own indentation are none of the text
        ('"""\n      text\n    Then c\n    And d\n', ["a", "b", "c", "d"]),
    ],
)
def test_fences_that_do_not_match(text: str, steps: list[str]) -> None:
    file = read(f"{SCENARIO}      {text}")
    assert [step.text for step in file.steps] == steps
    assert {step.feature for step in file.steps} == {"f"}
    assert [error.line for error in file.errors] == [5]


def test_tags_below_an_open_doc_string_belong_to_the_scenario() -> None:
    file = read(SCENARIO + '"""\ntext\n\n  # why\n  @t\n  Scenario: t\n    Given c\n')
    assert [(step.text, step.tags) for step in file.steps] == [("a", ()), ("b", ()), ("c", ("@t",))]
    assert [comment.text for comment in file.comments] == ["# why"]


@pytest.mark.parametrize("prose", ["", "    Once upon a time\n    there was a user\n\n"])
def test_a_misspelt_title(prose: str) -> None:
    """Below a feature's title it is valid prose; if DocStrings contain Gherkin, that reading makes no sense."""
    inner = '      """\n      Feature: g\n        Scenario: t\n          Given x\n      """\n'
    rest = "  Scenario: s\n    Given c\n"
    misspelt = f"Feature: f\n  Backgroudn: b\n{prose}    Given a\n"
    assert [message for _, message in errors(misspelt + rest)] == ['Not a title. Write "Background: b".']
    assert texts(misspelt + rest) == ["c"]
    file = read(misspelt + inner + rest)
    assert [(step.text, step.feature, step.is_background) for step in file.steps] == [
        ("a", "f", True),
        ("c", "f", False),
    ]
    assert [error.message for error in file.errors] == ['Not a title. Write "Background: b".']


def test_tags_are_kept_where_they_can_be() -> None:
    (step,) = read("Feature: f\n  @a b @c #d\n  Scenario: s\n    Given a\n").steps
    assert step.tags == ("@a", "@c")
    (step,) = read("@x\nFeature: f\n  @a\n  Background:\n    Given a\n").steps
    assert step.tags == ("@x",)


def test_a_lost_steps_table_is_not_its_neighbours() -> None:
    file = read(
        SCENARIO + '    Thn c\n      | x |\n      | y |\n    Givn d\n      """\n      z\n      """\n    Then e\n'
    )
    assert [(step.text, step.argument) for step in file.steps] == [("a", None), ("b", None), ("e", None)]
    assert [error.line for error in file.errors] == [5, 8]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "Feature: f", "Feature: f\n  Scenario: s\n"])
def test_nothing_to_read(text: str) -> None:
    file = read(text)
    assert (file.steps, file.errors) == ((), ())


@pytest.mark.parametrize("blank", ["", " ", "\u00a0"])
def test_empty_step(blank: str) -> None:
    file = read(f"Feature: f\n  Scenario: s\n    Given {blank}\n    When x\n")
    assert [step.text for step in file.steps] == ["", "x"]


def test_cell_that_ends_with_a_backslash() -> None:
    assert texts("Feature: f\n  Scenario: s\n    Given a\n      | x\\ |\n      | x\\\n") == ["a"]


MARKDOWN = """# Feature: f

Prose with | pipes | and a list:

- not a step
* Given looks like one but is above any scenario

`@slow`
## Scenario Outline: s

* Given a <x>

  | t | u |
  | - | - |
  | 1 | 2 |

- When b
  ```json
  - Given no step
  ```

### Examples: e

  | x |
  | - |
  | 1 |
"""


def test_markdown() -> None:
    file = read(MARKDOWN, "a.feature.md")
    steps = [(step.text, step.keyword, step.line, step.column, step.argument) for step in file.steps]
    assert ("a <x>", "Given ", 11, 9, "table") in steps
    assert ("b", "When ", 17, 8, "docstring") in steps
    assert file.steps[-1].tags == ("@slow",)
    assert file.steps[-1].examples[0].rows == (("1",),)


def test_markdown_recovers() -> None:
    damaged = MARKDOWN.replace("  | 1 | 2 |\n", "  | 1 |\n") + "\n## Scenario: t\n\n- Then c\n"
    file = read(damaged, "a.feature.md")
    assert [step.text for step in file.steps][-1] == "c"
    assert any("cells" in error.message for error in file.errors)


def test_comments() -> None:
    file = read("# cukereuse: ignore\nFeature: f\n  Scenario: s\n    #note \n    Given a\n")
    assert [(comment.line, comment.text) for comment in file.comments] == [(1, "# cukereuse: ignore"), (4, "#note")]


def test_text_of_an_editor() -> None:
    file = read_text("a.feature", "\ufeff" + SCENARIO)
    assert file.steps == read(SCENARIO).steps
    assert read_text("a.feature", SCENARIO).content_hash == content_hash(SCENARIO.encode())
    assert [step.text for step in read_text("a.feature", SCENARIO + "    Then \ud800").steps][-1] == "\ud800"


ROW = "      | a | b | c |\n"


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (SCENARIO + ROW * 50_000, 2),
        (SCENARIO + "    Examples:\n" + ROW * 50_000, 2),
        (SCENARIO + ROW * 25_000 + "      | a |\n" * 25_000, 2),
        (SCENARIO + "    And c\n" * 10_000, 10_002),
        (SCENARIO + "    Then " + "x" * 1_000_000, 3),
        (SCENARIO + "@t\n" * 20_000 + "  Scenario: t\n    Given c\n", 3),
        (SCENARIO + "@t\n# c\n" * 10_000, 2),
        (SCENARIO + "junk\n" * 30_000, 2),
        (SCENARIO + '    """json\n Scenario: x\n  Given y\n' * 5_000, 2_502),
        ("Feature: f\n" + "Given prose\nof sorts\n\n" * 10_000, 0),
    ],
    ids=["table", "examples", "ragged", "steps", "long", "tags", "lost tags", "junk", "fences", "prose"],
)
def test_large_inputs_take_time_in_proportion(text: str, steps: int) -> None:
    begin = time.process_time()
    assert len(read(text).steps) >= min(steps, 2)
    assert time.process_time() - begin < 20


def test_a_file_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cukereuse_engine.gherkin.read.MAX_FILE_BYTES", 1024)
    ((line, message),) = errors("x" * 1025)
    assert line == 0
    assert "larger" in message


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.feature", "a.feature.md"]))
def test_any_bytes(data: bytes, path: str) -> None:
    file = read_bytes(path, data)
    assert file.content_hash == content_hash(data)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_mutation_of_a_feature(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from([SCENARIO, MARKDOWN, SCENARIO * 2, SCENARIO + ROW + '"""\n x\n"""\n']))
    for _ in range(data.draw(st.integers(1, 6))):
        at, length = data.draw(st.integers(0, len(base))), data.draw(st.integers(0, 12))
        new = data.draw(st.text(st.sampled_from('GivenScenario: \t\r\n|"`@#*<>\\é\u2028\ufeff-'), max_size=8))
        base = base[:at] + new + base[at + length :]
    for path in ("a.feature", "a.feature.md"):
        file = read(base, path)
        lines = base.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for step in file.steps:
            assert lines[step.line - 1][step.column - 1 : step.span.end_column - 1] == step.text
