"""A scan, from paths to a `ScanResult`: reads every suite, binds it to its step definitions, compares it, and drops
suppressed findings."""

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cukereuse_engine import definitions
from cukereuse_engine.detection.context import Context, MayServe
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import LOCAL, Cluster, Detection, EmbedTexts, StrategyOptions
from cukereuse_engine.detection.rules import SEARCHES
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.embedding_models.embedder import Embedder, HasCoarse, Portable, Vectors, coarse, token_table
from cukereuse_engine.findings.finding import Finding, Reason, importance
from cukereuse_engine.gherkin.feature import FeatureFile, ReadError
from cukereuse_engine.gherkin.karate import karate_statements
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue import patterns
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import glue_root
from cukereuse_engine.index.crowds import EXAMPLES
from cukereuse_engine.index.vector_cache import embed_cached
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.processes import give_back_memory, in_chunks, side_by_side, usable_cores
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.scanning.bound import bound_functions
from cukereuse_engine.scanning.functions import Common, SharedFunctions, functions_cache, load_functions
from cukereuse_engine.scanning.join_cache import join_cache, remembered, remembered_judging
from cukereuse_engine.scanning.loading import listings, load_glue, without_definitions
from cukereuse_engine.scanning.options import finding_options, strategy_options
from cukereuse_engine.scanning.packed import packed
from cukereuse_engine.scanning.repetition import left_out, repetition_of
from cukereuse_engine.scanning.result import ScanResult, SuiteScan
from cukereuse_engine.scanning.suite import Suite, SuiteFiles, find_suites, read_found
from cukereuse_engine.settings import Settings
from cukereuse_engine.strategies.table import VectorUse
from cukereuse_engine.suppression.apply import IgnorePatterns, suppress
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.suppression.pragmas import Pragmas
from cukereuse_engine.text.step_text import StepText

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_SHARED = Reason("shared-definition", "they share a step definition", against=True)


@dataclass(frozen=True, slots=True)
class ScanOptions:
    settings: Settings
    """Settings of the whole run: what is read, the strategy, the number of processes."""
    settings_of: Callable[[str], Settings] | None = None
    """Settings of the suite at a root: its severities, patterns to ignore, glue. None: `settings` for all."""
    show_shared: bool = False
    """True to report wordings that share a step definition too."""
    use_cache: bool = True
    """True to read and write the caches of parsed files, glue and vectors."""

    def of(self, root: str) -> Settings:
        """The settings of the suite at `root`."""
        return self.settings_of(root) if self.settings_of is not None else self.settings


def scan(
    paths: Sequence[str | Path],
    options: ScanOptions,
    *,
    embedder: Embedder | None = None,
    notes: Sequence[str] = (),
    progress: Progress = SILENT,
) -> ScanResult:
    """Scan the suites below `paths`.

    `embedder` None: only wordings are compared; the caller says in `notes` why. Raises `CukereuseError` for a path that
    does not exist and for a strategy that needs an embedder; `Cancelled` when `progress` does.
    """
    settings = options.settings
    saved = listings(use_cache=options.use_cache)
    suites = find_suites(
        paths, include=settings.include, exclude=settings.exclude, across=settings.across, listings=saved
    )
    strategy = strategy_options(settings)
    jobs = settings.jobs or usable_cores()
    repositories = [list(group) for _, group in groupby(suites, lambda suite: glue_root(suite.root))]
    if _pays(repositories, embedder, jobs):
        scans = _side_by_side(repositories, options, embedder, jobs, progress)
    else:
        scans = _in_turn(repositories, options, embedder, saved, progress)
    return ScanResult(
        suites=tuple(scans),
        strategy=strategy.strategy,
        parameters=_parameters(strategy),
        model=embedder.model_id if embedder is not None and strategy.row.vectors is not VectorUse.UNUSED else None,
        notes=(*notes, *without_definitions(scans, options.of), *left_out(scans), *_uncompared(scans)),
        unread=Severity(settings.severity.get("unread", RULES["unread"].severity)),
    )


