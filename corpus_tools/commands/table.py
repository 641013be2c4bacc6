"""The stages, a row each. The module of each is `corpus_tools.commands.NAME`, which holds `command`; its work is in
`corpus_tools.stages`, under the same name.

`python -m corpus_tools.commands.table` writes the table of the stages in `corpus_tools/README.md`.
"""

from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.markers import markdown_table, renewed


@dataclass(frozen=True, slots=True)
class StageRow:
    name: str
    help: str
    """A line for `cukereuse corpus --help`."""
    reads: str
    writes: str
    """For the table in `corpus_tools/README.md`."""
    in_run: bool = False
    """True if `cukereuse corpus run` runs it."""


STAGES = (
    StageRow(
        "discover",
        "Find repositories with feature files through GitHub's search.",
        "GitHub's REST search, an organisation, a list of git addresses",
        "`repos.csv`",
        in_run=True,
    ),
    StageRow(
        "materialise",
        "Clone the feature files of the repositories found, at pinned commits.",
        "`repos.csv`, checkouts on this machine",
        "`clones/OWNER__NAME/`, `clone_manifest.jsonl`",
        in_run=True,
    ),
    StageRow(
        "parse",
        "Read the clones: steps.parquet and errors.parquet.",
        "`clones/`, checkouts",
        "`steps.parquet`, `errors.parquet`",
        in_run=True,
    ),
    StageRow(
        "analyse",
        "Make clusters, tables, figures and a report from steps.parquet.",
        "`steps.parquet`",
        "`clusters_STRATEGY.parquet`, `cluster_members_STRATEGY.parquet`, `clusters_STRATEGY.json`, "
        "`tables/`, `figures/`, `report.html`",
        in_run=True,
    ),
    StageRow(
        "datasheet",
        "Write a datasheet with figures from the data.",
        "`tables/`",
        "`DATASHEET.md`",
        in_run=True,
    ),
    StageRow(
        "evaluate",
        "Evaluate every strategy and baseline on labelled pairs, with intervals.",
        "labelled pairs, clusters",
        "a report with every figure of the paper's evaluation next to ours",
    ),
    StageRow(
        "papers",
        "Compare every table and figure of both papers with ours.",
        "both papers' releases, `tables/` of a corpus",
        "every table and figure of both beside ours, with the reason for each that is missing",
    ),
    StageRow(
        "sample",
        "Draw pairs for labelling, by cosine band.",
        "a table of texts",
        "pairs for labelling, by cosine band",
    ),
    StageRow(
        "bindings",
        "Collect ground truth from repositories with glue code: texts, pairs, synonyms.",
        "`clones/` with glue",
        "`bindings/texts.parquet`, `pairs.parquet`, `natural_pairs.parquet`, `synonyms.parquet`",
    ),
    StageRow(
        "slices",
        "Find recurring step sequences: windows, patterns by scope, evaluation of labelled windows.",
        "`steps.parquet`, `cluster_members_STRATEGY.parquet`, labelled windows",
        "figures: recurring step sequences, by scope; with `--catalogue` `shared_blocks.parquet`, `shared_blocks.html`",
    ),
    StageRow(
        "scenarios",
        "Find duplicate scenarios, and list scenarios with their sources.",
        "`clones/`, glue code if there is any",
        "`scenarios.parquet`, `scenario_pairs.parquet`",
    ),
    StageRow(
        "catalogue",
        "List the steps of all repositories on a searchable page.",
        "`clones/` and checkouts with glue and CODEOWNERS, `cluster_members_auto.parquet` if it exists",
        "`catalogue.html` (a page to search), `catalogue.json` (for the setting `catalogue`), `catalogue.parquet`",
    ),
    StageRow(
        "dashboard",
        "Show every repository at a glance: size, repetition, findings, worst files, trend.",
        "`clones/` and checkouts, with their history if there is one",
        "`dashboard.html` (sortable), `dashboard.parquet`",
    ),
    StageRow(
        "rehydrate",
        "Fetch the raw feature files again, by pinned commit.",
        "`steps.parquet`",
        "`clones/`, `rehydrated.parquet`",
    ),
    StageRow(
        "synthesise",
        "Make a corpus of any size with the counts of another one.",
        "clusters",
        "`steps.parquet` of any size, for measurements",
    ),
)
"""The stages in the order of the help; those of `run` also run in this order."""

RUN_HELP = f"Run all stages: {', '.join(row.name for row in STAGES if row.in_run)}."
"""The help of `run`."""

README = Path(__file__).parents[1] / "README.md"


def documented(text: str) -> str:
    """The README with its table of the stages as it should be."""
    rows = ((f"`{row.name}`", row.reads, row.writes) for row in STAGES)
    return renewed(text, {"stages": lambda: markdown_table(("stage", "reads", "writes"), rows)})


if __name__ == "__main__":
    README.write_text(documented(README.read_text("utf-8")), "utf-8")
