"""The workspace from outside: its notices, questions and answers."""

import gc
import weakref
from typing import TYPE_CHECKING

import pytest
from cukereuse_server.protocol.code_actions import ActionsAt
from cukereuse_server.protocol.diagnostics import Diagnose, DiagnoseAll
from cukereuse_server.protocol.merging import FUNCTION, WORDING, MergesAt
from cukereuse_server.protocol.rename import RenameCandidates
from cukereuse_server.protocol.state import Announced, Changed, ModelMissing, Progressed
from cukereuse_server.worker.handlers.code_actions import actions
from cukereuse_server.worker.handlers.diagnostics import diagnose, diagnose_all
from cukereuse_server.worker.handlers.merging import merges
from cukereuse_server.worker.handlers.rename import candidates
from cukereuse_server.workspace.texts import complete

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.suppression.baseline import Baseline, write_baseline

if TYPE_CHECKING:
    from tests.server.conftest import World

ONE = 'Feature: one\n  Scenario: a\n    When I click the "Save" button\n    When I click the "Go" button\n'
TWO = 'Feature: two\n  Scenario: b\n    When I press the "Save" button\n'
OTHER = "Feature: o\n  Scenario: o\n    Given nothing\n"
KARATE = 'Feature: k\n  Scenario: c\n    * def a = 1\n    * match a == 1\n    When I press the "Save" button\n'


def test_open_files_first_the_whole_then(world: "World") -> None:
    world.write("one.feature", ONE)
    path = str(world.write("two.feature", TWO))
    world.configure()
    world.workspace.open(path, 3, TWO)
    first = diagnose(world.workspace, Diagnose(path=path))
    assert (first.complete, first.diagnoses, first.version) == (False, [], 3)
    world.settled()
    answer = diagnose(world.workspace, Diagnose(path=path))
    assert answer.complete
    assert [(diagnosis.rule, diagnosis.place.line) for diagnosis in answer.diagnoses] == [("divergent-wording", 3)]
    assert [answer.path for answer in complete(diagnose_all(world.workspace, DiagnoseAll()))] == [path]


def test_what_was_found_last_time_is_shown_while_the_index_is_built(world: "World") -> None:
    from cukereuse_server.workspace.workspace import Workspace

    world.write("one.feature", ONE)
    path = str(world.write("two.feature", TWO))
    for run in range(2):
        world.workspace = Workspace(world.host, use_cache=True)
        world.configure()
        world.workspace.open(path, 1, TWO)
        early = diagnose(world.workspace, Diagnose(path=path))
        assert (len(early.diagnoses), early.complete) == (run, False)
        world.settled()
        assert len(diagnose(world.workspace, Diagnose(path=path)).diagnoses) == 1
        world.workspace.end()


def test_an_edit_tells_which_open_files_it_touches(world: "World") -> None:
    paths = [str(world.write(f"{name}.feature", text)) for name, text in (("one", ONE), ("two", TWO), ("k", KARATE))]
    other = str(world.write("other.feature", OTHER))
    world.configure()
    for path, text in zip([*paths, other], (ONE, TWO, KARATE, OTHER), strict=True):
        world.workspace.open(path, 1, text)
    world.settled()
    for path in (*paths, other):
        diagnose(world.workspace, Diagnose(path=path))
    world.workspace.settled()
    world.host.events.clear()
    world.workspace.open(paths[1], 2, TWO.replace("press", "clicked"))
    world.workspace.settled()
    touched = {path for event in world.host.events if isinstance(event, Changed) for path in event.paths}
    assert paths[0] in touched
    assert other not in touched


def test_many_new_steps_are_compared_in_slices(world: "World") -> None:
    world.write("one.feature", ONE)
    path = str(world.write("two.feature", TWO))
    world.configure()
    world.workspace.open(path, 1, TWO)
    world.settled()
    assert diagnose(world.workspace, Diagnose(path=path)).complete
    more = "".join(
        f"    Given the {name} is {name[::-1]}\n" for name in ("abc", "defg", "hijkl", "mn", "opq", "rstuvw")
    )
    world.workspace.open(path, 2, TWO + more)
    world.workspace.settled()
    world.host.events.clear()
    assert not diagnose(world.workspace, Diagnose(path=path)).complete
    world.host.drain()
    assert Changed(paths=[path]) in world.host.events
    answer = diagnose(world.workspace, Diagnose(path=path))
    assert answer.complete
    assert [diagnosis.rule for diagnosis in answer.diagnoses] == ["divergent-wording"]