_POOL_BYTES = 6_000_000
"""Size of all feature files from which scanning repositories in several processes pays."""
_LARGE_BYTES = 3_000_000
"""Size of one repository's feature files from which no other such repository is scanned at the same time."""
_MANY_TEXTS = 1_000
"""Number of texts whose embedding takes so long that loading the model again does not matter."""
_BATCH_BYTES = 16_000_000
"""Size of the feature files that are read together."""


def _pays(repositories: Sequence[Sequence[SuiteFiles]], embedder: Embedder | None, jobs: int) -> bool:
    is_portable = embedder is None or isinstance(embedder, Portable)
    return jobs > 1 and len(repositories) > 1 and is_portable and sum(map(_size, repositories)) >= _POOL_BYTES


def _size(suites: Iterable[SuiteFiles]) -> int:
    return sum(suite.size for suite in suites)


def _in_turn(
    repositories: Sequence[Sequence[SuiteFiles]],
    options: ScanOptions,
    embedder: Embedder | None,
    saved: Listings,
    progress: Progress,
) -> list[SuiteScan]:
    """Scan one suite after the other, by repository."""
    scans: list[SuiteScan] = []
    number = sum(map(len, repositories))
    jobs = options.settings.jobs or None
    with progress.stage("comparing", number, "suites") as stage:
        for batch in in_chunks(repositories, _size, _BATCH_BYTES):
            together = [suite for suites in batch for suite in suites]
            read = iter(read_found(together, jobs=jobs, use_cache=options.use_cache, progress=progress))
            for suites in batch:
                common = Common.of(saved, len(suites))
                with _alone():
                    for suite in islice(read, len(suites)):
                        scan = _scan_suite(suite, options, embedder, common, progress)
                        scans.append(packed(scan) if number > 1 else scan)
                        stage.advance()
    return scans


class _Task(NamedTuple):
    suites: Sequence[SuiteFiles]
    options: ScanOptions
    of_suites: Mapping[str, Settings]
    embedder: Embedder | None


def _side_by_side(
    repositories: Sequence[Sequence[SuiteFiles]],
    options: ScanOptions,
    embedder: Embedder | None,
    jobs: int,
    progress: Progress,
) -> list[SuiteScan]:
    """Scan repositories in several processes, one in each."""
    alone = embedder.alone() if isinstance(embedder, Portable) else None
    own = replace(options, settings=replace(options.settings, jobs=1), settings_of=None)
    tasks = []
    for suites in repositories:
        of_suites = {suite.root: options.of(suite.root) for suite in suites}
        tasks.append(_Task(suites, own, of_suites, alone))
    scans: list[Sequence[SuiteScan]] = [()] * len(tasks)
    with progress.stage("comparing", sum(map(len, repositories)), "suites") as stage:
        sizes = list(map(_size, repositories))
        for ended in side_by_side(_scan_repository, tasks, sizes, large=_LARGE_BYTES, jobs=jobs):
            if ended is not None:
                number, scans[number] = ended
            stage.advance(0 if ended is None else len(scans[number]))
    return [scan for group in scans for scan in group]


_embedders: dict[str, Embedder] = {}
"""The embedders of this process by model hash, so that it loads weights once for all repositories."""


def _scan_repository(task: _Task) -> list[SuiteScan]:
    """Scan one repository in one of several processes."""
    embedder = task.embedder and _embedders.setdefault(task.embedder.model_hash, task.embedder)
    use_cache = task.options.use_cache
    options = replace(task.options, settings_of=lambda root: replace(task.of_suites[root], jobs=1))
    with _alone():
        read = read_found(task.suites, jobs=1, use_cache=use_cache)
        common = Common.of(listings(use_cache=use_cache), len(task.suites))
        scans = [packed(_scan_suite(suite, options, embedder, common, SILENT)) for suite in read]
        del common
    give_back_memory()
    return scans


@contextmanager
def _alone() -> Iterator[None]:
    """Keep the garbage collector from objects of earlier repositories, or each repository would cost as much as all
    before it; then collect those of this one: bindings have reference cycles, and thousands of patterns."""
    gc.freeze()
    try:
        yield
    finally:
        patterns.forget()
        gc.collect()
        gc.unfreeze()


