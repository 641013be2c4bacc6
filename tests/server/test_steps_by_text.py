"""The steps of a file by their texts are those of a plain dictionary, whatever is edited."""

import random

from cukereuse_server.workspace.texts import Texts

from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.text.identity import normalise
from tests.server.random_changes import random_step

PATH = "a.feature"


def plain(file: FeatureFile) -> dict[str, tuple[Step, ...]]:
    steps: dict[str, tuple[Step, ...]] = {}
    for step in file.steps:
        if text := normalise(step.text):
            steps[text] = (*steps.get(text, ()), step)
    return steps


def scenario(chance: random.Random) -> str:
    steps = [random_step(chance) for _ in range(chance.randrange(12))]
    said = [chance.choice([step, step.replace(" ", "  "), "    * ", "    Given I go"]) for step in steps]
    return "\n".join([f"  Scenario: {chance.randrange(3)}", *said])


def edit(scenarios: list[str], chance: random.Random) -> None:
    """Add, copy, reword, move or remove scenarios."""
    at = chance.randrange(len(scenarios) + 1)
    kind = chance.randrange(5)
    if kind == 0 or not scenarios:
        scenarios.insert(at, scenario(chance))
    elif kind == 1:
        scenarios.insert(at, chance.choice(scenarios))
    elif kind == 2:
        scenarios[at - 1] = scenario(chance)
    elif kind == 3:
        scenarios[at - 1] = "\n".join([*scenarios[at - 1].split("\n"), random_step(chance)])
    else:
        chance.shuffle(scenarios)
        del scenarios[at:]


def test_steps_by_text_are_those_of_a_plain_dictionary() -> None:
    chance = random.Random(5)
    for _ in range(40):
        texts, scenarios = Texts(), list[str]()
        for _ in range(15):
            edit(scenarios, chance)
            before = texts.files[PATH].texts if texts.files else None
            known = dict(before) if before is not None else {}
            file = read_text(PATH, "\n".join(["Feature: F", *scenarios, ""]))
            texts.replace_file(PATH, file)
            by_text, expected = texts.files[PATH].texts, plain(file)
            assert list(by_text.items()) == list(expected.items())
            assert (len(by_text), by_text.texts()) == (len(expected), expected.keys())
            assert {text: by_text.count(text) for text in expected} == {text: len(expected[text]) for text in expected}
            assert sorted(expected, key=by_text.first) == list(expected)
            assert (by_text.count("nobody says this"), "" in by_text) == (0, False)
            if file.parts is not None:
                assert by_text.names(file.parts.says) == expected.keys()
            if before is not None:
                assert dict(before) == known
