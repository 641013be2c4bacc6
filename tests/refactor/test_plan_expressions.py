"""Plans for expressions with more than words and arguments: groups, look-around, quotes, alternatives."""

import pytest

from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from tests.refactor.conftest import feature, plan

REGEX_STEP = """\
from behave import given, use_step_matcher

use_step_matcher("re")


@given(r'''REGEX''')
def f(context, *_): ...
"""


@pytest.mark.parametrize(
    ("regex", "steps", "target", "new_regex", "new_steps"),
    [
        (  # what may be missing at the end stays there
            '^I post "([^"]*)"(?: in "([^"]*)")?(?:,? now)?$',
            ['I post "a"', 'I post "b" in "c"', 'I post "d", now'],
            "{1} is out",
            '^"([^"]*)" is out(?: in "([^"]*)")?(?:,? now)?$',
            ['"a" is out', '"b" is out in "c"', '"d" is out, now'],
        ),
        (
            '^I go (\\d+) miles(?: to "([^"]*)"| by (\\w+))*$',
            ["I go 1 miles", 'I go 1 miles to "a"', "I go 2 miles by bus"],
            "it is {1} miles",
            '^it is (\\d+) miles(?: to "([^"]*)"| by (\\w+))*$',
            ["it is 1 miles", 'it is 1 miles to "a"', "it is 2 miles by bus"],
        ),
        (  # in the middle it stays beside its argument
            '^there are (\\d+) (?:(\\w+) )?"([^"]*)"$',
            ['there are 3 "teas"', 'there are 4 green "teas"'],
            'the shop holds {1} pieces of "{2}" now',
            '^the shop holds (\\d+) pieces of (?:(\\w+) )?"([^"]*)" now$',
            ['the shop holds 3 pieces of "teas" now', 'the shop holds 4 pieces of green "teas" now'],
        ),
        (  # or after the words before it
            '^I post the (?:(\\d+) page )?letter "([^"]*)"(?:|, sealed by (\\w+)) to (\\w+)$',
            ['I post the letter "a" to bob', 'I post the 3 page letter "a", sealed by me to bob'],
            'I post the good letter "a" on to bob',
            '^I post the good (?:(\\d+) page )?letter "([^"]*)" on(?:|, sealed by (\\w+)) to (\\w+)$',
            ['I post the good letter "a" on to bob', 'I post the good 3 page letter "a" on, sealed by me to bob'],
        ),
        (  # typed over a step that says it: its words are not the target's
            '^(?:a|the) (old)?(?: )?(red)?(?: )?book "([^"]*)"(?: by "([^"]*)")?$',
            ['the red book "x" by "y"', 'a book "z"', 'the old red book "w"'],
            'one red book "x" by "y" here',
            '^one (old)?(?: )?(red)?(?: )?book "([^"]*)"(?: by "([^"]*)")? here$',
            ['one red book "x" by "y" here', 'one book "z" here', 'one old red book "w" here'],
        ),
        (  # endings of numbers
            "^the (\\d+)(?:st|nd|rd|th) of (\\d+)(st|nd|rd|th)$",
            ["the 1st of 2nd", "the 3rd of 4th"],
            "take the 1st from the 2nd",
            "^take the (\\d+)(?:st|nd|rd|th) from the (\\d+)(st|nd|rd|th)$",
            ["take the 1st from the 2nd", "take the 3rd from the 4th"],
        ),
        (  # a slot may stand for what no step misses
            "^I go( not)? to (\\w+)$",
            ["I go not to bed"],
            "we walk{1} off to {2}",
            "^we walk( not)? off to (\\w+)$",
            ["we walk not off to bed"],
        ),
        (  # each keeps the wording that it says
            '^(?:I|they|"([^"]*)") should get (\\d+) mails$',
            ["I should get 3 mails", "they should get 4 mails", '"Bob" should get 5 mails'],
            "I receive {1} letters",
            '^(?:I|they|"([^"]*)") receive (\\d+) letters$',
            ["I receive 3 letters", "they receive 4 letters", '"Bob" receive 5 letters'],
        ),
        (
            '^I (?:see (\\d+) figs|eat "([^"]*)") today$',
            ["I see 3 figs today", 'I eat "x" today'],
            "we see 3 figs today",
            '^we (?:see (\\d+) figs|eat "([^"]*)") today$',
            ["we see 3 figs today", 'we eat "x" today'],
        ),
        (  # what does not capture gives way, the group in it stays
            "^(?:I|we) wait (?:for (\\d+) hours)$",
            ["I wait for 3 hours", "we wait for 4 hours"],
            "{1} hours pass",
            "^(\\d+) hours pass$",
            ["3 hours pass", "4 hours pass"],
        ),
        (
            "(?x)^I\\ have\\ (\\d+) # how many (of (what\n  \\ teas$",
            ["I have 3 teas"],
            "{1} teas #now",
            "(?x)^(\\d+)\\ teas\\ \\#now$",
            ["3 teas #now"],
        ),
    ],
)
def test_groups_that_do_not_capture(regex, steps, target, new_regex, new_steps, memory):
    files = memory({"a.feature": feature(*steps), "s.py": REGEX_STEP.replace("REGEX", regex)})
    planned = plan(files, steps[0], target)
    after = files.applied(planned)
    assert [step.text for step in after.workspace().files["a.feature"].steps] == new_steps
    assert [definition.expression for definition in after.workspace().glue.definitions] == [new_regex]


