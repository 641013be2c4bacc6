"""The stage `analyse`: each strategy's clusters, then the tables, then the figures.

The units are the strategies. Tables are written to `tables/` (Parquet and Markdown), figures to `figures/` (SVG and
PNG), and everything to `report.html`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_tools.stages.analyse import clusters, clusters_json, figures, report, rollups
from corpus_tools.stages.analyse.database import NEEDED, corpus_database, karate_statements, texts_as_written
from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.corpus import figures as scenario_figures
from corpus_tools.stages.slices.scenarios import ScenarioFigures
from corpus_tools.stages.slices.tables import slice_tables
from corpus_tools.stages.slices.windows import SliceFigures
from corpus_tools.support import arrow, markdown
from corpus_tools.support.checkpoint import CheckpointedStage, digest, replace_whole
from corpus_tools.support.cycles import no_search_for_cycles
from corpus_tools.support.workers import Aside
from cukereuse_engine.detection.options import EmbedTexts, StrategyOptions
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import write_atomically
from cukereuse_engine.strategies.table import AUTO, EXACT, STRATEGIES, VectorUse

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

TABLES = (
    "overview",
    "prevalence",
    "repositories",
    "licences",
    "licence_tests",
    "size_and_rate",
    "savings",
    "kinds",
    "coverage",
    "sensitivity",
    "tiers",
    "lengths",
    "length_counts",
    "scenario_lengths",
    "windows",
    "patterns",
)
REPORT = "report.html"
_FORMAT = 4
_SHOWN = 60
"""The rows of a Markdown table; the Parquet file has all."""


Scenarios = tuple[ScenarioFigures, SliceFigures]


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    strategies: tuple[StrategyOptions, ...]
    model: str | None
    """Id and hashes of the embedding model and its coarse one; None: none."""
    threads: int = 2
    memory: str = "2GB"
    """The memory for DuckDB; the engine's own arrays need more."""


def analyse(
    corpus: Path,
    options: AnalyseOptions,
    *,
    vectors: EmbedTexts | None = None,
    find: "clusters.Find" = clusters.find_members,
    aside: Aside = partial,
    progress: Progress = SILENT,
) -> list[Path]:
    """Compute everything from `steps.parquet`; returns the outputs. Exact clusters are always included, because the
    other figures need them. What needs no database is given to `aside` as early as possible.

    Raises `CukereuseError` if `steps.parquet` is missing or a strategy has no model, `Cancelled` when `progress` does.
    """
    steps = corpus / STEPS
    arrow.require(steps, NEEDED, "Run `cukereuse corpus parse` first.")
    strategies = {EXACT.name: StrategyOptions(EXACT.name)} | {
        strategy.strategy: strategy for strategy in options.strategies
    }
    key = {"format": _FORMAT, "steps": digest(steps), "model": options.model}
    stages = {
        name: CheckpointedStage(corpus, f"analyse-{name}", {**key, "options": asdict(strategy)})
        for name, strategy in strategies.items()
    }
    whole = CheckpointedStage(
        corpus, "analyse", {**key, "options": [asdict(strategy) for strategy in strategies.values()]}
    )
    outputs = _outputs(corpus, list(strategies))
    if whole.complete():
        return outputs
    with corpus_database(
        steps, threads=options.threads, memory=options.memory, aside=aside, progress=progress
    ) as connection:
        parts = {name: stage.part("members.parquet") for name, stage in stages.items()}
        missing = [strategies[name] for name, part in parts.items() if not part.is_file()]
        rows = _members(connection, missing, vectors, find, progress)
        with no_search_for_cycles():
            scenarios = _clusters(connection, parts, rows, corpus.resolve(), aside, progress)
        with progress.stage("writing", 1, "tables") as stage:
            tables = _tables(connection, corpus, list(strategies), scenarios)
            stage.advance()
    _write(tables, corpus / "tables")
    figures.draw(tables, corpus / "figures")
    page = report.render(tables, corpus / "figures", list(strategies))
    write_atomically(corpus / REPORT, page)
    present = [path for path in outputs if path.is_file()]
    whole.finish(present)
    return present


def _members(
    connection: "duckdb.DuckDBPyConnection",
    missing: Sequence[StrategyOptions],
    vectors: EmbedTexts | None,
    find: "clusters.Find",
    progress: Progress,
) -> "dict[str, Callable[[], Iterator[pa.Table]]]":
    """The function that finds the members, for each of the strategies that have none yet."""
    needing = [chosen.strategy for chosen in missing if chosen.row.vectors is VectorUse.NEEDED]
    if needing and vectors is None:
        raise CukereuseError(f"{', '.join(needing)} needs an embedding model, and there is none")
    texts = cache(partial(clusters.step_texts, connection))

    def of(chosen: StrategyOptions) -> "Iterator[pa.Table]":
        if chosen.strategy == EXACT.name:
            return clusters.exact_members(connection)
        statements = karate_statements(connection) if chosen.strategy == AUTO.name else frozenset()
        return find(texts(), chosen, vectors, statements, progress)

    return {chosen.strategy: partial(of, chosen) for chosen in missing}


