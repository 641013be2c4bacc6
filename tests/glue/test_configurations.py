"""The glue that a runner's configuration loads for a feature file: Cypress, Cucumber's profiles, sibling projects."""

import json
import os
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.default_language import forget
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.configuration import MAX_BYTES, is_plain
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

FEATURE = "@t\nFeature: f\n  Background:\n    Given I start\n  Scenario: s\n    When I wait\n"
RUBY = "When('I wait') { }\n"
JS = "const { When } = require('@cucumber/cucumber')\nWhen('I wait', () => {})\n"
CS = 'using Reqnroll;\n[Binding] class A { [When("I wait")] public void B() { } }\n'
JAVA = 'import io.cucumber.java.en.*;\nclass A { @When("I wait") public void b() { } }\n'


def files_of(root: Path, sources: dict[str, str], feature: str) -> list[str]:
    """The files whose definition a step of a feature file binds to; the root is a repository."""
    (root / ".git").mkdir(exist_ok=True)
    for name, text in sources.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    glue = Glue.load(str(root), jobs=1)
    path = root / feature
    path.parent.mkdir(parents=True, exist_ok=True)
    steps = read_text(str(path), FEATURE).steps
    glue.update_feature(str(path), steps)
    definitions = glue.bind(steps[1]).definitions
    return sorted(Path(definition.path).relative_to(root).as_posix() for definition in definitions)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cucumber.yml", "web: --require features/web/steps features/web\napi: -r features/api/steps features/api\n"),
        (
            "config/cucumber.yml",
            "<% x = 1 %>\nweb: <%= x %> -r features/web/steps features/web\napi: -r features/api/steps\n",
        ),
        (
            "cucumber.json",
            '{"web": {"require": ["features/web/**/*.js"], "paths": ["features/web/*.feature"]},'
            '"api": {"require": ["features/api/**/*.js"], "paths": ["features/api/**"]}}',
        ),
        (
            "package.json",
            '{"scripts": {"web": "npx cucumber-js --loader ts-node/esm --import \\"features/web/*.js\\" features/web",'
            ' "api": "tsc && A=x node_modules/.bin/cucumber-js -r features/api/steps features/api -t \'not @a\'",'
            ' "all": "npm run web && npm run api", "odd": "cucumber-js \\"", "fix": "cucumber-js-lint -r x", "n": 3}}',
        ),
        (
            "package.json",
            '{"scripts": {"web": "cd features && cucumber-js -c all.json -r web/steps web",'
            ' "any": "cucumber-js -r $DIR", "api": "cd x; cd \'../features/api\' && cucumber-js -r steps .",'
            ' "sub": "(cd web && cucumber-js -r x)"}}',
        ),
        (
            "package.json",
            '{"scripts": {"all": "cucumber-js -r x.js", "more": "yarn all --fail-fast", "me": "npm run me -- -r x",'
            ' "web": "npm run more -- -r features/web/steps features/web",'
            ' "api": "yarn all -r features/api/steps features/api"}}',
        ),
        ("cucumber.yml", "web: -c -r features/web/steps features/web\napi: -i -r features/api/steps -c features/api\n"),
        (
            "cucumber.js",
            "module.exports = {\n web: { require: ['features/web/steps'], paths: ['features/web/'] },\n"
            " api: { import: ['features/api/**'], paths: ['features/api'] } }\n",
        ),
        (
            "cucumber.mjs",
            "export const web = '--require features/web/steps features/web'\n"
            "export const api = `--require features/api/steps features/api`\n",
        ),
        (
            "cucumber.mjs",
            "const common = { requireModule: ['ts-node/register'], worldParameters: { a: { b: 1 } } }\n"
            "export default { ...common, import: ['features/web/**/*.js'], paths: ['features/web/**/*.feature'] }\n"
            "export const api = { ...common, import: ['features/api/**'], paths: ['features/api/**/*.feature'] }\n",
        ),
        (
            "cucumber.cjs",
            "const steps = 'steps', more = { paths: ['features/api'] }\n"
            "const web = ['--require', `features/web/${steps}`, 'features/web'].join(' ')\n"
            "exports.web = web\nexports.api = { ...more, require: [`features/api/${steps}`] }\n",
        ),
        (
            "cucumber.js",
            "const web = { require: ['features/web/steps'], paths: ['features/web'] }\n"
            "const require = ['features/api/steps'], paths = ['features/api'], api = { require, paths }\n"
            "module.exports = { web, api }\n",
        ),
        (
            "cucumber.mjs",
            "const web = '--require features/web/steps features/web', one = '-r features/api/steps features/api'\n"
            "export { web, one as api }\n",
        ),
        (
            "cucumber.js",
            "module.exports = { web: `--require features/web/${kind}/*.js --tags ${tags} features/web`,\n"
            " api: `${common} -r features/api/steps --format json:${name}.json ` + `features/${'api'} ${more}` }\n",
        ),
        (
            "cucumber.js",
            "module.exports = { web: { require: [`features/web/${kind}/*`], paths: ['features/web'] },\n"
            " api: process.env.CI ? `-r features/api/steps -f json:${name}.json features/api` : '' }\n",
        ),
        (
            "cucumber.mjs",
            "export const api = '-r features/api/steps features/api', web = '-r features/web/steps features/web'\n"
            "export function more() { const more = '-r features/web/steps'; return { more } }\n"
            "export const build = (all) => all.map(() => { const each = '-r features/web/steps'; return each })\n",
        ),
        (
            "cucumber.mjs",
            "export default async () => ({ web: { import: ['features/web/steps'], paths: ['features/web'] },\n"
            " api: { import: ['features/api/steps'], paths: ['features/api'] } })\n",
        ),
        (
            "cucumber.mjs",
            "export default function build() {\n const api = '-r features/api/steps features/api'\n"
            " const each = () => { return { none: '-r features/web/steps' } }\n"
            " return { api, web: { require: ['features/web/steps'], paths: ['features/web'] } }\n}\n",
        ),
        (
            "cucumber.js",
            "function build() { return profiles }\nconst profiles = { web: '-r features/web/steps features/web',\n"
            " api: '-r features/api/steps features/api' }\nmodule.exports = build\n",
        ),
        (
            "cucumber.cjs",
            "exports.default = function () {\n"
            " if (process.env.API) return { default: { require: ['features/api/steps'], paths: ['features/api'] } }\n"
            " return { default: { require: ['features/web/steps'], paths: ['features/web'] } }\n}\n",
        ),
        (
            "cucumber.js",
            "const load = (part) => ({ require: [`features/web/steps`], paths: ['features/web'] })\n"
            "function api() { return { require: ['features/api/steps'], paths: ['features/api'] } }\n"
            "module.exports = { web: load('web'), api: { ...api(), tags: 'not @none' } }\n",
        ),
        (
            "cucumber.cjs",
            "module.exports = (() => ({ web: { require: ['features/web/steps'], paths: ['features/web'] },\n"
            " api: { require: ['features/api/steps'], paths: ['features/api'] } }))()\n",
        ),
        (
            "cucumber.js",
            "module.exports = { default() { return { web: { require: ['features/web/steps'],"
            " paths: ['features/web'] },\n"
            " api: Promise.resolve({ require: ['features/api/steps'], paths: ['features/api'] }) } } }\n",
        ),
        (
            "cucumber.ts",
            "import type { IProfiles } from '@cucumber/cucumber/api'\n"
            "const web: Partial<IConfiguration> = { import: ['features/web/**/*.ts', 'features/web/**/*.js'],"
            " paths: ['features/web/**'] }\n"
            "export default { web } as IProfiles\nexport { web }\n"
            "export const api = { import: ['features/api/steps'], paths: ['features/api'] } satisfies Settings\n",
        ),
        (
            "cucumber.yml",
            "default: --tags 'not @wip' -r features/support\n"
            "web: -r features/web/steps features/web\napi: -r features/api/steps features/api\n",
        ),
    ],
)
def test_profiles(name: str, text: str, tmp_path: Path) -> None:
    source, suffix = (RUBY, "rb") if name.endswith("yml") else (JS, "js")
    sources = {name: text, f"features/web/steps/a.{suffix}": source, f"features/api/steps/a.{suffix}": source}
    api = files_of(tmp_path, sources, "features/api/x.feature")
    assert api == [f"features/api/steps/a.{suffix}"]
    web = files_of(tmp_path, sources, "features/web/x.feature")
    assert f"features/web/steps/a.{suffix}" in web


