"""How a suite has changed over time: steps, wordings, repetition, and intents that were said in several wordings.

Every blob is read once, however many commits hold it, and every pair of wordings that ever stood in the history is
judged once, by its texts and vectors, so that two dates are measured by one yardstick. Step definitions are not read.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cukereuse_engine.detection.karate import karate_statements
from cukereuse_engine.detection.options import LOCAL, StrategyOptions
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.git import Blob, Commit, GitRepository
from cukereuse_engine.history.sampling import Every, sampled
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.scanning.join_cache import join_cache, remembered, remembered_judging
from cukereuse_engine.scanning.scan import vectors_of
from cukereuse_engine.scanning.suite import roles_of
from cukereuse_engine.similarity.embedder import Embedder, token_table
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from cukereuse_engine.text.words import detect_languages

_READ_AT_ONCE = 4096
"""Blobs whose steps are in memory at once."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Wordings of one intent that stood beside each other at some time."""

    id: str
    """Short hash of the wordings that ever belonged to it."""
    wordings: tuple[str, ...]
    """One text of each, the most used at the end of the history first, then alphabetical."""


@dataclass(frozen=True, slots=True)
class Point:
    """The suite at one commit."""

    commit: Commit
    files: int
    scenarios: int
    steps: int
    texts: int
    """Distinct step texts."""
    wordings: int
    """Distinct templates."""
    unread: int
    """Places that could not be read."""
    duplicates: frozenset[str]
    """Ids of the intents that are said in two wordings or more."""
    came: frozenset[str]
    """Those that were not there at the point before."""
    resolved: frozenset[str]
    """Those that were there at the point before, and are not any more."""

    @property
    def repetition(self) -> float:
        """Share of steps whose text another step has already: the paper's exact rate."""
        return 1 - self.texts / self.steps if self.steps else 0.0


@dataclass(frozen=True, slots=True)
class Trend:
    root: str
    every: Every
    points: tuple[Point, ...]
    """Oldest first; points at which nothing had changed since the one before are kept."""
    duplicates: Mapping[str, Duplicate]
    """By id."""
    model: str | None
    """Embedding model that was used, or None: wording only."""


def trend(
    folder: str,
    *,
    every: Every = Every.WEEK,
    ref: str = "HEAD",
    since: str | None = None,
    options: StrategyOptions | None = None,
    embedder: Embedder | None = None,
    jobs: int | None = None,
    cache: Blobs | None = None,
    progress: Progress = SILENT,
) -> Trend:
    """The history of the feature files below `folder`, along the first parents of `ref`, after `since` where given.

    `embedder`: the language model, None: wording only. `cache`: None: nothing is kept, neither what was read nor what
    was embedded or judged. Raises `CukereuseError` where there is no repository, no such revision or no commit;
    `Cancelled` when `progress` does.
    """
    repository = GitRepository(folder, "A trend needs a git repository.")
    after = repository.resolve(since) if since else None
    commits = sampled(repository.commits(repository.resolve(ref), after=after), every)
    held = _trees(repository, commits, progress)
    blobs = _read(repository, held, jobs, cache, progress)
    use_cache = cache is not None
    clusters, duplicates = _duplicates(
        blobs, held[-1] if held else [], options, embedder, progress, use_cache=use_cache
    )
    model = embedder.model_id if embedder is not None else None
    return Trend(str(repository.root), every, _points(commits, held, blobs, clusters), duplicates, model)


@dataclass(frozen=True, slots=True)
class _Content:
    """What one blob adds to a suite."""

    scenarios: int
    texts: Counter[str]
    """Normalised text to steps."""
    statements: frozenset[str]
    """Texts of a Karate file, which are code."""
    unread: int
    roles: Mapping[str, int]
    """Normalised text to the roles in which it stands, as `StepText.roles`."""

    @classmethod
    def of(cls, file: FeatureFile) -> "_Content":
        groups: dict[str, list[Step]] = {}
        for step in file.steps:
            if text := _normalised(step.text):
                groups.setdefault(text, []).append(step)
        scenarios = len({step.scenario_line for step in file.steps if not step.is_background})
        return cls(
            scenarios,
            Counter({text: len(steps) for text, steps in groups.items()}),
            karate_statements(groups),
            len(file.errors),
            {text: roles_of(steps) for text, steps in groups.items()},
        )


_normalised = lru_cache(1 << 16)(normalise)
"""The same few thousand texts stand in thousands of blobs."""


def _trees(repository: GitRepository, commits: Sequence[Commit], progress: Progress) -> list[list[Blob]]:
    trees = []
    with progress.stage("reading history", len(commits), "commits") as stage:
        for commit in commits:
            trees.append(repository.files(commit.id, FEATURE_SUFFIXES))
            stage.advance()
    return trees


