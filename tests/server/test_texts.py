"""A suite's texts give the same for a template in any order of reading files."""

import random
from itertools import permutations

from cukereuse_server.workspace.texts import Texts

from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.scanning.suite import Suite

FILES = {
    "a.feature": "Feature: F\n  Scenario: S\n    Given I open the Shop\n    And the cart is empty\n",
    "b.feature": "Feature: F\n  Scenario: S\n    Given I open the shop\n    And I open the shop\n",
    "c.feature": "Feature: F\n  Scenario: S\n    Given I OPEN the shop\n",
}


def test_a_template_is_written_like_its_canonical_text_whichever_file_comes_first() -> None:
    for order in permutations(FILES):
        texts = Texts()
        for path in order:
            texts.replace_file(path, read_text(path, FILES[path]))
        assert texts.masked("i open the shop") == "I open the shop"
        assert texts.masked("the cart is empty") == "the cart is empty"


def test_texts_have_the_roles_and_counts_of_their_steps_whatever_is_edited() -> None:
    chance = random.Random(7)
    keywords, said = (
        ("Given", "When", "Then", "And", "*"),
        ("I open the shop", "I  open the shop", "I OPEN it", "status 200"),
    )
    texts = Texts()
    files: dict[str, FeatureFile | None] = {}
    for _ in range(60):
        path = f"{chance.choice('abc')}.feature"
        steps = [f"    {chance.choice(keywords)} {chance.choice(said)}\n" for _ in range(chance.randrange(5))]
        files[path] = read_text(path, f"Feature: F\n  Scenario: S\n{''.join(steps)}") if chance.random() < 0.8 else None
        texts.replace_file(path, files[path])
        whole = Suite.of("", [file for _, file in sorted(files.items()) if file is not None])
        assert texts.all_texts() == whole.texts
        for key in {text.template.key for text in whole.texts}:
            of_key = [text for text in whole.texts if text.template.key == key]
            assert texts.occurrences(key) == sum(text.occurrences for text in of_key)
            assert texts.uses_in(path, key) == sum(
                step.path == path for text in of_key for step in whole.steps[text.identity]
            )
