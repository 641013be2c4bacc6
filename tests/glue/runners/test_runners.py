"""The runners themselves as oracle, in dry runs: no step runs.

On one suite for all, each step is bound, undefined or ambiguous as in the runner, by the same definitions and with the
same arguments.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.glue import Glue

HERE = Path(__file__).parent
FEATURE = "vending.feature"
Found = tuple[tuple[int, tuple[str | None, ...]], ...]
"""For each matching definition, its line and its arguments as in the step."""
Record = set[tuple[str, Found]]


def _run(command: list[str], folder: Path, record: Path, **environment: str) -> str:
    """The record of a runner; its exit code only tells that steps are undefined."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert record.is_file(), done.stdout + done.stderr
    return record.read_text(encoding="utf-8")


def _as_record(steps: Iterator[tuple[str, list[tuple[int, list[str | None]]]]]) -> Record:
    return {(text, tuple(sorted((line, tuple(arguments)) for line, arguments in matches))) for text, matches in steps}


def _needs_module(name: str) -> None:
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed")


def _program(name: str) -> Path:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name} on the path")
    return Path(path).resolve()


def _behave(suite: Path) -> Record:
    _needs_module("behave")
    (suite / "steps").mkdir()
    (suite / "steps.py").rename(suite / "steps" / "steps.py")
    record = suite / "record.jsonl"
    command = ["behave", "--dry-run", "--no-summary", "-f", "record_behave:Recorder", "-o", str(record), FEATURE]
    return _lines(_run([sys.executable, "-m", *command], suite, record, PYTHONPATH=str(HERE)))


def _pytest_bdd(suite: Path) -> Record:
    _needs_module("pytest_bdd")
    record = suite / "record.jsonl"
    plugin = {"PYTHONPATH": str(HERE), "CUKEREUSE_RECORD": str(record)}
    command = ["pytest", "-q", "-p", "record_pytest_bdd", "-p", "no:cacheprovider", "steps.py"]
    return _lines(_run([sys.executable, "-m", *command], suite, record, **plugin))


def _cucumber_ruby(suite: Path) -> Record:
    program = _program("cucumber")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if not version.startswith("2."):
        pytest.skip(f"cucumber {version} has another formatter interface than 2.4")
    record = suite / "record.jsonl"
    recorder = str(HERE / "record_cucumber.rb")
    options = ["--dry-run", "--no-profile", "-f", "Recorder", "-o", str(record), "-r", recorder, "-r", "steps.rb"]
    return _lines(_run([str(program), *options, FEATURE], suite, record, RUBYOPT="-W0 -Eutf-8:utf-8"))


def _lines(output: str) -> Record:
    steps = [json.loads(line) for line in output.splitlines()]
    return _as_record(
        (step["text"], [(match["line"], match["arguments"]) for match in step["found"]]) for step in steps
    )


def _cucumber_js(suite: Path) -> Record:
    program = _program("cucumber-js")
    modules = str(next(folder for folder in program.parents if folder.name == "node_modules"))
    record = suite / "record.ndjson"
    command = [str(program), "--dry-run", "--require", "steps.js", "--format", f"message:{record}", FEATURE]
    messages = [json.loads(line) for line in _run(command, suite, record, NODE_PATH=modules).splitlines()]
    lines = {
        message["stepDefinition"]["id"]: message["stepDefinition"]["sourceReference"]["location"]["line"]
        for message in messages
        if "stepDefinition" in message
    }
    texts = {step["id"]: step["text"] for message in messages for step in message.get("pickle", {}).get("steps", ())}

    def arguments(of: dict[str, Any]) -> list[str | None]:
        return [argument["group"].get("value") for argument in of["stepMatchArguments"]]

    tested = [step for message in messages for step in message.get("testCase", {}).get("testSteps", ())]
    return _as_record(
        (
            texts[step["pickleStepId"]],
            [
                (lines[key], arguments(of))
                for key, of in zip(step["stepDefinitionIds"], step["stepMatchArgumentsLists"], strict=True)
            ],
        )
        for step in tested
    )


def _ours(suite: Path, source: str) -> Record:
    glue = Glue(str(suite))
    glue.update_file(str(suite / source), (HERE / "suites" / suite.name / source).read_bytes())
    assert not glue.errors
    feature = read_bytes(str(suite / FEATURE), (suite / FEATURE).read_bytes())
    assert not feature.errors
    return _as_record(
        (
            text.text,
            [(match.definition.line, [argument.value for argument in match.arguments]) for match in text.matches],
        )
        for step in feature.steps
        for text in glue.bind(step).texts
    )


@pytest.mark.runner
@pytest.mark.parametrize(
    ("runner", "record", "source", "ambiguous"),
    [
        ("behave", _behave, "steps.py", False),  # refuses such definitions when it loads them
        ("pytest-bdd", _pytest_bdd, "steps.py", False),  # takes the last one
        ("cucumber-js", _cucumber_js, "steps.js", True),
        ("cucumber-ruby", _cucumber_ruby, "steps.rb", True),
    ],
    ids=["behave", "pytest-bdd", "cucumber-js", "cucumber-ruby"],
)
def test_every_step_binds_as_in_the_runner(
    tmp_path: Path, runner: str, record: Callable[[Path], Record], source: str, ambiguous: bool
) -> None:
    suite = tmp_path / runner
    shutil.copytree(HERE / "suites" / runner, suite)
    shutil.copy(HERE / "suites" / FEATURE, suite)
    recorded = record(suite)
    numbers = {len(matches) for _, matches in recorded}
    assert numbers == ({0, 1, 2} if ambiguous else {0, 1})
    assert _ours(suite, source) == recorded
