"""Scenarios of a file, and how the suite's runner runs one alone. Runs nothing: a client does, when a person asks."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.outline import Mark, MarkKind, Outline, outline
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.running import FEATURE, SCENARIO, ListRuns, Runnable, Runs
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_KINDS = {MarkKind.FEATURE: FEATURE, MarkKind.SCENARIO: SCENARIO, MarkKind.OUTLINE: SCENARIO}
_ENVIRONMENTS = (".venv", "venv", "env")
_STRICT = "--strict"
"""Option for runners that otherwise report no failure for a scenario with an undefined or pending step."""
_NO_NAME = re.compile(r"\W")
_DIGITS = re.compile(r"^\d+_*")


def runs(workspace: View, request: ListRuns) -> Runs | None:
    suite = workspace.suite_of(request.path)
    if suite is None:
        return None
    buffer = workspace.buffers.get(request.path)
    plan = outline(request.path, buffer.text if buffer is not None else _text(request.path))
    framework = _framework(suite)
    titles = titles_of(plan)
    runnables = []
    for at, mark in enumerate(plan.marks):
        if mark.kind in _KINDS:
            command = command_of(framework, suite.root, request.path, mark, titles)
            kind, end = _KINDS[mark.kind], plan.section_end(at)
            debug = debug_of(framework, command)
            runnables.append(
                Runnable(kind=kind, name=mark.text, line=mark.line, end_line=end, command=command, debug=debug)
            )
    return Runs(folder=suite.root, found=runnables)


def titles_of(plan: Outline) -> list[str]:
    """The titles of a file's scenarios."""
    return [mark.text for mark in plan.marks if _KINDS.get(mark.kind) == SCENARIO]


def command_of(framework: str, folder: str, path: str, mark: Mark, titles: Sequence[str]) -> list[str]:
    """The arguments with which a runner runs the part below a title; empty if they are unknown. `folder`: where the
    command runs. `titles`: the titles of the file's scenarios."""
    place = os.path.relpath(path, folder)
    if mark.kind is not MarkKind.FEATURE:
        place = f"{place}:{mark.line}"
    match framework:
        case "behave":
            return [_of_environment(folder, "behave"), place]
        case "pytest-bdd":
            # pytest-bdd names the test functions of scenarios after their titles
            functions = list(dict.fromkeys(map(_function, titles)))
            chosen = (
                " or ".join(functions) if mark.kind is MarkKind.FEATURE else _alone(_function(mark.text), functions)
            )
            return [_of_environment(folder, "pytest"), "-k", chosen] if chosen else []
        case "cucumber-ruby":
            return [*(["bundle", "exec"] if Path(folder, "Gemfile").is_file() else []), "cucumber", _STRICT, place]
        case "cucumber-js":
            return ["npx", "--no-install", "cucumber-js", place]
        case "behat":
            own = Path(folder, "vendor", "bin", "behat")
            return [str(own) if own.is_file() else "behat", _STRICT, place]
        case _:
            return []


def debug_of(framework: str, command: Sequence[str]) -> dict[str, str | list[str]]:
    """How a debugger starts the command of `command_of`: debugpy for Python, VS Code's own for JavaScript."""
    if not command:
        return {}
    program, *arguments = command
    match framework:
        case "behave" | "pytest-bdd":
            own = Path(program).with_name("python.exe" if program.endswith(".exe") else "python")
            python = {"python": str(own)} if own.is_absolute() else {}
            return {"type": "debugpy", "module": Path(program).stem, "args": arguments, **python}
        case "cucumber-js":
            # otherwise its debugger shows only output by `console`, and runners write to the stream
            return {"type": "node", "runtimeExecutable": program, "runtimeArgs": arguments, "outputCapture": "std"}
        case _:
            return {}


def _framework(suite: SuiteState) -> str:
    """The framework of most step definitions; empty if there are none."""
    counts = (
        Counter(definition.framework for definition in suite.glue.own_definitions)
        if suite.glue is not None
        else Counter()
    )
    return counts.most_common(1)[0][0] if counts else ""


def _of_environment(folder: str, name: str) -> str:
    """The command in the suite's own Python environment, or else the one on PATH."""
    paths = (
        Path(folder, environment, place)
        for environment in _ENVIRONMENTS
        for place in (f"bin/{name}", f"Scripts/{name}.exe")
    )
    return next((str(path) for path in paths if path.is_file()), name)


def _function(title: str) -> str:
    """The name of pytest-bdd's test function for a scenario."""
    return f"test_{_DIGITS.sub('', _NO_NAME.sub('', title.replace(' ', '_'))).lower()}"


def _alone(function: str, functions: Sequence[str]) -> str:
    """An expression for pytest's `-k` that selects this function, and no other whose name contains its name."""
    longer = (name for name in functions if function in name and name != function)
    return " and not ".join([function, *longer])


def _text(path: str) -> str:
    try:
        return decode(Path(path).read_bytes()).text
    except OSError:
        return ""


HANDLERS: dict[type[Request], Any] = {ListRuns: runs}
