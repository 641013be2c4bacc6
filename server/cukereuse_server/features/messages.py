"""The worker's log lines and messages to the user."""

import logging

from lsprotocol import types

from cukereuse_server.protocol.state import Announced, Logged
from cukereuse_server.server import CukereuseServer

_LEVELS = {"WARNING": types.MessageType.Warning, "ERROR": types.MessageType.Error, "INFO": types.MessageType.Info}


def register(server: CukereuseServer) -> None:
    def logged(event: Logged) -> None:
        logging.getLogger("cukereuse").info("%s", event.message)
        kind = _LEVELS.get(event.level, types.MessageType.Log)
        server.window_log_message(types.LogMessageParams(kind, event.message))

    def announced(event: Announced) -> None:
        kind = types.MessageType.Warning if event.warning else types.MessageType.Info
        server.window_show_message(types.ShowMessageParams(kind, event.message))

    server.events.listen(Logged, logged)
    server.events.listen(Announced, announced)
