"""The tables of a corpus study. Each is a query over `database`'s tables; only tests and ranks are SciPy's."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from corpus_tools.stages.analyse.clusters import table_name
from corpus_tools.stages.analyse.database import arrow_of
from corpus_tools.support.licences import CLASSES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    Database = duckdb.DuckDBPyConnection

TIERS = (("Small", 0, 1_000), ("Medium", 1_000, 10_000), ("Large", 10_000, 100_000), ("Enterprise", 100_000, 1 << 62))
"""The number of a repository's steps: from, below (paper, table 4)."""
TOP = 50
COVERED = (1, 10, 20, 50, 100, 500, 1_000, 5_000, 10_000)
"""The paper's table of ISO characteristics names the top 20."""
_STEPS = "(SELECT count(*) FROM placed)"
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def _exact(expression: str) -> str:
    """The sum of an expression, added as decimals: the last digits of floating-point sums depend on the order in which
    threads read the rows."""
    return f"CAST(sum(CAST({expression} AS DECIMAL(38, 12))) AS DOUBLE)"


def create_repository_table(connection: "Database", strategies: Sequence[str]) -> None:
    """`by_repository`: sizes, both rates, and each strategy's savings shared out by where a cluster's steps are.

    Savings of a cluster are equation 1's at the confidence of exact for repetition of one text, and at the strategy's
    for what joining texts adds. A repository's part of a cluster is its share of the cluster's steps, so that the parts
    add up to the corpus's savings.
    """
    surplus = [
        f"""
        SELECT repo_id, '{strategy}' AS strategy, {_exact("(totals.texts - 1) * counts.n / totals.n")} AS surplus,
               {_exact("(totals.texts - 1) * totals.confidence * counts.n / totals.n")} AS saved
        FROM members_{table_name(strategy)} JOIN totals_{table_name(strategy)} AS totals USING (cluster_id)
        JOIN counts USING (text_id) GROUP BY repo_id
        """
        for strategy in strategies
        if strategy != "exact"
    ]
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE surplus AS
        {" UNION ALL ".join(surplus) or "SELECT 0 AS repo_id, '' AS strategy, 0.0 AS surplus, 0.0 AS saved WHERE false"}
        """
    )
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE by_repository AS
        SELECT repo_id, any_value(repo) AS repo, any_value(license_class) AS license_class,
               CAST(sum(n) AS BIGINT) AS steps, count(*) AS unique_texts,
               1 - count(*) / sum(n) AS duplicate_rate,
               coalesce(sum(n) FILTER (n > 1), 0) / sum(n) AS twin_rate,
               coalesce(sum(n) FILTER (occurrences > 1), 0) / sum(n) AS twin_rate_in_corpus,
               {_exact("(occurrences - 1) * n / occurrences")} AS savings_exact
        FROM counts JOIN texts USING (text_id) JOIN repositories USING (repo_id) GROUP BY repo_id
        """
    )


def overview(connection: "Database", strategies: Sequence[str]) -> "pa.Table":
    clusters = " ".join(
        f"UNION ALL SELECT {20 + i}, 'clusters, {name}', count(*) FROM totals_{table_name(name)}"
        for i, name in enumerate(strategies)
    )
    return arrow_of(
        connection,
        f"""
        SELECT figure, CAST(value AS BIGINT) AS value FROM (
            SELECT 1 AS place, 'repositories' AS figure, count(*) AS value FROM repositories
            UNION ALL SELECT 2, 'owners', count(DISTINCT owner) FROM repositories
            UNION ALL SELECT 3, 'files with steps', count(*) FROM files
            UNION ALL SELECT 4, 'steps', count(*) FROM steps
            UNION ALL SELECT 5, 'steps with a text', count(*) FROM placed
            UNION ALL SELECT 6, 'distinct texts', count(*) FROM texts
            UNION ALL SELECT 6.5, 'wordings', count(DISTINCT wording_id) FROM wordings
            {_scenarios(connection)}
            UNION ALL SELECT 7, 'background steps', count(*) FROM steps WHERE is_background
            UNION ALL SELECT 8, 'outline steps', count(*) FROM steps WHERE is_outline
            {clusters}
        ) ORDER BY place
        """,
    )


def _scenarios(connection: "Database") -> str:
    """The number of scenarios, with Outlines counted once, in a table with their first lines."""
    if "scenario_line" not in {row[0] for row in connection.execute("DESCRIBE steps").fetchall()}:
        return ""
    return """
            UNION ALL SELECT 3.5, 'scenarios', count(*) FROM (
                SELECT DISTINCT repo, file_path, scenario_line FROM steps WHERE NOT coalesce(is_background, false))
            """


