"""The request for what can be run in a feature file, and how. The server names a command but never runs one.

`cukereuse/runs`: `{textDocument: {uri}}`, open or not -> `{folder, items: [{kind, name, range: Range, command,
debug}]}`, or null if the file belongs to no suite. `kind`: "feature" or "scenario". `command`: a list of the program
and its arguments, to run in `folder` when the user asks for it. The suite's step definitions decide between behave,
pytest-bdd, Cucumber for Ruby and JavaScript, and Behat; the setting `runCommand` overrides that.
Empty if no command is known. `debug`: arguments of the launch request to a debugger of `type`, which does the same;
null where none is known, or the setting names the command.

A code lens "Run" is shown above each scenario that has a command, for clients that declare the command `cukereuse.run`
`[uri, line]` in their initialization options; `line` is the title's. So does "Debug", for `cukereuse.debug`.
"""

import os
import shlex
from typing import Any

from lsprotocol import types

from cukereuse_server.convert import path_of, range_of
from cukereuse_server.features.requests import wrong
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.running import FEATURE, SCENARIO, ListRuns, Runnable, Runs
from cukereuse_server.server import CukereuseServer

RUN, DEBUG = "cukereuse.run", "cukereuse.debug"


def register(server: CukereuseServer) -> None:
    @server.feature("cukereuse/runs")
    async def runs(ls: CukereuseServer, params: Any) -> dict[str, Any] | None:
        uri = getattr(getattr(params, "textDocument", None), "uri", None)
        path = path_of(uri) if isinstance(uri, str) else None
        if path is None:
            raise wrong("the URI of a file is required")
        listed: Runs | None = await ls.ask(ListRuns(path=path))
        if listed is None:
            return None
        items = [
            {
                "kind": runnable.kind,
                "name": runnable.name,
                "range": types.Range(types.Position(runnable.line - 1, 0), types.Position(runnable.end_line, 0)),
                "command": _command(ls, path, runnable),
                "debug": _debug(ls, runnable),
            }
            for runnable in listed.found
        ]
        return {"folder": listed.folder, "items": items}


async def lenses(server: CukereuseServer, uri: str, path: str) -> list[types.CodeLens]:
    """The lenses above the scenarios that can be run."""
    commands = server.session.client_commands
    if RUN not in commands:
        return []
    listed: Runs | None = await server.ask(ListRuns(path=path))
    shown = []
    for runnable in listed.found if listed is not None else ():
        if runnable.kind == SCENARIO and _command(server, path, runnable):
            at = range_of(Place(path, runnable.line, 1, 1), server.session.encoding)
            shown.append(types.CodeLens(at, types.Command("Run", RUN, arguments=[uri, runnable.line - 1])))
            if DEBUG in commands and _debug(server, runnable):
                shown.append(types.CodeLens(at, types.Command("Debug", DEBUG, arguments=[uri, runnable.line - 1])))
    return shown


def _debug(server: CukereuseServer, runnable: Runnable) -> dict[str, Any] | None:
    """The debugger's arguments; None for a command that the user has set."""
    return runnable.debug if runnable.debug and not server.session.editor.server.run_command.strip() else None


def _command(server: CukereuseServer, path: str, runnable: Runnable) -> list[str]:
    """The user's command, with its placeholders filled in."""
    try:
        words = shlex.split(server.session.editor.server.run_command, posix=os.name != "nt")
    except ValueError:
        words = []
    place = path if runnable.kind == FEATURE else f"{path}:{runnable.line}"
    values = {"{place}": place, "{file}": path, "{line}": str(runnable.line), "{name}": runnable.name}
    for name, value in values.items():
        words = [word.replace(name, value) for word in words]
    return words or runnable.command
