"""A block with step functions in two files: what one exports, and which circles imports would close."""

import pytest

from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.functions.imported_files import imported_files

FEATURE = "Feature: f\n" + "".join(
    f"  Scenario: {name}\n    Given I open the page\n    And I fill it in\n    And I press the button\n{then}"
    for name, then in (("a", "    Then all is done\n"), ("b", ""), ("c", "    When I pay\n    Then all is done\n"))
)
PAGES_JS = """\
const { Given, When, Then } = require('@cucumber/cucumber');
Given('I open the page', function () {});
Given('I press the button', function () {});
When('I pay', function () {});
Then('all is done', function () {});
"""
FORMS_JS = "const { Given } = require('@cucumber/cucumber');\nfunction fill() {}\nGiven('I fill it in', fill);\n"
PAGES_MJS, FORMS_MJS = (
    text.replace("const {", "import {").replace("= require('@cucumber/cucumber')", "from '@cucumber/cucumber'")
    for text in (PAGES_JS, FORMS_JS)
)
PAGES_PY = """\
from pytest_bdd import given, when, then


@given("I open the page")
def open_page():
    pass


@given("I press the button")
def press():
    pass


@when("I pay")
def pay():
    pass


@then("all is done")
def done():
    pass
"""
FORMS_PY = 'from pytest_bdd import given\n\n\n@given("I fill it in")\ndef fill():\n    pass\n'
JS = {"steps/pages.js": PAGES_JS, "steps/forms.js": FORMS_JS}
MJS = {"steps/pages.mjs": PAGES_MJS, "steps/forms.mjs": FORMS_MJS}
PY = {"steps/__init__.py": "", "steps/pages.py": PAGES_PY, "steps/forms.py": FORMS_PY}


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """A function that writes the files of a suite; returns its folder."""

    def write(files):
        root = tmp_path / "suite"
        for path, text in {"f.feature": FEATURE, **files}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        monkeypatch.chdir(root)
        return root

    return write


@pytest.mark.parametrize(
    ("files", "more", "exported"),
    [
        (JS, "module.exports = { fill };\n", ""),
        (JS, "module.exports = { other: 1, fill: fill };\n", ""),
        (JS, "exports.fill = fill;\n", ""),
        (JS, "module.exports = { other: { fill: 1 }, last() {} };\n", "\nmodule.exports.fill = fill;\n"),
        (JS, "exports.fill = fill;\nmodule.exports = {};\n", "\nmodule.exports.fill = fill;\n"),
        (JS, "exports.other = 1; // exports\n", "\nmodule.exports.fill = fill;\n"),
        (MJS, "export { fill };\n", ""),
        (MJS, "export default { fill };\n", "\nexport { fill };\n"),
        (MJS, "export { fill as type } ;\n", "\nexport { fill };\n"),
        (MJS, "export * from './more.mjs';\n", "\nexport { fill };\n"),
    ],
)
def test_what_is_exported_is_imported_and_else_exported(suite, written, files, more, exported):
    forms = next(path for path in files if "forms" in path)
    root = suite({**files, forms: files[forms] + more})
    written(root, "I am done")
    assert (root / forms).read_text("utf-8") == files[forms] + more + exported
    assert "{ fill }" in (root / forms.replace("forms", "pages")).read_text("utf-8")


@pytest.mark.parametrize(
    ("files", "more", "reason"),
    [
        (JS, "module.exports = Object.freeze({ other: 1 });\n", "in a way that can't be extended"),
        (JS, "module.exports = { ...require('./more') };\n", "in a way that can't be extended"),
        (JS, "module.exports = { other: 1 };\nObject.freeze(module.exports);\n", "in a way that can't be extended"),
        (JS, "if (process.env.A) module.exports = { fill };\n", "in a way that can't be extended"),
        (JS, "exports = module.exports = { fill };\n", "in a way that can't be extended"),
        (JS, "module.exports = { fill: () => {} };\n", "exports something else as fill"),
        (JS, "module.exports = { fill() {} };\n", "has the same name as another function"),
        (JS, "module.exports = { fill };\nmodule.exports.fill = null;\n", "exports something else as fill"),
        (MJS, "export { fill } from './more.mjs';\n", "exports something else as fill"),
        (MJS, "const other = 1;\nexport { other as fill };\n", "exports something else as fill"),
        (MJS, "export * as fill from './more.mjs';\n", "exports something else as fill"),
    ],
)
def test_what_can_not_be_exported_is_refused(suite, plan_of, files, more, reason):
    forms = next(path for path in files if "forms" in path)
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(suite({**files, forms: files[forms] + more}), "I am done")


