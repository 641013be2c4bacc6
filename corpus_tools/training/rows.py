"""Training rows: the judge's own features, with nothing known and with shares of the bindings known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.calibration.data import BoundText, LabelledPairs, rows_by_suite, suite_texts
from cukereuse_engine.calibration.known import Share, draw
from cukereuse_engine.judging.adapted_features import adapted_features
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.features import text_features
from cukereuse_engine.judging.parameters import Parameters
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.text.identity import identity


@dataclass(frozen=True, slots=True)
class KnownBindings:
    """How much of each suite's bindings the judge knows."""

    share: float = 0.0
    by: Share = "definition"
    texts: int = 0
    """This many bound texts, whatever the suite's size; 0: the share says it."""

    @property
    def name(self) -> str:
        if self.texts:
            return f"{self.texts} texts"
        return f"{self.share:.0%} of {self.by}s" if self.share else "nothing"

    def draw(self, bound: Sequence[BoundText], rng: np.random.Generator) -> dict[str, str]:
        """Text to definition, for all that the judge learns."""
        share = min(self.texts / max(len({item.text for item in bound}), 1), 1.0) if self.texts else self.share
        return {item.text: item.definition for item in draw(bound, share, "text" if self.texts else self.by, rng)}


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """One row for each pair whose sides are both unknown. Arrays are `(n,)`, `features` `(n, len(names))`."""

    names: tuple[str, ...]
    features: NDArray[np.float64]
    """Zero where the templates are equal: those pairs have no features."""
    same: NDArray[np.bool_]
    differs: NDArray[np.bool_]
    """True if the templates differ."""
    group: NDArray[np.str_]
    language: NDArray[np.str_]
    """The natural language that the row's suite is mostly in."""

    def columns(self) -> dict[str, NDArray[np.float64]]:
        return dict(zip(self.names, self.features.T, strict=True))

    def only(self, inside: NDArray[np.bool_]) -> "Rows":
        return Rows(
            self.names,
            self.features[inside],
            self.same[inside],
            self.differs[inside],
            self.group[inside],
            self.language[inside],
        )


def build(
    pairs: LabelledPairs,
    suites: Mapping[str, Sequence[BoundText]],
    setting: KnownBindings,
    parameters: Parameters,
    seed: int,
) -> Rows:
    """Rows of every suite under one setting. `parameters` only completes the judge; no weight of it is read."""
    rng = np.random.default_rng(seed)
    parts: list[tuple[NDArray[np.int64], NDArray[np.bool_], dict[str, NDArray[np.float64]]]] = []
    languages: list[str] = []
    for suite, rows in rows_by_suite(pairs).items():
        bound = suites.get(suite, ())
        drawn = setting.draw(bound, rng)
        rows = rows[[pairs.text_a[row] not in drawn and pairs.text_b[row] not in drawn for row in rows.tolist()]]
        if not len(rows):
            continue
        texts, a, b = suite_texts(pairs, rows, bound)
        judge = AdaptedJudge.for_bound_suite(texts, {identity(text): name for text, name in drawn.items()}, parameters)
        row_of = judge.rows(texts, a, b)
        differs = row_of[a] != row_of[b]
        judged = Pairs(judge.templates, row_of[a][differs], row_of[b][differs])
        features = text_features(judged, judge.fillers.of(judged))
        features |= adapted_features(judged, judge.knowledge, judge.neighbours)
        parts.append((rows, differs, features))
        languages += [judge.templates.languages[0]] * len(rows)
    index = np.concatenate([rows for rows, _, _ in parts])
    differs = np.concatenate([part for _, part, _ in parts])
    names = tuple(parts[0][2])
    matrix = np.zeros((len(index), len(names)))
    matrix[differs] = np.concatenate([np.column_stack([columns[name] for name in names]) for _, _, columns in parts])
    groups = np.array(pairs.group if pairs.group is not None else pairs.suite)
    return Rows(names, matrix, pairs.same[index], differs, groups[index], np.array(languages))


def joined(parts: Sequence[Rows]) -> Rows:
    """Rows of several settings under one another."""
    return Rows(
        parts[0].names,
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.same for part in parts]),
        np.concatenate([part.differs for part in parts]),
        np.concatenate([part.group for part in parts]),
        np.concatenate([part.language for part in parts]),
    )
