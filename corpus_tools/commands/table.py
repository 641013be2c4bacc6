"""The stages, a row each. The module of each is `corpus_tools.commands.NAME`, which holds `command`; its work is in
`corpus_tools.stages`, under the same name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageRow:
    name: str
    help: str
    """A line for `cukereuse corpus --help`."""
    in_run: bool = False
    """True if `cukereuse corpus run` runs it."""


STAGES = (
    StageRow("discover", "Find repositories with feature files through GitHub's search.", in_run=True),
    StageRow("materialise", "Clone the feature files of the repositories found, at pinned commits.", in_run=True),
    StageRow("parse", "Read the clones: steps.parquet and errors.parquet.", in_run=True),
    StageRow("analyse", "Make clusters, tables, figures and a report from steps.parquet.", in_run=True),
    StageRow("datasheet", "Write a datasheet with figures from the data.", in_run=True),
    StageRow("evaluate", "Evaluate every strategy and baseline on labelled pairs, with intervals."),
    StageRow("papers", "Compare every table and figure of both papers with ours."),
    StageRow("sample", "Draw pairs for labelling, by cosine band."),
    StageRow("bindings", "Collect ground truth from repositories with glue code: texts, pairs, synonyms."),
    StageRow("slices", "Find recurring step sequences: windows, patterns by scope, evaluation of labelled windows."),
    StageRow("scenarios", "Find duplicate scenarios, and list scenarios with their sources."),
    StageRow("catalogue", "List the steps of all repositories on a searchable page."),
    StageRow("dashboard", "Show every repository at a glance: size, repetition, findings, worst files, trend."),
    StageRow("rehydrate", "Fetch the raw feature files again, by pinned commit."),
    StageRow("synthesise", "Make a corpus of any size with the counts of another one."),
)
"""The stages in the order of the help; those of `run` also run in this order."""

RUN_HELP = f"Run all stages: {', '.join(row.name for row in STAGES if row.in_run)}."
"""The help of `run`."""