def vectors_of(embedder: Embedder | None, *, use_cache: bool, progress: Progress = SILENT) -> EmbedTexts | None:
    """How a strategy gets its vectors: from the cache, or else from the model, which then rests because the next stages
    need the memory; None without an embedder."""
    if embedder is None:
        return None

    def embedded(texts: Sequence[str]) -> Vectors:
        vectors = embed_cached(texts, embedder, progress=progress) if use_cache else embedder.embed(texts, progress)
        are_many = len(texts) >= _MANY_TEXTS
        if isinstance(embedder, HasCoarse):
            embedder.rest(ready=not are_many)
        if are_many:
            give_back_memory()
        return vectors

    return embedded


def compare(
    suite: Suite,
    glue: Glue,
    strategy: StrategyOptions,
    embedder: Embedder | None,
    *,
    use_cache: bool,
    progress: Progress = SILENT,
) -> tuple[Detection, Judge]:
    """The clusters of one suite and the judge, which learns from its bindings: what `scan` reports and a rename takes
    for one intent. Raises `CukereuseError` for a strategy that needs an embedder; `Cancelled` when `progress` does."""
    statements = karate_statements(suite.steps)
    language = [text for text in suite.texts if text.identity not in statements]
    bound = bound_functions(suite.steps, glue)
    judge = AdaptedJudge.for_bound_suite(language, bound, tokens=token_table(embedder))
    # The others cluster by the cosine itself, so its order counts: of 23,507 texts of a suite, those with 77 % of the
    # tokens would be embedded again to have the same clusters, and 84 % to have their scores too. Coarse vectors alone
    # change 1,311 of its 5,776 clusters; with a fiftieth of their error it would be 78.
    finder = coarse(embedder) if strategy.row.is_judged else None
    model = " ".join(each.model_hash for each in (embedder, finder) if each is not None) or "lexical"
    detection = detect(
        suite.texts,
        replace(strategy, languages=judge.templates.languages),
        judge=judge,
        vectors=vectors_of(embedder, use_cache=use_cache, progress=progress),
        coarse=vectors_of(finder, use_cache=use_cache, progress=progress),
        statements=statements,
        progress=progress,
        joins=remembered(LOCAL, join_cache()) if use_cache else LOCAL,
        remember=remembered_judging(_fingerprint(language, bound, model), join_cache()) if use_cache else None,
    )
    if strategy.row.is_judged:  # caches all probabilities for the reasons: one by one takes ten times as long
        judge.probabilities(detection.texts, detection.pairs.a, detection.pairs.b, detection.cosine)
    return detection, judge


def _scan_suite(
    suite: Suite, options: ScanOptions, embedder: Embedder | None, common: Common, progress: Progress
) -> SuiteScan:
    settings = options.of(suite.root)
    glue = load_glue(suite, settings, use_cache=options.use_cache, read=common.sources, progress=progress)
    clusters, uncompared, findings = _compared(suite, glue, options, embedder, common.functions, progress)
    patterns.forget_compiled()
    give_back_memory()
    repetition = repetition_of(suite, glue, settings, progress=progress)
    pragmas = Pragmas(suite.files)
    together = sorted((*findings, *repetition.findings), key=importance)
    in_code = SourcePragmas(glue.definitions)
    remaining = suppress(together, pragmas, IgnorePatterns(settings.ignore), in_code)
    return SuiteScan(
        root=suite.root,
        files=_with_problems(suite.files, pragmas.problems),
        texts=suite.texts,
        steps=suite.steps,
        clusters=clusters,
        findings=remaining.findings,
        suppressed=remaining.count,
        silenced=remaining.silenced,
        definitions=tuple(glue.own_definitions),
        glue_errors=(*glue.own_errors, *in_code.problems),
        blocks=repetition.blocks,
        shortenable=repetition.shortenable,
        more=repetition.more,
        uncompared=uncompared,
    )