def test_scripts_of_cucumber_js_say_nothing_of_ruby(tmp_path: Path) -> None:
    sources = {"package.json": '{"scripts": {"test": "cucumber-js -r js"}}', "js/a.js": "", "features/a.rb": RUBY}
    assert files_of(tmp_path, sources, "features/x.feature") == ["features/a.rb"]
    more = {"js/a.js": JS, "other/a.js": JS}
    assert files_of(tmp_path, more, "features/x.feature") == ["features/a.rb", "js/a.js"]


def test_profiles_by_tag(tmp_path: Path) -> None:
    text = "a: --tags @t -r one.rb\nb: --tags 'not @t' -r two.rb\n"
    assert files_of(tmp_path, {"cucumber.yml": text, "one.rb": RUBY, "two.rb": RUBY}, "x.feature") == ["one.rb"]


@pytest.mark.parametrize(
    "text",
    ["", "default: --format progress\nwip: --tags @wip\n", "a: -r one.rb -r two.rb\n", ": [", "- x\n", "a: '\"'\n"],
)
def test_profiles_that_tell_nothing(text: str, tmp_path: Path) -> None:
    sources = {"cucumber.yml": text, "one.rb": RUBY, "two.rb": RUBY}
    assert files_of(tmp_path, sources, "x.feature") == ["one.rb", "two.rb"]