@pytest.mark.parametrize(
    ("regex", "step", "message"),
    [
        ('^I post(?: "([^"]*)"(?: to "(.*)")?)? now$', 'I post "a" now', "takes no argument, .* matches stays"),
        ('^I( now)? post "([^"]*)"$', 'I post "a"', "is optional, .* keep 'I' or 'post'"),
        ("^I go (\\d+)|I run (\\d+)$", "I go 3", "alternation of whole steps"),
        ("^I go (\\d+) or \\1$", "I go 3 or 3", "backreference"),
        ("^I go(?: (\\d+))+$", "I go 3", "is optional"),
        ('^I go(?: to "([^"]*)"| by (\\w+))$', 'I go to "a"', "takes no argument, .* matches stays"),
    ],
)
def test_groups_that_can_t_be_placed(regex, step, message, memory):
    files = memory({"a.feature": feature(step), "s.py": REGEX_STEP.replace("REGEX", regex)})
    with pytest.raises(RefusedPlanError, match=message):
        plan(files, step, "the target {1}")


@pytest.mark.parametrize(
    ("regex", "step", "new_regex"),
    [
        (r"^I go to (?!the)(\w+)$", "I go to bed", r"^we walk to (?!the)(\w+) now$"),
        (r"^I go to (\w+)(?<!home)$", "I go to bed", r"^we walk to (\w+)(?<!home) now$"),
        (r"^I go to (?=[a-z])(?!the)(\w+)(?: at once)?$", "I go to bed", r"^we walk to (?=[a-z])(?!the)(\w+) now$"),
    ],
)
def test_what_looks_around_stays_with_its_argument(regex, step, new_regex, memory):
    files = memory({"a.feature": feature(step), "s.rb": f"Given(/{regex}/) {{ |x| }}\n"})
    planned = plan(files, step, "we walk to {1} now")
    assert [definition.new_expression for definition in planned.definitions] == [new_regex]


@pytest.mark.parametrize(
    ("regex", "new_regex"),
    [
        (r"^(?!we)I go to (\w+)$", r"^(?!we)you walk to (\w+) now$"),
        (r"^I go to (\w+)(?: at once)?(?! and)", r"^you walk to (\w+) now(?! and)"),
    ],
)
def test_what_looks_around_at_an_end_stays_there(regex, new_regex, memory):
    files = memory({"a.feature": feature("I go to bed"), "s.rb": f"Given(/{regex}/) {{ |x| }}\n"})
    assert [
        definition.new_expression for definition in plan(files, "I go to bed", "you walk to {1} now").definitions
    ] == [new_regex]


def test_what_looks_at_words_is_not_dropped(memory):
    files = memory({"a.feature": feature("I go to bed"), "s.rb": "Given(/^I (?!run)go to (\\w+)$/) { |x| }\n"})
    with pytest.raises(RefusedPlanError, match="looks at words that would be removed"):
        plan(files, "I go to bed", "we walk to {1}")


def test_an_argument_in_quotes_of_its_own(memory):
    steps = ['I fill in "T" with "x"', 'I fill in "T" with "\'x\'"', 'I fill in "T" with ""']
    source = 'Given(/^I fill in "([^"]*)" with "([^"]*)"$/) { |a, b| }\n'
    files = memory({"a.feature": feature(*steps), "s.rb": source})
    after = files.applied(plan(files, steps[0], "into {1} I write {2}"))
    texts = [step.text for step in after.workspace().files["a.feature"].steps]
    assert texts == ['into "T" I write "x"', 'into "T" I write "\'x\'"', 'into "T" I write ""']


