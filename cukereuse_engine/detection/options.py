"""The input and output of a strategy."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.judged import KINDS, Accepted, Candidates, Judging, accept_pairs, judge_pairs
from cukereuse_engine.index.crowds import crowds_of
from cukereuse_engine.index.lexical_join import lexical_join
from cukereuse_engine.index.linkage import Linkage, link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import Crowds, token_join
from cukereuse_engine.index.vector_join import vector_join
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.judging.tagging import all_meaning_words
from cukereuse_engine.progress import Progress
from cukereuse_engine.strategies.table import AUTO, STRATEGIES, Strategy
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText

EmbedTexts = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to `(n, dim)` float32, rows L2-normalised."""


@dataclass(frozen=True, slots=True)
class Joins:
    """How similar texts are found, judged and linked: in this process, on several machines, or from earlier results.
    Each function is a twin of `lexical_join`, `vector_join`, `all_meaning_words`, `crowds_of`, `token_join`,
    `judge_pairs`, `accept_pairs` or `link`."""

    lexical: Callable[[Sequence[str], float, Progress], ScoredPairs]
    vector: Callable[[NDArray[np.float32], float, Progress], ScoredPairs]
    meanings: Callable[[Sequence[str], tuple[str, ...]], list[frozenset[str]]] = all_meaning_words
    crowds: Callable[[Sequence[str], Sequence[frozenset[str]]], Crowds] = crowds_of
    words: Callable[[Sequence[frozenset[str]], float, Progress], ScoredPairs] = token_join
    judged: Callable[[Judging, Candidates], Accepted] = judge_pairs
    accepted: Callable[[Judging, Candidates], tuple[NDArray[np.int64], NDArray[np.float64]]] = accept_pairs
    linked: Callable[[int, ScoredPairs, str, Progress], Linkage] = link


LOCAL = Joins(lexical_join, vector_join)


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    strategy: str = AUTO.name
    threshold: float | None = None
    """None: the strategy's default."""
    lev_min: float = 0.30
    """`hybrid`: lowest Indel similarity."""
    lev_max: float = 0.95
    """`hybrid`: highest Indel similarity."""
    guards: bool = True
    """Reject pairs that guards keep apart; `auto`'s judge always does. The paper's strategies ran without guards."""
    linkage: str = "complete"
    """"complete", or "single" as in the paper."""
    min_count: int = 2
    """Minimum number of occurrences of a cluster."""
    languages: tuple[str, ...] = ("en",)
    """The language whose words the guards read."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(f"unknown strategy {self.strategy!r}")
        if not 0 < self.effective_threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, not {self.threshold}")

    @property
    def row(self) -> Strategy:
        return STRATEGIES[self.strategy]

    @property
    def effective_threshold(self) -> float:
        return self.row.threshold if self.threshold is None else self.threshold


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts that a strategy joins."""

    id: str
    """Short hash of the sorted texts: the same members give the same id, on every machine and in every run."""
    strategy: str
    kind: Kind
    """The loosest kind that joins its members."""
    canonical: str
    """The text that represents them (`canonical`)."""
    texts: tuple[StepText, ...]
    """Canonical first, then by occurrences, then alphabetical."""
    score: float
    """Score of the weakest link that linkage accepted, in the strategy's own unit; 1.0 for one text."""
    reasons: tuple[str, ...]
    """The reasons, in words."""

    @property
    def occurrences(self) -> int:
        return sum(text.occurrences for text in self.texts)

    @property
    def wordings(self) -> int:
        """Number of templates; a person should look at clusters with two or more."""
        return len({text.template.key for text in self.texts})


def cluster_id(identities: Iterable[str]) -> str:
    """12 hex digits of the BLAKE2b of the texts' identities, sorted."""
    return identity("\n".join(sorted(identities)))[:12]


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """The result of a strategy for the texts of a suite; by default, nothing."""

    options: StrategyOptions
    texts: tuple[StepText, ...]
    clusters: tuple[Cluster, ...] = ()
    """Clusters with several wordings first, then the most costly."""
    pairs: ScoredPairs = field(default_factory=ScoredPairs.empty)
    """Positions in `texts` of the pairs that the strategy accepts, with their scores. `auto` gives pairs of templates,
    by the canonical text of each."""
    kinds: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    """`(len(pairs),)`: position in `KINDS`."""
    cosine: NDArray[np.float64] | None = None
    """`(len(pairs),)`: the cosines that `auto` gave to the judge, if there were vectors."""
    uncompared: int = 0
    """Templates that were compared with no other, as each has a crowd of near ones that were (`candidates`)."""

    def kind(self, pair: int) -> Kind:
        return KINDS[int(self.kinds[pair])]
