"""The parts of a regex without a slot: generated expressions with optional parts, in three languages.

The result is bound again: each function gets the same arguments, missing ones at their places.
"""

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for

SOURCES = {
    "s.py": "from behave import given, use_step_matcher\nuse_step_matcher('re')\n@given(r'''{}''')\ndef f(*_): ...\n",
    "s.js": "const {{ Given }} = require('@cucumber/cucumber');\nGiven(/{}/, () => {{}});\n",
    "s.rb": "Given(/{}/) {{ }}\n",
}
NUMBERS = st.integers(0, 99).map(str)
NAMES = st.sampled_from(["", "a", "b c", "it's", "<who>", "9"])
PARTS = {
    "%s ": st.sampled_from(["wait", "for", "tea", "now"]),
    "(\\d+) ": NUMBERS.map("{} ".format),
    '"([^"]*)" ': NAMES.map('"{}" '.format),
    "(?:with (\\d+) hats )?": st.one_of(st.just(""), NUMBERS.map("with {} hats ".format)),
    '(?:(?:in|at) "([^"]*)"(?: or "([^"]*)")? )?': st.sampled_from(["", 'in "x" ', 'at "x" or "y" ']),
    "(gladly )?": st.sampled_from(["", "gladly "]),
    "(?:|(big|small) (hut) )": st.sampled_from(["", "big hut ", "small hut "]),
    "(?:(?:an?|(the (one|two))) )?": st.sampled_from(["", "an ", "the two "]),
    "(?:a|the) ": st.sampled_from(["a ", "the "]),
    "(?:please )?": st.sampled_from(["", "please "]),
    "(\\d+)(?:st|nd|rd|th) ": st.tuples(NUMBERS, st.sampled_from(["st", "th"])).map("{0[0]}{0[1]} ".format),
}
"""Each part of an expression with the texts that it may match."""


