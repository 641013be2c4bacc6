"""Settings from every layer, and the message about a bad value."""

import pickle
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.settings import SETTINGS, LoadedSettings, Settings, load_settings
from cukereuse_engine.settings.layers import find_config
from cukereuse_engine.strategies.table import STRATEGIES


def load(folder: Path, toml: str | None = None, **layers: object) -> LoadedSettings:
    if toml is not None:
        (folder / "cukereuse.toml").write_text(toml, "utf-8")
    return load_settings(folder, environ=layers.pop("environ", {}), **layers)  # type: ignore[arg-type]


def test_defaults_without_any_file(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.checked() == Settings()
    assert set(loaded.sources.values()) == {"default"}
    assert loaded.config_file is None


def test_each_layer_is_above_the_one_before(tmp_path: Path) -> None:
    toml = "threshold = 0.1\nmin_count = 3\njobs = 1\nlinkage = 'single'"
    loaded = load(
        tmp_path,
        toml,
        editor={"threshold": 0.2, "min_count": 4, "jobs": 2},
        environ={"CUKEREUSE_THRESHOLD": "0.3", "CUKEREUSE_MIN_COUNT": "5"},
        flags={"threshold": 0.4, "jobs": None},
    )
    settings = loaded.checked()
    assert (settings.threshold, settings.min_count, settings.jobs, settings.linkage) == (0.4, 5, 2, "single")
    names = ("threshold", "min_count", "jobs", "linkage", "guards")
    file = str(tmp_path / "cukereuse.toml")
    assert [loaded.sources[name] for name in names] == ["--threshold", "CUKEREUSE_MIN_COUNT", "editor", file, "default"]


def test_severities_merge_rule_by_rule(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        "[severity]\nunread = 'off'\ndivergent-wording = 'warning'",
        environ={"CUKEREUSE_SEVERITY": "divergent-wording=error, undefined-step=hint"},
    )
    expected = {"unread": "off", "divergent-wording": "error", "undefined-step": "hint"}
    assert loaded.checked().severity == expected


def test_hyphens_stand_for_underscores(tmp_path: Path) -> None:
    assert load(tmp_path, "fail-on = 'off'\nlev-min = 0.5").checked().fail_on == "off"


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("CUKEREUSE_OFFLINE", "1", True),
        ("CUKEREUSE_OFFLINE", "True", True),
        ("CUKEREUSE_OFFLINE", "off", False),
        ("CUKEREUSE_GUARDS", "no", False),
        ("CUKEREUSE_OFFLINE", "", False),
        ("CUKEREUSE_JOBS", "4", 4),
        ("CUKEREUSE_LEV_MAX", "1", 1.0),
        ("CUKEREUSE_STRATEGY", " hybrid ", "hybrid"),
        ("CUKEREUSE_IGNORE", "one, two\n^three", ("one, two", "^three")),
        ("CUKEREUSE_IGNORE", '["a", "b"]', ("a", "b")),
        ("CUKEREUSE_IGNORE", "[Aa]dmin", ("[Aa]dmin",)),
    ],
)
def test_environment(tmp_path: Path, variable: str, text: str, expected: object) -> None:
    settings = load(tmp_path, environ={variable: text}).checked()
    assert getattr(settings, variable.removeprefix("CUKEREUSE_").lower()) == expected


BAD_FILES = [
    ("treshold = 0.5", "unknown setting 'treshold'; did you mean 'threshold'?"),
    ("zzzz = 1", "known settings: strategy, threshold"),
    ("threshold = 7", "threshold must be a number from 0.01 to 1, not 7"),
    ("threshold = nan", "threshold must be a number from 0.01 to 1, not nan"),
    ("threshold = true", "threshold must be a number from 0.01 to 1, not true"),
    ("threshold = '0.5'", "threshold must be a number from 0.01 to 1, not '0.5'"),
    ("min_count = 0", "min_count must be a whole number of at least 1, not 0"),
    ("min_count = 2.5", "min_count must be a whole number of at least 1, not 2.5"),
    ("strategy = 'near_exact'", "did you mean 'near-exact'?"),
    ("strategy = 1", f"strategy must be one of {', '.join(STRATEGIES)}, not 1"),
    ("guards = 'yes'", "guards must be true or false, not 'yes'"),
    ("ignore = [1]", "ignore must be a list of strings, not [1]"),
    ("ignore = ['(']", "is not a regular expression"),
    ("severity = 'off'", "severity must be a table"),
    ("[severity]\ndivergent-words = 'off'", "did you mean 'divergent-wording'?"),
    ("[severity]\nunread = 'warn'", "did you mean 'warning'?"),
    ("baseline = ''", "baseline must be a string, not ''"),
    ("lev_min = 0.9\nlev_max = 0.5", "lev_min 0.9 is above lev_max 0.5"),
    ("threshold = ", "is not valid TOML"),
]


