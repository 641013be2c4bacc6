from pathlib import Path

import pytest

from cukereuse_engine.gherkin.suites import SuiteFinder, group_by_suite


def touch(path: Path, content: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("marker", "content"),
    [
        ("cukereuse.toml", ""),
        ("behave.ini", ""),
        (".behaverc", ""),
        *((f"cucumber.{ending}", "") for ending in ("js", "cjs", "mjs", "json", "yml", "yaml")),
        ("config/cucumber.yml", ""),
        (".config/behat.yml", ""),
        *(
            (f"behat.{ending}", "")
            for ending in ("yml", "yaml", "yml.dist", "yaml.dist", "dist.yml", "dist.yaml", "php")
        ),
        ("reqnroll.json", ""),
        ("specflow.json", ""),
        ("pyproject.toml", '[project]\nname = "x"\n[tool.cukereuse]\n'),
        ("pyproject.toml", "[tool.cukereuse.rules]\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\nbdd_features_base_dir = "f/"\n'),
        ("pytest.ini", "[pytest]\nbdd_features_base_dir = f\n"),
        ("tox.ini", "[behave]\n"),
        ("setup.cfg", "[tool:pytest]\nbdd_features_base_dir = f\n"),
    ],
)
def test_markers(tmp_path: Path, marker: str, content: str) -> None:
    touch(tmp_path / "shop" / marker, content)
    file = str(touch(tmp_path / "shop/features/a/x.feature"))
    assert group_by_suite([file], [tmp_path]) == {str(tmp_path / "shop"): [file]}


@pytest.mark.parametrize(
    ("marker", "content"),
    [
        ("pyproject.toml", '[project]\nname = "x"\n'),
        ("pytest.ini", "[pytest]\n"),
        ("package.json", "{}"),
        ("tox.ini", ""),
    ],
)
def test_no_markers(tmp_path: Path, marker: str, content: str) -> None:
    touch(tmp_path / "shop" / marker, content)
    file = str(touch(tmp_path / "shop/features/x.feature"))
    assert list(group_by_suite([file], [tmp_path])) == [str(tmp_path)]


def test_a_file_of_config_is_no_suite_in_config(tmp_path: Path) -> None:
    touch(tmp_path / "shop/config/cucumber.yml")
    file = str(touch(tmp_path / "shop/config/x.feature"))
    assert list(group_by_suite([file], [tmp_path])) == [str(tmp_path / "shop")]


def test_nearest_of_several(tmp_path: Path) -> None:
    touch(tmp_path / "cucumber.js")
    touch(tmp_path / "packages/b/behave.ini")
    files = [str(touch(tmp_path / f"packages/{name}/features/x.feature")) for name in ("b", "a")]
    assert group_by_suite(files, [tmp_path]) == {
        str(tmp_path): [files[1]],
        str(tmp_path / "packages/b"): [files[0]],
    }


def test_marker_above_the_named_path(tmp_path: Path) -> None:
    """A scan of one file or folder finds the same suite as a scan of the whole."""
    (tmp_path / "repo/.git").mkdir(parents=True)
    touch(tmp_path / "cucumber.js")
    touch(tmp_path / "repo/shop/behave.ini")
    file = str(touch(tmp_path / "repo/shop/features/x.feature"))
    for named in (file, tmp_path / "repo/shop/features", tmp_path / "repo"):
        assert SuiteFinder([named]).root_of(file) == str(tmp_path / "repo/shop")


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    touch(tmp_path / "cucumber.js")
    (tmp_path / "repo/.git").mkdir(parents=True)
    file = str(touch(tmp_path / "repo/f/x.feature"))
    assert SuiteFinder([tmp_path / "repo/f"]).root_of(file) == str(tmp_path / "repo/f")
    assert SuiteFinder([file]).root_of(file) == str(tmp_path / "repo")


def test_the_search_ends_below_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    touch(tmp_path / "cucumber.js")
    file = str(touch(tmp_path / "work/x.feature"))
    assert SuiteFinder([tmp_path / "work"]).root_of(file) == str(tmp_path / "work")


def test_file_that_was_named_in_an_unmarked_tree(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    file = str(touch(tmp_path / "repo/a/features/b/features/x.feature"))
    assert SuiteFinder([file]).root_of(file) == str(tmp_path / "repo/a/features")
    alone = str(touch(tmp_path / "stories/x.feature"))
    assert SuiteFinder([alone]).root_of(alone) == str(tmp_path / "stories")


def test_unmarked_folders_that_were_named(tmp_path: Path) -> None:
    files = [str(touch(tmp_path / name)) for name in ("a/x.feature", "a/b/y.feature", "ab/z.feature")]
    grouped = group_by_suite(files, [tmp_path / "a", tmp_path / "a/b", tmp_path / "ab"])
    assert grouped == {str(tmp_path / root): [file] for root, file in zip(("a", "a/b", "ab"), files, strict=True)}


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "shop/behave.ini")
    touch(tmp_path / "shop/features/x.feature")
    monkeypatch.chdir(tmp_path)
    assert group_by_suite(["shop/features/x.feature"], ["shop"]) == {"shop": ["shop/features/x.feature"]}
    monkeypatch.chdir(tmp_path / "shop/features")
    assert list(group_by_suite(["x.feature"], ["."])) == [".."]
