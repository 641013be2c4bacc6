"""An evaluation as tables for people and as a document for programs."""

from dataclasses import asdict
from typing import Any

from corpus_tools.stages.evaluate.figures import Evaluation, compare
from corpus_tools.support.markdown import table

_FOLDS = {
    "held-out": "the paper's own folds",
    "held-out, NumPy's folds,": "stratified, NumPy",
    "held-out, no text in both,": "no text in train and test",
}


def document(evaluation: Evaluation) -> dict[str, Any]:
    """Schema: `figures` (subject to figure to unrounded value), `paper` (rows of the comparison), `model`, `notes`."""
    return {
        "model": evaluation.model,
        "notes": list(evaluation.notes),
        "figures": evaluation.figures,
        "paper": [asdict(row) for row in compare(evaluation.figures)],
    }


def as_markdown(evaluation: Evaluation) -> str:
    figures = evaluation.figures
    strategies = {name: value for name, value in figures.items() if "threshold" in value}
    best = [
        (
            name,
            f"{value['threshold']:.2f}",
            *(f"{value[key]:.3f} [{value[f'{key} low']:.3f}, {value[f'{key} high']:.3f}]" for key in ("P", "R", "F1")),
            f"{value['F1 score-free']:.3f}",
            f"{value['threshold score-free']:.2f}",
        )
        for name, value in strategies.items()
    ]
    folds = [
        (
            name,
            *(
                f"{value[f'{prefix} F1']:.3f} ± {value[f'{prefix} deviation']:.3f}"
                f" [{value[f'{prefix} lowest']:.3f}, {value[f'{prefix} highest']:.3f}]"
                for prefix in _FOLDS
            ),
        )
        for name, value in strategies.items()
    ]
    rows = compare(figures)
    differing = [row for row in rows if row.difference not in ("-", "0")]
    undetermined = sum(row.difference == "-" for row in rows)
    parts = [
        "## Best F1 of each strategy, with 95 % bootstrap intervals\n",
        table(("strategy", "threshold", "P", "R", "F1", "F1 score-free", "at"), best),
        "\n## Held out: threshold chosen on the other four folds\n",
        table(("strategy", *_FOLDS.values()), folds),
        "\n## The paper's figures\n",
        table(
            ("subject", "figure", "paper", "ours", "difference"),
            [(row.subject, row.figure, row.paper, row.ours, row.difference) for row in rows],
        ),
        f"\n{len(rows)} figures: {len(rows) - len(differing) - undetermined} equal, {len(differing)} differ, "
        f"{undetermined} not determined by the data.\n",
        *(f"\n{note}\n" for note in evaluation.notes),
    ]
    return "".join(parts)
