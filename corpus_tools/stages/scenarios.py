"""Duplicate scenarios, and the step definitions and sources of each scenario.

Kinds of similarity within a suite: the same or nearly the same steps in the same order (as SEED compares text and
structure), the same sequence of step definitions with the same arguments (for which Binamungu et al. need traces; here
static bindings), and the same structure with other arguments. Tables and DocStrings are part of a step's text and
arguments. Background steps are not compared, because all scenarios of a file share them.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz.distance import LCSseq

from corpus_tools.support import arrow
from corpus_tools.support.bound_suites import function_of, relative, suites
from corpus_tools.support.checkpoint import CheckpointedStage, unit
from corpus_tools.support.repositories import Checkout, slug, sources
from corpus_tools.support.step_arguments import StepArguments
from corpus_tools.support.workers import UnitRunner, local_runner
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.index.token_join import token_join
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

SCENARIOS = "scenarios.parquet"
PAIRS = "scenario_pairs.parquet"
SCENARIO_COLUMNS = {
    "repo": "string",
    "suite": "string",  # folder below the repository
    "file_path": "string",
    "line": "int32",
    "scenario": "string",
    "steps": "int32",
    "bound_steps": "int32",  # number of steps that exactly one function runs
    "text_hash": "string",  # equal: the same texts, tables and DocStrings in the same order
    "structure_hash": "string",  # equal: the same templates in the same order, with or without table or DocString alike
    "trace_hash": "string",  # equal: the same functions with the same arguments; null unless every step is bound
    "definitions": "[string]",  # "path:line:column" of each bound step's function, in order
    "sources": "[string]",  # the files of these functions, each once
}
PAIR_COLUMNS = {
    "repo": "string",
    "file_a": "string",
    "line_a": "int32",
    "file_b": "string",
    "line_b": "int32",
    "kind": "string",  # "text", "trace", "structure" or "near", the first that holds
    "similarity": "double",  # longest common subsequence of templates over the longer scenario
}
NEAR = 0.8
"""Least similarity of "near"."""
FEWEST_STEPS = 2
LARGEST_GROUP = 50
"""In larger groups of equal scenarios, each is paired only with the first."""
_FORMAT = 2


@dataclass(frozen=True, slots=True)
class _Task:
    source: Checkout
    scenarios: Path
    pairs: Path


@dataclass(frozen=True, slots=True)
class _Scenario:
    path: str
    line: int
    name: str
    texts: tuple[str, ...]
    templates: tuple[str, ...]
    trace: tuple[str, ...] | None
    functions: tuple[str, ...]
    bound: int


def scenarios(
    corpus: Path, *, jobs: int = 1, runner: UnitRunner | None = None, progress: Progress = SILENT
) -> tuple[int, int]:
    """Write both tables; returns the numbers of scenarios and pairs. Raises `CukereuseError` without repositories."""
    bound = sources(corpus)
    shared = {"format": _FORMAT}
    key = {**shared, "sources": [(source.repo, source.stamp) for source in bound]}
    stage = CheckpointedStage(corpus, "scenarios", key, of_parts=shared)
    outputs = [corpus / SCENARIOS, corpus / PAIRS]
    if not stage.complete():
        tasks = []
        for source in bound:
            name = unit(slug(source.repo), source.repo, source.stamp)
            tasks.append(_Task(source, stage.part(f"{name}.scenarios"), stage.part(f"{name}.pairs")))
        with progress.stage("comparing scenarios", len(tasks), "repositories") as watched:
            missing = [task for task in tasks if not task.scenarios.is_file()]
            watched.advance(len(tasks) - len(missing))
            (runner or local_runner(jobs))(compare_repository, missing, watched)
        arrow.write(outputs[0], SCENARIO_COLUMNS, (part for task in tasks for part in arrow.batches(task.scenarios)))
        arrow.write(outputs[1], PAIR_COLUMNS, (part for task in tasks for part in arrow.batches(task.pairs)))
        stage.finish(outputs, keep={part for task in tasks for part in (task.scenarios, task.pairs)})
    import pyarrow.parquet as pq

    counts = [pq.read_metadata(path).num_rows for path in outputs]
    return counts[0], counts[1]


def compare_repository(task: _Task) -> None:
    """The work of a unit: writes both parts, the scenarios last."""
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[object, ...]] = []
    for suite, glue in suites(task.source):
        root = relative(task.source, suite.root)
        held = StepArguments()
        scenarios = [
            _scenario(task.source, glue, held, steps) for file in suite.files for steps in _by_scenario(file.steps)
        ]
        rows.extend(_row(task.source, root, scenario) for scenario in scenarios)
        long_enough = [scenario for scenario in scenarios if len(scenario.texts) >= FEWEST_STEPS]
        pairs.extend(_pair_row(task.source, *pair) for pair in like(long_enough))
    arrow.write(task.pairs, PAIR_COLUMNS, [arrow.table(PAIR_COLUMNS, pairs)])
    arrow.write(task.scenarios, SCENARIO_COLUMNS, [arrow.table(SCENARIO_COLUMNS, rows)])


def _by_scenario(steps: Sequence[Step]) -> Iterator[list[Step]]:
    groups: dict[int, list[Step]] = {}
    for step in steps:
        if not step.is_background and step.text:
            groups.setdefault(step.scenario_line, []).append(step)
    yield from groups.values()


def _scenario(source: Checkout, glue: Glue, held: StepArguments, steps: list[Step]) -> _Scenario:
    trace: list[str] = []
    functions: list[str] = []
    arguments = [held.of(step) for step in steps]
    for step, argument in zip(steps, arguments, strict=True):
        bound = _bound(source, glue, step)
        if bound is not None:
            functions.append(bound[0])
            trace.append(f"{bound[0]}{bound[1]}{argument}")
    first = steps[0]
    return _Scenario(
        path=relative(source, first.path),
        line=first.scenario_line,
        name=first.scenario,
        texts=tuple(f"{normalise(step.text)}{argument or ''}" for step, argument in zip(steps, arguments, strict=True)),
        templates=tuple(f"{template(normalise(step.text)).key}{step.argument or ''}" for step in steps),
        trace=tuple(trace) if len(functions) == len(steps) else None,
        functions=tuple(functions),
        bound=len(functions),
    )


def _bound(source: Checkout, glue: Glue, step: Step) -> tuple[str, list[str]] | None:
    """The function that runs a step, and its captured arguments; None unless exactly one function does."""
    texts = glue.bind(step).texts if glue.definitions else ()
    matches = [match for text in texts for match in text.matches]
    names = {function_of(source, match.definition) for match in matches}
    if len(names) != 1 or not all(text.matches for text in texts):
        return None
    return names.pop(), sorted({repr([argument.value for argument in match.arguments]) for match in matches})


def like(scenarios: Sequence[_Scenario]) -> Iterator[tuple[_Scenario, _Scenario, str, float]]:
    """Pairs of similar scenarios, each once, with the closest kind that applies."""
    seen: set[tuple[int, int]] = set()
    for kind in ("text", "trace", "structure"):
        for group in _groups(scenarios, kind):
            firsts = group if len(group) <= LARGEST_GROUP else group[:1]
            for pair in ((a, b) for a in firsts for b in group if a < b):
                if pair not in seen:
                    seen.add(pair)
                    a, b = scenarios[pair[0]], scenarios[pair[1]]
                    yield a, b, kind, _similarity(a, b)
    firsts = [group[0] for group in _groups(scenarios, "structure")]
    candidates = token_join([frozenset(scenarios[i].templates) for i in firsts], NEAR / 2)
    for i, j in zip(candidates.a.tolist(), candidates.b.tolist(), strict=True):
        a, b = scenarios[firsts[i]], scenarios[firsts[j]]
        similarity = _similarity(a, b)
        if similarity >= NEAR and (firsts[i], firsts[j]) not in seen:
            yield a, b, "near", similarity


def _groups(scenarios: Sequence[_Scenario], kind: str) -> list[list[int]]:
    """Positions of scenarios that are equal in `kind`, by group."""
    groups: dict[object, list[int]] = {}
    for position, scenario in enumerate(scenarios):
        value = {"text": scenario.texts, "trace": scenario.trace, "structure": scenario.templates}[kind]
        if value is not None:
            groups.setdefault(value, []).append(position)
    return [*groups.values()]


def _similarity(a: _Scenario, b: _Scenario) -> float:
    return LCSseq.similarity(a.templates, b.templates) / max(len(a.templates), len(b.templates))


def _row(source: Checkout, root: str, scenario: _Scenario) -> tuple[object, ...]:
    files = list(dict.fromkeys(function.rsplit(":", 2)[0] for function in scenario.functions))
    hashes = (
        _hash(scenario.texts),
        _hash(scenario.templates),
        None if scenario.trace is None else _hash(scenario.trace),
    )
    place = (
        source.repo,
        root,
        scenario.path,
        scenario.line,
        encodable(scenario.name),
        len(scenario.texts),
        scenario.bound,
    )
    return (*place, *hashes, list(scenario.functions), files)


def _pair_row(source: Checkout, a: _Scenario, b: _Scenario, kind: str, similarity: float) -> tuple[object, ...]:
    return source.repo, a.path, a.line, b.path, b.line, kind, similarity


def _hash(parts: Sequence[str]) -> str:
    data = "\n".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=8).hexdigest()
