"""Suites in memory and on disk: feature texts and glue sources by path, as a workspace to plan in."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import Outcome, ReadSuites, RenamePlan
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

Contents = Mapping[str, str | bytes]


class Memory:
    """Files that exist only in memory."""

    def __init__(self, contents: Contents) -> None:
        self.contents = {path: text.encode() if isinstance(text, str) else text for path, text in contents.items()}

    def workspace(self) -> ReadSuites:
        files = {path: read_bytes(path, data) for path, data in self.contents.items() if ".feature" in path}
        sources = {path: extract_source(path, data) for path, data in self.contents.items() if ".feature" not in path}
        glue = Glue("", sources) if sources else None
        steps: dict[str, list] = {}
        texts: dict[str, StepText] = {}
        for file in files.values():
            if glue is not None:
                glue.update_feature(file.path, file.steps)
            for step in file.steps:
                text = normalise(step.text)
                steps.setdefault(identity(text), []).append(step)
                texts.setdefault(text, StepText(text, identity(text), template(text), 1))
        return ReadSuites(files, list(texts.values()), steps, glue, self.contents.__getitem__)

    def applied(self, plan: RenamePlan) -> "Memory":
        changed = {file.path: edited_bytes(file, self.contents[file.path]) for file in plan.files}
        return Memory({**self.contents, **changed})

    def text(self, path: str) -> str:
        return self.contents[path].decode()


class Disk:
    """A suite on disk, with the configurations of its runner."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, contents: Mapping[str, str]) -> None:
        for path, text in contents.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, "utf-8")

    def text(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def workspace(self) -> ReadSuites:
        (suite,) = read_suites([self.root], use_cache=False, jobs=1)
        glue = Glue.load(suite.root, paths=[self.root], jobs=1)
        for file in suite.files:
            glue.update_feature(file.path, file.steps)
        return ReadSuites({file.path: file for file in suite.files}, suite.texts, suite.steps, glue)

    def apply(self, plan: RenamePlan) -> None:
        for file in plan.files:
            Path(file.path).write_bytes(edited_bytes(file, Path(file.path).read_bytes()))


@pytest.fixture(scope="session")
def disk() -> Callable[[Path], Disk]:
    return Disk


@pytest.fixture(scope="session")
def memory() -> Callable[[Contents], Memory]:
    return Memory


HEAD = "Feature: F\n  Scenario: S\n"
BEHAVE = "from behave import given\n"


def feature(*steps: str) -> str:
    """One scenario of these steps."""
    return HEAD + "".join(f"    Given {step}\n" for step in steps)


def behave(*expressions: str) -> str:
    """A function for each expression; its body does not matter here."""
    return BEHAVE + "".join(
        f"\n\n@given({expression!r})\ndef f{n}(*_, **k):\n    pass\n" for n, expression in enumerate(expressions)
    )


def plan(files: Memory, source: str, target: str, clusters: Sequence[Sequence[str]] = (), **options: Any) -> RenamePlan:
    workspace = files.workspace()
    return plan_rename(request_for(workspace, source, target, clusters=clusters, **options), workspace)


def outcomes(plan: RenamePlan) -> dict[str, Outcome]:
    return {change.definition.expression: change.outcome for change in plan.definitions}
