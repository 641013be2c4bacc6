"""Baselines of the clone-detection literature on pairs of step texts; each gives a similarity in [0, 1] for a pair.

Each is the defining comparison of a published detector, on words instead of program tokens; none is that detector.
Texts are normalised as the paper's Jaccard baseline does (`words`); NCD and TF-IDF read them unchanged.
"""

import lzma
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import LCSseq

from cukereuse_engine.calibration.metrics import Scores

BASELINE_GRID = tuple(round(0.30 + 0.01 * i, 2) for i in range(70))
"""Thresholds of the baselines: .30 to .99."""

_PARAMETER = re.compile(r"\"[^\"]*\"|'[^']*'|[<>][\w-]+[<>]|[0-9]+")
_PUNCTUATION = re.compile(r"[^\w\s]")
_SLOT = "param"


def words(text: str) -> list[str]:
    """Parameters become one word; case and punctuation are removed (paper, section "Lexical baselines")."""
    return _PUNCTUATION.sub(" ", _PARAMETER.sub(f" {_SLOT} ", text).lower()).split()


def jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    """Shared words over all words, as sets: 0 if a side has none (SourcererCC-style in the paper)."""
    left, right = set(a), set(b)
    return len(left & right) / len(left | right) if left and right else 0.0


def token_bag(a: Sequence[str], b: Sequence[str]) -> float:
    """Shared words as multisets over the longer side: SourcererCC's overlap (Sajnani et al. 2016, section 3)."""
    shared = (Counter(a) & Counter(b)).total()
    return shared / max(len(a), len(b)) if a and b else 0.0


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> float:
    """Longest common subsequence of words over the longer side: NiCad's normalise-and-LCS (Roy and Cordy 2008)."""
    return LCSseq.similarity(list(a), list(b)) / max(len(a), len(b)) if a and b else 0.0


def token_run(a: Sequence[str], b: Sequence[str]) -> float:
    """Longest common run of words over the longer side: CCFinder's matched token sequence (Kamiya et al. 2002)."""
    longest = 0
    row = [0] * (len(b) + 1)
    for word in a:
        before = row
        row = [0] * (len(b) + 1)
        for j, other in enumerate(b, 1):
            if word == other:
                row[j] = before[j - 1] + 1
                longest = max(longest, row[j])
    return longest / max(len(a), len(b)) if a and b else 0.0


def characteristic_vectors(a: Sequence[str], b: Sequence[str]) -> float:
    """DECKARD's comparison (Jiang et al. 2007) of vectors that count patterns of sizes one and two, here words and
    pairs of adjacent words: the `S` for which their Euclidean distance is `sqrt(2 (1 - S) min(size))`, at least 0."""
    if not a or not b:
        return 0.0
    left, right = Counter(_patterns(a)), Counter(_patterns(b))
    squared = sum((left[key] - right[key]) ** 2 for key in left.keys() | right.keys())
    return max(0.0, 1 - squared / (2 * min(left.total(), right.total())))


def _patterns(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return [*((token,) for token in tokens), *pairwise(tokens)]


def compression(a: str, b: str, compress: Callable[[bytes], bytes]) -> float:
    """One minus the normalised compression distance (Irshad et al. 2021), cut to [0, 1]."""
    left, right = a.encode("utf-8", "surrogatepass"), b.encode("utf-8", "surrogatepass")
    sizes = len(compress(left)), len(compress(right))
    distance = (len(compress(left + right)) - min(sizes)) / max(sizes)
    return min(1.0, max(0.0, 1 - distance))


def _zlib(data: bytes) -> bytes:
    return zlib.compress(data, 9)


def _lzma(data: bytes) -> bytes:
    # Without container, and with a dictionary that suits a sentence: headers would drown the distance.
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 4096}])


def tf_idf(text_a: Sequence[str], text_b: Sequence[str]) -> Scores:
    """(n,) cosine of TF-IDF vectors of character 3- to 5-grams inside words, sublinear, fitted on both columns
    (NiCad-style in the paper)."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True).fit_transform(
        [*text_a, *text_b]
    )
    left, right = vectors[: len(text_a)], vectors[len(text_a) :]
    return np.asarray(left.multiply(right).sum(axis=1), np.float64).ravel()


_OF_WORDS: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "token-set Jaccard": jaccard,
    "token bag (SourcererCC)": token_bag,
    "normalise and LCS (NiCad)": common_subsequence,
    "token sequence (CCFinder)": token_run,
    "characteristic vectors (DECKARD)": characteristic_vectors,
}
_OF_TEXTS: dict[str, Callable[[str, str], float]] = {
    "NCD zlib (Irshad)": partial(compression, compress=_zlib),
    "NCD lzma (Irshad)": partial(compression, compress=_lzma),
}


def baseline_scores(text_a: Sequence[str], text_b: Sequence[str]) -> dict[str, Scores]:
    """Maps each name to the (n,) similarities of `text_a[i]` and `text_b[i]`; the paper's two baselines first."""
    pairs = list(zip(text_a, text_b, strict=True))
    tokens = [(words(a), words(b)) for a, b in pairs]
    of_words = {name: np.array([score(a, b) for a, b in tokens], np.float64) for name, score in _OF_WORDS.items()}
    of_texts = {name: np.array([score(a, b) for a, b in pairs], np.float64) for name, score in _OF_TEXTS.items()}
    first = "token-set Jaccard"
    return {first: of_words.pop(first), "TF-IDF char n-gram": tf_idf(text_a, text_b), **of_words, **of_texts}
