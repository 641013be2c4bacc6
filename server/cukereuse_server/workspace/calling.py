"""Steps that code runs by their text, as `cukereuse_engine.refactor.calls` finds them: which a step definition serves.

A source is searched again only when it has changed. Changes nothing.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.refactor import calls
from cukereuse_engine.refactor.calls import CALLING, Call
from cukereuse_server.workspace.navigation import definitions_at
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_SOURCES = 4096


def calls_of(workspace: View, definitions: Iterable[tuple[SuiteState, StepDefinition]]) -> list[Call]:
    """Calls of any of the definitions, in their suites' sources, by path and place."""
    wanted = list(definitions)
    distinct = {one.id: one for _, one in wanted}.values()
    matchers = [found for one in distinct if (found := compile_definition(one, {}).matcher) is not None]
    sources = {
        one.path
        for suite in dict.fromkeys(suite for suite, _ in wanted)
        for one in (suite.glue.definitions if suite.glue is not None and matchers else ())
        if one.language in CALLING
    }
    return [
        call
        for path in sorted(sources)
        for call in _calls(workspace, path)
        if any(matcher.match(text) for text in call.could_say() for matcher in matchers)
        and not _defines(workspace, call)
    ]


def calls_in(workspace: View, path: str) -> list[tuple[Call, StepDefinition]]:
    """The calls of a source, each with every definition that it may mean."""
    found: dict[tuple[Call, str], tuple[Call, StepDefinition]] = {}
    known = [one for suite in workspace.suites.values() if suite.glue is not None for one in suite.glue.definitions]
    served = any(one.path == path and one.language in CALLING for one in known)
    for call in _calls(workspace, path) if served else ():
        for one in known:
            matcher = compile_definition(one, {}).matcher
            matches = matcher is not None and any(matcher.match(text) for text in call.could_say())
            if matches and not _defines(workspace, call):
                found[call, one.id] = call, one
    return list(found.values())


def _defines(workspace: View, call: Call) -> bool:
    """behave's `@step("…")` is no call."""
    return bool(definitions_at(workspace, call.step.path, call.step.line))


def _calls(workspace: View, path: str) -> tuple[Call, ...]:
    buffer = workspace.buffers.get(path)
    if buffer is not None:
        return tuple(calls.calls_in(path, buffer.text.encode("utf-8", "surrogatepass")))
    try:
        there = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    return _on_disk(path, there.st_mtime_ns, there.st_size)


@lru_cache(maxsize=_SOURCES)
def _on_disk(path: str, changed: int, size: int) -> tuple[Call, ...]:
    """`changed` and `size`: of the file as it is to be read."""
    del changed, size
    try:
        return tuple(calls.calls_in(path, Path(path).read_bytes()))
    except OSError:
        return ()
