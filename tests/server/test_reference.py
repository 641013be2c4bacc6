"""Everything that the server offers beyond the protocol is documented."""

import re

import pytest
from cukereuse_server.features import code_actions, code_lens
from cukereuse_server.reference import DOCUMENT, GUIDE, guide, markdown
from cukereuse_server.settings import ServerSettings
from cukereuse_server.setup import create_server

RENEW = "run `python -m cukereuse_server.reference`"


def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text("utf-8") == markdown(), RENEW
    assert guide(GUIDE.read_text("utf-8")) == GUIDE.read_text("utf-8"), RENEW


def names() -> list[str]:
    manager = create_server().protocol.fm
    client = [code_actions.FIND_SIMILAR, code_actions.RENAME_CLUSTER, code_lens.SHOW_REFERENCES]
    return [*(name for name in manager.features if name.startswith("cukereuse")), *manager.commands, *client]


@pytest.mark.parametrize("name", names())
def test_each_request_and_command_is_documented_with_its_types(name: str) -> None:
    mentions = markdown().split(f"`{name}`")[1:]
    assert any(after.lstrip(":\n ").startswith(("`{", "`[")) for after in mentions)


def test_each_setting_is_documented() -> None:
    rows = [line for line in markdown().split("\n") if line.startswith("| `")]
    assert len(rows) == len(ServerSettings.__dataclass_fields__)
    assert all(len(row.split(" | ")[2]) > 20 for row in rows)


def test_the_guide_names_each_method_that_is_answered() -> None:
    answered = {
        name for name in create_server().protocol.fm.features if re.match("(textDocument|workspace|code)", name)
    }
    notified = {name for name in answered if "/did" in name}
    pulled = {"textDocument/publishDiagnostics", "textDocument/diagnostic", "workspace/diagnostic"}
    named = re.findall(r"`((?:textDocument|workspace|codeAction|codeLens)/[\w/]+)`", GUIDE.read_text("utf-8"))
    assert set(named) == answered - notified | pulled
    assert len(named) == len(set(named))