def kinds(connection: "Database", strategies: Sequence[str]) -> "pa.Table":
    """The kinds of a strategy's lines: the same text again, the same wording with other arguments (reuse of one
    definition), or another wording. They add up to `lines` of `savings`."""
    ways = (("same text", "n - texts"), ("other arguments", "texts - wordings"), ("other words", "wordings - 1"))
    queries = [
        f"""
        SELECT {i} AS place, {j} AS way, '{name}' AS strategy, '{description}' AS differs_by,
               count(*) FILTER ({lines} > 0) AS clusters, CAST(coalesce(sum({lines}), 0) AS BIGINT) AS lines,
               coalesce(sum({lines}), 0) / {_STEPS} AS share_of_steps
        FROM totals_{table_name(name)}
        """
        for i, name in enumerate(strategies)
        for j, (description, lines) in enumerate(ways)
    ]
    return arrow_of(
        connection, f"SELECT * EXCLUDE (place, way) FROM ({' UNION ALL '.join(queries)}) ORDER BY place, way"
    )


def coverage(connection: "Database") -> "pa.Table":
    """The share of steps that the most frequent texts, and the most frequent wordings, make up."""
    queries = [
        f"""
        SELECT {top} AS top, (SELECT coalesce(sum(n), 0) FROM by_text WHERE place <= {top}) / {_STEPS} AS texts,
               (SELECT coalesce(sum(n), 0) FROM by_wording WHERE place <= {top}) / {_STEPS} AS wordings
        """
        for top in COVERED
    ]
    return arrow_of(
        connection,
        f"""
        WITH by_text AS (
            SELECT occurrences AS n, row_number() OVER (ORDER BY occurrences DESC, text_id) AS place FROM texts),
        said AS (SELECT wording_id, sum(occurrences) AS n FROM texts JOIN wordings USING (text_id) GROUP BY wording_id),
        by_wording AS (SELECT n, row_number() OVER (ORDER BY n DESC, wording_id) AS place FROM said)
        SELECT * FROM ({" UNION ALL ".join(queries)}) ORDER BY top
        """,
    )


def prevalence(connection: "Database") -> "pa.Table":
    """Both notions of duplication, pooled over the corpus and as distributions over repositories."""
    twins, corpus_twins = _exact("twin_rate * steps"), _exact("twin_rate_in_corpus * steps")
    queries = [
        f"""
        SELECT {place} AS place, '{notion}' AS notion, {pooled} AS pooled,
               quantile_cont({rate}, 0.25) AS lower_quartile, quantile_cont({rate}, 0.5) AS median,
               quantile_cont({rate}, 0.75) AS upper_quartile, min({rate}) AS lowest, max({rate}) AS highest,
               {_exact(rate)} / count(*) AS mean, count(*) FILTER ({rate} > 0.5) AS repositories_above_half
        FROM by_repository
        """
        for place, (notion, pooled, rate) in enumerate(
            [
                ("1 - distinct / steps", f"1 - (SELECT count(*) FROM texts) / {_STEPS}", "duplicate_rate"),
                ("has a twin in the repository", f"{twins} / {_STEPS}", "twin_rate"),
                (
                    "has a twin in the corpus",
                    f"{corpus_twins} / {_STEPS}",
                    "twin_rate_in_corpus",
                ),
            ]
        )
    ]
    return arrow_of(connection, f"SELECT * EXCLUDE place FROM ({' UNION ALL '.join(queries)}) ORDER BY place")


def repositories(connection: "Database", strategies: Sequence[str]) -> "pa.Table":
    """`by_repository`, with each strategy's surplus, and the rate of lines saved at the confidence of `reference`."""
    joined = [name for name in strategies if name != "exact"]
    columns = "".join(
        f""", coalesce((SELECT surplus FROM surplus WHERE surplus.repo_id = r.repo_id AND strategy = '{name}'), 0)
            AS "surplus_{table_name(name)}" """
        for name in joined
    )
    return arrow_of(
        connection,
        f"""
        SELECT * EXCLUDE repo_id, (savings_exact + coalesce((
            SELECT saved FROM surplus WHERE surplus.repo_id = t.repo_id AND strategy = '{reference(strategies)}'), 0))
            / steps AS savings_rate
        FROM (SELECT * {columns} FROM by_repository AS r) AS t ORDER BY repo
        """,
    )


