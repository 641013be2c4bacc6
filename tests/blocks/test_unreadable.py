"""Unreadable sources that other step files name, and many classes of one World."""

import os
import sys
from pathlib import Path

import pytest

from cukereuse_engine.blocks.calling.functions import SuiteFunctions
from cukereuse_engine.cli.main import cli
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

FEATURE = (
    "Feature: F\n  Scenario: S\n    Given I sign in\n    And I leave\n  Scenario: T\n    Given I sign in and leave\n"
)
BROKEN = 'from behave import given\nNAME = "caf\xe9"\n@given("I sign in")\ndef sign_in(context):\n    context.go(1)\n'
LEAVING = '@given("I leave")\ndef leave(context):\n    context.go(2)\n'
CALLING = (
    "from behave import given\nfrom steps.b import sign_in, leave\n"
    '@given("I sign in and leave")\ndef both(context):\n    sign_in(context)\n    leave(context)\n'
)


RUNNING = (
    "from behave import given\n"
    '@given("I sign in and leave")\ndef both(context):\n    context.execute_steps("Given I sign in\\nGiven I leave")\n'
)


@pytest.mark.parametrize("source", [CALLING, RUNNING])
def test_a_source_in_another_encoding_ends_no_scan(source: str, tmp_path: Path) -> None:
    steps = tmp_path / "features" / "steps"
    steps.mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (steps / "a.py").write_text(source, "utf-8")
    (steps / "b.py").write_bytes((BROKEN + LEAVING).encode("latin-1"))
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    assert sum(len(suite.texts) for suite in result.suites) == 3


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="names of files are Unicode there")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scan", "--strategy=exact"], "4 steps"),
        (["steps"], "caf\\udce9"),
        (["steps", "--no-cache"], "caf\\udce9"),
        (["blocks"], "0 blocks"),
        (["similar", "I leave"], "caf\\udce9"),
    ],
)
def test_a_folder_whose_name_is_no_utf8_ends_no_command(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    steps = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9/features/steps"))
    steps.mkdir(parents=True)
    (steps.parent / "a.feature").write_text(FEATURE + "    And I leave it\n", "utf-8")
    (steps / "b.py").write_text(BROKEN + LEAVING, "utf-8")
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # the second time with what the first one kept
        cli.main(arguments, standalone_mode=False)
        assert message in "".join(capsys.readouterr())


def test_sources_are_read_once_however_many_classes_are_asked_for() -> None:
    sources = {
        f"/s/C{n}.java": (
            f"import io.cucumber.java.en.Given;\npublic class C{n} {{\n"
            f'  @Given("I do {n}")\n  public void step{n}() {{ go({n}); }}\n}}\n'
        )
        for n in range(30)
    }
    definitions = [
        definition for path, text in sources.items() for definition in extract_source(path, text.encode()).definitions
    ]
    read: list[str] = []

    def text_of(path: str) -> str:
        read.append(path)
        return sources[path]

    suite = SuiteFunctions(text_of, definitions)
    assert [len(suite.classes(f"C{n}", "java")) for n in range(30)] == [1] * 30
    assert suite.classes("World", "java") == ()
    assert sorted(read) == sorted(sources)
