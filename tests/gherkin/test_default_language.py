"""Feature files in the language that a runner's configuration sets."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.default_language import dialect_of
from cukereuse_engine.gherkin.flavour import forget_configurations
from cukereuse_engine.gherkin.read import read_files, read_text

GERMAN = "Funktionalität: f\n  Szenario: s\n    Angenommen a\n    Wenn b\n"
ENGLISH = "Feature: f\n  Scenario: s\n    Given a\n    When b\n"
PLAYWRIGHT = "import { defineBddConfig } from 'playwright-bdd'\nexport default defineConfig({ testDir: %s })\n"
CONFIGURATIONS = [
    ("behave.ini", "[behave]\nlang = de\n"),
    (".behaverc", "[behave]\nlang=de-AT\n"),
    ("setup.cfg", "[metadata]\nname = x\n[behave]\nlang: de\n"),
    ("tox.ini", "[behave]\nlang = de\n"),
    ("pyproject.toml", '[tool.behave]\nlang = "de"\n'),
    ("cucumber.json", '{"default": {"language": "de"}}'),
    ("cucumber.json", '{"language": "de"}'),
    ("cucumber.js", "module.exports = { default: { language: 'de', paths: ['x'] } } // language: 'fr'\n"),
    ("cucumber.mjs", 'export default { "language": "de" }\n'),
    ("cucumber.js", "module.exports = { default: '--language de --tags @a' }\n"),
    ("config/cucumber.cjs", "module.exports = { default: { language: `de` } }\n"),
    ("cucumber.yml", "default:\n  language: de\n"),
    ("cucumber.yaml", 'default: "--language de"\n'),
    ("cucumber.yml", '<%\nstd_opts = "--format pretty --language de"\n%>\ndefault: <%= std_opts %> features\n'),
    ("cucumber.yml", '<% std_opts = "--format pretty --language de" %>\ndefault: <%= std_opts %> features\n'),
    ("cucumber.yml", "default: >\n  --format pretty\n  --language de\n"),
    ("cucumber.yml", 'default: "--format pretty\n  --language de"\n'),
    ("playwright.config.ts", PLAYWRIGHT % "defineBddConfig({ language: 'de' })"),
    ("reqnroll.json", '\ufeff{"language": {"feature": "de-AT", "binding": "en"}}'),
    ("specflow.json", '{"language": {"feature": "de"}}'),
    ("App.config", '<configuration><specFlow><language feature="de-DE" /></specFlow></configuration>'),
]


def language_in(root: Path, text: str) -> str:
    feature = root / "features" / "a.feature"
    feature.parent.mkdir(parents=True, exist_ok=True)
    feature.write_text(text, encoding="utf-8")
    forget_configurations()
    (file,) = read_files([feature], jobs=1)
    edited = read_text(str(feature), text)
    assert edited.steps == file.steps
    assert edited.errors == file.errors
    return file.language if [step.text for step in file.steps] == ["a", "b"] and not file.errors else ""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(("name", "text"), CONFIGURATIONS)
def test_a_configuration_sets_the_language(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert language_in(root, GERMAN) == "de"
    assert language_in(root, "# language: en\n" + ENGLISH) == "en"
    assert language_in(root, GERMAN.replace("Wenn", "Wen")) == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("behave.ini", "[behave]\nlang = xx\n"),
        ("behave.ini", "[behave\nlang"),
        ("behave.ini", "[other]\nlang = de\n"),
        ("cucumber.js", "// language: 'de'\nmodule.exports = { default: { name: \"language: 'de'\" } }\n"),
        ("cucumber.js", "module.exports = { web: { language: 'de' }, api: { language: 'fr' } }\n"),
        ("cucumber.json", "[1"),
        ("cucumber.js", "module.exports = { default: { worldParameters: { language: 'de' } } };\n"),
        ("cucumber.js", "// run with --language de\nmodule.exports = { default: '--tags @a' }\n"),
        (
            "cucumber.js",
            "module.exports = { default: { language: 'de' } }\n",
        ),  # and a file that is English all the same
        ("cucumber.yml", "default:\n  world_parameters:\n    language: de\n"),
        ("cucumber.yml", "default:\n  world_parameters:\n    said: >\n      --language de\n"),
        ("cucumber.yml", "<%# --language de %>\ndefault: --tags @a # as --language de\n"),
        ("cucumber.yml", "# --language de\ndefault: --tags @a\n"),
        ("reqnroll.json", '{"language": 3}'),
        ("playwright.config.ts", "export default defineConfig({ language: 'de' })\n"),
        ("App.config", "<language"),
        ("pyproject.toml", "[tool.behave"),
    ],
)
def test_what_says_nothing_sure_leaves_english(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text, encoding="utf-8")
    assert language_in(root, ENGLISH) == "en"


def test_the_nearest_configuration_counts_and_none_above_the_repository(root: Path) -> None:
    (root / "behave.ini").write_text("[behave]\nlang = fr\n")
    (root / "features").mkdir()
    (root / "features" / "behave.ini").write_text("[behave]\nlang = de\n")
    assert language_in(root, GERMAN) == "de"
    (root / "features" / "behave.ini").write_text("[behave]\nlang = de-CH\n")
    (root / "features" / ".git").mkdir()
    assert language_in(root, GERMAN) == "de"
    (root / "features" / "behave.ini").unlink()
    assert language_in(root, ENGLISH) == "en"


def test_a_broken_file_of_another_language_is_read_in_it(root: Path) -> None:
    (root / "behave.ini").write_text("[behave]\nlang = de\n")
    path = root / "a.feature"
    path.write_text(GERMAN + "    | a | b |\n    | c |\n  Szenario: t\n    Dann c\n")
    forget_configurations()
    (file,) = read_files([path], jobs=1)
    assert [step.text for step in file.steps] == ["a", "b", "c"]
    assert len(file.errors) == 1


@pytest.mark.parametrize(
    ("name", "dialect"), [("de", "de"), ("DE-at", "de"), ("en-Scouse", "en-Scouse"), ("zh-CN", "zh-CN"), ("", "")]
)
def test_names_of_languages(name: str, dialect: str) -> None:
    assert dialect_of(name) == dialect