def _clusters(
    connection: "duckdb.DuckDBPyConnection",
    parts: dict[str, Path],
    rows: "dict[str, Callable[[], Iterator[pa.Table]]]",
    folder: Path,
    aside: Aside,
    progress: Progress,
) -> Callable[[], Scenarios]:
    """Find the members of each strategy, and write its clusters. Gives a function that waits for the figures of the
    scenarios, and for all that is still written."""
    waiting: list[Callable[[], Any]] = []
    with progress.stage("clustering", len(parts), "strategies") as stage:
        for name, part in parts.items():
            if not part.is_file():
                arrow.write(part, clusters.MEMBERS, rows.pop(name)())  # with the last function the texts go
            clusters.load_members(connection, name, part)
            written = clusters.write_clusters(connection, name, folder)
            waiting.append(aside(clusters_json.write, *written, folder / f"clusters_{name}.json", name))
            if name == _of_slices(list(parts)):
                members = f"members_{clusters.table_name(name)}"
                scenarios = aside(scenario_figures, folder / STEPS, texts_as_written(connection, members))
            stage.advance()

    def result() -> Scenarios:
        for wait in waiting:
            wait()
        figures_of_scenarios: Scenarios = scenarios()
        return figures_of_scenarios

    return result


def _tables(
    connection: "duckdb.DuckDBPyConnection",
    corpus: Path,
    names: Sequence[str],
    figures_of_scenarios: Callable[[], Scenarios],
) -> "dict[str, pa.Table]":
    import pyarrow as pa
    import pyarrow.parquet as pq

    rollups.create_repository_table(connection, names)
    by_repository = rollups.repositories(connection, names)
    strata = rollups.licences(connection)
    saved = rollups.savings(connection, names)
    scenarios, slices = figures_of_scenarios()
    by_name = {f"clusters_{name}": pq.read_table(corpus / f"clusters_{name}.parquet") for name in names}
    tables = {
        "overview": pa.concat_tables([rollups.overview(connection, names), scenarios.overview()]),
        "prevalence": rollups.prevalence(connection),
        "repositories": by_repository,
        "licences": strata,
        "licence_tests": rollups.licence_tests(strata),
        "size_and_rate": rollups.size_and_rate(by_repository),
        "savings": saved,
        "kinds": rollups.kinds(connection, names),
        "coverage": rollups.coverage(connection),
        "sensitivity": rollups.sensitivity(saved),
        "tiers": rollups.tiers(connection),
        "lengths": rollups.lengths(connection),
        "length_counts": rollups.length_counts(connection),
        "scenario_lengths": scenarios.table(),
        **slice_tables(slices),
    }
    for name in names:
        tables[f"top_{name}"] = rollups.top_clusters(by_name[f"clusters_{name}"])
        tables[f"convergence_{name}"] = rollups.convergence(by_name[f"clusters_{name}"])
    return tables | by_name


def _of_slices(names: Sequence[str]) -> str:
    """The strategy whose clusters count as one step each: the second paper's, if the corpus is analysed with it."""
    return "hybrid" if "hybrid" in names else "exact"


def _write(tables: "dict[str, pa.Table]", folder: Path) -> None:
    """Write a Parquet file for every table that is no output of its own, and one Markdown file with all."""
    for name, table in tables.items():
        if name.startswith("clusters_"):
            continue
        _write_parquet(folder / f"{name}.parquet", table.combine_chunks())
        rows = [list(row.values()) for row in table.slice(0, _SHOWN).to_pylist()]
        more = f"\n{len(table):,} rows; the Parquet file has all.\n" if len(table) > _SHOWN else ""
        text = f"# {name.replace('_', ' ')}\n\n{markdown.table(table.column_names, rows)}{more}"
        write_atomically(folder / f"{name}.md", text.encode("utf-8", "backslashreplace"))


def _write_parquet(path: Path, table: "pa.Table") -> None:
    import pyarrow.parquet as pq

    replace_whole(path, lambda temporary: pq.write_table(table, temporary, compression="zstd"))


def _outputs(corpus: Path, names: Sequence[str]) -> list[Path]:
    tables = [*TABLES, *(f"{kind}_{name}" for name in names for kind in ("top", "convergence"))]
    return [
        corpus / REPORT,
        *(corpus / f"{kind}_{name}.parquet" for name in names for kind in ("clusters", "cluster_members")),
        *(corpus / f"clusters_{name}.json" for name in names),
        *(corpus / "tables" / f"{name}.{suffix}" for name in tables for suffix in ("parquet", "md")),
        *(corpus / "figures" / f"{name}.{suffix}" for name in figures.FIGURES for suffix in ("svg", "png")),
    ]


def strategy(
    name: str, *, threshold: float | None = None, guards: bool = False, linkage: str = "complete"
) -> StrategyOptions:
    """A strategy at corpus scale. The paper's four have no guards by default; `auto`'s judge always has them."""
    if name not in STRATEGIES:
        raise CukereuseError(f"unknown strategy {name!r}", f"Known strategies: {', '.join(STRATEGIES)}.")
    return StrategyOptions(name, threshold, guards=guards, linkage=linkage)