def test_karate_is_silent(world: "World") -> None:
    world.write("one.feature", ONE)
    path = str(world.write("k.feature", KARATE))
    world.configure()
    world.workspace.open(path, 1, KARATE)
    world.settled()
    assert diagnose(world.workspace, Diagnose(path=path)).diagnoses == []


def test_what_is_wrong_with_settings_is_said_once(world: "World") -> None:
    world.write("one.feature", ONE)
    world.configure(threshold=7, ignore=["("], baseline="missing.json")
    world.settled()
    world.workspace.pipeline.restart()
    world.settled()
    messages = [event.message for event in world.host.events if isinstance(event, Announced)]
    assert len(messages) == len(set(messages)) == 2
    assert any("threshold" in message for message in messages)
    assert any("regular expression" in message for message in messages)
    assert len([event for event in world.host.events if isinstance(event, ModelMissing)]) == 1


def test_a_place_in_the_baseline_that_could_not_be_read_is_silent(world: "World") -> None:
    """As in a scan, by its path from the baseline's folder; one more of its kind is reported."""
    broken = "Feature: a\n  Scenario: b\n    Givn c\n"
    file = world.write("broken.feature", broken)
    path, baseline = str(file), file.parent / "known.json"
    write_baseline(baseline, Baseline.of((), read_text(path, broken).errors, baseline.parent))
    world.configure(baseline=str(baseline))
    world.workspace.open(path, 1, broken)
    world.settled()
    assert diagnose(world.workspace, Diagnose(path=path)).diagnoses == []
    world.workspace.close(path)
    world.workspace.open(path, 2, broken + "  Scenario: d\n    Givn e\n")
    world.settled()
    assert [diagnosis.rule for diagnosis in diagnose(world.workspace, Diagnose(path=path)).diagnoses] == ["unread"]


def test_cancelled_work_stays_undone_and_questions_are_answered(world: "World") -> None:
    world.write("one.feature", ONE)
    path = str(world.write("two.feature", TWO))
    world.configure()
    world.workspace.open(path, 1, TWO)
    world.workspace.pipeline.activities.cancel("index")
    world.settled()
    assert world.workspace.complete
    assert any(isinstance(event, Progressed) and event.finished for event in world.host.events)
    diagnose(world.workspace, Diagnose(path=path))


def test_actions_carry_arguments_over(world: "World") -> None:
    world.write("one.feature", ONE)
    path = str(world.write("two.feature", TWO))
    world.configure()
    world.settled()
    offered = actions(world.workspace, ActionsAt(path=path, line=3))
    assert offered is not None
    assert offered.replacements[0].text == 'I click the "Save" button'
    assert (offered.replacements[0].occurrences, offered.replacements[0].preferred) == (2, True)
    assert offered.rules == ["divergent-wording"]
    assert len(offered.phrasings) == 2
    assert actions(world.workspace, ActionsAt(path=path, line=1)) is None


PAGES = """Feature: pages
  Scenario: a
    When I go to the homepage
    When I go to the homepage
    When I go to the home page
    When I go to my cart page
    When I am on the homepage
    When I am on the home page
"""
PAGES_GLUE = """from behave import use_step_matcher, when

use_step_matcher("re")


@when("I go to (.+)")
def go(context, page): context.browser.get(page)


@when("I am on (.+)")
def be(context, page): context.browser.get(page)
"""


def test_wordings_that_one_definition_serves_are_one_offer(world: "World") -> None:
    world.write("behave.ini", "")
    world.write("steps/steps.py", PAGES_GLUE)
    path = str(world.write("pages.feature", PAGES))
    world.configure()
    world.settled()
    offered = actions(world.workspace, ActionsAt(path=path, line=7))
    assert offered is not None
    assert {(phrasing.text, phrasing.shown) for phrasing in offered.phrasings} == {
        ("I go to {1}", "I go to the homepage"),
        ("I am on {1}", "I am on the homepage"),
    }
    assert [(each.text, each.occurrences) for each in offered.replacements] == [("I go to the homepage", 2)]
    wordings = candidates(world.workspace, RenameCandidates(path=path, line=7))
    assert [(each.phrasing, each.occurrences) for each in wordings] == [("I go to {1}", 3), ("I am on {1}", 2)]


