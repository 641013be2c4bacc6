"""Functions that are not written yet."""

import pytest

from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.glue.sources import extract_source

SOURCES = {
    "py": "from behave import then\n@then('it {{n}}')\ndef step(context, n):\n    {code}\n",
    "ts": "import {{ Then }} from '@cucumber/cucumber';\nThen('it {{string}}', function (n) {{ {code} }});\n",
    "rb": "Then('it {{string}}') do |n|\n  {code}\nend\n",
    "java": 'import io.cucumber.java.en.Then;\npublic class A {{\n  @Then("it {{int}}")\n'
    "  public void step(int n) {{ {code} }}\n}}\n",
}


@pytest.mark.parametrize(
    ("suffix", "code", "says"),
    [
        ("py", "pass", False),
        ("py", "raise NotImplementedError", False),
        ("py", "assert n == '3'", False),
        ("py", "assert context.failed is False", True),
        ("py", "assert context.n == n", True),
        ("py", "assert total(n) == 3", True),
        ("py", "assert context['n'] == n", True),
        ("py", "assert context == n", True),
        ("ts", "expect(n['page']).toBe(3);", True),
        ("ts", "assert(n);", False),
        ("ts", "expect(n).toBe('3');", False),
        ("ts", "expect(this.page).toBe(n);", True),
        ("ts", "expect(page.title()).toBe(n);", True),
        ("ts", "n.click();", True),
        ("rb", "assert_flash n", True),
        ("rb", "assert_current_path %r{/login}", True),
        ("rb", "assert_equal '3', n", False),
        ("ts", "assertPageShows(n);", True),
        ("rb", "pending", False),
        ("rb", "case n when 1 then visit('/a') else pending end", True),
        ("rb", "pending unless @page; visit n", True),
        ("java", "if (n > 3) { throw new PendingException(); } page.open(n);", True),
        ("java", "if (n > 3) { page.open(n); } throw new PendingException();", False),
        ("rb", "require 'pry'; binding.pry", False),
        ("py", "breakpoint()", False),
        ("ts", "debugger;", False),
        ("ts", "n(null, 'pending');", False),
        ("ts", "cy.login('admin');", True),
        ("ts", "cy.log('later');", False),
        ("ts", "n(null, 'open');", True),
        ("ts", "page.mark('pending');", True),
        ("rb", "expect(page).to have_text n", True),
        ("java", "assertEquals(3, n);", False),
        ("java", "assertEquals(total, n);", True),
        ("java", "throw new PendingException();", False),
        ("py", "if n == '3': raise NotImplementedError\n    else: raise NotImplementedError('n')", False),
        ("py", "if n == '3': pass\n    elif n: context.go()\n    else: raise NotImplementedError", True),
        (
            "py",
            "if n == '3':\n        raise NotImplementedError\n"
            "    elif n == '4':\n        if n: raise NotImplementedError\n        else: raise NotImplementedError\n"
            "    else:\n        raise NotImplementedError",
            False,
        ),
        ("py", "if context.n: raise NotImplementedError\n    context.go(n)", True),
        ("ts", "if (n === '3') { return 'pending'; } else { return 'pending'; }", False),
        ("ts", "if (n === '3') { return 'pending'; } else { page.open(n); }", True),
        ("ts", "if (n === '3') { page.open(n); } else if (n) { return 'pending'; } else { return 'pending'; }", True),
        ("rb", "if n == 3 then pending elsif n then pending 'n' else pending end", False),
        ("rb", "if n == 3 then pending elsif n then visit n else pending end", True),
        ("java", "if (n > 3) { throw new PendingException(); } else { throw new PendingException(); }", False),
    ],
)
def test_code_that_only_looks_at_its_arguments_says_nothing(suffix: str, code: str, says: bool) -> None:
    source = SOURCES[suffix].format(code=code).encode()
    definitions = extract_source(f"a.{suffix}", source).definitions
    assert len(definitions) == 1
    forms = forms_of(f"a.{suffix}", source, definitions)
    assert (bool(forms.forms), bool(forms.unwritten)) == (says, not says)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "test_a.py",
            "from pytest_bdd import parsers, then\n@then(parsers.parse('the result is {n:d}'))\n"
            "def check(result, n):\n    assert result == n\n",
        ),
        (
            "a.js",
            "const { Then } = require('@cucumber/cucumber');\nfunction steps() {\n  let result = 0;\n"
            "  Then('result is {int}', (n) => expect(result).toBe(n));\n}\nsteps();\n",
        ),
    ],
)
def test_fixtures_and_names_around_a_function_are_state(path: str, source: str) -> None:
    data = source.encode()
    assert forms_of(path, data, extract_source(path, data).definitions).forms
