"""How a suite has changed over time: steps, wordings, repetition, and findings by rule.

Every blob is read once, however many commits contain it, and every pair of wordings that ever existed is judged once,
by its texts and vectors, so that all dates have the same measure. Step definitions are not read, except for the
findings that a baseline does not contain.
"""

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from cukereuse_engine.blocks.options import BACKGROUND, DUPLICATE, FOLDABLE
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import LOCAL, StrategyOptions
from cukereuse_engine.embedding_models.embedder import Embedder, coarse, token_table
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.walk import by_names
from cukereuse_engine.git import Blob, Commit, GitRepository
from cukereuse_engine.history.ahead import Ahead, ahead
from cukereuse_engine.history.repeats import Together
from cukereuse_engine.history.sampling import Every, sampled
from cukereuse_engine.history.versions import Version, Versions
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.scanning.join_cache import join_cache, remembered, remembered_judging
from cukereuse_engine.scanning.scan import vectors_of
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from cukereuse_engine.text.words import detect_languages

DIVERGENT = "divergent-wording"
TREND_RULES = (DIVERGENT, DUPLICATE, FOLDABLE, BACKGROUND)
"""Rules of a history, in the order of reports: they need no step definitions."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Wordings of one intent that existed at the same time."""

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
    findings: Mapping[str, frozenset[str]]
    """Rule to the ids of what it finds: of `DIVERGENT`, the intents that are said in two wordings or more."""
    before: Mapping[str, frozenset[str]]
    """The same at the point before."""
    edited: frozenset[str] = frozenset()
    """Ids of repeated scenarios that were changed alike: those of before, and those of now that say the same names."""

    @property
    def duplicates(self) -> frozenset[str]:
        return self.findings[DIVERGENT]

    def came(self, rule: str) -> frozenset[str]:
        """Findings that the point before did not have; empty at the first point."""
        return self.findings[rule] - self.before[rule] - self.edited if self.before else frozenset()

    def resolved(self, rule: str) -> frozenset[str]:
        """Findings of the point before that are gone."""
        return self.before[rule] - self.findings[rule] - self.edited if self.before else frozenset()

    @property
    def repetition(self) -> float:
        """The share of steps whose text another step already has: the paper's exact rate."""
        return 1 - self.texts / self.steps if self.steps else 0.0


@dataclass(frozen=True, slots=True)
class Trend:
    root: str
    every: Every
    points: tuple[Point, ...]
    """Oldest first; points at which nothing had changed since the one before are kept."""
    duplicates: Mapping[str, Duplicate]
    """Duplicates by id."""
    descriptions: Mapping[str, str]
    """The description of each finding that ever existed, by id."""
    ahead: tuple[Ahead, ...] | None
    """The findings at the last point that the baseline does not contain, the oldest first; None without a baseline."""
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
    new_at: Callable[[str], Iterable[Finding]] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    cache: Blobs | None = None,
    progress: Progress = SILENT,
) -> Trend:
    """The history of the feature files below `folder`, along the first parents of `ref`, after `since` if given.

    `include`, `exclude`: as in `discover`, without ignore files, which do not apply to what is committed. `embedder`:
    the language model, or None for wording only. `new_at`: gives the findings of a commit that the baseline does not
    contain; it is asked about `ref`. `cache` None: nothing is kept of
    what was read, embedded or judged. Raises `CukereuseError` if there is no repository, no such revision or
    no commit; `Cancelled` when `progress` does.
    """
    repository = GitRepository(folder, "A trend needs a git repository.")
    tip = repository.resolve(ref)
    after = repository.resolve_since(since, tip) if since else None
    if since and after is None:
        hint = "Leave out --since, or name a later day."
        raise CukereuseError(f"{repository.root} has no commit before {since}", hint)
    commits = sampled(repository.commits(tip, after=after), every)
    with progress.stage("reading history", None, "commits"):
        held = repository.trees([commit.id for commit in commits], FEATURE_SUFFIXES, by_names(include, exclude))
    versions = Versions(repository, jobs, cache, progress)
    blobs = versions.read(blob for tree in _distinct(held) for blob in tree)
    together = _together(versions, held, blobs)
    use_cache = cache is not None
    clusters, duplicates = _duplicates(
        blobs, held[-1] if held else [], options, embedder, progress, use_cache=use_cache
    )
    model = embedder.model_id if embedder is not None else None
    wordings = {id_: " · ".join(duplicate.wordings) for id_, duplicate in duplicates.items()}
    points = _points(commits, held, blobs, clusters, together, wordings)
    unknown = _ahead(new_at(tip), points, together, held, blobs) if new_at is not None and points else None
    return Trend(str(repository.root), every, points, duplicates, wordings, unknown, model)


def _together(versions: Versions, held: Sequence[Sequence[Blob]], blobs: Mapping[str, Version]) -> Together:
    """The repetition. Tables and DocStrings are read only if everything else of two scenarios is the same at some
    time."""
    repeats = {id_: version.repeats for id_, version in blobs.items()}
    together, alike = Together(repeats), set[str]()
    for gone, come in _changes(held):
        together.replace(gone, come)
        if come:
            alike.update(scenario.key for group in together.alike() for scenario in group if scenario.is_attached)
    wanted = {id_ for id_, its in repeats.items() if any(scenario.key in alike for scenario in its.scenarios)}
    return Together(
        repeats | versions.with_attachments(blob for tree in _distinct(held) for blob in tree if blob.id in wanted)
    )


def _distinct(held: Sequence[Sequence[Blob]]) -> Iterator[Sequence[Blob]]:
    """Yields trees that differ from the one before."""
    return (tree for number, tree in enumerate(held) if not number or tree is not held[number - 1])


