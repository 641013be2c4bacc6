"""Constants of an expression that other files use in any way: the rename reports the places."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from tests.refactor.test_constants import CSHARP, GO, JAVA, KOTLIN, PHP, TS, planned

SHARED = {
    "a page takes it too": {
        "says.ts": "export const LOGIN = 'I sign in';\n",
        "s.ts": TS + "import { LOGIN } from './says';\nGiven(LOGIN, () => go());\n",
        "page.ts": "import { LOGIN } from '../x/says';\nimport * as all from './says';\nlog(all.LOGIN);\n",
    },
    "by way of an index": {
        "says.ts": "export const LOGIN = 'I sign in';\n",
        "index.ts": "export * from './says';\n",
        "s.ts": TS + "import { LOGIN } from './says';\nGiven(LOGIN, () => go());\n",
        "page.ts": "import { LOGIN } from '.';\n\nlog(LOGIN);\n",
    },
    "a subclass": {
        "steps/Says.java": 'package steps;\nclass Says { static final String LOGIN = "I sign in"; }\n',
        "steps/S.java": JAVA + "class S { @Given(Says.LOGIN) public void f() { go(); } }\n",
        "steps/page.java": "package steps;\nclass Page extends Says {\n  void f() { log(LOGIN); } }\n",
    },
}


TS_SAYS = {
    "says.ts": "export const LOGIN = 'I sign in';\n",
    "s.ts": TS + "import { LOGIN } from './says';\nGiven(LOGIN, () => go());\n",
}


JS_SAYS = {
    "says.js": "const says = { LOGIN: 'I sign in' };\nmodule.exports = { says };\n",
    "s.js": "const { Given } = require('@cucumber/cucumber');\nconst { says } = require('./says');\n"
    "Given(says.LOGIN, () => go());\n",
}


PY_SAYS = {
    "says.py": "LOGIN = 'I sign in'\n",
    "s.py": "from behave import given\nfrom says import LOGIN\n@given(LOGIN)\ndef f(context): ...\n",
}


JAVA_SAYS = {
    "steps/Says.java": 'package steps;\npublic class Says { public static final String LOGIN = "I sign in"; }\n',
    "steps/S.java": JAVA + "class S { @Given(Says.LOGIN) public void f() { go(); } }\n",
}


KOTLIN_SAYS = {
    "Says.kt": 'package a\nobject Says {\n  const val LOGIN = "I sign in"\n}\n',
    "S.kt": KOTLIN + "class S {\n  @Given(Says.LOGIN)\n  fun f() {}\n}\n",
}


CSHARP_SAYS = {
    "Says.cs": 'namespace N;\npublic static class Says { public const string Login = "I sign in"; }\n',
    "S.cs": CSHARP + "  [Given(Says.Login)] public void F() { }\n}\n",
}


RUBY_SAYS = {
    "says.rb": "module Says\n  LOGIN = 'I sign in'\nend\n",
    "s.rb": "Given(Says::LOGIN) { go }\n",
}


PHP_SAYS = {
    "Says.php": "<?php\nnamespace N;\nclass Says {\n  const LOGIN = 'I sign in';\n}\n",
    "C.php": PHP + "  #[Given(Says::LOGIN)]\n  public function f() { go(); }\n}\n",
}


GO_SAYS = {
    "a_test.go": GO + "\tctx.Step(LOGIN, f)\n}\n",
    "says_test.go": "package a\nconst LOGIN = `^I sign in$`\n",
}


TAKEN = {
    "by destructuring": {**TS_SAYS, "u.ts": "import * as says from './says';\nconst { LOGIN } = says;\nlog(LOGIN);\n"},
    "by destructuring to another name": {
        **TS_SAYS,
        "u.ts": "import * as says from './says';\nconst { LOGIN: l } = says;\nlog(l);\n",
    },
    "by another name": {**TS_SAYS, "u.ts": "import { LOGIN as L } from './says';\nlog(L);\n"},
    "by its module": {**TS_SAYS, "u.ts": "import * as says from './says';\nlog(says.LOGIN);\n"},
    "by a key": {**TS_SAYS, "u.ts": "import * as says from './says';\nlog(says['LOGIN']);\n"},
    "by an index with a name": {
        **TS_SAYS,
        "lib/index.ts": "export { LOGIN } from '../says';\n",
        "u.ts": "import { LOGIN } from './lib';\nlog(LOGIN);\n",
    },
    "at once": {**JS_SAYS, "u.js": "log(require('./says').says.LOGIN);\n"},
    "of an object by destructuring": {
        **JS_SAYS,
        "u.js": "const { says } = require('./says');\nconst { LOGIN } = says;\nlog(LOGIN);\n",
    },
    "of an object by another name": {
        **JS_SAYS,
        "u.js": "const { says: texts } = require('./says');\nlog(texts.LOGIN);\n",
    },
    "by a star": {**PY_SAYS, "u.py": "from says import *\nprint(LOGIN)\n"},
    "by a module's other name": {**PY_SAYS, "u.py": "import says as s\nprint(s.LOGIN)\n"},
    "by a package": {
        "pkg/says.py": "LOGIN = 'I sign in'\n",
        "pkg/__init__.py": "from .says import LOGIN\n",
        "s.py": "from behave import given\nfrom pkg.says import LOGIN\n@given(LOGIN)\ndef f(context): ...\n",
        "u.py": "from pkg import LOGIN\nprint(LOGIN)\n",
    },
    "by getattr": {**PY_SAYS, "u.py": "import says\nprint(getattr(says, 'LOGIN'))\n"},
    "of its own class": {
        "s.py": "from behave import given\nclass Say:\n    LOGIN = 'I sign in'\n"
        "@given(Say.LOGIN)\ndef f(context): ...\n",
        "u.py": "from s import Say\nclass More(Say):\n    def go(self):\n        print(self.LOGIN)\n",
    },
    "by an interface": {
        "steps/Says.java": 'package steps;\ninterface Says { String LOGIN = "I sign in"; }\n',
        "steps/S.java": JAVA + "class S { @Given(Says.LOGIN) public void f() { go(); } }\n",
        "steps/U.java": "package steps;\nclass U implements Says { void f() { log(LOGIN); } }\n",
    },
    "by a static star": {**JAVA_SAYS, "U.java": "import static steps.Says.*;\nclass U { void f() { log(LOGIN); } }\n"},
    "by an instance": {**JAVA_SAYS, "steps/U.java": "package steps;\nclass U { void f(Says s) { log(s.LOGIN); } }\n"},
    "by an import of Kotlin": {**KOTLIN_SAYS, "U.kt": "package a\nimport a.Says.LOGIN\nfun f() = log(LOGIN)\n"},
    "by another name of Kotlin": {**KOTLIN_SAYS, "U.kt": "package a\nimport a.Says.LOGIN as L\nfun f() = log(L)\n"},
    "by using static": {**CSHARP_SAYS, "U.cs": "using static N.Says;\nclass U { void F() { Log(Login); } }\n"},
    "by an alias of C#": {**CSHARP_SAYS, "U.cs": "using T = N.Says;\nclass U { void F() { Log(T.Login); } }\n"},
    "by include": {**RUBY_SAYS, "u.rb": "class U\n  include Says\n  def f = log(LOGIN)\nend\n"},
    "in the module again": {**RUBY_SAYS, "u.rb": "module Says\n  def self.f = log(LOGIN)\nend\n"},
    "by an alias of PHP": {**PHP_SAYS, "U.php": "<?php\nuse N\\Says as T;\nlog(T::LOGIN);\n"},
    "by a subclass of PHP": {
        **PHP_SAYS,
        "U.php": "<?php\nclass U extends Says { function f() { log(self::LOGIN); } }\n",
    },
    "by an import of a package of Kotlin": {
        "a/Says.kt": 'package a\nconst val LOGIN = "I sign in"\n',
        "a/S.kt": KOTLIN + "class S {\n  @Given(LOGIN)\n  fun f() {}\n}\n",
        "b/U.kt": "package b\nimport a.*\nfun f() = log(LOGIN)\n",
    },
    "by a header over lines": {
        "steps/Says.java": 'package steps;\ninterface Says { String LOGIN = "I sign in"; }\n',
        "steps/S.java": JAVA + "class S { @Given(Says.LOGIN) public void f() { go(); } }\n",
        "U.java": "package steps;\nclass U extends Base implements Other,\n        Says {\n"
        " void f() { log(LOGIN); } }\n",
    },
    "of a module that is the object": {
        "says.js": "const says = { LOGIN: 'I sign in' };\nmodule.exports = says;\n",
        "s.js": "const { Given } = require('@cucumber/cucumber');\nconst says = require('./says');\n"
        "Given(says.LOGIN, () => {});\n",
        "u.js": "const { LOGIN } = require('./says');\nlog(LOGIN);\n",
    },
    "of an instance that comes from elsewhere": {
        "pages.py": "class Pages:\n    LOGIN = 'I sign in'\n",
        "s.py": "from behave import given\nfrom pages import Pages\n@given(Pages.LOGIN)\ndef f(context): ...\n",
        "u.py": "def test(pages):\n    print(pages.LOGIN)\n",
    },
    "by a path that a configuration maps": {**TS_SAYS, "u.ts": "import { LOGIN } from '@org/shared';\nlog(LOGIN);\n"},
    "by way of the package": {
        "pkg/__init__.py": "",
        "pkg/says.py": "LOGIN = 'I sign in'\n",
        "s.py": "from behave import given\nfrom pkg.says import LOGIN\n@given(LOGIN)\ndef f(context): ...\n",
        "u.py": "import pkg\nprint(pkg.says.LOGIN)\n",
    },
    "by a receiver of Kotlin": {**KOTLIN_SAYS, "u.kt": "package a\nfun f() = with(Says) { log(LOGIN) }\n"},
    "in a module's eval": {**RUBY_SAYS, "u.rb": "Says.module_eval do\n  log(self::LOGIN)\nend\n"},
    "by a label, with an enumeration elsewhere": {
        **JAVA_SAYS,
        "steps/E.java": "package steps;\nenum E { LOGIN, OUT }\n",
        "u.java": "import static steps.Says.LOGIN;\n"
        "class U { void f(String t) { switch (t) { case LOGIN: go(); } } }\n",
    },
    "by what a superclass includes": {
        **RUBY_SAYS,
        "b.rb": "class Base\n  include Says\nend\n",
        "u.rb": "class U < Base\n  def f = log(LOGIN)\nend\n",
    },
    "when it is loaded": {**TS_SAYS, "u.ts": "import('./says').then(m => log(m.LOGIN));\n"},
    "by importlib": {
        **PY_SAYS,
        "u.py": "import importlib\nsays = importlib.import_module('says')\nprint(says.LOGIN)\n",
    },
    "spread into another": {
        **JS_SAYS,
        "v.js": "const { says } = require('./says');\nmodule.exports = { ...says };\n",
        "u.js": "const { LOGIN } = require('./v');\nlog(LOGIN);\n",
    },
    "in another language of the program": {**JAVA_SAYS, "U.kt": "package a\nfun f() = log(steps.Says.LOGIN)\n"},
    "by a name that is another class's too": {
        **TS_SAYS,
        "urls.ts": "export class Urls { static LOGIN = '/login'; }\n",
        "u.ts": "import * as Urls from './says';\nlog(Urls.LOGIN);\n",
    },
    "by a page of Vue": {**TS_SAYS, "u.vue": "<script>\nimport { LOGIN } from './says';\nlog(LOGIN);\n</script>\n"},
    "by a key's type": {
        **TS_SAYS,
        "u.ts": "import * as says from './says';\nconst one: keyof typeof says = 'LOGIN';\nlog(says[one]);\n",
    },
    "by the class that inherits it": {
        **PY_SAYS,
        "u.py": "class Base:\n    LOGIN = ''\n    def go(self):\n        log(self.LOGIN)\n",
    },
    "by a task of Rake": {**RUBY_SAYS, "u.rake": "task(:go) { log Says::LOGIN }\n"},
    "in the package of Go": {**GO_SAYS, "u_test.go": "package a\nfunc g() { log(LOGIN) }\n"},
}


@pytest.mark.parametrize("case", SHARED)
def test_who_takes_it_from_its_file_is_told(case: str, tmp_path: Path) -> None:
    files = SHARED[case]
    with pytest.raises(RefusedPlanError, match=rf"{[*files][-1]}:[13]"):
        planned(tmp_path, files)


@pytest.mark.parametrize("case", TAKEN)
def test_however_it_is_taken(case: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedPlanError, match=r"[uU](?:_test)?\.\w+:\d+|several values"):
        planned(tmp_path, TAKEN[case])
