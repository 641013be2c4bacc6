"""`python -m corpus_tools.training.intents TRUTH... --out intent.npz`: `p_one_intent` from what people would merge.

TRUTH are folders of suites that people have read (`cukereuse_engine.calibration.intents`). The judge's own candidates
and its own evidence; extremely randomised trees, whose errors don't add up as those of boosted ones do; networks that
read the two side by side; a monotone curve from log odds to probability, for the trees alone and for both, fitted on
folds that leave suites out; thresholds that keep each severity's promise there. Every suite counts by the square root
of what its readers grouped, so that none decides alone. Deterministic: the same files give the same bytes.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.attention import PairsOfSuite, train_attention
from corpus_tools.training.bars import bars_of
from corpus_tools.training.intent_rows import EvidenceTable, Floats, IntentRows, rows_of
from corpus_tools.training.train import readable
from corpus_tools.training.trees import THINNED, UNSURE, fit
from cukereuse_engine.calibration.intents import ReadSuite, read_suites_of_readers
from cukereuse_engine.calibration.metrics import group_folds
from cukereuse_engine.calibration.reported import PROMISES
from cukereuse_engine.embedding_models.embedder import Embedder, TokenTable, token_table
from cukereuse_engine.embedding_models.opening import open_embedder
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.judging.attention import Attention, PairReader
from cukereuse_engine.judging.evidence import Evidence, evidence_kind
from cukereuse_engine.judging.features import take
from cukereuse_engine.judging.forest import Forest
from cukereuse_engine.judging.intent import (
    Curve,
    IntentParameters,
    joined,
    less_told_apart,
    told_apart,
)
from cukereuse_engine.rules import Severity
from cukereuse_engine.storage import write_atomically
from cukereuse_engine.storage.arrays import write_arrays

FOLDS = 4
_STEPS = 48
"""Points of the curve."""
INFORMATION = PROMISES[Severity.INFORMATION]


@dataclass(frozen=True, slots=True)
class Votes:
    """Log odds, `(n,)` each."""

    trees: Floats
    both: Floats
    """Log odds of the trees and the networks."""


def held_out(table: EvidenceTable, names: tuple[str, ...], tokens: TokenTable) -> Votes:
    """The votes of trees and networks that never saw the row's suite."""
    folds = group_folds([rows.suite.name for rows in table.suites for _ in range(1 + int(rows.right.sum()))], FOLDS)
    starts = np.cumsum([0, *(1 + int(rows.right.sum()) for rows in table.suites[:-1])])
    fold_of = folds[starts]
    trees, both = np.empty(len(table.right)), np.empty(len(table.right))
    for fold in range(FOLDS):
        others, inside = table.only(fold_of != fold), np.isin(table.number, np.flatnonzero(fold_of == fold))
        votes = votes_of(table.only(fold_of == fold), fit(others, names), attend(others, names, tokens), tokens)
        trees[inside], both[inside] = votes.trees, votes.both
    return Votes(trees, both)


def attend(table: EvidenceTable, names: tuple[str, ...], tokens: TokenTable) -> Attention:
    """Networks that are trained with the table."""
    suites = [
        PairsOfSuite(
            *rows.masked,
            rows.features,
            rows.right,
            np.where(rows.right & ~rows.sure, UNSURE, 1.0) * rows.weight,
            rows.right,
        )
        for rows in table.suites
    ]
    return train_attention(suites, names, tokens, THINNED)


def votes_of(table: EvidenceTable, trees: Forest, attention: Attention, tokens: TokenTable) -> Votes:
    reader = PairReader(attention, tokens)
    features, odds = table.features, trees.logit(table.features)
    left, right = ([text for rows in table.suites for text in rows.masked[side]] for side in (0, 1))

    def read(some: NDArray[np.int64]) -> Floats:
        places = some.tolist()
        return reader.logit([left[place] for place in places], [right[place] for place in places], take(features, some))

    return Votes(odds, joined(odds, read))