@pytest.mark.parametrize(
    ("steps", "target", "after"),
    [
        (['I add "tea"', "I add milk"], 'I put "tea"', ['I put "tea"', "I put milk"]),
        (['I add "tea"', 'I add "milk"'], 'I put "{1}"', ['I put "tea"', 'I put "milk"']),
        (["I add tea", 'I add "milk"'], "I put {1} in", ["I put tea in", 'I put "milk" in']),
    ],
)
def test_quotes_that_the_definition_takes_stay_with_their_argument(steps, target, after, memory):
    files = memory({"a.feature": feature(*steps), "s.rb": "Given(/^I add (.*)$/) { |x| }\n"})
    applied = files.applied(plan(files, steps[0], target))
    assert applied.text("a.feature") == feature(*after)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("s.rb", "When(/^I (?:open|close) the door$/) { }\n"),
        ("s.rb", "When('I open/close the door') { }\n"),
        (
            "steps/s.py",
            "from behave import *\nuse_step_matcher('re')\n@step('I (?:open|close) the door')\ndef a(c): ...\n",
        ),
    ],
)
def test_an_alternative_of_another_meaning_is_not_renamed_along(memory, name, source):
    files = memory({"a.feature": feature("I open the door", "I close the door"), name: source})
    with pytest.raises(RefusedPlanError, match="serves “I close the door” too, which would change its meaning"):
        plan(files, "I open the door", "I unlock the door")


OPTIONAL = 'When(/^I post "([^"]*)"(?: but not in "([^"]*)")?(?: as the second of "([^"]*)")?$/) { |a, b, c| }\n'


def test_what_keeps_a_meaning_apart_may_stand_in_a_part_that_stays(memory):
    steps = ['I post "A"', 'I post "B" but not in "C"', 'I post "D" as the second of "E"']
    files = memory({"a.feature": feature(*steps), "s.rb": OPTIONAL})
    applied = files.applied(plan(files, steps[0], 'I publish "{1}"'))
    assert applied.text("a.feature") == feature(*(step.replace("post", "publish") for step in steps))
    assert applied.text("s.rb") == OPTIONAL.replace("post", "publish")


def test_a_meaning_that_goes_with_its_part_is_lost(memory):
    """Both would read the same."""
    source = "When(/^it is(?: not)? visible$/) { }\n"
    files = memory({"a.feature": feature("it is not visible", "it is visible"), "s.rb": source})
    with pytest.raises(RefusedPlanError, match="change its meaning"):
        plan(files, "it is not visible", "it is hidden")


@pytest.mark.parametrize(
    ("expression", "steps", "target", "own"),
    [
        ("the light is red/green", ["the light is green", "the light is red"], "the lamp is green", "red"),
        ("the light(s) of red/green", ["the light of green", "the lights of red"], "the green light", "red"),
        ("I see/hear it", ["I see it", "I hear it"], "I notice it", "hear"),
        ("je vois le chat/chien", ["je vois le chat", "je vois le chien"], "je regarde", "chien"),
        (
            "I paint red/blue the {word} door",
            ["I paint red the red door", "I paint blue the old door"],
            "I paint {1}",
            "blue",
        ),
        ("I paint red/blue {word}", ["I paint red red", "I paint blue old"], "red {1}", "blue"),
    ],
)
def test_an_alternative_that_says_another_thing_is_not_renamed_along(expression, steps, target, own, memory):
    files = memory({"a.feature": feature(*steps), "s.rb": f"When('{expression}') {{ }}\n"})
    with pytest.raises(RefusedPlanError, match=f"serves “{steps[1]}” too.*it says “{own}”"):
        plan(files, steps[0], target)


@pytest.mark.parametrize(
    ("expression", "steps", "target"),
    [
        ("I choose/select a/the fig(s)", ["I choose a fig", "I select the figs"], "I take fruit"),
        ("I delete/remove it", ["I delete it", "I remove it"], "I drop it"),
        ("the light is/was on", ["the light is on", "the light was on"], "there is light"),
    ],
)
def test_alternatives_of_one_meaning_are(expression, steps, target, memory):
    files = memory({"a.feature": feature(*steps), "s.rb": f"When('{expression}') {{ }}\n"})
    assert files.applied(plan(files, steps[0], target)).text("a.feature") == feature(target, target)


def test_an_alternative_of_the_same_meaning_is(memory):
    source = "When(/^I (?:click|press)(?: on)? the (\\w+)$/) { |x| }\n"
    files = memory({"a.feature": feature("I click the door", "I press on the open"), "s.rb": source})
    after = files.applied(plan(files, "I click the door", "I touch the {1}"))
    assert after.text("a.feature") == feature("I touch the door", "I touch the open")


