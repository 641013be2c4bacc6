"""Steps that code runs by their text, as `cukereuse_engine.refactor.calls` finds them: which step definition each uses.

A source is searched again only when it has changed. Changes nothing.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.refactor import calls
from cukereuse_engine.refactor.calls import calls_steps
from cukereuse_engine.refactor.step_call import StepCall
from cukereuse_server.workspace.navigation import definitions_at
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_SOURCES = 4096


def calls_of(workspace: View, definitions: Iterable[tuple[SuiteState, StepDefinition]]) -> list[StepCall]:
    """Calls of any of the definitions, in their suites' sources, by path and place."""
    wanted = list(definitions)
    distinct = {definition.id: definition for _, definition in wanted}.values()
    compiled = (compile_definition(definition, {}).matcher for definition in distinct)
    matchers = [matcher for matcher in compiled if matcher is not None]
    if not matchers:
        return []

    def is_wanted(call: StepCall) -> bool:
        says = any(matcher.match(text) for text in call.could_say() for matcher in matchers)
        return says and not _defines(workspace, call)

    sources = {path for suite in dict.fromkeys(suite for suite, _ in wanted) for path in _calling_sources(suite)}
    return [call for path in sorted(sources) for call in _calls(workspace, path) if is_wanted(call)]


def _calling_sources(suite: SuiteState) -> Iterator[str]:
    """Sources with step definitions in languages whose code can run steps."""
    for definition in suite.glue.definitions if suite.glue is not None else ():
        if calls_steps(definition.language):
            yield definition.path


def calls_in(workspace: View, path: str) -> list[tuple[StepCall, StepDefinition]]:
    """The calls in a source, each with every definition that it may mean."""
    calls: dict[tuple[StepCall, str], tuple[StepCall, StepDefinition]] = {}
    definitions = [
        definition
        for suite in workspace.suites.values()
        if suite.glue is not None
        for definition in suite.glue.definitions
    ]
    served = any(definition.path == path and calls_steps(definition.language) for definition in definitions)
    for call in _calls(workspace, path) if served else ():
        for definition in definitions:
            matcher = compile_definition(definition, {}).matcher
            matches = matcher is not None and any(matcher.match(text) for text in call.could_say())
            if matches and not _defines(workspace, call):
                calls[call, definition.id] = call, definition
    return list(calls.values())


def _defines(workspace: View, call: StepCall) -> bool:
    """True if a call is a definition: behave's `@step("…")` calls nothing."""
    return bool(definitions_at(workspace, call.step.path, call.step.line))


def _calls(workspace: View, path: str) -> tuple[StepCall, ...]:
    buffer = workspace.buffers.get(path)
    if buffer is not None:
        return tuple(calls.calls_in(path, buffer.text.encode("utf-8", "surrogatepass")))
    try:
        there = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    return _on_disk(path, there.st_mtime_ns, there.st_size)


@lru_cache(maxsize=_SOURCES)
def _on_disk(path: str, changed: int, size: int) -> tuple[StepCall, ...]:
    """`changed` and `size` are those of the file that is to be read."""
    del changed, size
    try:
        return tuple(calls.calls_in(path, Path(path).read_bytes()))
    except OSError:
        return ()
