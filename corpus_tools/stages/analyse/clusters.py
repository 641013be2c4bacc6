"""Clusters of one strategy over the whole corpus: the engine finds them, DuckDB computes their sums.

A part holds what the strategy says (`MEMBERS`); the outputs `clusters_STRATEGY.parquet` and
`cluster_members_STRATEGY.parquet` add counts, files, repositories and licences.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.stages.analyse.database import arrow_of
from corpus_tools.support import arrow
from corpus_tools.support.suite_judge import SuiteJudge
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import LOCAL, EmbedTexts, Joins, StrategyOptions
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.report.savings import CONFIDENCE_OF_KIND
from cukereuse_engine.strategies.table import STRATEGIES
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT, Template
from cukereuse_engine.text.words import detect_languages

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MEMBERS = {
    "cluster": "int32",  # from 0, in the order of the strategy
    "text_id": "int32",
    "id": "string",  # short hash of the cluster's texts
    "kind": "string",
    "score": "double",  # the weakest link, in the strategy's own unit
    "canonical": "bool",
}
CLUSTER_COLUMNS = {
    "cluster_id": "int64",  # from 0, most occurrences first, then by canonical text
    "canonical_text": "string",
    "wording": "string",  # the canonical text with … for each argument
    "strategy": "string",
    "count": "int64",  # steps
    "occurrence_files": "int64",
    "n_distinct_repos": "int64",
    "n_distinct_variants": "int64",  # distinct texts
    "n_distinct_wordings": "int64",  # distinct texts without their arguments
    "n_repos_of_text": "int64",  # that have the canonical text itself: single linkage makes chains
    "member_examples": "[string]",  # up to five other texts, most frequent first
    "top_license_class": "string",  # of most repositories
    "permissive_fraction": "double",  # of the repositories
    "n_distinct_owners": "int64",
    "kind": "string",
    "score": "double",
    "id": "string",
}
MEMBER_COLUMNS = {"cluster_id": "int64", "text": "string", "count": "int64", "n_distinct_repos": "int64"}

Find = Callable[[Sequence[StepText], StrategyOptions, EmbedTexts | None, Set[str], Progress], "Iterator[pa.Table]"]
"""The function that finds a strategy's clusters: `find_members`, or the same on Ray (`on_ray`)."""


def step_texts(connection: "duckdb.DuckDBPyConnection") -> list[StepText]:
    """Each text at the position of its id."""
    table = arrow_of(
        connection,
        "SELECT text, identity, masked, occurrences FROM texts JOIN wordings USING (text_id) ORDER BY text_id",
    )
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return [StepText(text, identity, Template(text, masked), count) for text, identity, masked, count in rows]


def find_members(
    texts: Sequence[StepText],
    options: StrategyOptions,
    vectors: EmbedTexts | None,
    statements: Set[str] = frozenset(),
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
    coarse: EmbedTexts | None = None,
    judge_of: Callable[[Sequence[StepText], tuple[str, ...]], SuiteJudge] = SuiteJudge.of,
) -> "Iterator[pa.Table]":
    """What a strategy finds, as rows of `MEMBERS`. Each of `texts` is at the position of its id; `statements` are the
    identities of code; `coarse`: see `detect`."""
    languages = detect_languages(text.template.masked for text in texts)
    chosen = replace(options, languages=languages)
    judge = judge_of(texts, languages) if chosen.row.is_judged else None
    detection = detect(
        texts,
        chosen,
        judge=judge,
        vectors=vectors,
        coarse=coarse,
        statements=statements,
        progress=progress,
        joins=joins,
    )
    number = {text.identity: i for i, text in enumerate(texts)}
    rows: list[tuple[object, ...]] = []
    for ordinal, cluster in enumerate(detection.clusters):
        head = (cluster.id, cluster.kind.value, float(cluster.score))
        rows.extend((ordinal, number[text.identity], *head, i == 0) for i, text in enumerate(cluster.texts))
        if len(rows) >= arrow.ROW_GROUP:
            yield arrow.table(MEMBERS, rows)
            rows = []
    yield arrow.table(MEMBERS, rows)


def exact_members(connection: "duckdb.DuckDBPyConnection") -> "Iterator[pa.Table]":
    """The exact clusters need no comparison: every text that appears twice. The same rows as the strategy's."""
    import pyarrow as pa

    table = arrow_of(
        connection,
        "SELECT text_id, alone FROM texts JOIN wordings USING (text_id) WHERE occurrences > 1 "
        "ORDER BY occurrences DESC, text",
    )
    size = len(table)
    yield pa.table(
        {
            "cluster": pa.array(range(size), pa.int32()),
            "text_id": table.column("text_id"),
            "id": table.column("alone"),
            "kind": pa.array(["exact"] * size, pa.string()),
            "score": pa.array([1.0] * size, pa.float64()),
            "canonical": pa.array([True] * size, pa.bool_()),
        }
    )


