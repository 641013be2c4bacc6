"""What the worker wants a person to read: log lines, messages, and the question whether to download the model."""

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_server.protocol.state import AllowDownload, Announced, Logged, ModelMissing
from cukereuse_server.server import CukereuseServer

_DOWNLOAD = "Download (84 MB)"
_LATER = "Not now"
_LEVELS = {"WARNING": types.MessageType.Warning, "ERROR": types.MessageType.Error, "INFO": types.MessageType.Info}


def register(server: CukereuseServer) -> None:
    def logged(event: Logged) -> None:
        logging.getLogger("cukereuse").info("%s", event.message)
        kind = _LEVELS.get(event.level, types.MessageType.Log)
        server.window_log_message(types.LogMessageParams(kind, event.message))

    def announced(event: Announced) -> None:
        kind = types.MessageType.Warning if event.warning else types.MessageType.Info
        server.window_show_message(types.ShowMessageParams(kind, event.message))

    def model_missing(event: ModelMissing) -> None:
        server.run_task(_ask_for_model(server, event))

    server.on_event[Logged] = logged
    server.on_event[Announced] = announced
    server.on_event[ModelMissing] = model_missing


async def _ask_for_model(server: CukereuseServer, event: ModelMissing) -> None:
    message = f"{event.message} Until then cukereuse compares steps by their words only."
    if not event.may_download or not server.session.has("window.show_message"):
        hint = " `cukereuse model download` fetches it." if event.may_download else ""
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message + hint))
        return
    actions = [types.MessageActionItem(_DOWNLOAD), types.MessageActionItem(_LATER)]
    question = types.ShowMessageRequestParams(types.MessageType.Info, message, actions)
    try:
        answer = await server.window_show_message_request_async(question)
    except JsonRpcException as error:
        logging.getLogger("cukereuse").warning("the client did not ask about the model: %s", error)
        return
    if answer is not None and answer.title == _DOWNLOAD:
        server.worker.tell(AllowDownload())
