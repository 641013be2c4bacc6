"""A step definition that only code uses is not called unused: a hook calls it or is it, or code runs its text."""

import re
from pathlib import Path

import pytest

from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from tests.refactor.on_disk import read, written

BEHAVE = "from behave import given\n@given('the lid is shut')\ndef shut(context):\n    context.lid.shut()\n"
HOOK = "def before_scenario(context, scenario):\n"
RUBY = "Given('the lid is shut') { @lid.shut }\n"
TURNIP = "step 'the lid is shut' do\n  @lid.shut\nend\n"
JAVA = """import io.cucumber.java.en.Given;
public class Steps {{
  {0}
  @Given("the lid is shut")
  public void shut() {{ lid.shut(); }}

  {1}
}}
"""
CSHARP = """[Binding]
public class Steps : Reqnroll.Steps {{
  {0}
  [Given("the lid is shut")]
  public void Shut() {{ Lid.Shut(); }}

  {1}
}}
"""
PHP = """<?php
class A implements Context {{
  /**
   * @Given the lid is shut
   {0}*/
  public function shut() {{ $this->lid->shut(); }}

  {1}
}}
"""
PYTEST = "import pytest\nfrom pytest_bdd import given\n{0}@given('the lid is shut')\ndef shut():\n    lid.shut()\n{1}"

PLAYWRIGHT = """import {{ createBdd }} from 'playwright-bdd';
const {{ Given, BeforeScenario }} = createBdd();
{0}Given('the lid is shut', async ({{ lid }}) => {{ await lid.shut(); }});
{1}
"""

STEPS, SUPPORT = "features/step_definitions/steps.rb", "features/support/env.rb"
BEHAVE_STEPS, ENVIRONMENT = "features/steps/steps.py", "features/environment.py"