def curve(odds: Floats, right: NDArray[np.bool_], weights: Floats) -> Curve:
    """Log odds, ascending, and the probability at each: pairs in steps that hold about as much of what is right, made
    monotone by pooling adjacent violators (Ayer et al. 1955)."""
    order = np.argsort(odds, kind="stable")
    ranked, value, weight = odds[order], right[order].astype(np.float64), weights[order]
    gained = np.cumsum(value * weight)
    step = np.minimum((gained / gained[-1] * _STEPS).astype(np.int64), _STEPS - 1)
    blocks: list[list[float]] = []
    for number in np.unique(step).tolist():
        inside = step == number
        total = float(weight[inside].sum())
        blocks.append([float((value * weight)[inside].sum()), total, float((ranked * weight)[inside].sum())])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [mine + theirs for mine, theirs in zip(blocks[-1], last, strict=True)]
    points = np.array([total_odds / total for _, total, total_odds in blocks])
    return Curve(points, np.array([positive / total for positive, total, _ in blocks]))


def figures(table: EvidenceTable, odds: Floats, bars: Mapping[float, float], probability: Floats) -> dict[str, Any]:
    """Precision and recall at each bar, and the recall that each precision leaves."""
    total = sum(len(rows.suite.sure) for rows in table.suites)
    order = np.argsort(-odds, kind="stable")
    right, sure = table.right[order], table.sure[order]
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    recall = np.cumsum(sure) / max(total, 1)
    report: dict[str, Any] = {"suites": len(table.suites), "sure": total, "candidates": len(right)}
    for share in (0.95, 0.9, 0.85, 0.8, 0.7, 0.5):
        precise = np.flatnonzero(precision >= share)
        report[f"recall at {share}"] = round(float(recall[precise[-1]]), 3) if len(precise) else 0.0
    for promise, bar in bars.items():
        report[f"promise {promise}"] = {
            "bar": bar,
            **_agreement(table, (probability >= bar) & table.sayable.loudly),
            "with hints": _agreement(table, (probability >= bar) & table.sayable.at_all),
        }
    return report


def _agreement(table: EvidenceTable, predicted: NDArray[np.bool_]) -> dict[str, float]:
    """The precision of these pairs, and their recall of the truth."""
    total = sum(len(rows.suite.sure) for rows in table.suites)
    return {
        "reported": int(predicted.sum()),
        "precision": round(float(table.right[predicted].mean()), 3) if predicted.any() else 1.0,
        "recall": round(float((table.sure & predicted).sum() / max(total, 1)), 3),
        **_groups(table, predicted),
    }


def _groups(table: EvidenceTable, predicted: NDArray[np.bool_]) -> dict[str, float]:
    groups = recalled = 0
    for number, rows in enumerate(table.suites):
        inside = predicted[table.number == number] & rows.sure
        members = set(rows.pairs[inside].ravel().tolist())
        groups += len(rows.suite.groups)
        recalled += sum(1 for group in rows.suite.groups if not members.isdisjoint(group))
    return {"groups": groups, "groups_found": round(recalled / max(groups, 1), 3)}


@dataclass(frozen=True, slots=True)
class IntentTraining:
    parameters: IntentParameters
    figures: dict[str, Any]


def train(truth: Sequence[Path], embedder: Embedder, unseen: Sequence[Path] = ()) -> IntentTraining:
    """The trained judge. Raises `CukereuseError` for files that can't be used."""
    tokens = _tokens(embedder)
    table = EvidenceTable(list(_rows(read_suites_of_readers(truth), embedder)))
    names = tuple(name for name in table.suites[0].features if evidence_kind(name) is not Evidence.ELSEWHERE)
    votes = held_out(table, names, tokens)
    of_votes = {False: votes.trees, True: votes.both}
    curves = {read: curve(odds, table.right, table.weights) for read, odds in of_votes.items()}
    bars = _bars(table, curves[True].probability(votes.both))
    parameters = IntentParameters(fit(table, names), attend(table, names, tokens), curves, bars)
    report: dict[str, Any] = {
        "suites": len(table.suites),
        "sure": sum(len(rows.suite.sure) for rows in table.suites),
        "sure among candidates": sum(rows.candidates[0] for rows in table.suites),
        "sure past the gate": sum(rows.candidates[1] for rows in table.suites),
        **_both("held out", table, votes, parameters),
    }
    if unseen:
        rest = EvidenceTable(list(_rows(read_suites_of_readers(unseen), embedder)))
        report |= _both("unseen", rest, votes_of(rest, parameters.trees, parameters.attention, tokens), parameters)
    return IntentTraining(parameters, report)


