"""The embedding model. The user is asked once per workspace whether to download it, and can use a command later.

`cukereuse.downloadModel` `[]` -> `{modelState}`, as in `cukereuse/status`: starts the download and reports progress. If
it fails, the user sees the error and is asked again. If the settings disable the network, `modelState` is "off". If the
model already exists, it is "ready", and the user is informed.
"""

import hashlib
import logging
from pathlib import Path

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_engine.embedding_models.table import built_in
from cukereuse_engine.storage import cache_dir, write_atomically
from cukereuse_server.protocol.state import AllowDownload, ModelMissing
from cukereuse_server.protocol.status import GetStatus, ModelState, WorkerStatus
from cukereuse_server.server import CukereuseServer

DOWNLOAD_MODEL = "cukereuse.downloadModel"
_LATER = "Not now"


class Download(msgspec.Struct, rename="camel"):
    model_state: ModelState
    """As in `cukereuse/status`; "off" if the settings forbid the download."""


def register(server: CukereuseServer) -> None:
    agreed: list[bool] = []
    """True if the user has already agreed to a download: then the news is that it failed."""

    def model_missing(event: ModelMissing) -> None:
        server.run_task(_ask_for_model(server, event, agreed))

    server.events.listen(ModelMissing, model_missing)

    @server.command(DOWNLOAD_MODEL)
    async def download(ls: CukereuseServer) -> dict[str, str]:
        """Download the embedding model, with progress; tell the user if that fails."""
        _asked_before(ls.session.folders).unlink(missing_ok=True)
        agreed.append(True)
        ls.worker.tell(AllowDownload())
        status: WorkerStatus | None = await ls.ask(GetStatus())
        if status is not None and status.model_state == "ready":
            message = f"The embedding model is already here: {status.model}."
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))
        answer: dict[str, str] = msgspec.to_builtins(Download(status.model_state if status is not None else "missing"))
        return answer


def _asked_before(folders: list[str]) -> Path:
    """The file that records that the user of these folders declined the model."""
    key = hashlib.blake2b("\n".join(sorted(folders)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return cache_dir() / "server" / "asked" / key


def _remember(marker: Path) -> None:
    try:
        write_atomically(marker, b"")
    except OSError as error:
        logging.getLogger("cukereuse").warning("the answer to the question about the model can't be saved: %s", error)


async def _ask_for_model(server: CukereuseServer, event: ModelMissing, agreed: list[bool]) -> None:
    session = server.session
    asked = _asked_before(session.folders)
    model = built_in(event.model)
    size = f" ({model.megabytes})" if model is not None else ""
    news = f"{event.message}. A" if agreed else "a"
    offer = (
        f"cukereuse: {news} language model{size} finds steps that mean the same in completely different words. "
        "Without it, only the wording is compared."
    )
    hint = session.download_hint or f"The command `{DOWNLOAD_MODEL}`"
    message = f"{offer} {hint} downloads it." if event.may_download else event.message
    if not agreed and (asked.exists() or not event.may_download):  # users who forbid the network know this
        logged = f"{event.message} {message}" if event.may_download else message
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, logged))
        return
    if session.download_hint or not session.has("window.show_message"):
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))
        _remember(asked)
        return
    download = types.MessageActionItem(f"Download{size}")
    actions = [download, types.MessageActionItem(_LATER)]
    question = types.ShowMessageRequestParams(types.MessageType.Info, f"{offer} Download it now?", actions)
    try:
        answer = await server.window_show_message_request_async(question)
    except JsonRpcException as error:
        logging.getLogger("cukereuse").warning("the client did not ask about the model: %s", error)
        return
    if answer is not None and answer.title == download.title:
        agreed.append(True)
        server.worker.tell(AllowDownload())  # if it fails, the user is asked again
    else:
        _remember(asked)