def reference(strategies: Sequence[str]) -> str:
    """The strategy with the surplus of the savings rate: the paper's hybrid, else auto, else the first that joins."""
    joined = [name for name in strategies if name != "exact"]
    return next((name for name in ("hybrid", "auto", *joined) if name in joined), "exact")


def licences(connection: "Database") -> "pa.Table":
    return arrow_of(
        connection,
        """
        SELECT license_class, count(DISTINCT repo_id) AS repositories, CAST(sum(n) AS BIGINT) AS steps,
               sum(n) / (SELECT count(*) FROM placed) AS share, count(DISTINCT text_id) AS unique_texts,
               1 - count(DISTINCT text_id) / sum(n) AS duplicate_rate, sum(n) / count(DISTINCT repo_id) AS mean_steps
        FROM counts JOIN repositories USING (repo_id) GROUP BY license_class ORDER BY steps DESC, license_class
        """,
    )


def licence_tests(strata: "pa.Table") -> "pa.Table":
    """Is the rate the same in every licence class: chi-square and Cramér's V over all, z and Cohen's h for each two."""
    import pyarrow as pa
    from scipy.stats import chi2_contingency, norm

    rows = {row["license_class"]: row for row in strata.to_pylist()}
    classes = [name for name in CLASSES if name in rows]
    result: list[dict[str, object]] = []
    observed = [
        [rows[name]["steps"] - rows[name]["unique_texts"] for name in classes],
        [rows[name]["unique_texts"] for name in classes],
    ]
    if len(classes) > 1 and all(sum(line) for line in observed):
        statistic, p, freedom, _ = chi2_contingency(observed, correction=False)
        total = sum(map(sum, observed))
        result.append(
            _test("chi-square", "all classes", float(statistic), float(p), math.sqrt(statistic / total), int(freedom))
        )
        for first, second in combinations(classes, 2):
            p1, n1 = rows[first]["duplicate_rate"], rows[first]["steps"]
            p2, n2 = rows[second]["duplicate_rate"], rows[second]["steps"]
            pooled = (p1 * n1 + p2 * n2) / (n1 + n2)
            error = math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
            z = (p1 - p2) / error if error else 0.0
            h = abs(2 * math.asin(math.sqrt(p1)) - 2 * math.asin(math.sqrt(p2)))
            result.append(_test("two proportions", f"{first} / {second}", z, float(2 * norm.sf(abs(z))), h, None))
    columns = pa.schema(
        [("test", pa.string()), ("classes", pa.string()), ("statistic", pa.float64()), ("p", pa.float64()),
         ("effect", pa.float64()), ("freedom", pa.int32())]
    )  # fmt: skip
    return pa.Table.from_pylist(result, schema=columns)


def _test(test: str, classes: str, statistic: float, p: float, effect: float, freedom: int | None) -> dict[str, object]:
    """`effect`: Cramér's V (k = 2) of the chi-square test, Cohen's h of two proportions."""
    return {"test": test, "classes": classes, "statistic": statistic, "p": p, "effect": effect, "freedom": freedom}


def size_and_rate(by_repository: "pa.Table") -> "pa.Table":
    """Spearman's rank correlation of a repository's steps with its rates."""
    import pyarrow as pa
    from scipy.stats import spearmanr

    rows = []
    for column in ("duplicate_rate", "twin_rate", "savings_rate"):
        rho, p = math.nan, math.nan
        rates = by_repository.column(column).to_numpy()
        sizes = by_repository.column("steps").to_numpy()
        if len(rates) > 2 and len(set(rates)) > 1 and len(set(sizes)) > 1:
            correlation = spearmanr(sizes, rates)
            rho, p = float(correlation.statistic), float(correlation.pvalue)
        rows.append({"rate": column, "repositories": len(rates), "rho": rho, "p": p})
    return pa.Table.from_pylist(rows)


def savings(connection: "Database", strategies: Sequence[str]) -> "pa.Table":
    """Equation 1, summed (`savings`), and the paper's aggregate: repetition of one text at confidence 1, the surplus of
    joining texts at the strategy's. `lines` is the result at full confidence."""
    queries = [
        f"""
        SELECT {i} AS place, '{name}' AS strategy, count(*) AS clusters,
               CAST(coalesce(sum(n), 0) AS BIGINT) AS occurrences,
               CAST(coalesce(sum(n - 1), 0) AS BIGINT) AS lines,
               coalesce({_exact("(n - 1) * confidence")}, 0) AS savings,
               CAST(coalesce(sum(texts - 1), 0) AS BIGINT) AS surplus,
               coalesce(sum(n - texts) + {_exact("(texts - 1) * confidence")}, 0) AS aggregate
        FROM totals_{table_name(name)}
        """
        for i, name in enumerate(strategies)
    ]
    return arrow_of(connection, f"SELECT * EXCLUDE place FROM ({' UNION ALL '.join(queries)}) ORDER BY place")


