"""What a scan reports about repetition."""

import pytest

from cukereuse_engine.blocks.findings import find_repetition, shown_values
from cukereuse_engine.blocks.options import RepetitionOptions
from cukereuse_engine.findings.messages import with_place
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.refactor import feature_scenarios
from cukereuse_engine.rules import Severity

SETUP = "Given I open the login page\nAnd I fill in the name\nAnd I press the login button\n"


def repetition(options=None, cache=None, **files):
    texts = {f"{name}.feature": f"Feature: {name}\n{text}" for name, text in files.items()}
    steps = [step for path, text in texts.items() for step in read_text(path, text).steps]
    return find_repetition(steps, lambda path: texts[path].encode(), options=options, cache=cache)


def rules(findings):
    return sorted(finding.rule for finding in findings.findings)


def test_the_same_scenario_under_two_names():
    steps = "Given a cart\nWhen I pay 5\nThen I am thanked\n"
    repeated = repetition(
        one=f"Scenario: pay\n{steps}Scenario: buy\n{steps}", two=f"Scenario: of another file\n{steps}"
    )
    (finding,) = repeated.findings
    assert (finding.rule, finding.severity) == ("duplicate-scenario", Severity.INFORMATION)
    assert finding.preferred.text == "pay"
    assert [other.text for other in finding.others] == ["buy"]
    assert finding.message == "“buy” runs the same 3 steps as “pay”."
    assert with_place(finding) == "“buy” runs the same 3 steps as “pay” (one.feature:3)."
    assert finding.worth == 3


@pytest.mark.parametrize(
    "other",
    [
        "Scenario: buy\nGiven a cart\nWhen I pay 6\n",  # another argument
        "@slow\nScenario: buy\nGiven a cart\nWhen I pay 5\n",  # run in another way
        "Rule: r\nBackground:\nGiven a discount\nScenario: buy\nGiven a cart\nWhen I pay 5\n",  # opened by other steps
        "Scenario: buy\nGiven a cart\n  | apple |\nWhen I pay 5\n",
        "# the second time takes another way\n\nScenario: buy\nGiven a cart\nWhen I pay 5\n",
        "Scenario: buy\n# as guests do\nGiven a cart\nWhen I pay 5\n",
    ],
)
def test_scenarios_that_differ_are_no_duplicates(other):
    assert "duplicate-scenario" not in rules(repetition(one=f"Scenario: pay\nGiven a cart\nWhen I pay 5\n{other}"))


@pytest.mark.parametrize(("opening", "is_told"), [("", False), ("Background:\nGiven a cart\n", True)])
def test_what_nothing_sets_up_depends_on_what_ran_before_it(opening, is_told):
    steps = "When I pay 5\nThen I am thanked\n"
    repeated = repetition(one=f"{opening}Scenario: pay\n{steps}Scenario: pay again\n{steps}")
    assert ("duplicate-scenario" in rules(repeated)) is is_told


def test_tables_are_compared():
    scenario = "Scenario: {}\nGiven a cart\n  | {} |\nWhen I pay\n"
    same = repetition(one=scenario.format("pay", "apple") + scenario.format("buy", "apple"))
    other = repetition(one=scenario.format("pay", "apple") + scenario.format("buy", "plum"))
    assert rules(same) == ["duplicate-scenario"]
    assert rules(other) == []


def test_scenarios_that_an_outline_would_hold():
    text = "".join(
        f'Scenario: {name}\nGiven a user "{name}"\nAnd a shop\nAnd a cart\nWhen I pay\nThen "{name}" is thanked\n\n'
        for name in ("Ann", "Bob", "Cid", "Dee")
    )
    repeated = repetition(one=text)
    assert rules(repeated) == ["foldable-scenarios"]
    (finding,) = repeated.findings
    assert len(finding.others[0].places) == 4
    assert finding.worth > 10


def test_an_outline_that_hardly_saves_anything():
    text = "".join(f'Scenario: {name}\nGiven the key "{name}"\n' for name in ("ab", "cd", "ef"))
    assert repetition(one=text).findings == ()


BLOCK = "When I pay\nAnd I wait\nAnd I am thanked\n"


@pytest.mark.parametrize(
    ("scenario", "is_told"),
    [
        (f"Given a cart\n{BLOCK}Then I may go {{n}}\n", True),
        (f"Given a cart\nAnd a shop {{n}}\n{BLOCK}Then I may go {{n}}\n", True),
        (f"Given a cart of {{n}}\n{BLOCK}", False),  # nothing else is said than what it is about
        (f"Given a cart\n{BLOCK.replace('wait', 'wait {n}')}Then I may go {{n}}\n", False),  # half of it varies
    ],
)
def test_a_block_is_told_if_the_scenarios_are_about_something_else(scenario, is_told):
    names = ("nuts", "figs", "pears", "plums", "leeks", "beans", "dill", "kale", "peas", "corn")
    texts = ["".join(f"Scenario: {n}\n{scenario.format(n=n)}" for n in half) for half in (names[:5], names[5:])]
    assert ("repeated-block" in rules(repetition(one=texts[0], two=texts[1]))) is is_told