SCOPED = """from pytest_bdd import given, scenarios, when

scenarios("{0}.feature")


@given("I see the page")
def page(browser): browser.get("page")


@when("I open the page")
def opened(browser): browser.get("page")
"""


def test_what_two_scopes_write_alike_is_not_merged(world: "World") -> None:
    """Each of two test modules has its own definitions; of its two, one wording may be kept."""
    feature = "Feature: {0}\n  Scenario: a\n    Given I see the page\n    When I open the page\n"
    for name in ("one", "two"):
        world.write(f"{name}.feature", feature.format(name))
        world.write(f"test_{name}.py", SCOPED.format(name))
    world.write("pytest.ini", "[pytest]\nbdd_features_base_dir = .\n")
    world.configure()
    world.settled()
    offered = merges(world.workspace, MergesAt(path=str(world.root / "one.feature"), line=3))
    assert {(merge.how, merge.expression) for merge in offered} == {
        (how, "I open the page") for how in (FUNCTION, WORDING)
    }


SHOWN = [
    'I should see the message "Sent"',
    'the message "Sent" should be shown',
    'I see the message "Sent"',
    'I see the message "Gone"',
    'the response status is "Sent"',
    'the response has the field "Sent"',
    'I am logged in as "Sent"',
]


def test_what_only_takes_the_same_arguments_is_not_offered(world: "World") -> None:
    path = str(world.write("one.feature", "Feature: one\n  Scenario: a\n" + "".join(f"    Then {t}\n" for t in SHOWN)))
    world.configure()
    world.settled()
    offered = actions(world.workspace, ActionsAt(path=path, line=3))
    assert offered is not None
    assert [replacement.text for replacement in offered.replacements] == [SHOWN[2], SHOWN[1]]
    alone = actions(world.workspace, ActionsAt(path=path, line=7))
    assert alone is not None
    assert alone.replacements == []


@pytest.mark.parametrize(
    ("line", "said"),
    [(3, ["I should see the message:"]), (7, []), (9, ["I see the message:"])],
    ids=["with a table", "without", "with a table too"],
)
def test_a_wording_is_offered_for_steps_with_as_much_below_them(world: "World", line: int, said: list[str]) -> None:
    """The function behind the other wording would get a table too many, or miss one."""
    steps = (
        "I see the message:\n      | Sent |",
        "I wait",
        "I see the message",
        "I wait",
        "I should see the message:\n      | Gone |",
    )
    text = "".join(f"    Then {step}\n" for step in steps).replace("I wait\n", "I wait\n\n", 1)
    path = str(world.write("one.feature", f"Feature: one\n  Scenario: a\n{text}"))
    world.configure()
    world.settled()
    offered = actions(world.workspace, ActionsAt(path=path, line=line))
    assert offered is not None
    assert [replacement.text for replacement in offered.replacements] == said


def test_messages_show_paths_from_the_workspace_folder(world: "World") -> None:
    path = str(world.write("features/two.feature", ONE + TWO.split("\n", 2)[2]))
    source = (
        "from behave import when\n\n@when('I {verb} the \"{{name}}\" button')\ndef step(context, name):\n    pass\n"
    )
    for verb in ("click", "press"):
        world.write(f"features/steps/{verb}.py", source.format(verb=verb))
    world.write("pyproject.toml", "")
    world.configure()
    world.settled()
    (diagnosis,) = diagnose(world.workspace, Diagnose(path=path)).diagnoses
    assert diagnosis.rule == "divergent-definition"
    assert str(world.root) not in diagnosis.message
    assert str(world.root / "features/steps/press.py") in {related.place.path for related in diagnosis.related}


PRAGMA = "# cukereuse: ignore"
EIGHT = "    Given thing a\n" + "".join(f"    When I do thing {word}\n" for word in "bcdefgh")


