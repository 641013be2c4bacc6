import os
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.gherkin.suites import SuiteFinder


def tree(root: Path, *files: str) -> Path:
    """Files below `root`; "a/" makes a folder."""
    for file in files:
        name, _, content = file.partition("=")
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    return root


def discovered(root: Path, *, under: str = "", **settings: object) -> list[str]:
    base = root / under if under else root
    return [Path(file).relative_to(root).as_posix() for file in discover([base], **settings)]  # type: ignore[arg-type]


def test_order_and_suffixes(tmp_path: Path) -> None:
    tree(
        tmp_path,
        "b.feature",
        "a/z.feature",
        "a/b.feature.md",
        "a.feature",
        "readme.md",
        "x.FEATURE.txt",
        "a b/c.feature",
        "A b/C.FEATURE",
        "x.Feature.MD",
    )
    expected = [
        "A b/C.FEATURE",
        "a/b.feature.md",
        "a/z.feature",
        "a b/c.feature",
        "a.feature",
        "b.feature",
        "x.Feature.MD",
    ]
    assert discovered(tmp_path) == discovered(tmp_path, listings=Listings(FEATURE_SUFFIXES)) == expected
    assert discovered(tmp_path, suffixes=(".md",)) == ["a/b.feature.md", "readme.md", "x.Feature.MD"]


@pytest.mark.parametrize(
    "folder",
    [
        ".git",
        ".hg",
        "node_modules",
        "vendor",
        ".venv",
        "venv",
        "__pycache__",
        ".tox",
        "a/node_modules/b",
        "site-packages",
    ],
)
def test_what_is_not_the_users_own(tmp_path: Path, folder: str) -> None:
    tree(tmp_path, f"{folder}/x.feature", "y.feature")
    assert discovered(tmp_path) == ["y.feature"]
    assert discover([tmp_path / folder]) == [str(tmp_path / folder / "x.feature")], "named by the user"
    assert discover([tmp_path / folder / "x.feature"]) == [str(tmp_path / folder / "x.feature")]


@pytest.mark.parametrize(
    ("folder", "beside"),
    [
        ("target", "pom.xml"),
        ("target", "Cargo.toml"),
        ("build", "build.gradle.kts"),
        ("bin", "Shop.Specs.csproj"),
        ("obj", "Shop.Specs.csproj"),
        ("dist", "package.json"),
        ("odd name", "odd name/pyvenv.cfg"),
    ],
)
def test_outputs_only_beside_their_tool(tmp_path: Path, folder: str, beside: str) -> None:
    tree(tmp_path, f"{folder}/x.feature")
    assert discovered(tmp_path) == [f"{folder}/x.feature"]
    tree(tmp_path, beside)
    assert discovered(tmp_path) == []


def test_vendor_as_a_subject(tmp_path: Path) -> None:
    tree(tmp_path, "features/vendor/invoice.feature")
    assert discovered(tmp_path) == ["features/vendor/invoice.feature"]


@pytest.mark.parametrize("name", [".gitignore", ".cukereuseignore"])
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"": "*.feature"}, []),
        ({"": "/a/"}, ["b/a/y.feature", "b/x.feature", "c.feature"]),
        ({"": "a/"}, ["b/x.feature", "c.feature"]),
        ({"": "*.feature\n!x.feature"}, ["a/x.feature", "b/x.feature"]),
        ({"": "x.feature", "b/": "!x.feature"}, ["b/a/y.feature", "b/x.feature", "c.feature"]),
        ({"b/": "a/\n"}, ["a/x.feature", "b/x.feature", "c.feature"]),
        ({"": "b/", "b/": "!x.feature"}, ["a/x.feature", "c.feature"]),
        ({"": "# comment\n\n"}, ["a/x.feature", "b/a/y.feature", "b/x.feature", "c.feature"]),
    ],
)
def test_ignore_files(tmp_path: Path, name: str, rules: dict[str, str], expected: list[str]) -> None:
    tree(tmp_path, "a/x.feature", "b/x.feature", "b/a/y.feature", "c.feature")
    tree(tmp_path, *(f"{folder}{name}={rule}" for folder, rule in rules.items()))
    assert discovered(tmp_path) == expected
    assert discover([tmp_path / "a/x.feature"]) == [str(tmp_path / "a/x.feature")]


