"""A datasheet of the corpus (after Gebru et al. 2021): the questions are fixed, the figures come from the data."""

from pathlib import Path
from typing import Any

from corpus_tools.stages.discover.run import how_found, is_own_list
from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import replace_whole
from corpus_tools.support.markdown import table
from corpus_tools.support.repositories import (
    MANIFEST,
    REPOSITORIES,
    absent,
    read_manifest,
    read_repositories,
    sources,
)
from cukereuse_engine import __version__
from cukereuse_engine.prose import counted, percent

DATASHEET = "DATASHEET.md"


def datasheet(corpus: Path) -> Path:
    """Write `DATASHEET.md`. Raises `CukereuseError` if `analyse` has not run."""
    text = _document(corpus)
    output = corpus / DATASHEET
    replace_whole(output, lambda temporary: temporary.write_bytes(text.encode("utf-8")))
    return output


def _document(corpus: Path) -> str:
    tables = {
        name: _rows(corpus, name)
        for name in ("overview", "prevalence", "kinds", "licences", "savings", "lengths", "tiers")
    }
    overview = {row["figure"]: row["value"] for row in tables["overview"]}
    steps, newline = overview["steps"] or 1, "\n"
    return f"""# Datasheet

Made by cukereuse {__version__} from the files beside it; every figure is computed from them.

## Composition

- What does an instance stand for? One step of a Gherkin scenario or background, at a place in a file of a repository.
- How many are there? {overview["steps"]:,} steps ({overview["distinct texts"]:,} distinct texts) in
  {counted(overview["files with steps"], "file")} of {counted(overview["repositories"], "repository")} of
  {counted(overview["owners"], "owner")}.
- {overview["background steps"]:,} background steps ({percent(overview["background steps"] / steps, 1)}),
  {overview["outline steps"]:,} outline steps ({percent(overview["outline steps"] / steps, 1)}).
- Is anything missing? {_missing(corpus, overview)}
- Are there errors? What could not be read is in `errors.parquet`: {_errors(corpus):,} rows.
- Does it contain personal or offensive content? Texts are as their authors published them; they have not been screened.

{_table(tables["lengths"])}
## Collection

{_collection(corpus)}

## Preprocessing

Steps are read by the official parser; files that it rejects, by recovery (`recovered`). Texts are kept as written; two
are the same if they are equal apart from runs of white space. DocStrings and tables are not kept.

## Duplication

{_table(tables["prevalence"])}
Only lines that differ by other words are rewording. The same text and other arguments are reuse of one step definition.

{newline.join(_table(tables[name]) for name in ("kinds", "savings", "tiers"))}
## Distribution and licences

Each row names its repository's licence. Texts remain under it; raw files are not part of the corpus and can be
fetched by commit (`cukereuse corpus rehydrate`).

{_table(tables["licences"])}
## Uses

For research into duplication and wording of steps. Not for judging people, nor for estimates of hours or money:
lines that could be written once are lines. Compare a suite with the median repository, not with the pooled rate, which
large repositories dominate.
"""


def _rows(corpus: Path, name: str) -> list[dict[str, Any]]:
    path = corpus / "tables" / f"{name}.parquet"
    columns = {"figure": "string", "value": "int64"} if name == "overview" else {}
    arrow.require(path, columns, "Run `cukereuse corpus analyse` first.")
    return [row for table in arrow.batches(path) for row in table.to_pylist()]


def _table(rows: list[dict[str, Any]]) -> str:
    return table(list(rows[0]), [list(row.values()) for row in rows]) if rows else ""


def _errors(corpus: Path) -> int:
    path = corpus / "errors.parquet"
    if not path.is_file():
        return 0
    return sum(len(table) for table in arrow.batches(path))


def _missing(corpus: Path, overview: dict[str, int]) -> str:
    if not (corpus / MANIFEST).is_file():
        return "Unknown: there is no manifest of clones."
    clones = read_manifest(corpus / MANIFEST)
    cloned = sum(clone.status == "ok" for clone in clones)
    away = len(absent(corpus, sources(corpus)))
    left = f" {away:,} of these were not on this disk when it was read." if away else ""
    return (
        f"Of {len(clones):,} repositories found, {cloned:,} could be fetched.{left} "
        f"Of the {cloned - away:,} that were read, {overview['repositories']:,} have steps."
    )


def _collection(corpus: Path) -> str:
    if not (corpus / REPOSITORIES).is_file():
        return "The repositories were given, not searched for."
    repositories = read_repositories(corpus / REPOSITORIES)
    if not repositories:
        return "The search found nothing."
    if is_own_list(corpus):
        return f"A list of {len(repositories):,} repositories was given, not searched for."
    how = how_found(corpus)
    stars = sorted(repository.stargazers_count for repository in repositories)
    note = (
        f"{how}: {len(repositories):,} repositories, {stars[0]:,} to {stars[-1]:,} stars, "
        f"median {stars[len(stars) // 2]:,}, "
        f"{sum(repository.archived for repository in repositories):,} archived."
    )
    return f"{note} Very small, private and archived projects are under-represented." if "search" in how else note
