"""Texts and expressions as phrases with blanks."""

import pytest
from cukereuse_server.protocol.completion import Blank, Suggestion
from cukereuse_server.workspace.completion import told_apart
from cukereuse_server.workspace.phrases import (
    Typed,
    masked_start,
    phrase_of_definition,
    phrase_of_text,
    read_alike,
    text_of,
)
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.text import template

PIECES = st.sampled_from(
    ["「a」", "“a b”", '"a b"', "'x'", "7", "-1.5", "<name>", "`t`", "word", "$", "}", "it's", '"', '""', "''", "😀"]
)


def blank(name: str) -> Blank:
    return Blank(name, name)


@given(st.lists(PIECES, max_size=8).map(" ".join))
def test_a_text_says_itself(text: str) -> None:
    assert text_of(phrase_of_text(text, masked_arguments(text), Typed.of(""))) == text


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ('I add "tea" to 2 bags', 'put "milk" in 5 bags', 'I add "milk" to 5 bags'),
        ('I add "tea" to 2 bags', "5 bags of 'milk'", 'I add "milk" to 5 bags'),
        ('I add "tea" to 2 bags', "put 7", 'I add "tea" to 7 bags'),
        ('I add "tea" to 2 bags', 'put "<what>" in <n> bags', 'I add "<what>" to <n> bags'),
        ('I add "tea"', "put 'say \"x\"'", 'I add "tea"'),
        ("I add tea", 'put "milk"', "I add tea"),
        ('I add "" to 2 bags', 'put "milk" in 5 bags', 'I add "milk" to 5 bags'),
        ('I add "" to 2 bags', "put 7", 'I add "" to 7 bags'),
        ("「紅茶」を買う", "「牛乳」", "「牛乳」を買う"),
        ("je prends «thé»", 'prends "lait"', "je prends «lait»"),
        ('I add "tea" and "milk"', 'put "a"', 'I add "a" and "milk"'),
        ('"0" is seen with "ls"', 'seen with "df"', '"0" is seen with "df"'),
        ('from "a" to "b"', 'to "x" from "y"', 'from "y" to "x"'),
    ],
)
def test_what_was_typed_is_carried_over(text: str, typed: str, expected: str) -> None:
    assert text_of(phrase_of_text(text, masked_arguments(text), Typed.of(typed))) == expected


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("s.py", "from behave import given\n@given('{n:d} {{x}} of {what}')\ndef f(c, n, what): pass\n",
         [blank("n"), " {x} of ", blank("what")]),
        ("s.py", "from pytest_bdd import given\n@given('just so {x}')\ndef f(): pass\n", ["just so {x}"]),
        ("s.js", "const {Given} = require('@cucumber/cucumber')\n"
                 "Given('I add/put {string} in {int} bag(s) \\\\(now)', () => {})\n",
         ['I add "', blank("string"), '" in ', blank("int"), " bag (now)"]),
        ("s.rb", "Given(/^I (?:add|put) it$/) do\nend\n", None),
        ("s.rb", "Given(/^I add \"([^\"]*)\" (\\d+) times\\.$/) do |a, b|\nend\n",
         ['I add "', blank("value"), '" ', blank("1"), " times."]),
        ("s.rb", "Given(/^it is (on|off)$/) do |a|\nend\n", ["it is ", blank("on")]),
        ("s.rb", "Given(/^(it|they) are?$/) do |a|\nend\n", None),
    ],
)  # fmt: skip
def test_expressions_as_steps_say_them(path: str, source: str, expected: object) -> None:
    assert language_for(path) is not None
    (definition,) = extract_source(path, source.encode()).definitions
    assert phrase_of_definition(definition) == expected


@pytest.mark.parametrize(
    ("typed", "start"),
    [
        ("I Add ", "i add"),
        ('I add "', 'i add ""'),
        ('I add "Br', 'i add "x"'),
        ('I add "Br" to "x', 'i add "a" to "b"'),
        ("it's o", "it's o"),
        ("I have 4", "i have 7"),
        ("say 'so", "say ''"),
        ("もし「カ", "もし「」"),
        ("je dis «\u00a0bon", "je dis «x»"),
        ("I say “so", "i say “so”"),
        ("I say “so” and", "i say “x” and"),
    ],
)
def test_the_beginning_of_a_template(typed: str, start: str) -> None:
    assert masked_start(typed) == template.mask(start)


def suggestions(*texts: str) -> list[Suggestion]:
    """Suggestions for texts whose arguments are between bars."""
    made = []
    for text in texts:
        pieces = [part if place % 2 == 0 else Blank(part, "value") for place, part in enumerate(text.split("|"))]
        made.append(Suggestion(kind="step", pieces=[piece for piece in pieces if piece], occurrences=2))
    return made


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["I have |7| cats"], ["I have {value} cats 2"]),
        (["I have a |_posts| folder"], ["I have a {value} folder 2"]),
        (["a |_posts| folder", "a |_data| folder"], ["a _posts folder 2", "a _data folder 2"]),
        (['I set "|a|" to "|b|"', 'I set "|a|" to "|it\'s x|"'], ['I set "{value}" to "{value}" 4']),
        (['|Ann| says "|x|"', '|Bob| says "|y|"'], ['Ann says "{value}" 2', 'Bob says "{value}" 2']),
        (["wait |5| s", "wait |<n>| s", "wait |a bit| s"], ["wait {value} s 4", "wait a bit s 2"]),
    ],
)
def test_no_two_suggestions_read_alike(texts: list[str], shown: list[str]) -> None:
    apart = told_apart(suggestions(*texts))
    assert [f"{''.join(read_alike(phrase.pieces))} {phrase.occurrences}" for phrase in apart] == shown
