"""Documents generated from the table agree with the loader."""

import tomllib
from pathlib import Path

import jsonschema
import pytest

from cukereuse_engine.markers import renewed
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.settings import SETTINGS, load_settings
from cukereuse_engine.settings.docs import TABLES, settings_table
from cukereuse_engine.settings.json_schema import property_schema

TOMLS = [
    ("strategy = 'semantic'\nthreshold = 0.8\nlev_min = 0.1\nlev_max = 1\nlinkage = 'single'\nguards = false", True),
    ("min_count = 1\nignore = ['^I wait']\ninclude = ['a/']\nexclude = []\nglue = ['steps']\njobs = 0", True),
    ("fail_on = 'off'\nacross = true\nbaseline = 'b.json'\nmodel = 'm'\noffline = true", True),
    ("[severity]\nunread = 'off'\ndivergent-wording = 'error'", True),
    ("threshold = 1.5", False),
    ("min_count = 0", False),
    ("fail_on = 'never'", False),
    ("unknown = 1", False),
    ("[severity]\nnone-such = 'off'", False),
    ("ignore = [1]", False),
]


SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {setting.name: property_schema(setting) for setting in SETTINGS.values()},
}


@pytest.mark.parametrize(("toml", "good"), TOMLS)
def test_schema_and_loader_agree(tmp_path: Path, toml: str, good: bool) -> None:
    (tmp_path / "cukereuse.toml").write_text(toml)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert validator.is_valid(tomllib.loads(toml)) == good
    assert (not load_settings(tmp_path, environ={}).problems) == good


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_table_has_one_row_a_setting() -> None:
    rows = settings_table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(SETTINGS)
    cells = {row.replace("\\|", "").count("|") for row in rows}
    assert cells == {6}


@pytest.mark.parametrize("name", TABLES)
def test_update_replaces_what_stands_between_the_markers(name: str) -> None:
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    document = f"# A\n{begin}\nwhat was there\n{end}\n# B\n"
    updated = renewed(document, TABLES)
    assert updated.startswith(f"# A\n{begin}\n| {name[:-1]} |")
    assert updated.endswith(f"|\n{end}\n# B\n")
    assert "what was there" not in updated
    assert renewed(updated, TABLES) == updated
    assert renewed("no markers", TABLES) == "no markers"


def test_the_guide_is_up_to_date() -> None:
    guide = (Path(__file__).parents[2] / "cukereuse_engine" / "README.md").read_text("utf-8")
    assert all(f"<!-- {name}:begin -->" in guide for name in TABLES)
    assert renewed(guide, TABLES) == guide, "run `python -m cukereuse_engine.settings.docs cukereuse_engine/README.md`"


def test_the_front_page_names_every_rule_that_is_on() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    shown = {rule.id for rule in RULES.values() if rule.severity is not Severity.OFF}
    assert {rule for rule in shown if f"`{rule}`" not in readme} == set()
