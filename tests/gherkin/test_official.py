"""Our steps equal the official parser's, in real suites and in invented ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gherkin import Parser
from gherkin.dialect import DIALECTS
from gherkin.errors import ParserError
from gherkin.token_scanner import TokenScanner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.broken.recovery import recover
from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.flavour import Flavour
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.parse import parse, tree
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.records import to_feature_file
from cukereuse_engine.gherkin.vanessa import opens_control
from cukereuse_engine.text.identity import normalise

Row = tuple[Any, ...]
_NOTHING = ParserError("(0:0): nothing")


def recovered(text: str) -> tuple[Any, int]:
    """The record of a text by recovery alone, and the number of skipped places."""
    lines, starts = split_lines(text)
    builder = StepBuilder(lines, starts)
    recover(lines, builder, _NOTHING, flavour=Flavour.GHERKIN)
    before = len([note for note in builder.notes if "Not valid Gherkin" not in note.message])
    return builder.record("utf-8"), before


@pytest.mark.shared
@pytest.mark.heavy
@pytest.mark.parametrize("part", range(2))
def test_accepted_files_of_real_suites(
    part: int, kinds_of_files: list[Path], official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    """The fast path and recovery, each alone, give exactly the official steps."""
    accepted = 0
    for path in kinds_of_files[part::2]:
        try:
            text = path.read_bytes().decode("utf-8-sig")
            expected = official(text)
        except (UnicodeDecodeError, ParserError):
            continue
        accepted += 1
        if any(map(opens_control, split_lines(text)[0])):  # conditions of Vanessa Automation are no steps
            continue
        record = parse(text, "utf-8")
        assert ours(record) == expected, path
        assert ours(recovered(text)[0]) == expected, path
        for step in to_feature_file(record, str(path), "").steps:
            assert text[step.span.start : step.span.end] == step.text, (path, step)
    assert accepted > 350


@pytest.mark.shared
@pytest.mark.heavy
@pytest.mark.parametrize(
    ("repository", "steps", "texts"), [("opencypher__openCypher", 7104, 71), ("3scale__porta", 8471, 3571)]
)
def test_known_figures(suites: list[Path], repository: str, steps: int, texts: int) -> None:
    files = read_files([path for path in suites if repository in path.parts], jobs=1)
    read = [normalise(step.text) for file in files for step in file.steps]
    assert (len(read), len(set(read))) == (steps, texts)


@pytest.mark.parametrize("language", sorted(DIALECTS))
def test_every_keyword_of_every_dialect(
    language: str, official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    spec: Any = DIALECTS[language]
    lines = [f"# language: {language}", f"{spec['feature'][-1]}: f"]
    for number, title in enumerate([*spec["scenario"], *spec["scenarioOutline"]]):
        lines.append(f"  {title}: number {number}")
        lines += [f"    {word}text" for kind in ("given", "when", "then", "and", "but") for word in spec[kind]]
    lines += [f"    {spec['examples'][0]}:", "      | a |", "      | 1 |"]
    text = "\n".join(lines)
    expected = official(text)
    assert tree(text) == Parser().parse(TokenScanner(text))
    assert ours(parse(text, "utf-8")) == expected
    record, skipped = recovered(text)
    assert ours(record) == expected
    assert not skipped
    assert record.language == language


_LINE = st.sampled_from(
    [
        *(
            "Feature: f",
            "  Rule: r",
            "  Background:",
            "  Scenario: s",
            "  Scenario Outline: o",
            "  Examples:",
            "  @t @u",
        ),
        *("    Given a", "    When b ", "    * c", "    And d", "    But", "    Given ", "    Then \u2028e\u0085f"),
        *("      | x | y |", "      | 1 | \\| |", "      | 1 |", "      | a\\", '      """', "      ```", "      '''"),
        *("", "  # note", "  prose", "# language: fr", "@a b", "\tThen\tg", "    Given: h", "  Sc\x0benario: i", "|"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_LINE, max_size=25), st.sampled_from(["\n", "\r\n"]))
@example(["  Background:", "    Given a", '      """', '      """', "      | x | y |"], "\n")
def test_any_lines(
    official: Callable[..., list[Row]], ours: Callable[..., list[Row]], lines: list[str], ending: str
) -> None:
    text = ending.join(["Feature: first", *lines])
    record = parse(text, "utf-8")
    try:
        expected = official(text)
    except ParserError:
        assert record.recovered
        assert record.notes
        with pytest.raises(ParserError):
            tree(text)
    else:
        assert tree(text) == Parser().parse(TokenScanner(text))
        assert not record.recovered
        assert ours(record) == expected
        assert ours(recovered(text)[0]) == expected
    for block in record.blocks:
        for step in block.steps:
            assert text[step.start : step.start + len(step.text)] == step.text
            assert step.text == step.text.strip()
