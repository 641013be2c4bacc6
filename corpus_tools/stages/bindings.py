"""Ground truth from repositories with glue: which steps their maintainers serve by one step definition.

`texts.parquet`: distinct texts that bind to exactly one function. `pairs.parquet`: pairs of a suite's texts by cosine
band, nearest band first, at most 20 for any two definitions. `natural_pairs.parquet`: random pairs of all whose cosine
or Indel similarity is at least one half. `synonyms.parquet`: texts of different expressions on one function. Outlines'
texts are taken as written.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from corpus_tools.stages.evaluate.benchmark import BANDS
from corpus_tools.support import arrow
from corpus_tools.support.bands import Keep, draw, draw_near
from corpus_tools.support.bound_suites import function_of, relative, suites
from corpus_tools.support.checkpoint import CheckpointedStage, unit
from corpus_tools.support.related import groups
from corpus_tools.support.repositories import Checkout, slug, sources
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.index.vector_cache import embed_cached
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.template import measured_mask, template

if TYPE_CHECKING:
    import pyarrow as pa

TEXTS, PAIRS = "texts.parquet", "pairs.parquet"
NATURAL, SYNONYMS = "natural_pairs.parquet", "synonyms.parquet"
TEXT_COLUMNS = {
    "repo": "string", "language": "string", "text": "string", "occurrences": "int64", "outline": "bool",
    "expression": "string", "expression_kind": "string", "glue_file": "string", "function_id": "int64",
}  # fmt: skip
PAIR_COLUMNS = {
    "repo": "string", "language": "string", "text_a": "string", "text_b": "string", "def_a": "string",
    "def_b": "string", "style_a": "string", "style_b": "string", "file_a": "string", "file_b": "string",
    "same_def": "int64", "cos": "double", "lev": "double", "cos_band": "string", "outline": "int64",
    "group": "string", "template_eq": "int8",
}  # fmt: skip
NATURAL_COLUMNS = {
    "repo": "string", "language": "string", "text_a": "string", "text_b": "string", "def_a": "string",
    "def_b": "string", "same_def": "int64", "cos": "double", "lev": "double", "jaccard": "double",
    "lev_masked": "double", "template_eq": "int64", "group": "string",
}  # fmt: skip
"""Also of synonyms. `group`: see `related`. `lev`: Indel similarity; `jaccard`: of the masked texts' words."""
LARGEST_SUITE = 8_000
"""The number of a suite's texts from which pairs are drawn: the most frequent ones."""
PER_PAIR_OF_DEFINITIONS = 20
SYNONYMS_OF_A_FUNCTION = 20
NATURAL_PAIRS = 300
"""The number of pairs of a repository."""
NEAR = 0.5
_FORMAT = 3


@dataclass(frozen=True, slots=True)
class _Bound:
    text: str
    occurrences: int
    outline: bool
    definition: StepDefinition
    function: str


_TABLES = {SYNONYMS: NATURAL_COLUMNS, NATURAL: NATURAL_COLUMNS, PAIRS: PAIR_COLUMNS, TEXTS: TEXT_COLUMNS}
"""In the order in which a unit writes them: the texts' part means that the unit is done."""


def bindings(
    corpus: Path, embedder: Embedder, *, per_band: int = 60, seed: int = 42, progress: Progress = SILENT
) -> dict[str, int]:
    """Write the four tables into `corpus/bindings`; returns their numbers of rows by name. A unit is a repository.

    At most `per_band` pairs of each band and suite. Raises `CukereuseError` if there is nothing to read.
    """
    repositories = sources(corpus)
    shared = {"format": _FORMAT, "seed": seed, "per_band": per_band, "model": embedder.model_hash}
    key = {**shared, "sources": [(source.repo, source.stamp) for source in repositories]}
    stage = CheckpointedStage(corpus, "bindings", key, of_parts=shared)
    outputs = {name: corpus / "bindings" / name for name in _TABLES}
    if not stage.complete():
        parts_of = [_parts(stage, source) for source in repositories]
        with progress.stage("binding", len(repositories), "repositories") as watched:
            for source, parts in zip(repositories, parts_of, strict=True):
                if not parts[TEXTS].is_file():
                    _repository(source, parts, embedder, per_band, seed, progress)
                watched.advance()
        related = _related(parts[TEXTS] for parts in parts_of)
        for name, columns in _TABLES.items():
            tables = (table for parts in parts_of for table in arrow.batches(parts[name]))
            arrow.write(outputs[name], columns, (_grouped(table, related) for table in tables))
        stage.finish(list(outputs.values()), keep={part for parts in parts_of for part in parts.values()})
    import pyarrow.parquet as pq

    return {name: pq.read_metadata(outputs[name]).num_rows for name in reversed(_TABLES)}


def _parts(stage: CheckpointedStage, source: Checkout) -> dict[str, Path]:
    """The part of each table."""
    own = unit(slug(source.repo), source.repo, source.stamp)
    return {name: stage.part(f"{own}.{name}") for name in _TABLES}


def _related(texts: "Iterable[Path]") -> dict[str, str]:
    """Maps each repository to its group, from the bindings of its steps."""
    expressions: dict[str, set[tuple[str, str]]] = {}
    for part in texts:
        for table in arrow.batches(part):
            columns = (table.column(name).to_pylist() for name in ("repo", "language", "expression"))
            for repo, language, expression in zip(*columns, strict=True):
                expressions.setdefault(repo, set()).add((language, expression))
    return groups(expressions)