def test_ignore_files_above_up_to_the_repository(tmp_path: Path) -> None:
    tree(tmp_path, ".gitignore=a.feature", "repo/.git/", "repo/.gitignore=b.feature\nout/", "repo/f/a.feature")
    tree(tmp_path, "repo/f/b.feature", "repo/out/c.feature")
    assert discovered(tmp_path, under="repo/f") == ["repo/f/a.feature"]
    assert discovered(tmp_path, under="repo/out") == ["repo/out/c.feature"], "the user named an ignored folder"


def test_a_repository_inside_a_repository(tmp_path: Path) -> None:
    tree(tmp_path, ".git/", ".gitignore=x.feature", "x.feature", "sub/.git=gitdir: elsewhere", "sub/x.feature")
    assert discovered(tmp_path) == ["sub/x.feature"]


def test_include_and_exclude(tmp_path: Path) -> None:
    tree(tmp_path, "node_modules/mine/a.feature", "node_modules/other/b.feature", "c.feature", "d/e.feature")
    tree(tmp_path, ".gitignore=c.feature")
    assert discovered(tmp_path, include=["node_modules/mine/"]) == ["d/e.feature", "node_modules/mine/a.feature"]
    assert discovered(tmp_path, include=["c.feature"], exclude=["d/"]) == ["c.feature"]
    assert discovered(tmp_path, include=["node_modules/"], exclude=["other/"]) == [
        "d/e.feature",
        "node_modules/mine/a.feature",
    ]


def test_links(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.feature", "elsewhere.txt")
    (tmp_path / "a/loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "again.feature").symlink_to(tmp_path / "a/x.feature")
    (tmp_path / "other.feature").symlink_to(tmp_path / "elsewhere.txt")
    (tmp_path / "broken.feature").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self.feature").symlink_to(tmp_path / "self.feature")
    assert discovered(tmp_path) == ["a/x.feature", "broken.feature", "other.feature", "self.feature"]
    assert discover([tmp_path / "a/loop/a"]) == [str(tmp_path / "a/loop/a/x.feature")]


def test_a_folder_named_like_a_file(tmp_path: Path) -> None:
    tree(tmp_path, "x.feature/y.feature")
    assert discovered(tmp_path) == ["x.feature/y.feature"], "no runner takes the folder for a file"


def test_each_file_once_and_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "f/a.feature", "f/b.feature")
    monkeypatch.chdir(tmp_path)
    expected = [os.path.join("f", "a.feature"), os.path.join("f", "b.feature")]  # noqa: PTH118
    assert discover(["f/b.feature", "f", "./f/../f", tmp_path / "f"]) == expected
    assert discover(["."]) == expected


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="no such file"):
        discover([tmp_path / "nowhere"])


@pytest.mark.unprivileged
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_folder(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.feature", "b.feature")
    (tmp_path / "a").chmod(0)
    assert discovered(tmp_path) == ["a", "b.feature"]
    (tmp_path / "a").chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system")
def test_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    """Reading one would never end."""
    (tmp_path / "a.feature").touch()
    pipes = [tmp_path / name for name in ("b.feature", ".gitignore", ".cukereuseignore", "pytest.ini")]
    for pipe in pipes:
        os.mkfifo(pipe)
    (tmp_path / "c.feature").symlink_to(pipes[0])
    (tmp_path / "d.feature").symlink_to("/dev/zero")
    (tmp_path / "gone.feature").symlink_to(tmp_path / "nowhere")
    assert discover([tmp_path]) == [str(tmp_path / "a.feature"), str(tmp_path / "gone.feature")]
    assert SuiteFinder([str(tmp_path)]).root_of(str(tmp_path / "a.feature")) == str(tmp_path)
