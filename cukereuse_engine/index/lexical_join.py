"""All pairs of texts whose Indel similarity reaches a threshold: exactly those that comparing all with all would find.

Never approximate: a pair is skipped only where a bound proves that it can't reach the threshold. Two bounds are used.
Length: the similarity of lengths p <= q is at most 2p / (p + q). Bag of characters: the longest common subsequence
keeps each character at most as often as both texts have it, so 2 * overlap / (p + q) is an upper bound of the
similarity. The overlap of many texts with many texts is one matrix product of 0/1 features "character c is at
least k times"; what the features leave out is counted as half of both texts' rest, which is never less than their
overlap there.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress

_ROWS = 1024
_COLUMNS = 2048
"""A block of products is `_ROWS * _COLUMNS` float32: 8 MB."""
_CHARACTERS = 96
"""Most frequent characters that get features of their own; the others are taken for equal."""
_LEVELS = 24
"""Highest k of a feature "character c is at least k times"."""
_FEATURES = 254
"""Features kept: those that differ between most pairs. Two more columns carry the threshold."""
_VERIFIED_AT_ONCE = 1 << 18
"""Candidate pairs per call of the scorer: bounds the lists of strings."""
_WORTH_THREADS = 4096
"""Texts to compare one with from which on threads take less time than to start them."""
_DENSE = 0.3
"""Share of candidates in a block from which comparing all of it is faster than picking pairs."""
_SLACK = 1e-4
"""Per code point, above what single precision loses in the bound: it may only let more pairs through."""

IntArray = NDArray[np.int64]


def lexical_join(
    texts: Sequence[str], threshold: float, progress: Progress = SILENT, *, threads: int = 2
) -> ScoredPairs:
    """All pairs with Indel similarity `1 - indel_distance / (len(a) + len(b))` >= `threshold`.

    The similarity is `rapidfuzz.fuzz.ratio(a, b) / 100` over code points, and the decision is the one that this float
    gives. Equal texts are pairs too (1.0). `threads` are the scorer's. Memory is bounded by about 1 kB a text, 50 MB
    of blocks, and the pairs found.

    Raises `ValueError` for a threshold outside ]0, 1], and whatever `progress` raises to stop.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, not {threshold}")
    members: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        members.setdefault(text, []).append(position)
    distinct = sorted(members, key=len)
    a, b, score = _join_distinct(distinct, len(distinct), 0, threshold, progress, threads)
    return _expand(a, b, score, [members[text] for text in distinct])


def join_ranges(shorter: Sequence[str], longer: Sequence[str] | None, threshold: float) -> ScoredPairs:
    """The part of `lexical_join` with one text of `shorter` and one of `longer`, which are numbered after these, or
    (None) with two of `shorter`; for whoever shares out the work.

    All are distinct, each range is sorted by length, and none of `longer` is shorter than one of `shorter`. The pairs
    of all ranges that are within `reach` are the pairs of the whole.
    """
    texts, beside = ([*shorter], 0) if longer is None else ([*shorter, *longer], len(shorter))
    return ScoredPairs.of(*_join_distinct(texts, len(shorter), beside, threshold, SILENT, threads=1))


def reach(lengths: IntArray, threshold: float) -> IntArray:
    """`(n,)`: for each of the ascending `lengths`, how many texts from the first on may be its partners."""
    # one more than the bound says, against rounding
    return np.searchsorted(lengths, lengths * (2 - threshold) / threshold + 1, side="right")