@pytest.mark.parametrize(
    ("target", "after", "regex"),
    [
        ('I must {1} "{2}"', "I must {}", r"I must (see|not see) ['\"](.*?)['\"]"),
        ("I must {1} {2} now", "I must {} now", r"I must (see|not see) ['\"](.*?)['\"] now"),
        ("{1}: '{2}'", "{}", r"(see|not see): ['\"](.*?)['\"]"),
    ],
)
def test_either_quote_stays_with_its_argument(target, after, regex, memory):
    texts = ['see "it\'s"', "not see 'a \"b\" c'", "see 'x'"]
    source = "Given(/^{}$/) {{ |v, x| }}\n"
    files = memory(
        {
            "a.feature": feature(*(f"I should {text}" for text in texts)),
            "s.rb": source.format(r"I should (see|not see) ['\"](.*?)['\"]"),
        }
    )
    applied = files.applied(plan(files, f"I should {texts[2]}", target))
    assert applied.text("s.rb") == source.format(regex)
    texts[2] = texts[2].replace("'", '"') if '"{2}"' in target else texts[2]
    expected = [after.format(text.replace("see ", "see: ") if "{1}:" in target else text) for text in texts]
    assert applied.text("a.feature") == feature(*expected)


@pytest.mark.parametrize(
    ("regex", "named", "other", "target", "is_refused"),
    [
        ("I wait for the page", "I wait for the page", "I wait for the page to load", "I stay", True),
        ("I wait for the page", "I wait for the page to load", "I wait for the page", "I stay", True),
        ("I wait for the page", "I wait for the page", "so I wait for the page", "I stay", True),
        ("I wait for the page", "I wait for the page", 'I wait for the page "a"', "I stay", True),
        ("wait for the page", "I wait for the page", "I wait for the page", "I stay", False),
        (r"^I see (\d+) page", "I see 3 pages", "I see 1 page", "I view {1} pages", False),
        (r"^I see (\d+) page", "I see 3 pages", "I see 1 page now", "I view {1} pages", True),
        (r"^I see (\d+) page(?: now)?$", "I see 3 page", "I see 1 page now", "I view {1} page", False),
    ],
)
def test_what_a_step_says_outside_of_the_match_is_not_lost(regex, named, other, target, is_refused, memory):
    files = memory({"a.feature": feature(named, other), "s.rb": f"Given(/{regex}/) do |*n|\n  go\nend\n"})
    if is_refused:
        with pytest.raises(RefusedPlanError, match="matches only a part of"):
            plan(files, named, target)
    else:
        assert "I see" not in files.applied(plan(files, named, target)).text("a.feature")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("we get {1} mails", "has several wordings, and the target does not say where it goes"),
        ("mails: should get {1}", "has several wordings"),
        ("they get {1} mails", "would become “I get 3 mails”, because"),
        ('"Bob" gets {1} mails', "would become"),
    ],
)
def test_a_step_does_not_change_its_wording_for_that_of_another(target, message, memory):
    steps = "I should get 3 mails", "they should get 4 mails", '"Bob" should get 5 mails'
    regex = '^(?:I|they|"([^"]*)") should get (\\d+) mails$'
    files = memory({"a.feature": feature(*steps), "s.py": REGEX_STEP.replace("REGEX", regex)})
    with pytest.raises(RefusedPlanError, match=message):
        plan(files, steps[0], target)


def test_the_name_of_a_method_is_no_text(memory):
    source = "using Reqnroll;\n[Binding] class S {\n  [Given] public void Given_I_own_NUMBER_figs(int number) { }\n}\n"
    files = memory({"a.feature": feature("I own 3 figs"), "S.cs": source})
    with pytest.raises(RefusedPlanError, match=r"S\.cs:3 .* its expression is the name of its method; write it as"):
        plan(files, "I own 3 figs", "I have {1} figs")


def test_a_pattern_of_rstest_bdd_is_reworded_by_hand(memory):
    source = 'use rstest_bdd_macros::given;\n#[given("I own {n:u32} figs")] fn a(n: u32) {}\n'
    source += '#[given("it is so")] fn b() {}\n'
    files = memory({"a.feature": feature("I own 3 figs", "it is so"), "s.rs": source})
    with pytest.raises(RefusedPlanError, match="a pattern of rstest-bdd is not rewritten"):
        plan(files, "I own 3 figs", "I have {1} figs")
    assert 'given("that is so")' in files.applied(plan(files, "it is so", "that is so")).text("s.rs")
