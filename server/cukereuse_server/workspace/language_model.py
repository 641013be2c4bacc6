"""The language model of this process: opened without the network, or downloaded if the user agreed; and the reason if
there is none, reported once.
"""

from collections.abc import Callable
from functools import partial

from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.settings import Settings
from cukereuse_server.protocol.status import ModelState
from cukereuse_server.workspace.activities import MODEL, Activities, ActivityProgress
from cukereuse_server.workspace.host import Host, Work, wait
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.stages.embedding import Embedding


class LanguageModel:
    def __init__(self, host: Host, news: News, activities: Activities, is_calm: Callable[[], bool]) -> None:
        """`is_calm`: true if the model may use a second core, because nobody types or waits for anything else."""
        self._host, self._news, self._activities, self._is_calm = host, news, activities, is_calm
        self.embedding = Embedding(host, is_calm)
        self.state: ModelState = "loading"
        self._missing_told = False

    @property
    def is_ready(self) -> bool:
        return self.embedding.embedder is not None

    @property
    def name(self) -> str:
        """The name of the model that makes the vectors; empty if there is none."""
        models = dict.fromkeys((self.embedding.embedder, self.embedding.finder))
        return " ".join(model.model_hash for model in models if model is not None)

    def open(self, settings: Settings) -> Work[bool]:
        """Open the model without the network; true if there is one."""
        if self.embedding.name not in ("", settings.model):  # running jobs keep the model that they began with
            self.embedding, self._missing_told = Embedding(self._host, self._is_calm), False
        if self.is_ready:
            self.state = "ready"  # whoever opened it may have been dropped
        elif self.state != "downloading":
            error = yield from wait(self._host.job("embedding", partial(self.embedding.open, settings.model)))
            self._take(error, settings)
        return self.is_ready

    def begin_download(self, settings: Settings) -> bool:
        """True if there is anything to download. If the settings forbid the network, that is said again."""
        if self.is_ready or self.state == "downloading":
            return False
        self._missing_told = False
        self.state = "off" if settings.offline else "downloading"
        return True

    def download(self, settings: Settings) -> Work[bool]:
        """Download the model; true if there is one then."""
        with self._activities.begin(MODEL, "downloading") as shown:
            progress = None if settings.offline else ActivityProgress(self._host, shown, "downloading")
            work = partial(self.embedding.open, settings.model, download=progress)
            try:
                error = yield from wait(self._host.job("embedding", work))
            except Cancelled:
                self.state = "missing"
                return False
            except Exception as problem:  # an unexpected error
                self.state = "missing"
                message = f"the model can't be used: {problem}"
                self._news.model_missing(message, may_download=True, model=settings.model)
                return False
        return self._take(error, settings)

    def _take(self, error: CukereuseError | None, settings: Settings) -> bool:
        if error is None:
            self.state = "ready"
            return True
        self.state = "off" if settings.offline else "missing"
        if not self._missing_told:
            self._missing_told = True
            self._news.model_missing(error.message, may_download=not settings.offline, model=settings.model)
        return False