def _changes(held: Iterable[Sequence[Blob]]) -> Iterator[tuple[list[str], list[str]]]:
    """Yields the blobs that were removed and added with each tree."""
    before: Counter[str] = Counter()
    last: Sequence[Blob] | None = None
    for tree in held:
        if tree is last:
            yield [], []
            continue
        now = Counter(blob.id for blob in tree)
        yield list((before - now).elements()), list((now - before).elements())
        before, last = now, tree


def _duplicates(
    blobs: Mapping[str, Version],
    newest: Sequence[Blob],
    options: StrategyOptions | None,
    embedder: Embedder | None,
    progress: Progress,
    *,
    use_cache: bool,
) -> tuple[dict[str, str], dict[str, Duplicate]]:
    """Maps template keys to their intents, for templates that share one; and those intents."""
    total: Counter[str] = Counter()
    spoken: set[str] = set()
    roles: Counter[str] = Counter()
    for content in blobs.values():
        total.update(content.texts)
        for wording, bits in content.roles.items():
            roles[wording] |= bits
        spoken |= content.texts.keys() - content.statements
    texts = [StepText(text, identity(text), template(text), total[text], roles[text]) for text in sorted(spoken)]
    judge = AdaptedJudge.for_bound_suite(texts, {}, tokens=token_table(embedder))
    languages = detect_languages(text.template.masked for text in texts)
    chosen = replace(options or StrategyOptions(), languages=languages)
    finder = coarse(embedder)
    detection = detect(
        texts,
        chosen,
        judge=judge,
        vectors=vectors_of(embedder, use_cache=use_cache, progress=progress),
        coarse=vectors_of(finder, use_cache=use_cache, progress=progress),
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
    """A digest of everything from which the judge learnt, and of its model."""
    model = f"trend {embedder.model_hash if embedder is not None else 'lexical'}"
    digest = hashlib.blake2b(model.encode(), digest_size=16)
    for text in texts:
        digest.update(f"{text.text}\0{text.roles}\0{text.occurrences}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _points(
    commits: Sequence[Commit],
    held: Sequence[Sequence[Blob]],
    blobs: Mapping[str, Version],
    intent_of: Mapping[str, str],
    together: Together,
    descriptions: dict[str, str],
) -> tuple[Point, ...]:
    """`descriptions` gets the description of each finding that `together` has at any time: the first one and, at the
    last point, the present one."""
    points: list[Point] = []
    key_of = {text: template(text).key for text in set().union(*(content.texts for content in blobs.values()))}
    texts: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    scenarios = unread = 0
    for commit, tree, (gone, come) in zip(commits, held, _changes(held), strict=True):
        last = points[-1].findings if points else {}
        if points and not gone and not come:
            points.append(replace(points[-1], commit=commit, before=last, edited=frozenset()))
            continue
        for ids, sign in ((gone, -1), (come, 1)):
            for id_ in ids:
                _change(texts, keys, blobs[id_], key_of, sign)
                scenarios += sign * blobs[id_].scenarios
                unread += sign * blobs[id_].unread
        together.replace(gone, come)
        intents = Counter(intent_of[key] for key in keys if key in intent_of)
        divergent = frozenset(intent for intent, wordings in intents.items() if wordings > 1)
        repeated = together.findings()
        findings = {DIVERGENT: divergent, **repeated}
        descriptions.update(together.described(unless=descriptions))
        steps = sum(texts.values())
        edited = _edited([(last.get(rule, frozenset()), now) for rule, now in repeated.items()], descriptions)
        points.append(Point(commit, len(tree), scenarios, steps, len(texts), len(keys), unread, findings, last, edited))
    descriptions.update(together.described())
    return tuple(points)


def _edited(
    findings: Iterable[tuple[frozenset[str], frozenset[str]]], descriptions: Mapping[str, str]
) -> frozenset[str]:
    """The findings that came and went, if they are described alike: their scenarios changed in the same way.
    `findings`: those of each rule before, and now."""
    pairs: list[tuple[str, str]] = []
    for before, now in findings:
        gone = {descriptions[id_]: id_ for id_ in before - now}
        pairs += [(gone[descriptions[id_]], id_) for id_ in now - before if descriptions[id_] in gone]
    return frozenset(itertools.chain.from_iterable(pairs))


def _ahead(
    findings: Iterable[Finding],
    points: Sequence[Point],
    together: Together,
    held: Sequence[Sequence[Blob]],
    blobs: Mapping[str, Version],
) -> tuple[Ahead, ...]:
    """`together`: the repeats at the last point."""

    def keys_at(wanted: Set[str]) -> list[Set[str]]:
        texts = {text for version in blobs.values() for text in version.texts}
        said = {text: key for text in texts if (key := template(text).key) in wanted}
        keys_of = {id_: {said[text] for text in version.texts if text in said} for id_, version in blobs.items()}
        keys: Counter[str] = Counter()
        present: list[Set[str]] = []
        for gone, come in _changes(held):
            for ids, sign in ((gone, -1), (come, 1)):
                for key in itertools.chain.from_iterable(keys_of[id_] for id_ in ids):
                    keys[key] += sign
            present.append({key for key, count in keys.items() if count})
        return present

    known_by = {key: id_ for id_, keys in together.known_by() for key in keys}
    return ahead(findings, [point.commit for point in points], [point.findings for point in points], known_by, keys_at)


def _change(texts: Counter[str], keys: Counter[str], content: Version, key_of: Mapping[str, str], sign: int) -> None:
    for text, count in content.texts.items():
        for counter, name in ((texts, text), (keys, key_of[text])):
            counter[name] += sign * count
            if not counter[name]:
                del counter[name]
