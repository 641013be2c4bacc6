"""What the worker wants a person to read: log lines, messages, and the question whether to download the model."""

import hashlib
import logging
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_engine.storage import cache_dir, write_atomically
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


def _asked_before(folders: list[str]) -> Path:
    """The file that remembers that the user of these folders was asked, and did not want the model."""
    key = hashlib.blake2b("\n".join(sorted(folders)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return cache_dir() / "server" / "asked" / key


def _remember(asked: Path) -> None:
    try:
        write_atomically(asked, b"")
    except OSError as error:
        logging.getLogger("cukereuse").warning("it can't be remembered that the user was asked: %s", error)


async def _ask_for_model(server: CukereuseServer, event: ModelMissing) -> None:
    """Once for each workspace: whoever wants the model later runs `cukereuse model download`."""
    asked = _asked_before(server.session.folders)
    message = f"{event.message} Until then cukereuse compares steps by their words only."
    if asked.exists():
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        return
    if not event.may_download or not server.session.has("window.show_message"):
        hint = " `cukereuse model download` fetches it." if event.may_download else ""
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message + hint))
        _remember(asked)
        return
    actions = [types.MessageActionItem(_DOWNLOAD), types.MessageActionItem(_LATER)]
    question = types.ShowMessageRequestParams(types.MessageType.Info, message, actions)
    try:
        answer = await server.window_show_message_request_async(question)
    except JsonRpcException as error:
        logging.getLogger("cukereuse").warning("the client did not ask about the model: %s", error)
        return
    if answer is not None and answer.title == _DOWNLOAD:
        server.worker.tell(AllowDownload())  # should that fail, the user is asked again
    else:
        _remember(asked)