@pytest.mark.parametrize(
    "texts",
    [
        [TWO, TWO + f"{PRAGMA}-file\n", TWO],
        [TWO, *(TWO.replace("    When", f"    {pragma}\n    When", 1) for pragma in (PRAGMA, PRAGMA[:-1] + "f"))],
        [EIGHT, EIGHT.replace("    Given", f"    {PRAGMA}\n    Given", 1), EIGHT],
        [EIGHT, f"{EIGHT}    {PRAGMA}-file\n", EIGHT],
    ],
)
def test_a_pragma_that_is_written_or_taken_away_counts_at_once(world: "World", texts: list[str]) -> None:
    of_two = [
        text if text.startswith("Feature") else f"Feature: f\n  Scenario: q\n{EIGHT}  Scenario: p\n{text}"
        for text in texts
    ]
    world.write("one.feature", ONE)
    path = str(world.write("two.feature", of_two[0]))
    world.configure()
    seen = []
    for version, text in enumerate(of_two):
        world.workspace.open(path, version, text)
        world.settled()
        world.workspace.pipeline.renew(exactly=True)
        world.settled()
        seen.append(bool(diagnose(world.workspace, Diagnose(path=path)).diagnoses))
    if PRAGMA[:-1] + "f\n" in of_two[-1]:
        of_two[-1] = of_two[0]  # what is misspelt silences nothing
    assert seen == [text == of_two[0] for text in of_two]


def test_a_pragma_in_glue_code_silences_what_is_said_of_the_steps(world: "World") -> None:
    feature = "Feature: F\n  Scenario: S\n    When I choose to go back\n    When I chose to go back\n"
    path = str(world.write("features/a.feature", feature))
    source = "\n".join(
        f'from behave import when\n\n@when("I {verb} to go back")\ndef {verb}(context):\n    context.page.back()\n'
        for verb in ("choose", "chose")
    )
    glue = str(world.write("features/steps/steps.py", source))
    world.configure()
    world.settled()
    seen = []
    pragma = "# cukereuse: ignore[divergent-definition] -- so"
    for version, text in enumerate([source, f"{pragma}\n{source}", f"{source}    {pragma}\n", source]):
        world.workspace.open(glue, version, text)
        world.settled()
        seen.append([diagnosis.rule for diagnosis in diagnose(world.workspace, Diagnose(path=path)).diagnoses])
    assert seen == [["divergent-definition"], [], [], ["divergent-definition"]]


def test_a_restart_leaves_nothing_to_a_search_for_cycles(world: "World") -> None:
    """All that was read of a suite is freed at once: its definitions take most of the memory."""
    world.write(
        "features/steps/steps.py", "from behave import given\n\n\n@given('a {x}')\ndef f(context, x):\n    x.go()\n"
    )
    world.write("features/a.feature", "Feature: F\n  Scenario: S\n    Given a shop\n    And a door\n")
    world.configure()
    (suite,) = world.settled().suites.values()
    held = [weakref.ref(each) for each in (suite, suite.glue, suite.functions)]
    del suite
    gc.collect()
    gc.disable()
    try:
        world.configure(exclude=["none"])
        world.settled()
        assert [each() for each in held] == [None, None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ('context.browser.get("/home")', "“I open the home page” means the same, but has another step definition"),
        (
            'context.browser.click("x")',
            "“I open the home page” seems to mean the same, but has another step definition",
        ),
    ],
)
def test_a_diagnostic_is_as_sure_as_the_finding(other: str, says: str, world: "World") -> None:
    steps = "".join(
        f'@{keyword}("I open the {page}")\ndef step_{line}(context):\n    {code}\n'
        for line, (keyword, page, code) in enumerate(
            (("given", "home page", 'context.browser.get("/home")'), ("when", "homepage", other))
        )
    )
    world.write("steps/steps.py", f"from behave import given, when\n{steps}")
    said = "    Given I open the home page\n    And I open the home page\n    When I open the homepage\n"
    path = str(world.write("a.feature", f"Feature: a\n  Scenario: one\n{said}"))
    world.configure()
    world.settled()
    (told,) = [each for each in diagnose(world.workspace, Diagnose(path=path)).diagnoses if each.rule.startswith("div")]
    assert told.message.startswith(says)
    assert {place.message for place in told.related if place.message.endswith(")")} == {
        "step definition of “I open the home page” (given)",
        "step definition of “I open the homepage” (when)",
    }
