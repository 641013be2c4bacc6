"""Blocks compared with all windows, and a maintainer's judgement of them."""

from collections import defaultdict
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.blocks.block import STRICT, BlockLimits
from cukereuse_engine.blocks.mine import find_blocks
from cukereuse_engine.blocks.symbols import Scenario, by_template
from cukereuse_engine.gherkin.feature import KeywordType, Span, Step

PHASES = (KeywordType.CONTEXT, KeywordType.ACTION, KeywordType.OUTCOME)


def scenario(number, texts):
    """A scenario of `(word, argument, phase)` rows."""
    steps = tuple(
        Step("a.feature", f'{word} "{argument}"', Span(number * 100 + line, 1, 0, 1), "* ", phase, phase, "", None,
             "", number * 100, (), False, False, (), None)
        for line, (word, argument, phase) in enumerate(texts, 1)
    )  # fmt: skip
    return Scenario("a.feature", number * 100, "", False, False, (), steps)


STEP = st.tuples(st.sampled_from("abc"), st.sampled_from("xxy"), st.sampled_from(PHASES))
SUITES = st.lists(st.lists(STEP, min_size=1, max_size=8), min_size=2, max_size=7)


def windows(suite, length):
    """Maps the meanings of every run to its places."""
    places = defaultdict(list)
    for owner, steps in enumerate(suite):
        meanings = [by_template(step).meaning for step in steps.steps]
        for start in range(len(meanings) - length + 1):
            places[tuple(meanings[start : start + length])].append((owner, start))
    return places


class Store(dict):
    """A store of blobs, in memory."""

    def get_many(self, keys):
        return {key: self[key] for key in keys if key in self}

    put_many = dict.update


@settings(max_examples=50, deadline=None)
@given(st.lists(SUITES, min_size=1, max_size=3), st.sampled_from([STRICT, BlockLimits()]))
def test_blocks_that_are_kept_are_those_that_are_mined(suites, limits):
    store = Store()
    for steps in (*suites, *suites):
        suite = [scenario(number, rows) for number, rows in enumerate(steps)]
        assert find_blocks(suite, limits=limits, cache=store) == find_blocks(suite, limits=limits)
    damaged = Store(dict.fromkeys(store, b"\xff"))
    assert find_blocks(suite, limits=limits, cache=damaged) == find_blocks(suite, limits=limits)


@settings(max_examples=100, deadline=None)
@given(SUITES, st.integers(2, 3))
def test_blocks_are_runs_that_recur_and_no_place_is_forgotten(said, least):
    suite = [scenario(number, rows) for number, rows in enumerate(said)]
    blocks = find_blocks(suite, limits=BlockLimits(min_steps=2, min_scenarios=least))
    taken = defaultdict(set)
    for block in blocks:
        for place in block.places:
            steps = set(range(place.start, place.start + place.length))
            assert not taken[place.scenario.line] & steps, "a step is in two blocks"
            taken[place.scenario.line] |= steps
    for block in blocks:
        assert block.scenarios >= least
        assert block.steps_saved > 0
        meanings = tuple(by_template(step).meaning for step in block.steps)
        varying = {
            position
            for parameter in block.parameters
            for position, _ in ((parameter.step, parameter.argument), *parameter.also)
        }
        fixed = {position: step.text for position, step in enumerate(block.steps) if position not in varying}
        for owner, start in windows(suite, block.length)[meanings]:
            place = suite[owner].steps[start : start + block.length]
            if all(place[position].text == text for position, text in fixed.items()):
                assert taken[suite[owner].line] & set(range(start, start + block.length)), "a place was left out"


@settings(max_examples=100, deadline=None)
@given(SUITES)
def test_parameters_are_the_arguments_that_differ(said):
    suite = [scenario(number, rows) for number, rows in enumerate(said)]
    for block in find_blocks(suite, limits=BlockLimits()):
        places = {
            place for parameter in block.parameters for place in ((parameter.step, parameter.argument), *parameter.also)
        }
        differing = {
            (position, 0)
            for position in range(block.length)
            if len({place.steps[position].text for place in block.places}) > 1
        }
        assert places == differing
        for parameter in block.parameters:
            assert set(parameter.values) == {
                by_template(place.steps[parameter.step]).arguments[parameter.argument] for place in block.places
            }


LOGIN = 'Given I open the login page\nAnd I fill in the name "{0}"\nAnd I press the login button\n'


def suite_of(*tails, setup=LOGIN):
    return "".join(f"Scenario: {number}\n{setup.format('Ann')}{tail}\n" for number, tail in enumerate(tails))


