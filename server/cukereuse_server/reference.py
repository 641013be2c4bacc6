"""What the server offers beyond the protocol, as one document.

`python -m cukereuse_server.reference > server/PROTOCOL.md`. Made of the docstrings of the features and of the table of
settings, so that each stands beside its code.
"""

import ast
import inspect
import json
from collections.abc import Iterator
from dataclasses import fields
from types import ModuleType

from cukereuse_server import settings
from cukereuse_server.features import (
    code_actions,
    code_lens,
    commands,
    completion,
    download,
    extract_requests,
    findings,
    rename_requests,
    requests,
    running,
)

_HEAD = """# Beyond the protocol

Made by `python -m cukereuse_server.reference`. Any client can use all of it. `Position`, `Location` and
`WorkspaceEdit` are the protocol's; lines count from 0, characters in the units that client and server agreed on. Bad
parameters are answered with the error InvalidParams (-32602).

## Initialization options

`{commands?: string[], version?: string, settings?: object, downloadHint?: string}`: the client commands (below) that
this client runs, the version of its extension, and the settings of the section `cukereuse` for clients without
`workspace/configuration`. `downloadHint`: how a user asks for the language model (`:Cukereuse download`); with it a
message tells so once, and nobody is asked whether to download it, which in a terminal would take the keyboard.
"""
_SECTIONS: tuple[tuple[str, tuple[ModuleType, ...]], ...] = (
    ("Requests", (requests, rename_requests, extract_requests, findings, running)),
    ("Commands of the server, for `workspace/executeCommand`", (commands, download)),
    ("Commands of the client", (code_actions, code_lens, completion)),
)


def markdown() -> str:
    parts = [_HEAD]
    for title, modules in _SECTIONS:
        parts.append(f"## {title}\n")
        parts += [f"{inspect.getdoc(module)}\n" for module in modules]
    parts.append("## Settings of the server\n\nIn the section `cukereuse`, beside the engine's own.\n")
    parts.append("\n".join(_settings()) + "\n")
    return "\n".join(parts)


def _settings() -> Iterator[str]:
    yield "| setting | default | what it does |"
    yield "|---|---|---|"
    told = _told(settings.ServerSettings)
    for field in fields(settings.ServerSettings):
        first, *rest = field.name.split("_")
        name = first + "".join(part.capitalize() for part in rest)
        default = json.dumps(field.default)
        yield f"| `{name}` | `{default}` | {told[field.name]} |"


def _told(kind: type) -> dict[str, str]:
    """Name of each attribute to the text below it."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    texts = {}
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            assert isinstance(before.target, ast.Name)
            texts[before.target.id] = " ".join(str(after.value.value).split())
    return texts


if __name__ == "__main__":
    print(markdown(), end="")
