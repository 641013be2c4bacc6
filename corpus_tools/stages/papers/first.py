"""The first paper: the figures of its evaluation, and the tables about its corpus."""

import tomllib
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from corpus_tools.pages.paper_rows import DIFFERS, EQUAL, MISSING, PaperTable, Row, compared
from corpus_tools.stages.evaluate.figures import Evaluation, compare
from corpus_tools.support import arrow


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
    rows = (of_corpus(row["figure"], row["paper"], ours.get(row["figure"]), corpus) for row in table["rows"])
    return PaperTable(table["title"], tuple(rows))


def of_corpus(figure: str, paper: str, ours: float | None, corpus: Path | None) -> Row:
    """A row for which the release does not suffice. `ours`: the figure of an analysed corpus, if it has one."""
    if corpus is None:
        what = "name an analysed corpus to see its figures"
    else:
        what = "ours is that of" if ours is not None else "it is not in the tables of"
        what += f" the corpus {corpus.resolve().name}"
    why = f"needs every step of the paper's corpus, which its release does not contain; {what}"
    return compared(figure, paper, ours, same_corpus=False, why=why)


def read_figures(corpus: Path | None, table: str, key: str, value: str) -> dict[str, float]:
    """Maps one column of an analysis' table to another, in lower case; empty if there is no table."""
    path = corpus / "tables" / f"{table}.parquet" if corpus is not None else None
    if path is None or not path.is_file():
        return {}
    read = arrow.read(path, {key: "any", value: "any"})
    pairs = zip(read[key].to_pylist(), read[value].to_pylist(), strict=True)
    return {str(name).lower(): number for name, number in pairs}