def _read(
    repository: GitRepository,
    held: Iterable[Sequence[Blob]],
    jobs: int | None,
    cache: Blobs | None,
    progress: Progress,
) -> dict[str, _Content]:
    """Each distinct blob once; its name decides how it is read."""
    path_of = {blob.id: blob.path for tree in held for blob in tree}
    contents = repository.contents(path_of)
    ids = list(path_of)
    content_of: dict[str, _Content] = {}
    for start in range(0, len(ids), _READ_AT_ONCE):
        part = ids[start : start + _READ_AT_ONCE]
        names = [path_of[id_] for id_ in part]
        files = read_files(names, jobs=jobs, cache=cache, load=lambda _: next(contents)[1], progress=progress)
        content_of |= {id_: _Content.of(file) for id_, file in zip(part, files, strict=True)}
    return content_of


def _duplicates(
    blobs: Mapping[str, _Content],
    newest: Sequence[Blob],
    options: StrategyOptions | None,
    embedder: Embedder | None,
    progress: Progress,
    *,
    use_cache: bool,
) -> tuple[dict[str, str], dict[str, Duplicate]]:
    """Template key to its intent, for templates that share one; and those intents."""
    total: Counter[str] = Counter()
    spoken: set[str] = set()
    roles: Counter[str] = Counter()
    for content in blobs.values():
        total.update(content.texts)
        for said, bits in content.roles.items():
            roles[said] |= bits
        spoken |= content.texts.keys() - content.statements
    texts = [StepText(text, identity(text), template(text), total[text], roles[text]) for text in sorted(spoken)]
    judge = AdaptedJudge.for_bound_suite(texts, {}, tokens=token_table(embedder))
    languages = detect_languages(text.template.masked for text in texts)
    chosen = replace(options or StrategyOptions(), languages=languages)
    detection = detect(
        texts,
        chosen,
        judge=judge,
        vectors=vectors_of(embedder, use_cache=use_cache, progress=progress),
        progress=progress,
        joins=remembered(LOCAL, join_cache()) if use_cache else LOCAL,
        remember=remembered_judging(_learnt(texts, embedder), join_cache()) if use_cache else None,
    )
    now: Counter[str] = Counter()
    for blob in newest:
        now.update(blobs[blob.id].texts)
    intent_of: dict[str, str] = {}
    intents: dict[str, Duplicate] = {}
    for cluster in detection.clusters:
        if cluster.wordings < 2:
            continue
        best: dict[str, str] = {}
        for text in sorted(cluster.texts, key=lambda text: (-now[text.text], -text.occurrences, text.text)):
            best.setdefault(text.template.key, text.text)
        intents[cluster.id] = Duplicate(cluster.id, tuple(best.values()))
        intent_of |= dict.fromkeys(best, cluster.id)
    return intent_of, intents


def _learnt(texts: Iterable[StepText], embedder: Embedder | None) -> str:
    """Of everything that the judge learnt from, and reads with."""
    model = f"trend {embedder.model_hash if embedder is not None else 'lexical'}"
    digest = hashlib.blake2b(model.encode(), digest_size=16)
    for text in texts:
        digest.update(f"{text.text}\0{text.roles}\0{text.occurrences}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _points(
    commits: Sequence[Commit],
    held: Sequence[Sequence[Blob]],
    blobs: Mapping[str, _Content],
    intent_of: Mapping[str, str],
) -> tuple[Point, ...]:
    points: list[Point] = []
    key_of = {text: template(text).key for text in set().union(*(content.texts for content in blobs.values()))}
    before: Sequence[Blob] = ()
    texts: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    for commit, tree in zip(commits, held, strict=True):
        gone, come = Counter(blob.id for blob in before), Counter(blob.id for blob in tree)
        for id_ in (gone - come).elements():
            _change(texts, keys, blobs[id_], key_of, -1)
        for id_ in (come - gone).elements():
            _change(texts, keys, blobs[id_], key_of, 1)
        said = Counter(intent_of[key] for key in keys if key in intent_of)
        duplicates = frozenset(intent for intent, wordings in said.items() if wordings > 1)
        last = points[-1].duplicates if points else frozenset[str]()
        points.append(
            Point(
                commit,
                len(tree),
                sum(blobs[blob.id].scenarios for blob in tree),
                sum(texts.values()),
                len(texts),
                len(keys),
                sum(blobs[blob.id].unread for blob in tree),
                duplicates,
                duplicates - last,
                last - duplicates,
            )
        )
        before = tree
    return tuple(points)


def _change(texts: Counter[str], keys: Counter[str], content: _Content, key_of: Mapping[str, str], sign: int) -> None:
    for text, count in content.texts.items():
        for counter, name in ((texts, text), (keys, key_of[text])):
            counter[name] += sign * count
            if not counter[name]:
                del counter[name]
