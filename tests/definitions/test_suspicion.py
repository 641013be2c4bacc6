"""The probability that two wordings of one code claim different things."""

import pytest

from cukereuse_engine.definitions.claims import compare
from cukereuse_engine.definitions.suspicion import NamesInCode, are_told_by_state, suspicion
from cukereuse_engine.functions.form import Form
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.template import mask

WARNING, INFORMATION, HINT = Severity.WARNING, Severity.INFORMATION, Severity.HINT


def told(one: str, other: str, code: str, *, acts: bool) -> Severity | None:
    form = Form((tuple(f".{name}" for name in code.split()),))
    doubt = suspicion(compare(mask(one), mask(other)), NamesInCode(form, ("en",)), acts=acts)
    return doubt.severity if doubt is not None else None


@pytest.mark.parametrize(
    ("one", "other", "code", "action", "outcome"),
    [
        ("I set the home date to '1'", "I set the office date to '1'", "fill homeDate", HINT, HINT),
        ("I set the home date to '1'", "I set the office date to '1'", "fill", HINT, HINT),
        ("I set the home date to '1'", "I set the office date to '1'", "fill homeDate officeDate", HINT, HINT),
        ("the logic is equal to 'x'", "the logic is not equal to 'x'", "compare", WARNING, WARNING),
        ("I set the start date to '1'", "I set the end date to '1'", "fill date", WARNING, WARNING),
        ("the dialog is displayed", "the dialog is not visible", "find", WARNING, WARNING),
        ("I press Next", "I press Next without a name", "press next", None, HINT),
        ("I press Next", "I press Next without a name", "fill name", INFORMATION, HINT),
        ("I press Next", "I press Next without metadata", "press meta", INFORMATION, HINT),
        ("I write with a name", "I write without a name but with a colour", "write name", HINT, HINT),
        ("I paint the lid", "I set the colour of the upper drawer", "desk upperDrawerColour", HINT, HINT),
        ("I paint the lid", "I set the colour of the upper drawer", "desk drawer", HINT, HINT),
        ("I open the lid", "I press the lid", "open", None, None),
        (
            "it should add a note in the same drawer as the note I was editing",
            "it should add a note in the root drawer",
            "desk opened contents newest title be",
            HINT,
            INFORMATION,
        ),
        (
            "it should add a note in the same drawer as the note I was editing",
            "it should add a note in the root drawer",
            "find",
            HINT,
            HINT,
        ),
        (
            "the user cannot open the lid",
            "the user is prevented from opening the lid",
            "desk opened a b c d",
            None,
            None,
        ),
        ("the user sees the list of letters", "the user is redirected to the list of letters", "find", None, None),
        ("I see the page of letters", "all notes are there", "pages all letters", HINT, HINT),
        ("the note is shown", "the note is shown in Welsh", "find note", HINT, HINT),
        ("the note is shown", "the note is shown in Welsh", "find welshNote", None, None),
        ("there is the note", "they are presented with the new note form", "find note", HINT, HINT),
        ("the note is shown", "the notes are shown", "find note", None, None),
        ("a note", "a note is kept unchanged and private", "find note", HINT, HINT),
        ("the note is shown", "check the note is shown", "find note", None, None),
        ("the note is shown", "the note is shown as a résumé", "find resume", None, None),
        ("I open the lid", "I open the lid again", "open", None, None),
        ("the lid page is shown", "there is a choice error", "findLid", HINT, HINT),
        ("the lid page is shown", "there is a choice error", "find", HINT, HINT),
        ("I open the lid", "the choice is made", "findLid", HINT, HINT),
    ],
)
def test_what_the_code_names_tells(
    one: str, other: str, code: str, action: Severity | None, outcome: Severity | None
) -> None:
    assert [told(one, other, code, acts=acts) for acts in (True, False)] == [action, outcome]
    assert [told(other, one, code, acts=acts) for acts in (True, False)] == [action, outcome]


@pytest.mark.parametrize(
    ("one", "other", "tokens", "told"),
    [
        ("I click continue", "I click the lid", ".click '.primary", True),
        ("I click continue", "I click the lid", ".click '.continue", False),
        ("I click continue", "I click the lid", ".clickLid '.primary", False),
        ("I click continue", "I click continue again", ".click '.primary", False),
        ("I am anonymous", "I am nobody", ".logout", False),
    ],
)
def test_what_a_literal_alone_selects_is_told_by_the_state(one: str, other: str, tokens: str, told: bool) -> None:
    form = Form((tuple(tokens.split()),))
    assert are_told_by_state(compare(mask(one), mask(other)), NamesInCode(form, ("en",))) is told


@pytest.mark.parametrize(
    ("language", "written", "code", "named", "is_thing"),
    [
        ("pt", "configuração", "configuracao", True, True),
        ("cs", "každý", "kazdy", False, True),  # of a quantifier code claims nothing
        ("tr", "görür", "find", False, False),
        ("ja", "かき", "がき", False, True),
        ("ko", "다시다", "다시", False, True),
    ],
)
def test_words_with_accents_are_words(language: str, written: str, code: str, named: bool, is_thing: bool) -> None:
    names = NamesInCode(Form((("." + code,),)), (language,))
    assert (names.says(written), names.are_things([written])) == (named, is_thing)
