"""Expressions that are constants: the value is rewritten, if nothing else uses it.

A namesake alone is no reason to refuse: the source tells to whom a name belongs.
"""

from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings

FEATURE = "Feature: F\n  Scenario: S\n    Given I sign in\n"
TS = "import { Given } from '@cucumber/cucumber';\n"
JAVA = "package steps;\nimport io.cucumber.java.en.Given;\n"
PHP = "<?php\nuse Behat\\Step\\Given;\nclass C implements \\Behat\\Behat\\Context\\Context {\n"
CSHARP = "using Reqnroll;\n[Binding]\npublic class Steps {\n"
GO = 'package a\nimport "github.com/cucumber/godog"\nfunc I(ctx *godog.ScenarioContext) {\n'
KOTLIN = "package a\nimport io.cucumber.java.en.Given\n"

NAMESAKES = {
    "an argument is called so (Python)": (
        "s.py",
        "from behave import given\nLOGIN = 'I sign in'\n@given(LOGIN)\ndef f(context):\n    context.go(LOGIN=1)\n",
    ),
    "a class has one of that name (Python)": (
        "s.py",
        "from behave import given\nimport enum\nLOGIN = 'I sign in'\nclass Page(enum.Enum):\n    LOGIN = '/login'\n"
        "@given(LOGIN)\ndef f(context):\n    context.go(Page.LOGIN.value)\n",
    ),
    "a class says it, and the module has another (Python)": (
        "s.py",
        "from behave import given\nclass Say:\n    LOGIN = 'I sign in'\nLOGIN = '/login'\n"
        "@given(Say.LOGIN)\ndef f(context):\n    context.go(LOGIN)\n",
    ),
    "a function has one (Python)": (
        "s.py",
        "from behave import given\nLOGIN = 'I sign in'\ndef go():\n    LOGIN = '/login'\n    visit(LOGIN)\n"
        "@given(LOGIN)\ndef f(context): ...\n",
    ),
    "another module has one (Ruby)": (
        "s.rb",
        "LOGIN = 'I sign in'\nmodule Urls\n  LOGIN = '/login'\nend\nGiven(LOGIN) { visit Urls::LOGIN }\n",
    ),
    "a module says it, and the file has another (Ruby)": (
        "s.rb",
        "LOGIN = '/login'\nmodule Says\n  LOGIN = 'I sign in'\nend\nGiven(Says::LOGIN) { visit LOGIN }\n",
    ),
    "an enumeration has one (Java)": (
        "S.java",
        JAVA + 'class S {\n  private static final String LOGIN = "I sign in";\n  enum Page { LOGIN, HOME }\n'
        "  @Given(LOGIN) public void f() { go(Page.LOGIN); }\n}\n",
    ),
    "a key of an object (TypeScript)": (
        "s.ts",
        TS + "const LOGIN = 'I sign in';\nconst urls = { LOGIN: '/login' };\nGiven(LOGIN, () => go(urls.LOGIN));\n",
    ),
    "an enumeration has one (TypeScript)": (
        "s.ts",
        TS + "const LOGIN = 'I sign in';\nenum Page { LOGIN, HOME }\nGiven(LOGIN, () => go(Page.LOGIN));\n",
    ),
    "a parameter is called so (JavaScript)": (
        "s.js",
        "const { Given } = require('@cucumber/cucumber');\nconst login = 'I sign in';\n"
        "const go = (login) => visit(login);\nGiven(login, () => go('x'));\n",
    ),
    "a case of an enumeration (PHP)": (
        "C.php",
        PHP + "  const LOGIN = 'I sign in';\n  #[Given(self::LOGIN)]\n  public function f() { go(Page::LOGIN); }\n}\n"
        "enum Page { case LOGIN; }\n",
    ),
    "a member of an enumeration (C#)": (
        "S.cs",
        CSHARP + '  const string Login = "I sign in";\n  enum Page { Login, Home }\n'
        "  [Given(Login)] public void F() { Go(Page.Login, Login: 1); }\n}\n",
    ),
    "a local variable (Go)": (
        "s_test.go",
        GO.replace("func I", "const login = `^I sign in$`\nfunc g() {\n login := 1\n use(login)\n}\nfunc I")
        + " ctx.Step(login, f)\n}\n",
    ),
    "a parameter (Kotlin)": (
        "S.kt",
        KOTLIN + 'private const val LOGIN = "I sign in"\nenum class Page { LOGIN, HOME }\nclass S {\n'
        "  @Given(LOGIN)\n  fun f() {\n    go(Page.LOGIN, LOGIN = 1)\n  }\n}\n",
    ),
}