@pytest.mark.parametrize(("toml", "message"), BAD_FILES, ids=[toml for toml, _ in BAD_FILES])
def test_bad_value_in_a_file(tmp_path: Path, toml: str, message: str) -> None:
    loaded = load(tmp_path, toml)
    (problem,) = loaded.problems
    assert problem.source == str(tmp_path / "cukereuse.toml")
    assert message in problem.message
    assert loaded.settings == Settings(), "the layer below stays in force"
    with pytest.raises(CukereuseError, match=r"cukereuse\.toml: "):
        loaded.checked()


def test_bad_value_leaves_the_layer_below(tmp_path: Path) -> None:
    loaded = load(tmp_path, "threshold = 0.6", environ={"CUKEREUSE_THRESHOLD": "high"})
    assert loaded.settings.threshold == 0.6
    assert str(loaded.problems[0]).startswith(
        "CUKEREUSE_THRESHOLD: threshold must be a number from 0.01 to 1, not 'high'"
    )


def test_every_problem_is_told(tmp_path: Path) -> None:
    loaded = load(tmp_path, "treshold = 1\njobs = -1", environ={"CUKEREUSE_OFFLINE": "maybe"})
    assert len(loaded.problems) == 3


def test_file_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "cukereuse.toml").write_bytes(b"ignore = ['\xe9']")
    assert "is not valid TOML" in load(tmp_path).problems[0].message


def test_nearest_file_wins_and_pyproject_without_table_does_not_count(tmp_path: Path) -> None:
    suite = tmp_path / "a#b" / "100% ünï"
    suite.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.cukereuse]\njobs = 7")
    (suite / "pyproject.toml").write_text("[project]\nname = 'cukereuse-user'")
    assert load(suite).settings.jobs == 7
    (suite.parent / "cukereuse.toml").write_text("jobs = 8")
    assert load(suite).settings.jobs == 8
    feature = suite / "x.feature"
    feature.touch()
    assert find_config(feature) == suite.parent / "cukereuse.toml"


def test_broken_pyproject_counts_only_where_it_speaks_of_cukereuse(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other\n")
    assert not load(tmp_path).problems
    (tmp_path / "pyproject.toml").write_text("[tool.cukereuse]\njobs = \n")
    assert "is not valid TOML" in load(tmp_path).problems[0].message
    (tmp_path / "pyproject.toml").write_text("[tool]\ncukereuse = 1\n")
    assert "must be a table" in load(tmp_path).problems[0].message


def test_paths_are_relative_to_whoever_sets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert load(tmp_path, "baseline = 'known.json'").settings.baseline == str(tmp_path / "known.json")
    assert load(tmp_path, flags={"baseline": "known.json"}).settings.baseline == "known.json"
    assert load(tmp_path, "glue = ['steps', '/abs']").settings.glue == (str(tmp_path / "steps"), "/abs")
    assert load(elsewhere, "glue = ['steps/**']").settings.glue == ("steps/**",)


def test_settings_cross_a_process_pool() -> None:
    assert pickle.loads(pickle.dumps(Settings(severity={"unread": "off"}))).severity == {"unread": "off"}


def test_every_setting_has_a_help_that_ends_in_a_full_stop() -> None:
    for setting in SETTINGS.values():
        assert setting.help.endswith(".") or setting.help.endswith("it."), setting.name
