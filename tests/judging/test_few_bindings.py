"""A handful of bound steps makes the judge better, never worse, in suites of any habit."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import StepText

Build = Callable[..., list[StepText]]
VERBS = ("open", "close", "paint", "lift", "count", "weigh", "fold", "repair")
THINGS = ("crate", "lamp", "ladder", "drawer", "basket", "kettle")
COLOURS = ("red", "green", "blue", "white")
SUITES = {
    "colours share": {f"I {v} the {c} {t}": f"{v} {t}" for v in VERBS for t in THINGS for c in COLOURS},
    "things share": {f"I {v} the {t}": v for v in VERBS for t in THINGS},
    "nothing shares": {f"I {v} the {t}": f"{v} {t}" for v in VERBS for t in THINGS},
    "every other verb shares": {
        f"I {v} the {t}": v if place % 2 else f"{v} {t}" for place, v in enumerate(VERBS) for t in THINGS
    },
}
SEEDS, PAIRS = 6, 1500


def _loss(probability: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    return float(-np.log(np.where(same, probability, 1.0 - probability)).mean())


@pytest.mark.parametrize("known", [1, 4, 20])
@pytest.mark.parametrize("suite", SUITES)
def test_never_worse_than_without(step_texts: Build, suite: str, known: int) -> None:
    bound = SUITES[suite]
    texts = step_texts(*bound)
    served = np.array(list(bound.values()))
    a, b = (index.astype(np.int32) for index in np.triu_indices(len(texts), 1))
    picked = np.random.default_rng(0).permutation(len(a))[:PAIRS]
    a, b = a[picked], b[picked]
    alone = TextJudge.for_suite(texts).probabilities(texts, a, b).p_same_definition
    without, adapted = [], []
    for seed in range(SEEDS):
        given = np.random.default_rng(seed).permutation(len(texts))[:known]
        unseen = ~np.isin(a, given) & ~np.isin(b, given)
        judge = AdaptedJudge.for_bound_suite(texts, {texts[i].identity: bound[texts[i].text] for i in given})
        probabilities = judge.probabilities(texts, a[unseen], b[unseen]).p_same_definition
        same = served[a[unseen]] == served[b[unseen]]
        without.append(_loss(alone[unseen], same))
        adapted.append(_loss(probabilities, same))
    assert np.mean(adapted) <= np.mean(without) + 1e-9
    if known == 20:
        assert np.mean(adapted) < 0.8 * np.mean(without)