@pytest.mark.parametrize(
    ("files", "message", "helpers"),
    [
        (JS, "require('../support/data');\n", {"support/data.js": "const pages = require('../steps/pages');\n"}),
        (JS, "const data = require('../support');\n", {"support/index.js": "exports.a = require('../steps/pages');"}),
        (MJS, "import '../support/data.mjs';\n", {"support/data.mjs": "export * from '../steps/pages.mjs';\n"}),
        (
            MJS,
            "import { a } from '../support/a.mjs';\n",
            {"support/a.mjs": "import './b.mjs';\n", "support/b.mjs": "export { x } from '../steps/pages.mjs';\n"},
        ),
    ],
)  # fmt: skip
def test_a_circle_through_a_file_without_steps_is_refused(suite, plan_of, files, message, helpers):
    forms = next(path for path in files if "forms" in path)
    with pytest.raises(NoExtractionError, match=r"forms\.\w+ imports \S+pages\.\w+, which can't import it back"):
        plan_of(suite({**files, **helpers, forms: message + files[forms]}), "I am done")


@pytest.mark.parametrize(
    ("message", "helpers"),
    [
        ("from support import data\n", {"support/data.py": "import steps.pages\n"}),
        ("from .data import *\n", {"steps/data.py": "from . import (\n    pages,\n)\n"}),
        ("import support.data as data\n", {"support/data.py": "def late():\n    from steps.pages import press\n"}),
    ],
)
def test_a_circle_is_avoided_where_the_other_file_can_import(suite, written, message, helpers):
    root = suite({**PY, **helpers, "steps/forms.py": message + FORMS_PY})
    written(root, "I am done")
    assert "from .pages import open_page, press\n" in (root / "steps/forms.py").read_text("utf-8")
    assert (root / "steps/pages.py").read_text("utf-8") == PAGES_PY


@pytest.mark.parametrize(
    ("files", "message", "helpers"),
    [
        (JS, "require('../support/data');\n", {"support/data.js": "require('./more'); require('./data');\n"}),
        (JS, "// as in require('./pages')\n", {}),
        (PY, "from support import data\n", {"support/data.py": "import pages, os.path\nfrom .missing import steps\n"}),
        (PY, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from steps import pages\n", {}),
    ],
)
def test_other_helpers_close_none(suite, plan_of, files, message, helpers):
    forms = next(path for path in files if "forms" in path)
    plan = plan_of(suite({**files, **helpers, forms: message + files[forms]}), "I am done")
    assert "pages" in plan.model.path


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a/b.js",
            "import x from './c'\nimport('../d.js'); require(`./e`)\nfrom 'react'",
            ["a/c.js", "d.js", "a/e.ts"],
        ),
        ("/r/a/b.ts", "export * from '..'\nimport type { T } from './c.js'", ["/r/index.ts"]),
        (
            "/r/a/b.ts",
            "import { type T } from '..'\nimport d = require('./d');\nexport type { T } from './c.js'",
            ["/r/index.ts", "/r/a/d.ts"],
        ),
        ("a/b.js", "// é from './x'\n/* require('./x') */\nsay(\"from './x'\", /import '.\\/x'/, `from './x'`)", []),
        ("a/b.js", "require('./c') // é from './x'\nrequire('./d') // from './x'\n", ["a/c.js", "a/d.js"]),
        ("a/b.js", "say(`${require('./c')}`) // './x'", ["a/c.js"]),
        (
            "a/b.py",
            'import typing as t\n"""\nfrom a import x\n"""\n'
            "if t.TYPE_CHECKING:\n    from . import c  # é\n    import c\nelse:\n"
            "    from . import d\n",
            ["a/d.py"],
        ),
        ("a/b.py", "from . import c, d\nimport e.f, g as h\nfrom ..k import l", ["a/c.py", "e/f.py", "k/l.py"]),
        ("a/b.py", "from ... import x\nfrom import y\nimport\nfrom .\n", []),
        ("a/b.js", "require(name); import(; from './", []),
    ],
)
def test_imported_files(path, text, expected):
    there = {*expected, "a/x.js", "c.py", "a/c.py", "a/x.py", "/r/a/c.ts"}
    assert list(imported_files(path, text, there.__contains__)) == expected
