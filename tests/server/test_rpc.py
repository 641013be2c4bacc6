"""A client reads a message with any texts."""

import json

import pytest
from cukereuse_server.rpc import Protocol
from lsprotocol import types
from pygls.lsp.server import LanguageServer


class _Pipe:
    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None: ...


@pytest.mark.parametrize("text", ["plain", "naïve “quoted” 🫖", "half \ud83d of a pair"])
def test_a_message_is_read_as_it_was_sent(text: str) -> None:
    server = LanguageServer("test", "1", protocol_cls=Protocol)
    pipe = _Pipe()
    server.protocol.set_writer(pipe)
    place = types.Range(types.Position(1, 2), types.Position(1, 9))
    diagnostic = types.Diagnostic(place, text, types.DiagnosticSeverity.Hint, data={"rule": "typo"})
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams("file:///a", [diagnostic], 3))
    head, _, body = pipe.written.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}\r\n".encode() in head
    assert json.loads(body)["params"] == {
        "uri": "file:///a",
        "version": 3,
        "diagnostics": [
            {
                "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 9}},
                "message": text,
                "severity": 4,
                "data": {"rule": "typo"},
            }
        ],
    }