def load_members(connection: "duckdb.DuckDBPyConnection", strategy: str, part: Path) -> None:
    """Create the tables `members_STRATEGY` (cluster_id, text_id, id, kind, score, canonical) and `totals_STRATEGY`
    (cluster_id, n, texts, wordings), with clusters numbered as in the output."""
    name = table_name(strategy)
    path = str(part).replace("'", "''")
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE members_{name} AS
        WITH given AS (SELECT * FROM read_parquet('{path}') JOIN texts USING (text_id)),
        numbered AS (
            SELECT cluster, row_number() OVER (ORDER BY sum(occurrences) DESC, min(text) FILTER (canonical)) - 1
                AS cluster_id
            FROM given GROUP BY cluster)
        SELECT cluster_id, text_id, id, kind, score, canonical FROM given JOIN numbered USING (cluster)
        """
    )
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE totals_{name} AS
        SELECT cluster_id, CAST(sum(occurrences) AS BIGINT) AS n, count(*) AS texts,
               count(DISTINCT wording_id) AS wordings,
               CAST({_confidence(strategy)} AS DOUBLE) AS confidence
        FROM members_{name} JOIN texts USING (text_id) JOIN wordings USING (text_id) GROUP BY cluster_id
        """
    )


def _confidence(strategy: str) -> str:
    """The confidence in equation 1 as SQL: by strategy, for `auto` and for repetition of one text by kind."""
    of_strategy = STRATEGIES[strategy].confidence
    if of_strategy is not None:
        return f"CASE WHEN min(kind) = 'exact' THEN 1.0 ELSE {of_strategy} END"
    cases = " ".join(f"WHEN '{kind.value}' THEN {factor}" for kind, factor in CONFIDENCE_OF_KIND.items())
    return f"CASE min(kind) {cases} END"


def write_clusters(connection: "duckdb.DuckDBPyConnection", strategy: str, folder: Path) -> tuple[Path, Path]:
    """Write both outputs of a strategy whose members are loaded."""
    name = table_name(strategy)
    clusters = folder / f"clusters_{strategy}.parquet"
    members = folder / f"cluster_members_{strategy}.parquet"
    query = _CLUSTERS.format(name=name, strategy=strategy, slot=SLOT)
    arrow.write(clusters, CLUSTER_COLUMNS, [arrow_of(connection, query)])
    arrow.write(members, MEMBER_COLUMNS, [arrow_of(connection, _MEMBERS.format(name=name))])
    return clusters, members


def table_name(strategy: str) -> str:
    return strategy.replace("-", "_")


_CLUSTERS = """
WITH spread AS (
    SELECT cluster_id, count(*) AS count, count(DISTINCT file_id) AS occurrence_files
    FROM members_{name} JOIN placed USING (text_id) GROUP BY cluster_id),
places AS (SELECT DISTINCT cluster_id, repo_id FROM members_{name} JOIN counts USING (text_id)),
classes AS (
    SELECT cluster_id, license_class, count(*) AS repos FROM places JOIN repositories USING (repo_id) GROUP BY ALL),
licences AS (
    SELECT cluster_id, arg_max(license_class, (repos, license_class = 'permissive', license_class))
               AS top_license_class,
           coalesce(sum(repos) FILTER (license_class = 'permissive'), 0) / sum(repos) AS permissive_fraction
    FROM classes GROUP BY cluster_id),
owners AS (
    SELECT cluster_id, count(*) AS n_distinct_repos, count(DISTINCT owner) AS n_distinct_owners
    FROM places JOIN repositories USING (repo_id) GROUP BY cluster_id),
ranked AS (
    SELECT cluster_id, text, canonical, occurrences,
           row_number() OVER (PARTITION BY cluster_id, canonical ORDER BY occurrences DESC, text) AS place
    FROM members_{name} JOIN texts USING (text_id)),
examples AS (
    SELECT cluster_id, list(text ORDER BY place) AS shown FROM ranked
    WHERE NOT canonical AND place <= 5 GROUP BY cluster_id),
heads AS (
    SELECT cluster_id, min(text) FILTER (canonical) AS canonical_text, count(*) AS n_distinct_variants,
           replace(min(masked) FILTER (canonical), '{slot}', '…') AS wording,
           count(DISTINCT wording_id) AS n_distinct_wordings,
           min(repos) FILTER (canonical) AS n_repos_of_text,
           min(kind) AS kind, min(score) AS score, min(id) AS id
    FROM members_{name} JOIN texts USING (text_id) JOIN wordings USING (text_id)
    JOIN (SELECT text_id, count(*) AS repos FROM counts GROUP BY text_id) USING (text_id) GROUP BY cluster_id)
SELECT *, '{strategy}' AS strategy, coalesce(shown, []) AS member_examples
FROM heads JOIN spread USING (cluster_id) JOIN licences USING (cluster_id) JOIN owners USING (cluster_id)
LEFT JOIN examples USING (cluster_id)
ORDER BY cluster_id
"""
_MEMBERS = """
SELECT cluster_id, text, occurrences AS count, n_distinct_repos
FROM members_{name} JOIN texts USING (text_id)
JOIN (SELECT text_id, count(*) AS n_distinct_repos FROM counts GROUP BY text_id) USING (text_id)
ORDER BY cluster_id, canonical DESC, occurrences DESC, text
"""