def test_a_suite_without_a_likely_block_has_its_best_one():
    few = shared(9)
    (block,) = repetition(**few).blocks
    assert 0.58 <= block.confidence < 0.65
    assert rules(repetition(**few)) == ["repeated-block"]
    likely = "".join(f"Scenario: {n}\nGiven b {n}\n{BLOCK.replace('I ', 'they ')}Then c {n}\n" for n in "abcdefghijkl")
    repeated = repetition(**few, other=likely)
    assert [len(repeated.blocks), len(repeated.findings)] == [2, 1]


def test_steps_that_open_every_scenario():
    text = "".join(f"Scenario: {name}\n{SETUP}When I {name}\n\n" for name in ("pay", "ship", "leave"))
    repeated = repetition(one=text)
    assert rules(repeated) == ["common-background"], "the block goes with it"
    assert repeated.findings[0].severity is Severity.HINT


def test_a_block_behind_the_steps_that_open_every_scenario_stays():
    names = ("nuts", "figs", "pears", "plums", "leeks", "beans", "dill", "kale", "peas", "corn")
    opening = "Given the shop is open\nAnd the till is full\n"
    text = "".join(f"Scenario: {n}\n{opening}When I pick {n}\n{BLOCK}Then I may go {n}\n\n" for n in names)
    assert rules(repetition(one=text)) == ["common-background", "repeated-block"]


def shared(scenarios):
    """The same setup in several files, in front of something else each time."""
    return {
        f"f{number}": f"Scenario: first {number}\nGiven x{number}a\n{SETUP}When I do {'abcdefghijklmn'[number]}\n"
        for number in range(scenarios)
    }


def test_a_block_in_several_files():
    repeated = repetition(**shared(12))
    assert rules(repeated) == ["repeated-block"]
    (finding,) = repeated.findings
    assert finding.severity is Severity.HINT
    assert finding.worth == 12 * 2 - 3
    assert len(finding.others[0].places) == 12
    place = finding.others[0].places[0]
    assert (place.line, place.end_line) == (4, 6)


def test_a_block_worth_much_is_more_than_a_hint():
    (finding,) = repetition(RepetitionOptions(worth=21), **shared(12)).findings
    assert finding.severity is Severity.INFORMATION


def test_a_rule_that_is_off_is_not_looked_for():
    options = RepetitionOptions({"repeated-block": Severity.OFF})
    assert repetition(options, **shared(12)).findings == ()


def test_few_are_reported_and_the_others_counted():
    text = "".join(f"Scenario: {n}{half}\nGiven cart {n}\nWhen I pay\n" for n in range(15) for half in "ab")
    outlines = {"foldable-scenarios": Severity.OFF}
    repeated = repetition(RepetitionOptions(outlines, limit=10), one=text)
    assert rules(repeated) == ["duplicate-scenario"] * 10
    assert repeated.more == {"duplicate-scenario": 5}
    assert repetition(RepetitionOptions(outlines, limit=0), one=text).more == {}


def test_a_file_that_can_not_be_read_has_nothing_to_fold():
    steps = read_text("a.feature", f"Feature: a\nScenario: a\n{SETUP}When x\nScenario: b\n{SETUP}When y\n").steps

    def gone(path):
        raise OSError(path)

    assert find_repetition(steps, gone).findings == ()


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (['"1010"', "'a b'", "2"], "“1010”, “a b”, “2”"),
        (['""', 'an "x" in it', '"a" or "b"'], '“""”, “an "x" in it”, “"a" or "b"”'),
        (["1", "2", "3", "4", "5"], "“1”, “2”, “3” and 2 more"),
    ],
)
def test_values_are_quoted_once(values: list[str], shown: str) -> None:
    assert shown_values(values) == shown


class Held(dict):
    """A cache in memory."""

    def get_many(self, keys):
        return {key: self[key] for key in keys if key in self}

    put_many = dict.update


def test_what_was_told_of_a_file_holds_for_its_content_alone(monkeypatch):
    scenarios = [f"Scenario: pay {word}\n{SETUP}When I pay '{word}'\nThen I am thanked\n" for word in "abcdef"]
    table = "Scenario: {}\nGiven a cart\n| {} |\nWhen I pay\n"
    files = {"folded": "".join(scenarios), "same": table.format("pay", 1) + table.format("buy", 1)}
    cache = Held()
    first = repetition(cache=cache, **files)
    assert {"foldable-scenarios", "duplicate-scenario"} <= set(rules(first))
    assert repetition(**files) == first
    parsed = []
    parse = feature_scenarios._parsed
    monkeypatch.setattr(feature_scenarios, "_parsed", lambda text: parsed.append(text) or parse(text))
    assert repetition(cache=cache, **files) == first
    assert not any("Feature: folded" in text for text in parsed)
    other = repetition(cache=cache, folded=files["folded"], same=files["same"].replace("| 1 |", "| 2 |", 1))
    assert rules(other) == [rule for rule in rules(first) if rule != "duplicate-scenario"]
    for key in cache:
        cache[key] = b"\xc1"
    assert repetition(cache=cache, **files) == first
