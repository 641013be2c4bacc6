"""Outcome steps whose code checks nothing are told where the suite's own style is known."""

from pathlib import Path

import pytest

from cukereuse_engine.api import scan

LANGUAGES = {
    "steps/steps.py": (
        "from behave import when, then\n",
        '@{keyword}("{text}")\ndef step_{number}(context):\n    {body}\n\n\n',
        ('context.page.fill("{number}")\n    context.page.press("go")', 'assert context.page.text == "{number}"'),
    ),
    "step_definitions/steps.rb": (
        "",
        "{keyword}('{text}') do\n  {body}\nend\n\n",
        ("fill_in '{number}'\n  click_on 'Go'", "expect(page).to have_content('{number}')"),
    ),
    "steps.js": (
        "const {{ When, Then }} = require('@cucumber/cucumber');\n",
        "{keyword}('{text}', async function () {{\n  {body}\n}});\n\n",
        (
            "await this.page.fill('{number}');\n  await this.page.click('go');",
            "expect(await this.page.text()).to.equal('{number}');",
        ),
    ),
}


def suite(folder: Path, name: str, outcomes: int) -> list[str]:
    """What is said of a suite with some outcomes that check and one that only does something."""
    head, definition, (acting, checking) = LANGUAGES[name]
    lower = name.endswith(".py")
    steps, source = [], head.format()
    for number in range(5):
        text = f"I order number {number}"
        body = acting.format(number=number)
        source += definition.format(keyword="when" if lower else "When", text=text, body=body, number=number)
        steps.append(f"When {text}")
    for number in range(outcomes):
        text = f"I should see number {number}"
        body = checking.format(number=number)
        source += definition.format(keyword="then" if lower else "Then", text=text, body=body, number=number + 10)
        steps.append(f"Then {text}")
    text, body = "the order should be shown", acting.format(number=99)
    source += definition.format(keyword="then" if lower else "Then", text=text, body=body, number=99)
    steps.append(f"Then {text}")
    path = folder / "features" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    {step}\n" for step in steps)
    (folder / "features" / "a.feature").write_text(feature, "utf-8")
    (found,) = scan([folder], model=False).suites
    return [one.others[0].text for one in found.findings if "checks nothing" in one.message]


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_outcome_that_only_does_something(tmp_path: Path, name: str) -> None:
    assert suite(tmp_path, name, outcomes=25) == ["the order should be shown"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_few_outcomes_are_no_style(tmp_path: Path, name: str) -> None:
    assert suite(tmp_path, name, outcomes=5) == []