def sensitivity(by_strategy: "pa.Table") -> "pa.Table":
    """The aggregate for confidences in a strategy's surplus from 0 to 1."""
    import pyarrow as pa

    rows = [
        {"strategy": row["strategy"], "confidence": step / 10,
         "aggregate": float(row["lines"] - row["surplus"] + row["surplus"] * step / 10)}
        for row in by_strategy.to_pylist() if row["strategy"] != "exact" for step in range(11)
    ]  # fmt: skip
    columns = pa.schema([("strategy", pa.string()), ("confidence", pa.float64()), ("aggregate", pa.float64())])
    return pa.Table.from_pylist(rows, schema=columns)


def tiers(connection: "Database") -> "pa.Table":
    cases = " ".join(f"WHEN steps < {upper} THEN {i}" for i, (_, _, upper) in enumerate(TIERS))
    names = ", ".join(f"'{name}'" for name, _, _ in TIERS)
    return arrow_of(
        connection,
        f"""
        SELECT [{names}][size + 1] AS tier, count(*) AS repositories, CAST(sum(steps) AS BIGINT) AS steps,
               {_exact("savings_exact")} AS eliminable_lines
        FROM (SELECT *, CASE {cases} END AS size FROM by_repository) GROUP BY size ORDER BY size
        """,
    )


def lengths(connection: "Database") -> "pa.Table":
    """Characters (code points) of normalised texts, over steps and over distinct texts. A quantile q of n texts is the
    length of the last one of the shortest ⌈n·q⌉, or of the first."""
    quantiles = ", ".join(
        f"min(length) FILTER (upto >= greatest(1, ceil(total * CAST({q} AS DECIMAL(3, 2))))) AS p{round(q * 100)}"
        for q in _QUANTILES
    )
    return arrow_of(
        connection,
        f"""
        WITH counted AS (
            SELECT length(text) AS length, CAST(sum(occurrences) AS BIGINT) AS steps, count(*) AS texts
            FROM texts GROUP BY ALL),
        either AS (
            SELECT 'steps' AS over, length, steps AS n FROM counted
            UNION ALL SELECT 'distinct texts', length, texts FROM counted),
        summed AS (
            SELECT over, length, n, sum(n) OVER (PARTITION BY over ORDER BY length) AS upto,
                   sum(n) OVER (PARTITION BY over) AS total FROM either)
        SELECT over, CAST(max(total) AS BIGINT) AS texts, sum(length * n) / max(total) AS mean, max(length) AS longest,
               {quantiles}
        FROM summed GROUP BY over ORDER BY over DESC
        """,
    )


def top_clusters(clusters: "pa.Table") -> "pa.Table":
    shown = [
        "cluster_id",
        "wording",
        "canonical_text",
        "count",
        "occurrence_files",
        "n_distinct_repos",
        "n_distinct_variants",
    ]
    return clusters.select(shown).slice(0, TOP)


def convergence(clusters: "pa.Table") -> "pa.Table":
    """The clusters that the most owners share, by themselves or from one source; with the number of repositories that
    have the text itself, because single linkage makes chains of texts that far fewer share."""
    shown = ["canonical_text", "n_distinct_owners", "n_distinct_repos", "n_repos_of_text", "n_distinct_wordings",
             "occurrence_files", "count"]  # fmt: skip
    spread = clusters.filter(_several_owners(clusters))
    order = [("n_distinct_owners", "descending"), ("count", "descending"), ("canonical_text", "ascending")]
    return spread.select(shown).sort_by(order).slice(0, TOP)


def _several_owners(clusters: "pa.Table") -> "pa.Array":
    import pyarrow.compute as pc

    return pc.greater(clusters.column("n_distinct_owners"), 1)


def length_counts(connection: "Database") -> "pa.Table":
    """The number of steps, and of distinct texts, with each length."""
    return arrow_of(
        connection,
        """
        SELECT CAST(length(text) AS INTEGER) AS length, CAST(sum(occurrences) AS BIGINT) AS steps, count(*) AS texts
        FROM texts GROUP BY ALL ORDER BY length
        """,
    )