@st.composite
def suites(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A regex, and steps that match it."""
    regex, texts = "I ", ["I "] * draw(st.integers(1, 4))
    for part in draw(st.lists(st.sampled_from(list(PARTS)), min_size=1, max_size=6)):
        if "%" in part:
            word = draw(PARTS[part])
            regex, texts = regex + part % word, [text + part % word for text in texts]
        else:
            regex, texts = regex + part, [text + draw(PARTS[part]) for text in texts]
    if draw(st.booleans()):
        ends = [draw(st.sampled_from(["", ' by "me"', " by hand", ' by "me", gladly'])) for _ in texts]
        regex, texts = regex + 'here(?: by "(.*?)"| by (\\w+))?(,? gladly)?', [text + "here" for text in texts]
        texts = [text + end for text, end in zip(texts, ends, strict=True)]
    else:
        regex, texts = regex + "here", [text + "here" for text in texts]
    return f"^{regex}$", texts


def bound(files):
    workspace = files.workspace()
    frames = []
    for step in workspace.files["a.feature"].steps:
        binding = workspace.glue.bind(step)
        assert binding.status is Status.BOUND, step.text
        frames += [[argument.value for argument in text.matches[0].arguments] for text in binding.texts]
    return frames


def planned(files, source, target):
    """The plan or None, and the reason of a refusal."""
    workspace = files.workspace()
    try:
        return plan_rename(request_for(workspace, source, target), workspace), ""
    except RefusedPlanError as error:
        return None, error.kind


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(list(SOURCES)),
    suite=suites(),
    words=st.tuples(*[st.sampled_from(["now", "here", "with", "2 hats", "in", "(x)", "tea"])] * 2),
    edit=st.sampled_from(["before", "after", "replaced", "between", "inside"]),
)
@example(  # the argument that stays says the same as the one that gets a slot
    path="s.py",
    suite=("^I wait (?:with (\\d+) hats )?wait (\\d+) here$", ["I wait with 0 hats wait 0 here"]),
    words=("now", "now"),
    edit="before",
)
def test_functions_get_what_they_got(path, suite, words, edit, memory):
    regex, texts = suite
    contents = {"a.feature": "Feature: F\n  Scenario: S\n" + "".join(f"    Given {text}\n" for text in texts)}
    files = memory({**contents, path: SOURCES[path].format(regex)})
    before = bound(files)
    first, second = words
    parts = texts[0].split('"')
    middle = len(parts) // 4 * 2
    parts[middle] = parts[middle].replace(" ", f" {first} ", 1)
    target = {
        "before": f"{first} {texts[0]}",
        "after": f"{texts[0]} {first}",
        "replaced": texts[0].replace("I ", f"{first} ").replace("here", second),
        "between": '"'.join(parts),
        "inside": texts[0].replace("with ", f"{first} of ").replace("hats", second),
    }[edit].replace("{", "{{")
    plan, refusal = planned(files, texts[0], target)
    event(f"{edit}: {refusal[:60] or 'planned'}")
    if plan is None:
        assert edit in ("replaced", "between", "inside") or refusal == "other arguments"
        return
    after = files.applied(plan)
    assert len(plan.files) == (2 if target != texts[0] else 0)
    assert bound(after) == before
    assert not plan.left_out


WITHIN = """Given(/^I see "([^"]*)"(?: within "([^"]*)")?$/) { |a, b| }\n"""


@pytest.mark.parametrize(
    ("source", "target", "regex", "texts"),
    [
        ('I see "x" within "y"', 'I see "x" inside of "y"', '"([^"]*)"(?: inside of "([^"]*)")?', ' inside of "y"'),
        ('I see "x" within "y"', "I see {1} inside of {2}", '"([^"]*)"(?: inside of "([^"]*)")?', ' inside of "y"'),
        ('I see "x" within "y"', 'I see "x" in "y" (box)', '"([^"]*)"(?: in "([^"]*)" \\(box\\))?', ' in "y" (box)'),
        ('I see "x" within "y"', 'I see "x" within "y"', '"([^"]*)"(?: within "([^"]*)")?', ' within "y"'),
        ('I see "x" within "y"', "I see the {1} within {2}", 'the "([^"]*)"(?: within "([^"]*)")?', ' within "y"'),
        ('I see "x" within "y"', "I see the {1}", 'the "([^"]*)"(?: within "([^"]*)")?', ' within "y"'),
    ],
)
def test_words_beside_an_argument_that_may_be_missing(source, target, regex, texts, memory):
    files = memory(
        {"a.feature": 'Feature: F\n  Scenario: S\n    * I see "x" within "y"\n    * I see "z"\n', "s.rb": WITHIN}
    )
    plan, refusal = planned(files, source, target)
    assert plan is not None, refusal
    after = files.applied(plan)
    the = "the " if "the" in target else ""
    assert after.text("s.rb") == f"Given(/^I see {regex}$/) {{ |a, b| }}\n"
    assert after.text("a.feature").endswith(f'    * I see {the}"x"{texts}\n    * I see {the}"z"\n')
    assert bound(after) == bound(files)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ('I open the "x" page in "y" as "z"', "I visit the {1} page in {2} as {3}"),
        ('I open the page in "y"', "I visit the page in {1}"),
        ('I open the "x" page', "I visit the {1} page"),
    ],
)
def test_slots_for_parts_side_by_side(source, target, memory):
    """Each of them may be missing; a part that is missing in the named step stays as well."""
    steps = ["I open the page", 'I open the page as "z"', 'I open the "x" page in "y" as "z"']
    regex = 'I open the(?: "([^"]*)")? page(?: in "([^"]*)")?(?: as "([^"]*)")?'
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    * {step}\n" for step in dict.fromkeys([*steps, source]))
    files = memory({"a.feature": feature, "s.rb": f"Given(/^{regex}$/) {{ }}\n"})
    plan, refusal = planned(files, source, target)
    assert plan is not None, refusal
    after = files.applied(plan)
    assert after.text("s.rb") == f"Given(/^{regex.replace('open', 'visit')}$/) {{ }}\n"
    assert after.text("a.feature") == feature.replace("open", "visit")
    assert bound(after) == bound(files)


@pytest.mark.parametrize(
    ("regex", "step", "target", "message"),
    [
        ('I see "(.*?)" now(?: in "(.*?)")?', 'I see "x" now in "y"', 'I see "x" here at "y"', "which words belong"),
        ('I see "(.*?)"(?: in "(.*?)")?', 'I see "x" in "y"', 'in "y" I see "x"', "which words belong"),
        ('I see "(.*?)"(?: in "(.*?)"(?: or "(.*?)")?)?', 'I see "x" in "y"', 'I see "x" at "y"', "leave it out"),
    ],
)
def test_words_that_nobody_can_share_out(regex, step, target, message, memory):
    files = memory({"a.feature": f"Feature: F\n  Scenario: S\n    * {step}\n", "s.rb": f"Given(/^{regex}$/) {{ }}\n"})
    plan, refusal = planned(files, step, target)
    assert plan is None
    assert message in refusal


@pytest.mark.parametrize(
    ("source", "target", "after"),
    [
        ('I should not see "b"', "I must{1} see {2}", "must"),
        ('I should not see the element "c"', "I must{1} see{2} {3}", "must"),
        ('I should see "a"', "I must see {1}", "must"),
    ],
)
def test_slots_for_what_is_there_in_the_named_step(source, target, after, memory):
    steps = ['I should see "a"', 'I should not see "b"', 'I should not see the element "c"']
    regex = 'I should( not)? see( the element)? "([^"]*)"'
    contents = {"a.feature": "Feature: F\n  Scenario: S\n" + "".join(f"    * {step}\n" for step in steps)}
    files = memory({**contents, "s.rb": f"Given(/^{regex}$/) {{ }}\n"})
    plan, refusal = planned(files, source, target)
    assert plan is not None, refusal
    applied = files.applied(plan)
    assert applied.text("s.rb") == f"Given(/^{regex.replace('should', after)}$/) {{ }}\n"
    assert applied.text("a.feature") == contents["a.feature"].replace("should", after)
