"""Outcome steps whose code checks nothing are reported if the suite's own style is known."""

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


def suite(folder: Path, name: str, outcomes: int, acting: str = "", silent: str = "") -> list[str]:
    """The findings of a suite with some outcomes that check and one that only acts: as actions do, or as `silent`."""
    head, definition, (usual, checking) = LANGUAGES[name]
    acting = acting or usual
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
    text, body = "the order should be shown", silent or acting.format(number=99)
    source += definition.format(keyword="then" if lower else "Then", text=text, body=body, number=99)
    steps.append(f"Then {text}")
    path = folder / "features" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    {step}\n" for step in steps)
    (folder / "features" / "a.feature").write_text(feature, "utf-8")
    (suite,) = scan([folder], model=False).suites
    return [finding.others[0].text for finding in suite.findings if "checks nothing" in finding.message]


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_outcome_that_only_does_something(tmp_path: Path, name: str) -> None:
    assert suite(tmp_path, name, outcomes=25) == ["the order should be shown"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_few_outcomes_are_no_style(tmp_path: Path, name: str) -> None:
    assert suite(tmp_path, name, outcomes=5) == []


@pytest.mark.parametrize(
    ("name", "acting", "silent", "is_reported"),
    [
        pytest.param("steps.js", "cy.get('{number}').click();", "cy.get('order');", False, id="Cypress"),
        pytest.param("steps.js", "cy.get('{number}').click();", "cy.get('order').click();", True, id="Cypress, acting"),
        pytest.param("steps.js", "this.page.get('{number}');", "this.page.get('order');", True, id="another get"),
        pytest.param("steps.js", "screen.findByText('{number}').click();", "screen.findByText('order', {a: 1});",
                     False, id="Testing Library"),
        pytest.param("steps.js", "this.page.getByText('{number}').click();", "this.page.getByText('order');",
                     True, id="Playwright is lazy"),
        pytest.param("step_definitions/steps.rb", "find('{number}').click", "find('order', text: 'a')",
                     False, id="Capybara"),
        pytest.param("step_definitions/steps.rb", "find('{number}').click", "find('order').click",
                     True, id="Capybara, acting"),
        pytest.param("steps/steps.py", "context.find_element('{number}').click()", "context.find_element('order')",
                     False, id="Selenium"),
        pytest.param("steps/steps.py", "context.find_elements('{number}')", "context.find_elements('order')",
                     True, id="Selenium finds none of them"),
    ],
)  # fmt: skip
def test_a_query_that_fails_where_nothing_is_there_checks(
    tmp_path: Path, name: str, acting: str, silent: str, is_reported: bool
) -> None:
    assert suite(tmp_path, name, 25, acting, silent) == (["the order should be shown"] if is_reported else [])
