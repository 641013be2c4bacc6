"""What a suite's texts say of a template does not depend on the order in which files are read."""

from itertools import permutations

from cukereuse_server.workspace.texts import Texts

from cukereuse_engine.gherkin.read import read_text

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
