"""Embeds templates while files are still being read, which keeps one core busy: the model uses another."""

from collections.abc import Set
from functools import partial

from cukereuse_engine.processes import usable_cores
from cukereuse_server.workspace.host import Host, Job, Work, wait
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.suite import SuiteState

_WORK = "early vectors"
_TEMPLATES_AT_ONCE = 512
"""Enough templates for the model to have many of each length, and few enough that the rest need not wait long."""


class EarlyVectors:
    def __init__(self, host: Host, model: LanguageModel) -> None:
        self._host, self._model = host, model
        self._asked: dict[SuiteState, set[str]] = {}
        self._waiting: list[tuple[SuiteState, str]] = []
        """The keys of templates that are to be embedded."""
        self._first, self._more = Job[None](), Job[None]()
        """Done once there is one of these, and once there are many."""

    def begin(self) -> None:
        """Reading of files begins."""
        self.end()
        if usable_cores() > 1:
            self._host.start(_WORK, self._embed())

    def end(self) -> None:
        """All files are read: whoever embeds the rest requests these vectors too."""
        self._host.drop(_WORK)
        self._asked, self._waiting, self._first, self._more = {}, [], Job(), Job()

    def want(self, suite: SuiteState, keys: Set[str]) -> None:
        """Embed the templates of a file."""
        asked = self._asked.setdefault(suite, set())
        self._waiting += [(suite, key) for key in keys - asked]
        asked |= keys
        self._first.finish(None, None)
        if len(self._waiting) >= _TEMPLATES_AT_ONCE:
            self._more.finish(None, None)

    def _embed(self) -> Work[None]:
        yield from wait(self._first)
        suite = next(iter(self._asked))
        if not (yield from self._model.open(suite.settings)):
            return
        embedding = self._model.embedding
        while True:
            yield from wait(self._more)
            waiting, self._waiting = self._waiting[:_TEMPLATES_AT_ONCE], self._waiting[_TEMPLATES_AT_ONCE:]
            if len(self._waiting) < _TEMPLATES_AT_ONCE:
                self._more = Job()
            masked: dict[str, list[str]] = {}
            for suite, key in waiting:
                if key in suite.neighbours:
                    masked.setdefault(suite.root, []).append(suite.texts.masked(key))
            for root, texts in masked.items():
                yield from wait(self._host.job("embedding", partial(embedding.prepare, root, texts)))
