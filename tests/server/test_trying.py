"""Actions are tried before they are shown."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from cukereuse_server.features import code_actions
from cukereuse_server.protocol.folding import PlanFold
from cukereuse_server.protocol.plans import FileChange, Plan
from cukereuse_server.protocol.rename import PlanRename
from lsprotocol import types

DOCUMENT: Any = SimpleNamespace(path="/a.feature", uri="file:///a.feature", version=1, lines=["x"], text="x")
CHANGES = [FileChange(path="/a.feature", version=1, edits=[])]
PLANS = {
    "good": Plan(changes=CHANGES, notes=[]),
    "refused": Plan(changes=[], notes=[], refused="it would be ambiguous"),
    "nothing": Plan(changes=[], notes=[]),
    "late": None,
}
ACTIONS: tuple[tuple[dict[str, Any], str | None], ...] = (
    ({"do": "rename", "text": "good"}, None),
    ({"do": "rename", "text": "refused"}, "it would be ambiguous"),
    ({"do": "rename", "text": "nothing"}, "nothing would change"),
    ({"do": "rename", "text": "late"}, "the server is still starting"),
    ({"do": "fold", "kind": "refused"}, "it would be ambiguous"),
    ({"do": "ignore", "rule": "x"}, None),
)


class Server:
    session = SimpleNamespace(has=lambda _: False)

    def __init__(self) -> None:
        self.asked = 0

    async def plan(self, request: PlanRename | PlanFold) -> Plan | None:
        self.asked += 1
        return PLANS[request.target if isinstance(request, PlanRename) else request.kind]


@pytest.mark.parametrize("seconds", [60.0, 0.0])
def test_what_would_be_refused_is_disabled_while_there_is_time(monkeypatch: Any, seconds: float) -> None:
    monkeypatch.setattr(code_actions, "_PATIENCE_SECONDS", seconds)
    server: Any = Server()
    actions = [types.CodeAction(str(data), data=data) for data, _ in ACTIONS]
    asyncio.run(code_actions._try(server, DOCUMENT, 1, actions))
    reasons = [action.disabled.reason if action.disabled else None for action in actions]
    assert reasons == [reason if seconds else None for _, reason in ACTIONS]
    assert server.asked == (5 if seconds else 0)
