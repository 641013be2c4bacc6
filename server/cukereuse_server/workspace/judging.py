"""Suites judged as a whole: first a suite's judge is made, then all its templates are compared.

What a thread needs is gathered from the suite in slices and given away; what the thread made is applied in turn with
questions. Reads nothing from the disk.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.errors import Cancelled
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.scanning.remembered import join_cache, remembered
from cukereuse_engine.similarity.embedder import Vectors
from cukereuse_server.protocol.state import Changed
from cukereuse_server.workspace.activities import Activity, ActivityProgress
from cukereuse_server.workspace.comparing import Nodes, SharedJudge, accepted_pairs
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from cukereuse_server.workspace.workspace import Workspace

_TEXTS_PER_SLICE = 100


class Judging:
    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._host = workspace.host
        self.pending: set[str] = set()
        """Roots of suites that are still being compared."""
        self._shown: dict[str, Activity] = {}
        """What people see of suites that are compared by meaning, by root."""

    def compare(self, suite: SuiteState) -> None:
        """Judge a suite as a whole, as it is now."""
        self.pending.add(suite.root)
        self._host.background(f"compare {suite.root}", self._make_judge(suite), partial(self._failed, suite))

    def compare_all(self, suite: SuiteState, judge: SharedJudge, activity: Activity | None = None) -> None:
        """Compare all templates of a suite as they are now; once there are vectors, those that have one. It is a part
        of `activity`, which ends with it."""
        self.pending.add(suite.root)
        self._end_activity(suite.root)
        if activity is not None:
            self._shown[suite.root] = activity
        slices = self._compare_all(suite, judge, activity)
        self._host.background(f"pairs {suite.root}", slices, partial(self._failed, suite))

    def renew(self, *, exactly: bool = False) -> None:
        """Where suites have changed much (with `exactly`: at all), let them be judged anew; for idle times."""
        for suite in self._workspace.suites.values():
            if suite.compared and suite.root not in self.pending and (exactly or suite.outdated):
                self.compare(suite)

    # -- inside

    def _make_judge(self, suite: SuiteState) -> Iterator[None]:
        suite.bindings.begin_judge()
        bound: dict[str, str] = {}
        for number, text in enumerate(list(suite.texts.texts) if suite.bindings.bind is not None else ()):
            bound |= suite.bindings.function_of(text)
            if number % _TEXTS_PER_SLICE == 0:
                yield
        texts = suite.texts.language((yield from suite.texts.gather()))
        work = partial(_judge, texts, bound)
        self._host.thread("comparing", work, partial(self._take_judge, suite), partial(self._failed, suite))

    def _take_judge(self, suite: SuiteState, made: tuple[SharedJudge, Neighbours]) -> None:
        if not self._is_current(suite):
            return
        judge, neighbours = made
        suite.use_judge(judge, neighbours)
        if not suite.compared:
            self._warm_open(suite)
        self.compare_all(suite, judge)
        self._workspace.glue.load(suite)  # a suite that came later
        self._workspace.vectors.start(suite)

    def forget_activities(self) -> None:
        """Nobody waits for what is going on."""
        for root in list(self._shown):
            self._end_activity(root)

    def _end_activity(self, root: str) -> None:
        activity = self._shown.pop(root, None)
        if activity is not None:
            activity.end()

    def _compare_all(self, suite: SuiteState, judge: SharedJudge, activity: Activity | None) -> Iterator[None]:
        texts = yield from suite.texts.gather()
        if not self._is_current(suite):
            return
        rows = suite.neighbours.vectors
        wanted = rows if len(rows) else suite.neighbours
        keys = [key for key in dict.fromkeys(text.template.key for text in texts) if key in wanted]
        vectors = rows.many(keys) if len(rows) else None
        yield
        progress = ActivityProgress(self._host, activity or self._workspace.indexing, "comparing")
        joins = remembered(LOCAL, join_cache()) if self._workspace.use_cache else LOCAL
        work = partial(_pairs, texts, keys, judge, suite.options().effective_threshold, vectors, progress, joins)
        take = partial(self._take_pairs, suite, judge)
        self._host.thread("comparing", work, take, partial(self._failed, suite))

    def _take_pairs(self, suite: SuiteState, judge: SharedJudge, compared: tuple[Nodes, list[tuple[str, str]]]) -> None:
        if not self._is_current(suite) or suite.judge is not judge:
            return
        suite.use_pairs(*compared)
        self.pending.discard(suite.root)
        self._end_activity(suite.root)
        self._warm_open(suite)
        if self._workspace.workspace_diagnostics:
            self._host.emit(Changed(paths=[]))
        self._workspace.finish()

    def _failed(self, suite: SuiteState, error: BaseException) -> None:
        """The worker goes on with what it has; a person is told once."""
        if not self._is_current(suite):
            return
        self.pending.discard(suite.root)
        self._end_activity(suite.root)
        if not isinstance(error, Cancelled):
            message = f"cukereuse could not compare the steps of {suite.root}: {type(error).__name__}: {error}"
            self._workspace.tell(message)
        self._workspace.finish()

    def _warm_open(self, suite: SuiteState) -> None:
        for path in self._workspace.buffers:
            if path in suite.texts.files:
                self._workspace.warm(path)

    def _is_current(self, suite: SuiteState) -> bool:
        return self._workspace.suites.get(suite.root) is suite


# In the thread


def _judge(texts: tuple[StepText, ...], bound: dict[str, str]) -> tuple[SharedJudge, Neighbours]:
    """The judge of a suite, and its templates by their words."""
    import numpy.ma  # noqa: F401 - NumPy loads it when it is first needed, which would be in the middle of a slice

    judge = SharedJudge(texts, bound)
    nodes = Nodes.of(texts)
    if nodes.keys:  # what a judge makes with its first pair of templates is made here
        judge.probabilities(nodes.shown[:2], np.zeros(1, np.int32), np.full(1, len(nodes.shown[:2]) - 1, np.int32))
    neighbours = Neighbours(judge.languages)
    for key, shown in zip(nodes.keys, nodes.shown, strict=True):
        neighbours.add(key, shown.template.masked)
    neighbours.read()
    return judge, neighbours


def _pairs(
    texts: tuple[StepText, ...],
    keys: list[str],
    judge: SharedJudge,
    threshold: float,
    vectors: Vectors | None,
    progress: ActivityProgress,
    joins: Joins,
) -> tuple[Nodes, list[tuple[str, str]]]:
    """The templates `keys`, which come in order of first appearance in `texts`, and the pairs among them that are
    accepted."""
    nodes = Nodes.of(texts).only(set(keys).__contains__)
    return nodes, accepted_pairs(nodes, judge, judge.languages, threshold, vectors, progress, joins)