@pytest.mark.parametrize(
    ("project", "suffix", "source"),
    [
        ("{}.csproj", "cs", CS),
        ("{}.fsproj", "cs", CS),
        ("pom.xml", "java", JAVA),
        ("build.gradle", "java", JAVA),
        ("build.gradle.kts", "java", JAVA),
        ("src/test/a.txt", "java", JAVA),
    ],
)
def test_sibling_projects_have_their_own(project: str, suffix: str, source: str, tmp_path: Path) -> None:
    sources = {}
    for name in ("one", "two"):
        sources |= {f"{name}/{project.format(name)}": "", f"{name}/src/Steps.{suffix}": source}
    assert files_of(tmp_path, sources, "one/features/x.feature") == [f"one/src/Steps.{suffix}"]
    sources["one/src/Steps." + suffix] = ""
    assert files_of(tmp_path, sources, "one/features/x.feature") == [f"two/src/Steps.{suffix}"]


def test_projects_beside_one_without_definitions_are_runs_of_their_own(tmp_path: Path) -> None:
    sources = {f"{name}/pom.xml": "" for name in ("one", "two", "three")}
    sources |= {"one/src/A.java": JAVA, "two/src/A.java": JAVA}
    assert files_of(tmp_path, sources, "three/features/x.feature") == ["one/src/A.java", "two/src/A.java"]
    path = str(tmp_path / "three/features/x.feature")
    glue = Glue.load(str(tmp_path), jobs=1)
    _, step, *_ = read_text(path, FEATURE).steps
    assert glue.bind(step).status is Status.BOUND