USES = [
    (
        {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    context.execute_steps('Given the lid is shut')\n"},
        "code runs it",
    ),
    (
        {
            BEHAVE_STEPS: BEHAVE,
            ENVIRONMENT: "SHUT = '''\n  Given the lid is shut\n'''\n" + HOOK + "    context.execute_steps(SHUT)\n",
        },
        "contains its text: {}/features/environment.py:2",
    ),
    (
        {
            BEHAVE_STEPS: BEHAVE,
            ENVIRONMENT: HOOK
            + "    for step in ('given the lid is shut', 'When I go'):\n        context.execute_steps(step)\n",
        },
        "contains its text: {}/features/environment.py:2",
    ),
    (
        {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: "from steps.steps import shut\n" + HOOK + "    shut(context)\n"},
        "is named in",
    ),
    (
        {"steps/lid.ts": PLAYWRIGHT.format("const shut = ", "BeforeScenario(async ({ lid }) => shut({ lid }));")},
        "is named in {}/steps/lid.ts:4",
    ),
    (
        {"steps/lid.ts": PLAYWRIGHT.format("const shut = ", "Given('I go', async ({ lid }) => shut({ lid }));")},
        "is named in {}/steps/lid.ts:4",
    ),
    (
        {
            "steps/lid.ts": PLAYWRIGHT.format("export const shut = ", ""),
            "steps/other.ts": "import { shut } from './lid';\nawait shut({ lid });\n",
        },
        "is named in {}/steps/other.ts:1",
    ),
    ({STEPS: RUBY, SUPPORT: "Before { step 'the lid is shut' }\n"}, "code runs it"),
    ({STEPS: RUBY, SUPPORT: "Before do\n  steps %{\n    Given the lid is shut\n  }\nend\n"}, "code runs it"),
    ({STEPS: RUBY, SUPPORT: "['the lid is shut'].each { |text| step text }\n"}, "contains its text"),
    ({"spec/steps/lid_steps.rb": TURNIP + "step 'I go' do\n  step 'the lid is shut'\nend\n"}, "calls its function"),
    ({"spec/steps/lid_steps.rb": TURNIP + "step 'I go' do\n  send 'the lid is shut'\nend\n"}, "contains its text"),
    ({"src/test/java/Steps.java": JAVA.format("@Before ", "")}, "is run as “Before” too"),
    (
        {"src/test/java/Steps.java": JAVA.format("", "").replace("public void", "@Before(order = 1)\n  public void")},
        "is run as “Before” too",
    ),
    ({"src/test/java/Steps.java": JAVA.format("", "@Before public void go() { shut(); } ")}, "is named in"),
    ({"Steps.cs": CSHARP.format('[BeforeScenario("lids", Order = 1)]', "")}, "is run as “BeforeScenario” too"),
    ({"Steps.cs": CSHARP.format("", '[AfterStep] public void Go() { Given("the lid is shut"); }')}, "code runs it"),
    ({"features/bootstrap/A.php": PHP.format("* @BeforeScenario\n   ", "")}, "is run as “BeforeScenario” too"),
    (
        {"features/bootstrap/A.php": PHP.format("", "/** @AfterStep */ public function go() { $this->shut(); }")},
        "is named in",
    ),
    ({"tests/test_lid.py": PYTEST.format("@pytest.fixture(autouse=True)\n", "")}, "is run as “pytest.fixture” too"),
    (
        {"tests/test_lid.py": PYTEST.format("@pytest.fixture(\n    autouse=True,\n)\n", "")},
        "is run as “pytest.fixture” too",
    ),
    ({"tests/test_lid.py": PYTEST.format("", "@given('I go')\ndef go(shut):\n    pass\n")}, "is named in"),
]

PARTLY_KNOWN = [
    *(
        ({BEHAVE_STEPS: BEHAVE, ENVIRONMENT: f"{HOOK}    {code}\n"}, says)
        for code, says in (
            ('context.execute_steps(f"Given the lid is {state}")', "may run it with a text that is not known"),
            ('context.execute_steps(f"""\n      Given the {thing} is {state}\n    """)', "may run it with a text"),
            ('context.execute_steps(f"{keyword} the lid is shut")', "code runs it"),
            ('context.execute_steps("Given the lid is %s" % state)', "may run it with a text"),
            ('context.execute_steps("Given the lid is {}".format(state))', "may run it with a text"),
            ('context.execute_steps("Given the lid is " + state)', "may run it with a text"),
            ('text = f"Given the lid is {state}"\n    context.execute_steps(text)', "contains its text"),
            ('context.execute_steps("\\n".join(f"Given the lid is {each}" for each in all))', "contains its text"),
        )
    ),
    (
        {
            BEHAVE_STEPS: BEHAVE,
            ENVIRONMENT: "from texts import shut\n" + HOOK + "    context.execute_steps(shut)\n",
            "features/texts.py": "shut = 'Given the lid is shut'\n",
        },
        "contains its text: {}/features/texts.py:1",
    ),
    *(
        ({STEPS: RUBY, SUPPORT: f"Before do\n{code}\nend\n"}, says)
        for code, says in (
            ('step "the lid is #{state}"', "may run it with a text"),
            ('step "the #{thing} is shut"', "may run it with a text"),
            ("step 'the lid is ' + state", "may run it with a text"),
            ("step('the lid is %s' % state)", "may run it with a text"),
            ("step format('the lid is %s', state)", "contains its text"),
            ("steps %{\n  Given the lid is #{state}\n}", "may run it with a text"),
            ("steps <<~STEPS\n  Given the lid is #{state}\nSTEPS", "may run it with a text"),
        )
    ),
    (
        {STEPS: RUBY, SUPPORT: "Before { step(SHUT) }\n", "features/support/a.rb": "SHUT = 'the lid is shut'\n"},
        "a.rb:1",
    ),
    ({"Steps.cs": CSHARP.format("", '[AfterStep] public void Go() { Given($"the lid is {x}"); }')}, "may run it with"),
    ({"Steps.cs": CSHARP.format("", '[AfterStep] public void Go() { Given("the lid " + x); }')}, "may run it with"),
]
"""Texts that a program composes: nobody knows what they say."""

UNUSED = [
    {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    context.execute_steps(f'Given the door is {state}')\n"},
    {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    context.execute_steps(f'Given the lid is shut by {who}')\n"},
    {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    context.execute_steps(text)\n", "a.py": "A = 'the lid is shut'\n"},
    {STEPS: RUBY, SUPPORT: 'Before { step "the lid #{state} open" }\n'},
    {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    # context.execute_steps('Given the lid is shut')\n    pass\n"},
    {BEHAVE_STEPS: BEHAVE, ENVIRONMENT: HOOK + "    context.log('the lid is shut')\n"},
    {STEPS: RUBY + "When('I go') { step 'the lid is shut tight' }\n"},
    {"spec/steps/lid_steps.rb": TURNIP + "step 'I go' do\n  step 'the door is shut'\nend\n"},
    {
        "src/test/java/Steps.java": JAVA.format(
            '@Beforehand @SuppressWarnings("test") ', "@Before public void go() { } "
        )
    },
    {"Steps.cs": CSHARP.format('[Obsolete("Old, test")]', "[BeforeScenario] public void Go() { }")},
    {"features/bootstrap/A.php": PHP.format("* Shuts it, test by test @Before all\n   ", "")},
    {"features/bootstrap/A.php": PHP.format("", "/** @BeforeScenario */ public function go() { }")},
    {"tests/test_lid.py": PYTEST.format("", "@pytest.fixture\ndef go():\n    pass\n")},
]


def deleted(folder: Path, files: dict[str, str]) -> None:
    """Plan to delete the definition of the step "the lid is shut"."""
    for path, text in files.items():
        written(folder, path, text)
    workspace, functions = read(folder)
    assert workspace.glue is not None
    definition = next(each for each in workspace.glue.definitions if each.expression == "the lid is shut")
    Merger(workspace, functions).delete(definition)


@pytest.mark.parametrize(("files", "says"), [*USES, *PARTLY_KNOWN])
def test_what_code_uses_is_not_deleted(tmp_path: Path, files: dict[str, str], says: str) -> None:
    with pytest.raises(UnmergeableError, match=re.escape(says.format(tmp_path))):
        deleted(tmp_path, files)


@pytest.mark.parametrize("files", UNUSED)
def test_what_no_code_uses_is_deleted(tmp_path: Path, files: dict[str, str]) -> None:
    deleted(tmp_path, files)
