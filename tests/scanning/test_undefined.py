"""The definition that a step without one most likely meant."""

import pytest

from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.scanning.undefined import likeliest, suggest
from cukereuse_engine.scanning.undefined_cache import Likeliest, _key, remembered
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

BOUND = {
    'I pour "tea" into the cup': "pour",
    'I fill the cup with "tea"': "pour",
    "I put the kettle on the stove": "kettle",
    "the cup should be empty": "empty",
    "the guests leave the house": "leave",
}


def step_text(text: str) -> StepText:
    return StepText(text, identity(text), template(text), 1)


@pytest.mark.parametrize(
    ("undefined", "meant"),
    [
        ("I put the ketle on the stove", "kettle"),
        ('I pour "coffee" in the cup', "pour"),
        ("the guests leave the hose", "leave"),
        ("the cup is empty", "empty"),
    ],
)
def test_typing_mistakes_and_other_wordings_lead_to_the_definition(undefined: str, meant: str) -> None:
    texts = [step_text(text) for text in [*BOUND, undefined]]
    functions = {identity(text): function for text, function in BOUND.items()}
    suggested = suggest(undefined, texts, functions, TextJudge.for_suite(texts))
    assert suggested[0].function == meant
    assert len({definition.function for definition in suggested}) == len(suggested) <= 3


def test_an_unbound_text_suggests_nothing() -> None:
    texts = [step_text(text) for text in BOUND]
    assert suggest("I pour tea", texts, {}, TextJudge.for_suite(texts)) == ()


GLUE = b"""from behave import step
@step('I pour "{drink}" into the cup')
def pour(context, drink): pass
@step('I put the kettle on the stove')
def kettle(context): pass
@step('the window is closed')
def window(context): pass
"""


@pytest.mark.parametrize(
    ("undefined", "function", "step"),
    [
        ("I put the ketle on the stove", "kettle", "I put the kettle on the stove"),
        ('I pour "tea" into cup', "pour", 'I pour "tea" into the cup'),
        ("the window is close", "window", None),
        ("seventeen birds", None, None),
    ],
)
def test_the_likeliest_is_a_step_in_use_or_a_definition(undefined: str, function: str | None, step: str | None) -> None:
    definitions = extract("steps.py", GLUE).definitions
    by_name = {definition.function_name: definition for definition in definitions}
    texts = [step_text(text) for text in [*BOUND, undefined]]
    functions = {identity(text): by_name[name].function_id for text, name in BOUND.items() if name in by_name}
    suggestions = likeliest([undefined], texts, functions, definitions, TextJudge.for_suite(texts))
    if function is None:
        assert suggestions == {}
    else:
        assert (suggestions[undefined].definition.function_name, suggestions[undefined].step) == (function, step)


def test_a_guess_is_made_once_for_the_same_texts_bindings_and_definitions() -> None:
    store = BlobStore("kept.sqlite")
    definitions = extract("steps.py", GLUE).definitions
    texts = [step_text(text) for text in BOUND]
    functions = {texts[2].identity: definitions[1].function_id}
    guessed: list[object] = []

    def asked(undefined: list[str], texts: list[StepText], functions: dict[str, str], source: bytes) -> object:
        definitions = extract("steps.py", source).definitions
        judge = TextJudge.for_suite(texts)

        def guess() -> dict[str, Likeliest]:
            guessed.append(undefined)
            return likeliest(undefined, texts, functions, definitions, judge)

        meant = remembered(undefined, texts, functions, definitions, guess, store)
        assert meant == likeliest(undefined, texts, functions, definitions, judge)
        return meant

    mistake = ["I put the ketle on the stove", "the window is close", "seventeen birds"]
    same = mistake, texts, functions, GLUE
    assert asked(*same) == asked(*same)
    assert len(guessed) == 1
    for other in (
        (mistake[:1], texts, functions, GLUE),
        (mistake, texts[:3], functions, GLUE),
        (mistake, texts, {}, GLUE),
        (mistake, texts, functions, GLUE.replace(b"closed", b"shut")),
        (mistake, texts, functions, b"\n" + GLUE),
    ):
        guessed.clear()
        asked(*other)
        asked(*other)
        assert len(guessed) == 1, other
    for damage in (b"", b"\xc1", b"\x91\x93\xa1a\x64\xc0"):
        store.put_many({_key(mistake, texts, functions, definitions): damage})
        asked(*same)
