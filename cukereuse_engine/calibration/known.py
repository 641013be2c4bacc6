"""How much knowing some of a suite's bindings helps: the adapted judge on pairs whose sides are both unknown to it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.data import BoundText, LabelledPairs, rows_by_suite, suite_texts
from cukereuse_engine.calibration.metrics import PairAgreement, Scores
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.parameters import shipped
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.template import measured_mask

Share = Literal["definition", "text"]


@dataclass(frozen=True, slots=True)
class AdaptedAgreement:
    threshold: float
    agreement: PairAgreement
    f1_differs: float
    """F1 where the templates differ, at the same threshold."""
    average_precision_differs: float
    pairs: int
    pairs_differs: int

    @classmethod
    def of(
        cls, scores: Scores, same: NDArray[np.bool_], differs: NDArray[np.bool_], threshold: float
    ) -> "AdaptedAgreement":
        return cls(
            threshold=threshold,
            agreement=metrics.at(scores, same, threshold),
            f1_differs=metrics.at(scores[differs], same[differs], threshold).f1,
            average_precision_differs=metrics.average_precision(scores[differs], same[differs]),
            pairs=len(scores),
            pairs_differs=int(np.count_nonzero(differs)),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            **asdict(self.agreement),
            "f1_differs": self.f1_differs,
            "average_precision_differs": self.average_precision_differs,
            "pairs": self.pairs,
            "pairs_differs": self.pairs_differs,
        }


@dataclass(frozen=True, slots=True)
class KnownShare:
    default: AdaptedAgreement
    """The judge that knows texts only, on the same pairs."""
    adapted: AdaptedAgreement


def draw(texts: Sequence[BoundText], share: float, by: Share, rng: np.random.Generator) -> list[BoundText]:
    """A random share of a suite's definitions with all their texts, or of its texts; at least one if there is any."""
    units = sorted({item.definition if by == "definition" else item.text for item in texts})
    count = max(1, round(share * len(units))) if share > 0 else 0
    chosen = {units[i] for i in rng.permutation(len(units))[:count].tolist()}
    return [item for item in texts if (item.definition if by == "definition" else item.text) in chosen]


def adapted_scores(
    pairs: LabelledPairs, suites: Mapping[str, Sequence[BoundText]], share: float, by: Share, seed: int
) -> KnownShare:
    """Give the judge a share of each suite's bindings, and score the pairs of which it knows neither side."""
    rng = np.random.default_rng(seed)
    default, adapted, kept = [], [], []
    for suite, rows in rows_by_suite(pairs).items():
        bound = suites.get(suite, ())
        definition_of = {item.text: item.definition for item in draw(bound, share, by, rng)}
        rows = rows[
            [pairs.text_a[row] not in definition_of and pairs.text_b[row] not in definition_of for row in rows.tolist()]
        ]
        if not len(rows):
            continue
        texts, a, b = suite_texts(pairs, rows, bound)
        bindings = {identity(text): definition for text, definition in definition_of.items()}
        default.append(TextJudge.for_suite(texts).probabilities(texts, a, b).p_same_definition)
        judge = AdaptedJudge.for_bound_suite(texts, bindings)
        adapted.append(judge.probabilities(texts, a, b).p_same_definition)
        kept.append(rows)
    rows = np.concatenate(kept) if kept else np.empty(0, np.int64)
    differs = np.array(
        [measured_mask(pairs.text_a[i]).lower() != measured_mask(pairs.text_b[i]).lower() for i in rows.tolist()],
        np.bool_,
    )
    same, threshold = pairs.same[rows], shipped().threshold

    def figures(parts: list[Scores]) -> AdaptedAgreement:
        return AdaptedAgreement.of(np.concatenate(parts) if parts else np.empty(0), same, differs, threshold)

    return KnownShare(default=figures(default), adapted=figures(adapted))