ALONE = {
    "joined literals": (
        "s.ts",
        TS + "const LOGIN = 'I sign' +\n  ' in';\nGiven(LOGIN, () => go());\n",
    ),
    "a comment tells of it": (
        "s.py",
        "from behave import given\n# LOGIN: what users say\nLOGIN = 'I sign in'\n@given(LOGIN)\ndef f(context): ...\n",
    ),
    "a constant of the class": (
        "S.java",
        JAVA + 'class S {\n  private static final String LOGIN = "I sign in";\n  @Given(LOGIN) public void f() {}\n}\n',
    ),
    "handed on under its name": (
        "s.js",
        "const { Given } = require('@cucumber/cucumber');\nconst LOGIN = 'I sign in';\nGiven(LOGIN, () => go());\n"
        "module.exports = { LOGIN };\n",
    ),
    "a longer name holds it": (
        "s.rb",
        "LOGIN = 'I sign in'\nLOGIN_PAGE = '/login'\nGiven(LOGIN) { visit LOGIN_PAGE }\n",
    ),
    "a constant of Go": (
        "s_test.go",
        GO.replace("func I", "const login = `^I sign in$`\nfunc I") + " ctx.Step(login, f)\n}\n",
    ),
}

USED = {
    "a method of a class sees the module's": (
        "s.py",
        "from behave import given\nLOGIN = 'I sign in'\n"
        "class P:\n    LOGIN = 1\n    def g(self):\n        return LOGIN\n"
        "@given(LOGIN)\ndef f(context): ...\n",
        "several values .*s.py:2, .*s.py:4",
    ),
    "a value of its class": (
        "S.java",
        JAVA + 'class S {\n  static final String LOGIN = "I sign in";\n'
        "  @Given(LOGIN) public void f() { log(S.LOGIN); }\n}\n",
        "S.java:5",
    ),
    "two uses are said": (
        "s.rb",
        "LOGIN = 'I sign in'\nGiven(LOGIN) { log LOGIN }\nputs LOGIN\n",
        "s.rb:2, .*s.rb:3 use too",
    ),
    "a template": (
        "s.ts",
        TS + "const LOGIN = 'I sign in';\nGiven(LOGIN, () => log(`${LOGIN}!`));\n",
        "s.ts:3",
    ),
    "a label of a switch, of whatever": (
        "S.java",
        JAVA + 'class S {\n  static final String LOGIN = "I sign in";\n  enum Page { LOGIN, HOME }\n'
        "  @Given(LOGIN) public void f() { switch (page) { case LOGIN: go(); } }\n}\n",
        "S.java:6",
    ),
    "a short template of Kotlin": (
        "S.kt",
        KOTLIN + 'const val LOGIN = "I sign in"\nval x = "$LOGIN!"\nclass S {\n  @Given(LOGIN)\n  fun f() {}\n}\n',
        "S.kt:4",
    ),
    "of a library's class that nobody can read": (
        "s.rb",
        "LOGIN = 'I sign in'\nGiven(LOGIN) { visit Urls::LOGIN }\n",
        "s.rb:2",
    ),
    "looked up by name": (
        "s.rb",
        "module Says\n  LOGIN = 'I sign in'\nend\nGiven(Says::LOGIN) { Says.const_get(:LOGIN) }\n",
        "s.rb:4",
    ),
}

