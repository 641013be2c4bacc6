"""A user works in a subfolder of a repository: shown paths begin there, a service's paths begin at the root."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.cli.conftest import GLUE, LOGIN, Run

pytestmark = [
    pytest.mark.usefixtures("no_model"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

SUITE = "svc/a/features"
MORE = """\
Feature: More
  Scenario: Both
    When the user types tea
    Then I see the name
    And I see a name
"""
MORE_GLUE = """\
from behave import then, when


@when("the user types {word}")
def types(context, word):
    context.page.keyboard.send(word)
    context.page.wait()


@then("I see the name")
def see_the_name(context):
    context.page.find("name").check("visible")
    context.page.wait()


@then("I see a name")
def see_a_name(context):
    context.page.find("name").check("visible")
    context.page.wait()
"""

WHERE = [
    pytest.param(".", ["."], id="the root"),
    pytest.param("svc/a", ["."], id="a service"),
    pytest.param("svc/a", [SUITE[6:]], id="a folder of a service"),
    pytest.param(SUITE, [], id="features"),
    pytest.param(f"{SUITE}/steps", [".."], id="the folder above"),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "a#b 100% ünï"
    (root / SUITE / "steps").mkdir(parents=True)
    contents = {"login.feature": LOGIN, "more.feature": MORE, "steps/steps.py": GLUE, "steps/more.py": MORE_GLUE}
    for name, content in contents.items():
        (root / SUITE / name).write_text(content, "utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def applies(diff: str, folder: str | Path) -> str:
    """The files that git would change if the diff were applied in a folder. Fails if git refuses it."""
    command = ["git", "apply", "--check", "--numstat", "-z", "-"]
    done = subprocess.run(command, input=diff.encode(), cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize(("folder", "paths"), WHERE)
def test_places_lead_from_the_working_folder(
    folder: str, paths: list[str], run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / folder)
    feature, glue = (os.path.relpath(repository / SUITE / name) for name in ("more.feature", "steps/more.py"))
    outcome = run("scan", *paths, "--json", "out.json")
    assert f"    {feature}:" in outcome.out
    assert f" at {glue}:" in outcome.out
    document = json.loads(Path("out.json").read_text("utf-8"))
    shown = {place["path"] for found in document["findings"] for other in found["others"] for place in other["places"]}
    assert feature in shown
    assert all(path == os.path.relpath(path) for path in shown)


@pytest.mark.parametrize(
    ("folder", "paths", "workspace"),
    [
        *(pytest.param(*where.values, "", id=where.id) for where in WHERE),
        ("svc/a", ["."], ".."),
        ("svc/a", ["."], "elsewhere"),
    ],
)
def test_services_read_paths_from_the_root(
    folder: str, paths: list[str], workspace: str, run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = (repository.parent / workspace).resolve()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(checkout) if workspace else "")
    root = checkout if workspace == ".." else repository
    monkeypatch.chdir(repository / folder)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    outcome = run("scan", *paths, "--github", "--sarif", "out.sarif")
    files = set(re.findall(r"^::\w+ file=(.*?),", outcome.out, re.MULTILINE))
    place = (repository / SUITE / "more.feature").relative_to(root).as_posix()
    assert place.replace("%", "%25") in files
    assert not any(name.startswith((".", "/")) for name in files)
    assert f"| `{place}:" in Path("summary.md").read_text("utf-8")
    sarif = json.loads(Path("out.sarif").read_text("utf-8"))["runs"][0]
    assert unquote(sarif["originalUriBaseIds"]["%SRCROOT%"]["uri"]) == f"file://{root}/"
    locations = [
        each["physicalLocation"]["artifactLocation"]
        for result in sarif["results"]
        for each in (*result["locations"], *result["relatedLocations"])
    ]
    assert {location["uriBaseId"] for location in locations} == {"%SRCROOT%"}
    assert place in {unquote(location["uri"]) for location in locations}
    assert all((root / unquote(location["uri"])).is_file() for location in locations)


CHANGES = [
    ("rename", "--from", 'I log in as "anna"', "--to", "I sign in as {1}"),
    ("merge", "--hints", "--wording"),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[0])
@pytest.mark.parametrize(("folder", "paths"), WHERE)
def test_git_takes_a_diff_where_the_user_stands(
    change: list[str], folder: str, paths: list[str], run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / folder)
    command, *options = change
    outcome = run(command, *paths, *options)
    is_outside = folder.endswith("steps")  # no diff that changes files above applies here: git refuses `..`
    assert (f"apply it in {repository}\n" in outcome.err) is is_outside
    changed = applies(outcome.out, repository if is_outside else ".")
    assert {name.rsplit("/", 1)[-1].split("\t")[-1] for name in changed.split("\0") if name} == (
        {"login.feature", "steps.py"} if command == "rename" else {"more.feature", "more.py"}
    )


def test_without_a_repository_a_diff_applies_in_the_working_folder(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(repository / ".git")
    monkeypatch.chdir(repository)
    outcome = run(*CHANGES[0])
    assert outcome.err.count("note: the diff") == 0
    assert f"--- a/{SUITE}/login.feature\n" in outcome.out
