"""What each stage of a suite does: it takes a snapshot, lets a thread work, and gives the suite what came of it.

Starts no other stage; `pipeline` knows the order.
"""

from collections.abc import Callable
from functools import partial
from itertools import filterfalse
from time import thread_time
from typing import TYPE_CHECKING

from cukereuse_engine.detection.options import LOCAL
from cukereuse_engine.embedding_models.embedder import token_table
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.sources import default_cache
from cukereuse_engine.index.base import VectorIndex
from cukereuse_engine.scanning.join_cache import WORTH_KEEPING, join_cache, remembered
from cukereuse_server.workspace.activities import VECTORS, Activities, Activity, ActivityProgress
from cukereuse_server.workspace.announcements import Announcements
from cukereuse_server.workspace.host import Host, Job, Work, wait
from cukereuse_server.workspace.language_model import LanguageModel
from cukereuse_server.workspace.new_vectors import NewVectors
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.stages import comparing, glue
from cukereuse_server.workspace.stages.embedding import save_index
from cukereuse_server.workspace.stages.shared_sources import SharedSources
from cukereuse_server.workspace.state import State
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.vector_rows import VectorRows

if TYPE_CHECKING:
    from cukereuse_server.workspace.stages.mining import Mined

_TEMPLATES_AT_ONCE = 100
"""The number of templates whose wording is looked up in some milliseconds."""
_VECTORS_AT_ONCE = 512
"""The number of vectors that the index takes in some 50 milliseconds, for which a new template waits."""