ELSEWHERE = {
    "an import of TypeScript": {
        "says.ts": "export const LOGIN = 'I sign in';\nexport const OUT = 'I sign out';\n",
        "s.ts": TS + "import { LOGIN } from './says';\nGiven(LOGIN, () => go());\n",
    },
    "an object of JavaScript": {
        "says.js": "const says = { LOGIN: 'I sign in' };\nmodule.exports = { says };\n",
        "s.js": "const { Given } = require('@cucumber/cucumber');\nconst { says } = require('./says');\n"
        "Given(says.LOGIN, () => go());\n",
    },
    "an import of Python": {
        "says.py": "LOGIN = 'I sign in'\n",
        "steps/s.py": "from behave import given\nfrom says import LOGIN\n@given(LOGIN)\ndef f(context): ...\n",
    },
    "a module of Python": {
        "steps/says.py": "LOGIN = 'I sign in'\n",
        "steps/s.py": "from behave import given\nfrom steps import says\n@given(says.LOGIN)\ndef f(context): ...\n",
    },
    "a class of Java": {
        "steps/Says.java": 'package steps;\nclass Says { static final String LOGIN = "I sign in"; }\n',
        "steps/S.java": JAVA + "class S { @Given(Says.LOGIN) public void f() { go(); } }\n",
    },
    "a static import of Java": {
        "steps/Says.java": 'package steps;\nclass Says { static final String LOGIN = "I sign in"; }\n',
        "steps/S.java": JAVA + "import static steps.Says.LOGIN;\nclass S { @Given(LOGIN) public void f() { go(); } }\n",
    },
    "a module of Ruby": {
        "says.rb": "module Says\n  LOGIN = 'I sign in'\nend\n",
        "s.rb": "Given(Says::LOGIN) { visit }\n",
    },
    "a class of PHP": {
        "Says.php": "<?php\nclass Says {\n  const LOGIN = 'I sign in';\n}\n",
        "C.php": PHP + "  #[Given(Says::LOGIN)]\n  public function f() { go(); }\n}\n",
    },
    "a class of C#": {
        "Says.cs": 'static class Says { public const string Login = "I sign in"; }\n',
        "S.cs": CSHARP + "  [Given(Says.Login)] public void F() { Go(); }\n}\n",
    },
    "an object of Kotlin": {
        "Says.kt": 'package a\nobject Says {\n  const val LOGIN = "I sign in"\n}\n',
        "S.kt": KOTLIN + "class S {\n  @Given(Says.LOGIN)\n  fun f() {\n    go()\n  }\n}\n",
    },
}


def planned(folder: Path, files: dict[str, str]) -> dict[str, Any]:
    (folder / ".git").mkdir()
    for name, text in {"a.feature": FEATURE, **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    settings = Settings(jobs=1)
    workspace = read_repository([folder], settings, lambda _: settings, use_cache=False).suites
    assert workspace is not None
    assert workspace.glue is not None
    assert [definition.expression.strip("^$") for definition in workspace.glue.definitions] == ["I sign in"]
    plan = plan_rename(request_for(workspace, "I sign in", "I log in"), workspace)
    return {Path(file.path).relative_to(folder).as_posix(): file.edits for file in plan.files}


@pytest.mark.parametrize("case", NAMESAKES)
def test_a_namesake_is_taken_for_a_use(case: str, tmp_path: Path) -> None:
    """Nothing can prove that it is no use: aliases, inheritance, lookups by name in a class."""
    path, text = NAMESAKES[case]
    with pytest.raises(RefusedPlanError, match=r"uses? too|several values"):
        planned(tmp_path, {path: text})


@pytest.mark.parametrize("case", ALONE)
def test_a_constant_that_nothing_else_names_is_rewritten(case: str, tmp_path: Path) -> None:
    path, text = ALONE[case]
    (edit,) = planned(tmp_path, {path: text})[path]
    assert edit.old.strip("'\"`^$").startswith("I sign")
    assert edit.new.strip("'\"`^$") == "I log in"


@pytest.mark.parametrize("case", USED)
def test_what_else_uses_it_is_told(case: str, tmp_path: Path) -> None:
    path, text, places = USED[case]
    with pytest.raises(RefusedPlanError, match=places):
        planned(tmp_path, {path: text})


@pytest.mark.parametrize("case", ELSEWHERE)
def test_rewritten_in_the_file_that_defines_it(case: str, tmp_path: Path) -> None:
    files = ELSEWHERE[case]
    edits = planned(tmp_path, files)
    assert sorted(edits) == sorted(["a.feature", next(iter(files))])
    (edit,) = edits[next(iter(files))]
    assert (edit.old[1:-1], edit.new[1:-1]) == ("I sign in", "I log in")
