"""Requests for the state of the server, for similar steps, and for the cluster of a step.

`cukereuse/status`: `{}` -> `{version, complete, settled, failed, model, modelState, suites: [{root, files, steps,
texts, templates, definitions, vectors, compared}]}`; `complete`, `settled`, `failed` and `compared` are booleans,
`version`, `model` and `root` strings, the others numbers. `complete`: everything has been read and compared, until
something changes. `settled`: complete, and the meaning has been compared too if there is a model. `failed`: the worker
process ended too often, and the server must be restarted. `modelState` is "off" (there is no model, and downloads are
disabled), "missing", "downloading", "loading" or "ready".

`cukereuse/similar`: `{textDocument?: {uri}, position?: Position, text?: string, limit?: integer}` -> `{items: [{text,
occurrences, score, indel, cosine, reasons, barredBy, locations: Location[], knownTo}]}`: the wordings most similar to
the step at `position` or to `text`, the best first, from the document's suite or from all suites. `text`: string;
`occurrences`: integer; `score`, `indel`: numbers from 0 to 1; `cosine`: number or null; `reasons`, `barredBy`:
string[]. If the setting `catalogue` names a catalogue file, steps follow that other repositories have and the suite
does not: `knownTo` (string[]) names the repositories; it is empty for the suite's own steps.

`cukereuse/cluster`: `{textDocument: {uri}, position}` -> `{id, kind, canonical, score, reasons, wordings: [{text,
occurrences, definitions: Location[], locations: Location[]}]}`, or null if the step belongs to no cluster. `id`,
`kind`, `canonical`, `text`: strings; `score`: number; `reasons`: string[]; `occurrences`: integer.
"""

from typing import Any, TypeGuard

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from cukereuse_engine import __version__
from cukereuse_server.asking import settled
from cukereuse_server.convert import location_of
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.similar import ClusterAnswer, GetCluster, Similar, SimilarStep
from cukereuse_server.protocol.status import GetStatus, WorkerStatus
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document

_MOST_STEPS = 100
_MOST_LINES = 2**31 - 1
"""The protocol's largest `uinteger`."""


def register(server: CukereuseServer) -> None:
    @server.feature("cukereuse/status")
    async def status(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        del params
        answer: WorkerStatus | None = await ls.ask(GetStatus())
        failed = ls.worker.given_up
        fields = msgspec.to_builtins(answer if answer is not None else WorkerStatus(failed, "", []))
        return {"version": __version__, "failed": failed, **fields}

    @server.feature("cukereuse/similar")
    async def similar(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        document, position = place_asked_for(ls, params)
        text, limit = getattr(params, "text", None), getattr(params, "limit", None)
        if position is None and not isinstance(text, str):
            raise wrong("a position in an open document or a text is required")
        if limit is not None and not is_whole(limit, least=1, most=_MOST_STEPS):
            raise wrong(f"limit must be a whole number from 1 to {_MOST_STEPS}")
        request = Similar(
            path=document.path if document is not None else "",
            line=position.line + 1 if position is not None else 0,
            text=text or "",
            limit=limit or 10,
        )
        if document is not None:
            await settled(ls, document.path)
        steps: list[SimilarStep] = await ls.ask(request) or []
        return {"items": [_similar(ls, step) for step in steps]}

    @server.feature("cukereuse/cluster")
    async def cluster(ls: CukereuseServer, params: Any) -> dict[str, Any] | None:
        document, position = place_asked_for(ls, params)
        if document is None or position is None:
            raise wrong("a position in an open document is required")
        await settled(ls, document.path)
        answer: ClusterAnswer | None = await ls.ask(GetCluster(path=document.path, line=position.line + 1))
        return None if answer is None else _cluster(ls, answer)


def place_asked_for(server: CukereuseServer, params: Any) -> tuple[Document | None, types.Position | None]:
    """The open document and the position that parameters name. Raises `JsonRpcInvalidParams`."""
    uri = getattr(getattr(params, "textDocument", None), "uri", None)
    position = getattr(params, "position", None)
    if uri is None:
        return None, None
    document = server.session.document(uri) if isinstance(uri, str) else None
    if document is None:
        raise wrong(f"{uri!r} is not open")
    if position is None:
        return document, None
    line, character = getattr(position, "line", None), getattr(position, "character", None)
    if not is_whole(line, most=_MOST_LINES) or not is_whole(character, most=_MOST_LINES):
        raise wrong("position must be {line, character}, both non-negative integers")
    return document, types.Position(line, character)


def is_whole(value: Any, *, least: int = 0, most: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def wrong(message: str) -> JsonRpcInvalidParams:
    return JsonRpcInvalidParams(message)


def _locations(server: CukereuseServer, places: list[Place]) -> list[types.Location]:
    return [location_of(place, server.session.encoding, server.session.uri) for place in places]


def _similar(server: CukereuseServer, step: SimilarStep) -> dict[str, Any]:
    return {
        "text": step.text,
        "occurrences": step.occurrences,
        "score": step.score,
        "indel": step.indel,
        "cosine": step.cosine,
        "reasons": step.reasons,
        "barredBy": step.barred_by,
        "locations": _locations(server, step.places),
        "knownTo": step.known_to,
    }


def _cluster(server: CukereuseServer, answer: ClusterAnswer) -> dict[str, Any]:
    wordings = [
        {
            "text": wording.text,
            "occurrences": wording.occurrences,
            "definitions": _locations(server, wording.definitions),
            "locations": _locations(server, wording.places),
        }
        for wording in answer.wordings
    ]
    return {
        "id": answer.id,
        "kind": answer.kind,
        "canonical": answer.canonical,
        "score": answer.score,
        "reasons": answer.reasons,
        "wordings": wordings,
    }