def _join_distinct(
    texts: list[str], first: int, beside: int, threshold: float, progress: Progress, threads: int
) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
    """The pairs of distinct `texts`, which are sorted by length, of one of the first `first` with a later one from
    `beside` on."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = reach(lengths, threshold)
    blocks: list[tuple[IntArray, IntArray, NDArray[np.float64]]] = []
    with progress.stage("comparing wordings", first, "texts") as stage:
        columns = _features(texts, lengths, threshold)
        for start in range(0, first, _ROWS):
            end = min(start + _ROWS, first)
            rows = columns[start:end].copy()
            rows[:, -2], rows[:, -1] = rows[:, -1] + 0.05, 1  # the product then adds both texts' share of the bound
            for left in range(max(start, beside), int(ends[end - 1]), _COLUMNS):
                right = min(left + _COLUMNS, int(ends[end - 1]))
                row, column = np.divmod(np.flatnonzero(rows @ columns[left:right].T >= 0), right - left)
                if left < end:  # each pair once
                    row, column = row[row + start < column + left], column[row + start < column + left]
                dense = len(row) > _DENSE * (end - start) * (right - left)
                verify = _verify_block if dense else _verify_pairs
                blocks.append(verify(texts, row + start, column + left, threshold, threads))
                stage.advance(0)
            stage.advance(end - start)
    if not blocks:
        empty = np.empty(0, np.int64)
        return empty, empty, np.empty(0)
    a, b, score = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return a, b, score


def _features(texts: list[str], lengths: IntArray, threshold: float) -> NDArray[np.float32]:
    """`(n, features + 2)`: 0/1 features, then a column of ones, then each text's own share of the bound.

    With overlap <= x·y + (rest_a + rest_b) / 2, a pair may reach the threshold only if
    x·y + Σ (rest - threshold * length) / 2 >= 0.
    """
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    alphabet, counts = np.unique(codes, return_counts=True)
    frequent = alphabet[np.lexsort((alphabet, -counts))[:_CHARACTERS]]
    lookup = np.full(int(alphabet[-1]) + 1 if len(alphabet) else 1, len(frequent), np.int64)
    lookup[frequent] = np.arange(len(frequent))
    width = len(frequent) + 1
    ends = np.cumsum(lengths)
    bags = np.empty((len(texts), len(frequent)), np.uint8)
    for start in range(0, len(texts), _ROWS):
        end = min(start + _ROWS, len(texts))
        owner = np.repeat(np.arange(end - start), lengths[start:end])
        part = lookup[codes[ends[start] - lengths[start] : ends[end - 1]]]
        bag = np.bincount(owner * width + part, minlength=(end - start) * width).reshape(-1, width)
        bags[start:end] = np.minimum(bag[:, :-1], _LEVELS)
    slots = _telling_slots(bags)
    columns = np.zeros((len(texts), len(slots) + 2), np.float32)
    for index, (character, level) in enumerate(slots):
        columns[:, index] = bags[:, character] >= level
    rest = lengths - columns.sum(axis=1, dtype=np.float64)
    columns[:, -2] = 1
    columns[:, -1] = (rest - threshold * lengths) / 2 + _SLACK * lengths
    return columns


def _telling_slots(bags: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The features (character, level) that differ between most pairs of texts."""
    shares = [
        (-share * (1 - share), character, level)
        for level in range(1, _LEVELS + 1)
        for character, share in enumerate((bags >= level).mean(axis=0).tolist() if len(bags) else [])
        if 0 < share < 1
    ]
    return [(character, level) for _, character, level in sorted(shares)[:_FEATURES]]


def _cutoff(threshold: float) -> float:
    """A little lower than the threshold: the decision is taken on the full score."""
    return max(0.0, 100 * threshold - 1e-6)


def _verify_pairs(
    texts: list[str], a: IntArray, b: IntArray, threshold: float, threads: int
) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
    """`a` ascends: each text is prepared once for all that it is compared with."""
    starts = np.flatnonzero(np.diff(a, prepend=-1))
    score, held = np.empty(len(a)), np.array(texts, object)
    for start, end in pairwise([*starts.tolist(), len(a)]):
        score[start:end] = process.cdist(
            [texts[a[start]]],
            held[b[start:end]].tolist(),
            scorer=fuzz.ratio,
            score_cutoff=_cutoff(threshold),
            workers=threads if end - start > _WORTH_THREADS else 1,
            dtype=np.float64,
        )[0]
    score /= 100
    kept = score >= threshold
    return a[kept], b[kept], score[kept]


def pairwise_indel(texts: Sequence[str], a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
    """Indel similarity of the texts `a[i]` and `b[i]`, 0 to 1: `1 - d / (len(a[i]) + len(b[i]))`, where d counts
    inserted and deleted characters. The paper calls it its Levenshtein ratio."""
    score, held = np.empty(len(a)), np.array(texts, object)
    for start in range(0, len(a), _VERIFIED_AT_ONCE):
        part = slice(start, start + _VERIFIED_AT_ONCE)
        score[part] = process.cpdist(
            held[a[part]].tolist(), held[b[part]].tolist(), scorer=fuzz.ratio, workers=2, dtype=np.float64
        )
    return score / 100


def _verify_block(
    texts: list[str], a: IntArray, b: IntArray, threshold: float, threads: int
) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
    """Like `_verify_pairs`, for candidates that fill most of a block."""
    top, left = int(a.min()), int(b.min())
    score: NDArray[Any] = process.cdist(
        texts[top : int(a.max()) + 1],
        texts[left : int(b.max()) + 1],
        scorer=fuzz.ratio,
        score_cutoff=_cutoff(threshold),
        workers=threads,
        dtype=np.float64,
    )
    score /= 100
    row, column = np.nonzero(score >= threshold)
    kept = row + top < column + left
    row, column = row[kept], column[kept]
    return row + top, column + left, score[row, column]


def _expand(a: IntArray, b: IntArray, score: NDArray[np.float64], members: list[list[int]]) -> ScoredPairs:
    """Pairs of distinct texts -> pairs of positions, with the pairs of equal texts."""
    positions = np.array([position for group in members for position in group], np.int64)
    sizes = np.fromiter(map(len, members), np.int64, len(members))
    first = np.cumsum(sizes) - sizes
    repeats = sizes[a] * sizes[b]
    pair = np.repeat(np.arange(len(a)), repeats)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    left = positions[first[a[pair]] + within // sizes[b[pair]]]
    right = positions[first[b[pair]] + within % sizes[b[pair]]]
    equal = [np.array(group)[np.stack(np.triu_indices(len(group), 1))] for group in members if len(group) > 1]
    return ScoredPairs.of(
        np.concatenate([left, *(pairs[0] for pairs in equal)]),
        np.concatenate([right, *(pairs[1] for pairs in equal)]),
        np.concatenate([score[pair], *(np.ones(pairs.shape[1]) for pairs in equal)]),
    )