def _bars(table: EvidenceTable, probability: Floats) -> dict[float, float]:
    """From information up a promise is about all that is reported at least so surely; what is objected to is a hint,
    whatever its probability, and what hints promise is about hints alone."""
    loudly, said = table.sayable.loudly, less_told_apart(probability, told_apart(table.features))
    bars = bars_of(said[loudly], table.right[loudly])
    hints = table.sayable.at_all & ~(loudly & (said >= bars[INFORMATION]))
    of_hints = bars_of(said[hints], table.right[hints])
    return {
        share: bar if share >= INFORMATION else min(bars[INFORMATION], of_hints[share]) for share, bar in bars.items()
    }


def choose_bars(
    parameters: IntentParameters, unseen: Sequence[Path], embedder: Embedder, suites: Path | None = None
) -> IntentTraining:
    """The same judge with thresholds chosen on suites from which nothing was learnt. Raises `CukereuseError` for files
    that can't be used."""
    tokens = _tokens(embedder)
    table = EvidenceTable(list(_rows(read_suites_of_readers(unseen), embedder)), suites)
    votes = votes_of(table, parameters.trees, parameters.attention, tokens)
    chosen = replace(parameters, bars=_bars(table, parameters.curves[True].probability(votes.both)))
    return IntentTraining(chosen, _both("thresholds chosen on", table, votes, chosen))


def _tokens(embedder: Embedder) -> TokenTable:
    tokens = token_table(embedder)
    if tokens is None:
        raise CukereuseError(f"{embedder.model_id} does not show its tokens")
    return tokens


def _both(name: str, table: EvidenceTable, votes: Votes, parameters: IntentParameters) -> dict[str, Any]:
    """Figures with the networks, and without."""
    ways = ((name, True, votes.both), (f"{name}, texts alone", False, votes.trees))
    return {
        title: figures(
            table,
            odds,
            parameters.bars,
            less_told_apart(parameters.curves[read].probability(odds), told_apart(table.features)),
        )
        for title, read, odds in ways
    }


def _rows(suites: Sequence[ReadSuite], embedder: Embedder) -> Iterator[IntentRows]:
    for suite in suites:
        rows = rows_of(suite, embedder)
        if len(rows.right):
            yield rows


def read_judge(path: Path) -> IntentParameters:
    """The judge in a file. Raises `OSError` if there is no file, and `ValueError` if it contains anything else."""
    with path.open("rb") as file:
        try:
            return IntentParameters.from_arrays(dict(np.load(file, allow_pickle=False)))
        except (BadZipFile, EOFError, KeyError, TypeError, ValueError):
            raise ValueError(f"{path} does not contain the parameters of a judge") from None


def _figures_file(parameters: Path) -> Path:
    return parameters.with_suffix(".figures.json")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m corpus_tools.training.intents", description=__doc__)
    parser.add_argument("truth", type=Path, nargs="+", help="folders of suites that people have read")
    parser.add_argument("--unseen", type=Path, nargs="+", default=[], help="folders used only for measurement")
    parser.add_argument(
        "--thresholds-of", type=Path, help="learn nothing: choose the thresholds of this judge on the suites of TRUTH"
    )
    parser.add_argument("--suites", type=Path, help="with --thresholds-of: the suites' feature files, by name")
    parser.add_argument("--out", type=Path, required=True, help="file for the parameters")
    parser.add_argument("--figures", type=Path, help="file for the figures; beside the parameters unless given")
    arguments = parser.parse_args()
    destination, earlier = arguments.figures or _figures_file(arguments.out), dict[str, Any]()
    try:
        if arguments.thresholds_of is None:
            training = train(arguments.truth, open_embedder(), arguments.unseen)
        else:
            judge = read_judge(arguments.thresholds_of)
            kept = destination if arguments.figures else _figures_file(arguments.thresholds_of)
            earlier = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
            training = choose_bars(judge, arguments.truth, open_embedder(), arguments.suites)
    except (CukereuseError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    write_arrays(arguments.out, training.parameters.arrays())
    write_atomically(destination, f"{readable(earlier | training.figures)}\n".encode())
    print(json.dumps(training.figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
