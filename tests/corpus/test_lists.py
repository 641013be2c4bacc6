"""A corpus' list of repositories: names from addresses, tables and plain lines, and what a list may not hold."""

from pathlib import Path

import pytest

from corpus_tools.stages.discover.listed import read_list
from corpus_tools.support.addresses import name_of, without_credentials
from cukereuse_engine.cli.main import run
from cukereuse_engine.errors import CukereuseError


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://example.org/team/shop.git", "team/shop"),
        ("https://example.org/group/sub/shop", "sub/shop"),
        ("git@example.org:team/shop.git", "team/shop"),
        ("ssh://git@example.org:2222/team/shop.git/", "team/shop"),
        ("file:///srv/git/shop.git", "git/shop"),
        ("/srv/shop", "srv/shop"),
        ("https://example.org/shop", "local/shop"),
        ("https://example.org", ""),
    ],
)
def test_names_from_addresses(address: str, name: str) -> None:
    assert name_of(address) == name


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("https://h/a/b.git\n# all of ours\n\nteam/shop git@h:x/y.git  # the shop\n", ["a/b", "team/shop"]),
        ("name,url\nteam/shop,https://h/a/b.git\n,https://h/c/d.git\n", ["team/shop", "c/d"]),
        ("\ufefffull_name,clone_url\nteam/shop,https://h/a/b.git\n", ["team/shop"]),
        ("full_name;clone_url;owner\r\nteam/shop;https://h/a/b.git;me\r\n", ["team/shop"]),
        ("url\tname\nhttps://h/a/b.git\tteam/shop\n", ["team/shop"]),
        ("https://h/a/b.git, a/b\n", ["a/b"]),
        ("https://h/a/b.git\nhttps://h/a/b.git\n", ["a/b"]),
        ("shop /srv/git/shop.git\n", ["local/shop"]),
    ],
)
def test_lists(tmp_path: Path, content: str, names: list[str]) -> None:
    (tmp_path / "list").write_text(content, "utf-8")
    assert [repository.full_name for repository in read_list(tmp_path / "list")] == names


@pytest.mark.parametrize(
    ("address", "whole"),
    [
        ("./shop", "{}/shop"),
        ("../shop.git", "{}/../shop.git"),
        ("team/shop.git", "{}/team/shop.git"),
        ("/srv/shop", "/srv/shop"),
        ("git@h:team/shop.git", "git@h:team/shop.git"),
        ("https://h/team/shop", "https://h/team/shop"),
    ],
)
@pytest.mark.parametrize("header", ["", "clone_url\n"])
def test_a_path_is_taken_from_the_lists_folder(tmp_path: Path, header: str, address: str, whole: str) -> None:
    (tmp_path / "list").write_text(f"{header}{address}\n")
    assert [each.clone_url for each in read_list(tmp_path / "list")] == [whole.format(tmp_path)]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "names no repository"),
        ("full_name,clone_url\n", "names no repository"),
        ("one two three\n", "line 1"),
        ("https://h/a/b.git\nteam/shop\n", "line 2"),
        ("https://me:s3cret@h/a/b.git\n", "contains credentials"),
        ("https://s3cret@h/a/b.git\n", "contains credentials"),
        ("--upload-pack=s3cret.git\n", "no address"),
        ("ext::sh -c s3cret\n", "line 1"),
        ("../.. https://h/a/b.git\n", "neither"),
        ("a/../b https://h/a/b.git\n", "not a repository name"),
        ("a/b https://h/1.git\nA/b https://h/2.git\n", "two repositories"),
        ("full_name,clone_url\na/b,https://me:s3cret@h/b.git\n", "row 1"),
        ("full_name,clone_url\na/b,\n", "row 1"),
        ("full_name,clone_url,stargazers_count\na/b,https://h/b.git,many\n", "'many'"),
    ],
)
def test_what_a_list_may_not_hold(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "list").write_text(content, "utf-8")
    with pytest.raises(CukereuseError) as caught:
        read_list(tmp_path / "list")
    assert complaint in caught.value.message
    assert "s3cret" not in caught.value.sentences


@pytest.mark.parametrize("content", ["", "team/shop\n", "full_name;link\nteam/shop;https://h/a/b.git\n"])
def test_a_table_without_addresses_is_told(tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "repos.csv").write_text(content)
    assert run(["corpus", "materialise", str(tmp_path)]) == 2
    assert "repos.csv has no column clone_url or url or address" in capsys.readouterr().err


def test_no_user_is_told() -> None:
    assert without_credentials("fatal: 'https://me:pw@h/a.git' x http://t@h") == "fatal: 'https://h/a.git' x http://h"
