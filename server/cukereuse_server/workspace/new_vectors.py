"""Vectors of templates that are new since their suite was embedded, and exact ones if coarse ones leave pairs open."""

from collections.abc import Iterable
from functools import partial

from cukereuse_server.workspace.announcements import Announcements
from cukereuse_server.workspace.host import Host, Work, wait
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.suite import SuiteState


class NewVectors:
    def __init__(self, host: Host, model: LanguageModel, announcements: Announcements) -> None:
        self._host, self._model, self._announcements = host, model, announcements
        self._embedding: set[SuiteState] = set()

    def clear(self) -> None:
        """Stop all embedding."""
        self._embedding.clear()

    def stop(self, suite: SuiteState) -> None:
        self._host.drop(_work(suite))
        self._embedding.discard(suite)

    def want(self, suite: SuiteState, keys: Iterable[str]) -> None:
        """Embed new templates; they are compared by meaning as soon as their vectors are there."""
        if not self._model.is_ready or suite.asked_for is None:
            return
        suite.wanted_vectors.update(key for key in keys if key not in suite.asked_for)
        if (suite.wanted_vectors or suite.neighbours.leaves_open) and suite not in self._embedding:
            self._embedding.add(suite)
            self._host.start(_work(suite), self._embed(suite))

    def _embed(self, suite: SuiteState) -> Work[None]:
        model = self._model.embedding
        try:
            while True:  # templates that arrive meanwhile are embedded too
                if keys := suite.neighbours.without_vector(sorted(suite.wanted_vectors)):
                    suite.wanted_vectors.clear()
                    use, embed = suite.use_vectors, model.embed
                elif keys := suite.neighbours.take_open():
                    use, embed = suite.use_exact, partial(model.embed, exactly=True)
                else:
                    break
                masked = [suite.texts.masked(key) for key in keys]
                use(keys, (yield from wait(self._host.job("embedding", partial(embed, masked)))))
                self._announcements.announce()
        finally:
            suite.wanted_vectors.clear()
            self._embedding.discard(suite)


def _work(suite: SuiteState) -> str:
    """The name of the work for the host."""
    return f"new vectors {suite.root}"