def test_a_setup_that_opens_many_scenarios(scenarios):
    blocks = find_blocks(
        scenarios(one=suite_of("When I pay", "When I ship"), two=suite_of("When I leave\nThen I am out", setup=LOGIN)),
        limits=STRICT,
    )
    assert [[step.text for step in block.steps] for block in blocks] == [
        ["I open the login page", 'I fill in the name "Ann"', "I press the login button"]
    ]
    (block,) = blocks
    assert (block.scenarios, len(block.files), block.steps_saved, block.parameters) == (3, 2, 3, ())
    assert (block.shape.cohesion, block.shape.constant, block.shape.ends) == (1, 1, 0)


def test_what_varies_is_a_parameter_with_a_name(scenarios):
    text = "".join(f"Scenario: {name}\n{LOGIN.format(name)}When I do {name}\n" for name in ("Ann", "Bob", "Cid", "Dee"))
    (block,) = find_blocks(scenarios(one=text), limits=STRICT)
    (parameter,) = block.parameters
    assert (parameter.step, parameter.name, parameter.values) == (1, "name", ("Ann", "Bob", "Cid", "Dee"))


def test_a_value_that_stands_twice_is_one_parameter(scenarios):
    text = "".join(
        f'Scenario: {name}\nGiven a user "{name}"\nAnd a key\nAnd "{name}" is logged in\nWhen I do {name}\n'
        for name in ("Ann", "Bob", "Cid", "Dee")
    )
    (block,) = find_blocks(scenarios(one=text), limits=STRICT)
    assert [(parameter.step, parameter.also) for parameter in block.parameters] == [(0, ((2, 0),))]


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("When I pay\nThen I see {n}", 3),  # the action is not taken without its check
        ("When I pay\nThen I am thanked\nAnd I have {n}", 3),  # nor with half of its checks
        ("When I pay\nThen I am thanked", 5),
    ],
)
def test_cut_where_meaning_cuts(scenarios, tail, expected):
    tails = [tail.format(n=word) for word in ("apples", "plums", "pears", "nuts")]
    blocks = find_blocks(scenarios(one=suite_of(*tails)), limits=STRICT)
    assert [block.length for block in blocks] == [expected]


def test_tables_only_where_they_are_asked_for(scenarios):
    text = suite_of(*["When I pay"] * 3, setup="Given a\n  | x |\nAnd b\nAnd c\n")
    assert not find_blocks(scenarios(one=text), limits=STRICT)
    assert find_blocks(scenarios(one=text), limits=BlockLimits())


def test_one_structure_a_hundred_times_is_told_apart(scenarios):
    text = "".join(f'Scenario: {n}\nGiven key "{n}"\nAnd a client\nWhen I ask\nThen I get 200\n' for n in range(120))
    (block,) = find_blocks(scenarios(one=text), limits=STRICT)
    assert block.shape.generated == 1
    assert block.confidence < 0.5


def test_thousands_of_steps_are_listed_as_what_nobody_takes_out():
    texts = [
        ("".join(letters), "x", KeywordType.ACTION) for letters in islice(product("abcdefghijklmn", repeat=3), 2500)
    ]
    (block,) = find_blocks([scenario(100 * number, texts) for number in range(3)])
    assert block.length == 2500
    assert block.confidence < 1e-9


def test_nothing_to_find(scenarios):
    assert find_blocks([]) == []
    assert find_blocks(scenarios(one="Scenario: a\nGiven x\nWhen y\n")) == []


def test_the_id_stays_when_places_are_added(scenarios):
    few = find_blocks(scenarios(one=suite_of("When a1", "When b1", "When c1")), limits=STRICT)
    more = find_blocks(scenarios(one=suite_of("When a1", "When b1", "When c1", "When d1")), limits=STRICT)
    assert [block.id for block in few] == [block.id for block in more]


def test_a_check_behind_and_is_no_beginning(scenarios):
    """ "And I see it" continues a When, but three Thens make it a check: it belongs to the action before."""
    checked = "".join(f"  Scenario: c{n}\n    When I do {n} things\n    Then I see it\n" for n in "abc")
    block = "    When I go {0}\n    And I see it\n    And I press that\n    And I read this\n    Then all ends\n"
    long = "".join(f"  Scenario: {n}\n{block.format(word)}" for n, word in enumerate(("up", "down", "left", "right")))
    (repeat, *_) = find_blocks(scenarios(a=checked, b=long), limits=STRICT)
    assert [step.text for step in repeat.steps][-3:] == ["I press that", "I read this", "all ends"]
    assert repeat.steps[0].text != "I see it"