def _compared(
    suite: Suite,
    glue: Glue,
    options: ScanOptions,
    embedder: Embedder | None,
    shared: SharedFunctions | None,
    progress: Progress,
) -> tuple[Sequence[Cluster], int, Sequence[Finding]]:
    """The clusters of a suite, the number of wordings that were not compared, and the findings about wordings and step
    definitions. Frees the judge, its pairs and the forms of functions before the next stage."""
    settings, strategy = options.of(suite.root), strategy_options(options.settings)
    detection, judge = compare(suite, glue, strategy, embedder, use_cache=options.use_cache, progress=progress)
    give_back_memory()  # the next stages do not use the pairs' blocks again
    functions = _functions(glue, settings, shared, use_cache=options.use_cache, progress=progress)
    findings = _findings(suite, detection, glue, judge, settings, functions, show_shared=options.show_shared)
    if functions is not None:
        functions.load(())  # has reference cycles, so its thousands of forms would stay until the next collection
    return detection.clusters, detection.uncompared, findings


def _uncompared(scans: Iterable[SuiteScan]) -> Iterator[str]:
    """A note on each suite with wordings that were not compared."""
    for scanned in scans:
        if scanned.uncompared:
            wordings = len({text.template.key for text in scanned.texts})
            yield (
                f"{scanned.root}: {scanned.uncompared:,} of {wordings:,} wordings were not compared, because each has "
                f"hundreds of near copies, as generated steps have; {EXAMPLES} of these were compared"
            )


def _fingerprint(texts: Sequence[StepText], bound: Mapping[str, str], model: str) -> str:
    """Fingerprint of the judge's texts and bindings, and of the model."""
    digest = hashlib.blake2b(model.encode(), digest_size=16)
    for text in texts:
        digest.update(f"{text.text}\0{bound.get(text.identity, '')}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _functions(
    glue: Glue, settings: Settings, shared: SharedFunctions | None, *, use_cache: bool, progress: Progress
) -> "Functions | None":
    if not glue.definitions:
        return None
    cache = functions_cache() if use_cache else None
    return load_functions(glue, jobs=settings.jobs or None, cache=cache, shared=shared, progress=progress)


def _findings(
    suite: Suite,
    detection: Detection,
    glue: Glue,
    judge: Judge,
    settings: Settings,
    functions: "Functions | None",
    *,
    show_shared: bool,
) -> tuple[Finding, ...]:
    options = finding_options(settings)
    bindings = glue.bind if glue.definitions else None
    context = Context(
        detection, suite.steps, bindings, judge, functions=functions, options=options, may_serve=_may_serve(glue)
    )
    findings = find(context, searches=(*SEARCHES, *definitions.SEARCHES))
    if not show_shared or bindings is None:
        return findings
    reported = {_wordings(finding) for finding in findings}
    without_glue = find(Context(detection, suite.steps, judge=judge, options=options))
    shared = [replace(finding, reasons=(*finding.reasons, _SHARED)) for finding in without_glue]
    return (*findings, *(finding for finding in shared if _wordings(finding) not in reported))


def _may_serve(glue: Glue) -> MayServe:
    if not glue.definitions:
        return lambda _: False
    from cukereuse_engine.refactor.mentions import MayBeUsed  # reads code, which a suite without any has no use for

    return MayBeUsed(glue)


def _wordings(finding: Finding) -> frozenset[str]:
    return frozenset(wording.template.key for subject in finding.subjects for wording in subject.wordings)


def _with_problems(files: Sequence[FeatureFile], problems: Sequence[ReadError]) -> tuple[FeatureFile, ...]:
    """Add the problems of pragmas to the errors of their files."""
    by_path: dict[str, list[ReadError]] = {}
    for problem in problems:
        by_path.setdefault(problem.path, []).append(problem)
    return tuple(
        replace(file, errors=(*file.errors, *by_path[file.path])) if file.path in by_path else file for file in files
    )


def _parameters(strategy: StrategyOptions) -> dict[str, float | str | bool]:
    parameters: dict[str, float | str | bool] = {"linkage": strategy.linkage, "guards": strategy.guards}
    if strategy.row.joins:
        parameters["threshold"] = strategy.effective_threshold
    if strategy.row.has_window:
        parameters |= {"lev_min": strategy.lev_min, "lev_max": strategy.lev_max}
    return parameters