REFERENCES = [
    ("", []),
    ('<ProjectReference Include="..\\two\\two.csproj" />', ["two/Steps.cs"]),
    ('<ProjectReference Include="../three/three.csproj" />', ["two/Steps.cs"]),
    ('<Reference Include="two, Version=1.0.0.0" />', ["two/Steps.cs"]),
    ('<PackageReference Include="Two" Version="1" />', ["two/Steps.cs"]),
    ('<Compile Include="..\\two\\**\\*.cs" />', ["two/Steps.cs"]),
    ('<PackageReference Include="Reqnroll" Version="2" />', []),
]


@pytest.mark.parametrize(("reference", "expected"), REFERENCES)
def test_dotnet_references(reference: str, expected: list[str], tmp_path: Path) -> None:
    """Of two other projects with a definition, the referenced one; a single one counts in any case."""
    sources = {
        "one/one.csproj": f"<Project>{reference}</Project>",
        "two/two.csproj": "<Project/>",
        "two/Steps.cs": CS,
        "three/three.csproj": '<Project><ProjectReference Include="..\\two\\two.csproj"/></Project>',
        "four/four.csproj": "<Project/>",
        "four/Steps.cs": CS,
    }
    assert files_of(tmp_path, sources, "one/features/x.feature") == expected
    if "Include=" in reference and ".." not in reference:
        build = {"one/one.csproj": "<Project/>", "Directory.Build.props": f"<Project>{reference}</Project>"}
        assert files_of(tmp_path, build, "one/features/x.feature") == expected
    assert files_of(tmp_path, {"two/Steps.cs": ""}, "one/features/x.feature") == ["four/Steps.cs"]


PLAYWRIGHT = (
    "import { createBdd } from 'playwright-bdd'\nconst { When } = createBdd()\nWhen('I wait', async () => {})\n"
)
PROJECTS = """import { defineBddConfig, defineBddProject } from 'playwright-bdd'
// defineBddConfig({ features: 'old', steps: 'old/*.ts' })
export default defineConfig({ projects: [
  { name: 'web', testDir: defineBddConfig({ features: 'web/**/*.feature', steps: ['web/steps', `${shared}/one.ts`] }) },
  defineBddProject({ name: 'api', featuresRoot: './api', tags: '@t' }),
  defineBddProject({ name: 'none', featuresRoot: process.env.ROOT }),
] })
"""


def test_projects_of_playwright_bdd(tmp_path: Path) -> None:
    sources = {"playwright.config.ts": PROJECTS, "web/steps/a.ts": PLAYWRIGHT, "api/b.ts": PLAYWRIGHT}
    assert files_of(tmp_path, sources, "web/deep/x.feature") == ["web/steps/a.ts"]
    assert files_of(tmp_path, sources, "api/x.feature") == ["api/b.ts"]
    assert files_of(tmp_path, sources, "other/x.feature") == ["api/b.ts", "web/steps/a.ts"]
    shared = PLAYWRIGHT.replace(
        "import { createBdd } from 'playwright-bdd'\nconst { When } = createBdd()", "import { When } from './f'"
    )
    assert files_of(tmp_path, {"web/steps/a.ts": "", "lib/one.ts": shared}, "web/x.feature") == ["lib/one.ts"]


@pytest.mark.parametrize(("option", "expected"), [("matchKeywords: true,", ["a.ts"]), ("", ["a.ts", "b.ts"])])
def test_projects_of_playwright_bdd_by_keyword(option: str, expected: list[str], tmp_path: Path) -> None:
    config = f"export default defineConfig({{ testDir: defineBddConfig({{ {option} featuresRoot: '.' }}) }})"
    sources = {"playwright.config.ts": config, "a.ts": PLAYWRIGHT, "b.ts": PLAYWRIGHT.replace("When", "Given")}
    assert files_of(tmp_path, sources, "x.feature") == expected


