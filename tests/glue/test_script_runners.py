"""WebdriverIO and CodeceptJS: the glue of a configuration for its features, and CodeceptJS' choice among several."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = "Feature: f\n  Scenario: s\n    When I wait\n"
STEP = "import { When } from '@wdio/cucumber-framework'\nWhen('I wait', () => {})\n"
CODECEPT = "const { I } = inject();\nWhen('I wait', () => { I.wait(1) })\n"
WEB = "specs: ['./features/web/**/*.feature'], cucumberOpts: { require: ['./steps/web/*.js'], tags: '' }"
API = "specs: ['./features/api/*.feature'], cucumberOpts: { require: ['./steps/api/*.js'] }"
WEBDRIVERIO: list[tuple[dict[str, str], str]] = [
    ({"wdio.conf.js": f"exports.config = {{ {WEB} }}"}, "web"),
    ({"wdio.conf.ts": f"export const config: WebdriverIO.Config = {{ {WEB} }}"}, "web"),
    ({"wdio.conf.mjs": f"export const config = merge(base, {{ {WEB} }})"}, "web"),
    ({"wdio.conf.js": f"exports.config = {{ ...base.config, {WEB} }}"}, "web"),
    ({"wdio.conf.js": f"const shared = {{ {WEB} }}\nexports.config = {{ ...shared, runner: 'local' }}"}, "web"),
    ({"wdio.conf.js": f"const config = {{ {WEB} }}\nexports.config = config"}, "web"),
    ({"wdio.conf.js": "const { config } = require('./wdio.shared.conf')\nconfig.specs = ['features/web/a.feature']\n"
      "config.cucumberOpts.require = ['steps/web/a.js']\nexports.config = config"}, "web"),
    ({"wdio.web.conf.ts": f"export const config = {{ {WEB} }}", "wdio.conf.ts": f"export const config = {{ {API} }}"},
     "web"),
    ({"wdio.conf.ts": "export const config = { cucumberOpts: { require: ['./steps/web/*.js'] } }",
      "wdio.local.conf.ts": "export const config = { specs: ['features/web/**'] }"}, "web"),
    ({"wdio.conf.js": "exports.config = { specs: [['features/web/a.feature', 'b.feature']],"
      " cucumberOpts: { import: ['./steps/web/*.js'] } }"}, "web"),
    ({"wdio.conf.js": "exports.config = { suites: { all: ['features/*/*.feature'] },"
      " cucumberOpts: { require: [path.join(__dirname, 'steps', 'web', '*.js')] } }"}, "web"),
    ({"config/wdio.conf.js": "exports.config = { specs: ['../features/web/*.feature'],"
      " cucumberOpts: { require: ['./steps/web/*.js'] } }"}, "web"),  # required from where it is started
    ({"wdio.conf.js": f"exports.config = {{ {API} }}"}, "api! web!"),  # it does not run the feature
    ({"wdio.conf.js": "exports.config = { specs: ['x'], framework: 'mocha' }"}, "api! web!"),
    ({"wdio.conf.js": "exports.config = {"}, "api! web!"),
    ({"wdio.conf.js": "exports.config = { cucumberOpts: { require: find() } }"}, "api! web!"),
]  # fmt: skip
"""Configurations, and the folders of the definitions that a step binds to; `!`: in one run."""


def bound(root: Path, files: dict[str, str]) -> tuple[Status, list[Path]]:
    for name, text in {"features/web/a.feature": FEATURE, "package.json": "{}", ".git/HEAD": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    glue = Glue.load(str(root), jobs=1)
    (step,) = read_text(str(root / "features/web/a.feature"), FEATURE).steps
    glue.update_feature(str(root / "features/web/a.feature"), (step,))
    binding = glue.bind(step)
    return binding.status, [Path(definition.path).relative_to(root) for definition in binding.definitions]


@pytest.mark.parametrize(("files", "expected"), WEBDRIVERIO)
def test_webdriverio(files: dict[str, str], expected: str, tmp_path: Path) -> None:
    status, paths = bound(tmp_path, {"steps/web/a.js": STEP, "steps/api/a.js": STEP, **files})
    mark = "!" if status is Status.AMBIGUOUS else ""
    assert " ".join(sorted(path.parent.name + mark for path in paths)) == expected


STEPS = {"steps/a.js": CODECEPT, "steps/b.js": CODECEPT, "other/c.js": CODECEPT}
CODECEPTS: list[tuple[str, str, str]] = [
    ("codecept.conf.js", "exports.config = { gherkin: { features: './features/**', steps: ['./steps/a.js'] } }", "a"),
    ("codecept.conf.js", "exports.config = { gherkin: { features: './features/**', steps: ['./steps/b'] } }", "b"),
    ("codecept.conf.js", "exports.config = { gherkin: { steps: './steps/*.js' } }", "b"),  # it replaces the first
    ("codecept.conf.ts", "export const config: CodeceptJS.MainConfig = { gherkin: { steps: ['./other/c.js'] } }", "c"),
    ("codecept.json", '{"gherkin": {"features": ["./features/*/*.feature"], "steps": ["./other/c.js"]}}', "c"),
    ("codecept.conf.js", "exports.config = { gherkin: { features: './none', steps: ['./steps/a.js'] } }", "a! b! c!"),
    ("codecept.json", "{", "a! b! c!"),
    ("codecept.json", '{"gherkin": 3}', "a! b! c!"),
    ("codecept.json", '{"gherkin": {"steps": 3}}', "a! b! c!"),
]


@pytest.mark.parametrize(("name", "text", "expected"), CODECEPTS)
def test_codecept(name: str, text: str, expected: str, tmp_path: Path) -> None:
    status, paths = bound(tmp_path, {**STEPS, name: text})
    mark = "!" if status is Status.AMBIGUOUS else ""
    assert " ".join(sorted(path.stem + mark for path in paths)) == expected


def test_codecept_takes_the_first_loaded(tmp_path: Path) -> None:
    other = CODECEPT.replace("'I wait'", "/^I w/")
    configured = {"codecept.conf.js": "exports.config = { gherkin: { steps: ['./steps/b.js', './steps/a.js'] } }"}
    status, paths = bound(tmp_path, {"steps/a.js": CODECEPT, "steps/b.js": other, **configured})
    assert (status, [path.stem for path in paths]) == (Status.BOUND, ["b"])