class SuiteStages:
    def __init__(
        self,
        state: State,
        host: Host,
        news: News,
        activities: Activities,
        model: LanguageModel,
        announcements: Announcements,
        new_vectors: NewVectors,
        *,
        use_cache: bool,
    ) -> None:
        self._state, self._host, self._news, self._activities = state, host, news, activities
        self._model, self._announcements, self._new_vectors = model, announcements, new_vectors
        self._use_cache = use_cache
        self._shared: SharedSources | None = None
        """Kept while step definitions are loaded."""
        self._embedding: dict[SuiteState, Job[None]] = {}
        """For each suite: done once all templates are embedded, if there is a model."""
        self._indexing: set[SuiteState] = set()
        """Suites whose index is being made."""

    def definitions(self, suite: SuiteState) -> Work[bool]:
        """Find and read the suite's glue, and bind its steps. Gives whether a judge can learn from definitions."""
        can_learn = False
        self._shared = self._shared or SharedSources(default_cache())
        work = partial(glue.load, suite.root, suite.settings, suite.texts.folders(), self._shared)
        loaded = yield from wait(self._host.job("reading", work))
        if loaded is not None:
            loaded.glue.hold_texts(self._held_text)
            for _ in glue.bind(loaded.glue, suite.texts):
                yield None
            buffers = self._state.buffers.items()
            held = {
                path: buffer.content()
                for path, buffer in buffers
                if language_for(path) is not None and path in loaded.sources
            }
            can_learn = bool(suite.glue is not None and suite.glue.definitions)
            suite.use_glue(loaded, held)
            if loaded.glue.definitions:
                self._news.log(f"{suite.root}: {len(loaded.glue.own_definitions)} step definitions")
                can_learn = True
        suite.definitions_known = True
        if all(other.definitions_known for other in self._state.suites.values()):
            self._shared = None
        return can_learn

    def begin_embedding(self, suite: SuiteState) -> None:
        """Embed all templates, while their wordings are compared."""
        before = self._embedding.get(suite)
        if before is None or before.done:  # then there was no model
            self._embedding[suite] = Job()
            self._host.start(_embedding(suite), self._embed(suite))

    def is_embedding(self, suite: SuiteState) -> bool:
        """True if its templates are being embedded."""
        embedding = self._embedding.get(suite)
        return embedding is not None and not embedding.done

    def clear(self) -> None:
        """Nothing is being embedded any more."""
        self._embedding.clear()

    def stop(self, suite: SuiteState) -> None:
        self._host.drop(_embedding(suite))
        self._host.drop(_indexing(suite))
        self._model.embedding.forget(suite.root)
        self._embedding.pop(suite, None)

    def is_index_due(self, suite: SuiteState) -> bool:
        """True if the index should be written or made again."""
        return suite not in self._indexing and (suite.neighbours.has_unsaved_index or suite.neighbours.has_worn_index)

    def begin_index(self, suite: SuiteState) -> None:
        """Make the index of all vectors, if there are any and it is missing or worn. The comparison of all with all
        needs none, and goes first; until there is one, or where this fails, every vector is looked at."""
        is_wanted = suite.neighbours.index is None or suite.neighbours.has_worn_index
        if suite.asked_for is not None and is_wanted and suite not in self._indexing:
            self._host.start(_indexing(suite), self._index(suite))

    def comparison(self, suite: SuiteState, activity: Activity | None) -> Work[bool]:
        """Make a judge that knows the suite as it is, and let it see all pairs: by meaning, where all is embedded, else
        by wording. Gives whether it was by meaning."""
        try:
            for _ in suite.look_up_functions():
                yield None
            bound = yield from suite.bindings.gather()
            texts = suite.texts.language((yield from suite.texts.gather()))
            judged = yield from wait(self._host.job("comparing", partial(comparing.make_judge, texts, bound)))
            suite.use_judge(judged)
            by_meaning = suite.is_embedded and not self.is_embedding(suite)
            yield from self._pairs(suite, activity, by_meaning=by_meaning)
            return by_meaning
        finally:
            suite.tried = True

    def vectors(self, suite: SuiteState) -> Work[None]:
        """Compare all templates again, once they are embedded: as many as are, where somebody cancelled that."""
        embedding = self._embedding.get(suite)
        if embedding is not None:
            yield from wait(embedding)
        if suite.is_embedded or len(suite.neighbours.vectors):
            with self._activities.begin(VECTORS, "comparing by meaning") as shown:
                yield from self._pairs(suite, shown, by_meaning=True)

    def code(self, suite: SuiteState) -> Work[None]:
        """Make the findings about code again."""
        for _ in suite.findings.look_into_code():
            yield None
        self._news.changed(self._state.open_in(suite))

    def crowds(self, suite: SuiteState) -> Work[None]:
        """Look again for crowds of near copies, and compare what is, or is not, one of them now."""
        search, same_words = suite.crowd_search()
        suite.use_crowds((yield from wait(self._host.job("comparing", search))), same_words)
        self._announcements.look_into_open(suite)
        self._announcements.all_changed()

    def _pairs(self, suite: SuiteState, activity: Activity | None, *, by_meaning: bool) -> Work[None]:
        """Compare all templates as they are now; `by_meaning`: those that have a vector, and the judge reads with the
        model's tokens. What was found in the same suite before counts at once; else an open file goes first."""
        judge = suite.judge
        if judge is None:
            return
        judge.read_with(token_table(self._model.embedding.embedder) if by_meaning else None)
        texts = yield from suite.texts.gather()
        rows = suite.neighbours.vectors
        wanted = rows if by_meaning else suite.neighbours
        keys = [key for key in dict.fromkeys(text.template.key for text in texts) if key in wanted]
        vectors, model = (rows.many(keys), self._model.name) if by_meaning else (None, "")
        yield None
        threshold, margin = suite.options().effective_threshold, suite.neighbours.margin
        exact = partial(self._model.embedding.embed, exactly=True)
        question = comparing.Question(texts, keys, judge, threshold, vectors, margin, exact, model)
        compared = None
        cache = join_cache() if self._use_cache and len(keys) >= WORTH_KEEPING else None
        if cache is not None:
            recall = partial(comparing.recall, question, cache)
            with self._announcements.held_back(suite):
                compared = yield from wait(self._host.job("comparing", recall))
        if compared is None:
            if not suite.compared:
                yield from self._announcements.look_into_first(suite)
            progress = ActivityProgress(self._host, activity, "comparing")
            joins = remembered(LOCAL, cache) if cache is not None else LOCAL
            work = partial(comparing.compare, question, progress, joins, cache)
            compared = yield from wait(self._host.job("comparing", work))
        suite.use_pairs(compared)
        self._announcements.look_into_open(suite)
        self._announcements.all_changed()

    def _embed(self, suite: SuiteState) -> Work[None]:
        embedding = self._embedding[suite]
        try:
            yield from self._all_vectors(suite)
        except Exception as error:
            self._news.warn(f"cukereuse could not embed the steps of {suite.root}: {type(error).__name__}: {error}")
        embedding.finish(None, None)

    def _all_vectors(self, suite: SuiteState) -> Work[None]:
        """Embed all templates, once."""
        if not (yield from self._model.open(suite.settings)) or suite.asked_for is not None:
            return
        with self._activities.begin(VECTORS, "embedding") as shown:
            masked: dict[str, str] = {}
            for key in suite.neighbours.keys():  # noqa: SIM118 - a list, and no view of what changes meanwhile
                if key in suite.neighbours:
                    masked[key] = suite.texts.masked(key)
                    if not len(masked) % _TEMPLATES_AT_ONCE:
                        yield None
            suite.asked_for = set(masked)
            texts = list(masked.values())
            work = partial(self._model.embedding.embed_suite, suite.root, list(masked), texts, shown)
            suite.use_all_vectors((yield from wait(self._host.job("embedding", work))))
            yield None
            if not shown.cancelled:
                suite.asked_for.clear()
                self._new_vectors.want(suite, suite.neighbours.keys())

    def _index(self, suite: SuiteState) -> Work[None]:
        rows, before = suite.neighbours.vectors, suite.neighbours.index
        self._indexing.add(suite)
        try:
            suite.neighbours.index = yield from self._made_index(suite, rows, anew=before is not None)
        except Exception:
            suite.neighbours.index = None
            raise
        finally:
            self._indexing.discard(suite)

    def _made_index(self, suite: SuiteState, rows: VectorRows, *, anew: bool) -> Work[VectorIndex]:
        work = partial(self._model.embedding.open_index, suite.root, rows.keys(), anew=anew)
        index = yield from wait(self._host.job("embedding", work))
        while missing := list(filterfalse(index.__contains__, rows.keys())):
            for start in range(0, len(missing), _VECTORS_AT_ONCE):
                keys = [key for key in missing[start : start + _VECTORS_AT_ONCE] if key in rows]
                yield from wait(self._host.job("embedding", partial(index.add, keys, rows.many(keys))))
        index.remove([key for key in index.keys() if key not in rows])  # noqa: SIM118 - an index is no mapping
        return index

    def index(self, suite: SuiteState) -> Work[None]:
        """Save the index, as a killed process can't. A worn one is made again once no stage is left."""
        if suite.neighbours.index is not None and not suite.neighbours.has_worn_index:
            yield from wait(self._host.job("embedding", partial(save_index, suite.root, suite.neighbours.index)))

    def repetition(self, suite: SuiteState) -> Work[None]:
        """Mine the suite as it is now, in a thread."""
        mine = yield from wait(self._host.job("comparing", _load_mining))
        contents = {path: buffer.content() for path, buffer in self._state.buffers.items()}
        for snapshot in suite.repetition.snapshot(suite.glue, contents):
            if snapshot is None:
                yield None
                continue
            progress = ActivityProgress(self._host, None, "comparing")
            work = partial(mine, snapshot, suite.repetition.options(), thread_time, progress, use_cache=self._use_cache)
            mined = yield from wait(self._host.job("comparing", work))
            changed = suite.repetition.use(mined)
            self._news.changed(sorted(changed & set(self._state.buffers)))
            if self._announcements.complete:
                self._announcements.all_changed()

    def _held_text(self, path: str) -> str | None:
        buffer = self._state.buffers.get(path)
        return buffer.text if buffer is not None else None


def _load_mining() -> Callable[..., "Mined"]:
    """`mine`, with what it needs: a start has no use for it."""
    from cukereuse_server.workspace.stages.mining import mine

    return mine


def _embedding(suite: SuiteState) -> str:
    """The name of the work for the host."""
    return f"vectors {suite.root}"


def _indexing(suite: SuiteState) -> str:
    """The name of the work for the host."""
    return f"index {suite.root}"