def test_a_profile_without_paths_runs_the_folder_features_alone(tmp_path: Path) -> None:
    """The default of cucumber-js and cucumber-ruby; another project runs features elsewhere."""
    sources = {
        "cucumber.yml": "default: -r features/steps\n",
        "features/steps/own.rb": RUBY,
        "examples/one.rb": RUBY,
    }
    assert files_of(tmp_path, sources, "features/x.feature") == ["features/steps/own.rb"]
    assert "examples/one.rb" in files_of(tmp_path, sources, "examples/x.feature")


def test_a_project_that_names_features_of_elsewhere_runs_them(tmp_path: Path) -> None:
    """Several projects of one repository run the same features, each with its own definitions."""
    profile = '{"default": {"paths": ["../features/**/*.feature"], "require": ["src/**/*.js"], "tags": "%s"}}'
    sources = {
        "one/cucumber.json": profile % "@t",
        "one/src/deep/a.js": JS,
        "two/cucumber.json": profile % "not @t",
        "two/src/a.js": JS,
        "three/cucumber.json": profile.replace("../features", "features") % "@t",
        "three/src/a.js": JS,
    }
    assert files_of(tmp_path, sources, "features/x.feature") == ["one/src/deep/a.js"]
    own = '{"default": {"require": ["features/*.js"]}}'
    assert files_of(tmp_path, {"cucumber.json": own, "features/b.js": JS}, "features/x.feature") == ["features/b.js"]


def test_a_definition_in_a_new_folder_brings_its_configuration(tmp_path: Path) -> None:
    profile = json.dumps({"default": {"paths": ["../features"], "require": ["a.js"]}})
    files_of(tmp_path, {"one/a.js": JS, "two/a.js": "", "two/cucumber.json": profile}, "features/x.feature")
    glue = Glue.load(str(tmp_path), jobs=1)
    step = read_text(str(tmp_path / "features/x.feature"), FEATURE).steps[1]
    assert [Path(definition.path).parent.name for definition in glue.bind(step).definitions] == ["one"]
    glue.update_file(str(tmp_path / "two/a.js"), JS.encode())
    assert [Path(definition.path).parent.name for definition in glue.bind(step).definitions] == ["two"]
    glue.update_file(str(tmp_path / "two/a.js"), None)
    assert [Path(definition.path).parent.name for definition in glue.bind(step).definitions] == ["one"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ["behave.ini", "cucumber.yml", "cucumber.js", "playwright.config.ts"])
def test_a_pipe_is_no_configuration(tmp_path: Path, name: str) -> None:
    """Reading one would never end."""
    (tmp_path / "a.feature").write_text(FEATURE, "utf-8")
    os.mkfifo(tmp_path / name)
    forget()
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    assert sum(len(suite.texts) for suite in result.suites) == 2


@pytest.mark.parametrize(("size", "plain"), [(0, True), (MAX_BYTES, True), (MAX_BYTES + 1, False)])
def test_a_large_file_is_no_configuration(tmp_path: Path, size: int, plain: bool) -> None:
    (tmp_path / "file").write_bytes(b" " * size)
    assert is_plain(tmp_path / "file") is plain
    assert not is_plain(tmp_path)


def test_a_scenario_that_tags_leave_out_has_what_its_file_has(tmp_path: Path) -> None:
    profile = '{"default": {"require": ["a"], "paths": ["features"], "tags": "@none"}}'
    assert files_of(tmp_path, {"cucumber.json": profile, "a/a.js": JS, "b/a.js": JS}, "features/x.feature") == [
        "a/a.js"
    ]
    other = '{"default": {"require": ["a"], "tags": "@none"}, "other": {"require": ["b"], "tags": "@nothing"}}'
    lone = {"cucumber.json": other, "b/a.js": JS.replace("I wait", "nobody")}
    assert files_of(tmp_path, lone, "features/x.feature") == ["a/a.js"]
    steps = read_text(str(tmp_path / "features/x.feature"), FEATURE).steps
    binding = Glue.load(str(tmp_path), jobs=1).bind(steps[1])
    assert (binding.status, binding.guessed) == (Status.BOUND, False)
