"""A suite's own bindings as labelled pairs: texts with one definition belong together, texts with two do not.

The pairs are those that a strategy must decide: pairs of one definition, up to a limit, and pairs of two definitions
that look alike. The glue decides; no text is judged here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.calibrate import PROBABILITY_GRID, CalibrationReport
from cukereuse_engine.calibration.data import BoundText, LabelledPairs, rows_by_suite, suite_texts
from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.strategies.table import AUTO, STRATEGIES
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.words import detect_languages

PER_DEFINITIONS = 20
"""Most pairs of any two definitions, or of one with itself, so that no large one decides alone."""
WORTH_CHANGING = 0.01
"""F1 that another threshold must bring."""


def own_pairs(
    suites: Mapping[str, tuple[Sequence[StepText], Mapping[str, str]]], seed: int = 42, progress: Progress = SILENT
) -> tuple[LabelledPairs, dict[str, tuple[BoundText, ...]]]:
    """Pairs of each suite's bound texts, and these texts with their definitions.

    `suites` maps a root to its texts and, by identity of a text, the function that serves it (`bound_functions`).
    """
    text_a: list[str] = []
    text_b: list[str] = []
    same: list[bool] = []
    names: list[str] = []
    bound_texts: dict[str, tuple[BoundText, ...]] = {}
    for root, (texts, functions) in suites.items():
        bound = [text for text in texts if text.identity in functions]
        served = [functions[text.identity] for text in bound]
        bound_texts[root] = tuple(
            BoundText(text.text, name, text.occurrences) for text, name in zip(bound, served, strict=True)
        )
        for a, b in _drawn_pairs(bound, served, np.random.default_rng(seed), progress):
            text_a.append(bound[a].text)
            text_b.append(bound[b].text)
            same.append(served[a] == served[b])
            names.append(root)
    return LabelledPairs(tuple(text_a), tuple(text_b), np.array(same, np.bool_), tuple(names), None), bound_texts


def _drawn_pairs(
    texts: Sequence[StepText], served: Sequence[str], rng: np.random.Generator, progress: Progress
) -> list[tuple[int, int]]:
    """Positions `a < b`, sorted."""
    members: dict[str, list[int]] = {}
    for position in rng.permutation(len(texts)).tolist():
        members.setdefault(served[position], []).append(position)
    chosen = sorted(position for positions in members.values() for position in positions[:PER_DEFINITIONS])
    if len(chosen) < 2:
        return []
    masked = [texts[position].template.masked for position in chosen]
    near_a, near_b, *_ = candidate_pairs(masked, None, detect_languages(masked), progress)
    drawn = {(chosen[a], chosen[b]) for a, b in zip(near_a.tolist(), near_b.tolist(), strict=True)}
    for positions in members.values():
        drawn.update(combinations(sorted(positions[:PER_DEFINITIONS]), 2))
    used: Counter[tuple[str, ...]] = Counter()
    chosen_pairs = []
    pairs = sorted(drawn)
    for place in rng.permutation(len(pairs)).tolist():
        a, b = pairs[place]
        two = tuple(sorted((served[a], served[b])))
        used[two] += 1
        if used[two] <= PER_DEFINITIONS:
            chosen_pairs.append((a, b))
    return sorted(chosen_pairs)


def proposals(
    report: CalibrationReport, pairs: LabelledPairs, texts: Mapping[str, Sequence[BoundText]]
) -> dict[str, float]:
    """Maps each strategy to the threshold that suits these pairs: the best one if it also holds on other pairs, else
    the strategy's own.

    `auto` finds other words for one intent: its threshold is measured on pairs with different templates, and only ever
    made stricter, because a looser one reports steps that differ in an argument.
    """
    thresholds = {
        strategy.name: strategy.best_threshold
        if strategy.held_out.f1 >= strategy.default.f1 + WORTH_CHANGING
        else strategy.default_threshold
        for strategy in report.strategies
        if STRATEGIES[strategy.name].joins and not STRATEGIES[strategy.name].is_judged
    }
    return {**thresholds, AUTO.name: _intent_threshold(pairs, texts)}


def _intent_threshold(pairs: LabelledPairs, texts: Mapping[str, Sequence[BoundText]]) -> float:
    scores, differs = np.zeros(len(pairs)), np.zeros(len(pairs), np.bool_)
    for suite, rows in rows_by_suite(pairs).items():
        texts_of_suite, a, b = suite_texts(pairs, rows, texts.get(suite, ()))
        scores[rows] = TextJudge.for_suite(texts_of_suite).probabilities(texts_of_suite, a, b).p_one_intent
        differs[rows] = [
            texts_of_suite[left].template.key != texts_of_suite[right].template.key
            for left, right in zip(a, b, strict=True)
        ]
    grid = tuple(limit for limit in PROBABILITY_GRID if limit >= AUTO.threshold)
    same = pairs.same[differs]
    best = metrics.best_threshold(scores[differs], same, grid)
    gain = metrics.at(scores[differs], same, best).f1 - metrics.at(scores[differs], same, grid[0]).f1
    return best if gain >= WORTH_CHANGING else grid[0]
