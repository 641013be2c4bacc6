"""The first paper: the figures of its evaluation, and the tables about its corpus."""

import tomllib
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from corpus_tools.pages.paper_rows import DIFFERS, EQUAL, MISSING, PaperTable, Row, compared
from corpus_tools.stages.evaluate.figures import Evaluation, compare
from corpus_tools.support import arrow

_UNRELEASED = (
    "needs every step of the corpus, which the release does not contain; name an analysed corpus to see its figures"
)


def first_paper(evaluation: Evaluation, corpus: Path | None = None) -> list[PaperTable]:
    """Its figures beside those that the release's files give, and those about the corpus beside an analysed one's."""
    printed = _printed()
    why: dict[str, str] = printed["why"]
    by_subject: dict[str, list[Row]] = defaultdict(list)
    for row in compare(evaluation.figures):
        verdict = {"0": EQUAL, "-": MISSING}.get(row.difference, DIFFERS)
        ours = "" if verdict == MISSING else row.ours
        reason = why.get(f"{row.subject}/{row.figure}", "" if verdict == EQUAL else "not determined by these files")
        by_subject[row.subject].append(Row(row.figure, row.paper, ours, verdict, reason))
    tables = [PaperTable(f"Evaluation: {subject}", tuple(rows)) for subject, rows in by_subject.items()]
    tables += [_of_corpus(table, corpus) for table in printed["table"]]
    tables.append(
        PaperTable(
            "Other tables and figures",
            tuple(Row(name, "", "", MISSING, why) for name, why in printed["not_had"].items()),
        )
    )
    return tables


def _printed() -> dict[str, Any]:
    return tomllib.loads(files("corpus_tools.stages.papers").joinpath("first.toml").read_text("utf-8"))


def _of_corpus(table: dict[str, Any], corpus: Path | None) -> PaperTable:
    ours = read_figures(corpus, table["source"], table.get("key", "figure"), table.get("value", "value"))
    rows = (
        compared(row["figure"], row["paper"], ours.get(row["figure"]), same_corpus=False, why=_UNRELEASED)
        for row in table["rows"]
    )
    return PaperTable(table["title"], tuple(rows))


def read_figures(corpus: Path | None, table: str, key: str, value: str) -> dict[str, float]:
    """Maps one column of an analysis' table to another, in lower case; empty if there is no table."""
    path = corpus / "tables" / f"{table}.parquet" if corpus is not None else None
    if path is None or not path.is_file():
        return {}
    read = arrow.read(path, {key: "any", value: "any"})
    pairs = zip(read[key].to_pylist(), read[value].to_pylist(), strict=True)
    return {str(name).lower(): number for name, number in pairs}