def _grouped(table: "pa.Table", related: dict[str, str]) -> "pa.Table":
    """Add the groups, which a part lacks because they depend on all repositories."""
    import pyarrow as pa

    if "group" not in table.column_names:
        return table
    groups = pa.array([related[repo] for repo in table.column("repo").to_pylist()], pa.string())
    return table.set_column(table.column_names.index("group"), "group", groups)


def _repository(
    source: Checkout, parts: dict[str, Path], embedder: Embedder, per_band: int, seed: int, progress: Progress
) -> None:
    texts: list[tuple[object, ...]] = []
    pairs: list[tuple[object, ...]] = []
    natural: list[tuple[object, ...]] = []
    synonyms: list[tuple[object, ...]] = []
    numbers: dict[str, int] = {}
    suites_bound = _bound_suites(source)
    for bound in suites_bound:
        texts.extend(_text_row(source, text, numbers.setdefault(text.function, len(numbers))) for text in bound)
        drawn_from = sorted(bound, key=lambda text: (-text.occurrences, text.text))[:LARGEST_SUITE]
        if len(drawn_from) < 2:
            continue
        vectors = embed_cached([text.text for text in drawn_from], embedder, progress=progress)
        for pair in draw(vectors, BANDS, per_band, seed=seed, keep=_capped(drawn_from), progress=progress):
            low, high = BANDS[pair.band]
            text, other = drawn_from[pair.a], drawn_from[pair.b]
            pairs.append(_pair_row(source, text, other, pair.cosine, f"[{low:.2f},{high:.2f})"))
        written = [text.text for text in drawn_from]
        natural_here = NATURAL_PAIRS // len(suites_bound) or 1
        for a, b, cosine, _ in draw_near(written, vectors, natural_here, near=NEAR, seed=seed):
            natural.append(_natural_row(source, drawn_from[a], drawn_from[b], cosine))
        for a, b in _synonyms(drawn_from):
            cosine = float(vectors[a] @ vectors[b])
            synonyms.append(_natural_row(source, drawn_from[a], drawn_from[b], cosine))
    for (name, columns), rows in zip(_TABLES.items(), (synonyms, natural, pairs, texts), strict=True):
        arrow.write(parts[name], columns, [arrow.table(columns, rows)])


def _bound_suites(source: Checkout) -> list[list[_Bound]]:
    """For each suite with glue, its texts that bind to a single function in all uses."""
    collected = []
    for suite, glue in suites(source):
        if not glue.definitions:
            continue
        bound = []
        for text in suite.texts:
            steps = suite.steps[text.identity]
            definitions = {definition.id: definition for step in steps for definition in glue.bind(step).definitions}
            functions = {function_of(source, definition) for definition in definitions.values()}
            if len(functions) == 1:
                first = min(definitions.values(), key=lambda definition: definition.id)
                outline = any(step.is_outline for step in steps)
                bound.append(_Bound(text.text, text.occurrences, outline, first, functions.pop()))
        collected.append(bound)
    return collected


def _capped(bound: list[_Bound]) -> Callable[[], Keep]:
    """Limits pairs over all bands, as the reference's draw does: pairs that fill near bands are not drawn again in
    distant ones, where definitions of few words would give most of the equal pairs."""
    used: Counter[tuple[str, ...]] = Counter()

    def keep(a: int, b: int) -> bool:
        two = tuple(sorted((bound[a].function, bound[b].function)))
        used[two] += 1
        return used[two] <= PER_PAIR_OF_DEFINITIONS

    return lambda: keep


def _synonyms(bound: list[_Bound]) -> list[tuple[int, int]]:
    """Positions of two texts with one function and different expressions."""
    by_function: dict[str, list[int]] = {}
    for position, text in enumerate(bound):
        by_function.setdefault(text.function, []).append(position)
    pairs: list[tuple[int, int]] = []
    for positions in by_function.values():
        different = [
            (a, b) for a, b in combinations(positions[:200], 2)
            if bound[a].definition.expression != bound[b].definition.expression
        ]  # fmt: skip
        pairs.extend(different[:SYNONYMS_OF_A_FUNCTION])
    return pairs


def _text_row(source: Checkout, text: _Bound, function: int) -> tuple[object, ...]:
    definition = text.definition
    head = (source.repo, definition.language, text.text, text.occurrences, text.outline)
    return (*head, definition.expression, definition.kind.value, relative(source, definition.path), function)


def _pair_row(source: Checkout, text: _Bound, other: _Bound, cosine: float, band: str) -> tuple[object, ...]:
    a, b = text.definition, other.definition
    return (
        source.repo, a.language, text.text, other.text, a.expression, b.expression, a.kind.value, b.kind.value,
        relative(source, a.path), relative(source, b.path), int(text.function == other.function), cosine,
        fuzz.ratio(text.text, other.text) / 100, band, int(text.outline or other.outline), "",
        int(template(text.text).key == template(other.text).key),
    )  # fmt: skip


def _natural_row(source: Checkout, text: _Bound, other: _Bound, cosine: float) -> tuple[object, ...]:
    a, b = text.definition, other.definition
    masked = [measured_mask(wording) for wording in (text.text, other.text)]
    words, others = (set(wording.lower().split()) for wording in masked)
    return (
        source.repo, a.language, text.text, other.text, a.expression, b.expression,
        int(text.function == other.function), cosine, fuzz.ratio(text.text, other.text) / 100,
        len(words & others) / (len(words | others) or 1),
        fuzz.ratio(*masked) / 100, int(masked[0].lower() == masked[1].lower()), "",
    )  # fmt: skip
