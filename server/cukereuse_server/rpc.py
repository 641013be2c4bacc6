"""The transport, where pygls leaves something open: a request that can't be read is answered, an error that is an
answer is one line in the log, and messages are encoded in a fraction of the time.

Knows no feature.
"""

import logging
from typing import Any

import msgspec
from attrs import evolve
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol, lsp_method

logger = logging.getLogger(__name__)

_MOST_SENT = 10_000
"""The number of encoded diagnostics that are kept."""
_ROUTINE = frozenset(
    {
        types.LSPErrorCodes.ServerCancelled,
        types.LSPErrorCodes.ContentModified,
        types.LSPErrorCodes.RequestCancelled,
    }
)
"""Errors that only ask the client to repeat its request."""


class Protocol(LanguageServerProtocol):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._sent: dict[int, tuple[types.Diagnostic, msgspec.Raw]] = {}
        """Published diagnostics by id, which nobody changes, with their encoding."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message; None if it can't be read: such a request is answered, or its client would wait forever."""
        try:
            return self._structured(data)
        except JsonRpcException as error:
            method = data.get("method")
            cause = error.__cause__
            reason = "; ".join(_leaves(cause)) if cause is not None else error.message
            logger.warning("%s can't be read: %s", method, reason)
            if method is not None and "id" in data:
                refused = JsonRpcException(f"{method}: {reason}", types.ErrorCodes.InvalidParams)
                self._send_response(data["id"], error=refused.to_response_error())
            return None

    def _structured(self, data: dict[str, Any]) -> Any:
        """Some clients send null for omitted properties, such as the range of a change that is the whole text."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            params = without_nulls(data.get("params"))
            if params == data.get("params"):
                raise
            return super().structure_message({**data, "params": params})

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Any:
        """As in pygls, whose loop over requests ends at the first cancelled one, because this leaves the list then."""
        own, handler = self.msg_id, self.fm.features.get(types.SHUTDOWN)
        if handler is not None:
            yield handler, args, None
        for number, request in list(self._request_futures.items()):
            if number != own:
                self._request_futures.pop(number, None)
                request.cancel()
        self._shutdown = True

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """The session holds the documents. pygls' own would be edited line by line, and nothing reads them."""
        handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
        if handler is not None:
            yield handler, (params,), None

    def handle_message(self, message: Any) -> None:
        if message is not None:
            super().handle_message(message)

    def _send_data(self, data: Any) -> None:
        """As in pygls, with an encoder that takes a tenth of the time; a diagnostic is encoded once."""
        if not data or self.writer is None or not self._include_headers:
            super()._send_data(data)
            return
        try:
            if isinstance(data, types.PublishDiagnosticsNotification):
                plain = self._converter.unstructure(evolve(data, params=evolve(data.params, diagnostics=[])))
                plain["params"]["diagnostics"] = list(map(self._encoded, data.params.diagnostics))
            else:
                plain = self._converter.unstructure(data)
            body = msgspec.json.encode(plain, enc_hook=self._serialize_message)
            kind = f"{self.CONTENT_TYPE}; charset={self.CHARSET}".encode()
            self.writer.write(b"Content-Length: %d\r\nContent-Type: %b\r\n\r\n%b" % (len(body), kind, body))
        except Exception:  # half of a surrogate pair, which pygls escapes; or nobody reads, which pygls reports
            super()._send_data(data)

    def _encoded(self, diagnostic: types.Diagnostic) -> msgspec.Raw:
        """The encoded diagnostic: most diagnostics that a keystroke publishes were published before."""
        sent = self._sent.get(id(diagnostic))
        if sent is None or sent[0] is not diagnostic:
            if len(self._sent) > _MOST_SENT:
                self._sent.clear()
            plain = self._converter.unstructure(diagnostic)
            body = msgspec.json.encode(plain, enc_hook=self._serialize_message)
            sent = self._sent[id(diagnostic)] = diagnostic, msgspec.Raw(body)
        return sent[1]


def without_nulls(value: Any) -> Any:
    """The value without the null properties of objects; items of lists stay, because their positions count."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def _leaves(error: BaseException) -> list[str]:
    """The messages of an error, without the groups of exceptions around it."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in _leaves(each)]
    return [str(error)]


def log_answer(error: Exception, source: Any) -> None:
    """Log one line for an error that a client got, or that no client gets."""
    if not isinstance(error, JsonRpcException) or isinstance(error, JsonRpcInternalError):
        logger.error("%s: %s", getattr(source, "__name__", source), error)
    elif error.code not in _ROUTINE:
        logger.warning("refused: %s", error.message)


def quieten() -> None:
    """Silence the tracebacks that pygls logs for errors that are answers; `log_answer` logs a line for them."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    answered = isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError)
    return not answered and not str(record.msg).startswith("Unable to deserialize message")
