"""How alike two texts are as strings. The same on every machine; knows nothing of meaning."""

from rapidfuzz import fuzz

from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import mask


def indel(a: str, b: str) -> float:
    """Indel similarity of the normalised texts, 0 to 1: `1 - d / (len(a) + len(b))`, where d counts inserted and
    deleted characters. This is what the paper calls its Levenshtein ratio.
    """
    return float(fuzz.ratio(normalise(a), normalise(b))) / 100


def token_jaccard(a: str, b: str) -> float:
    """Jaccard similarity of the sets of white-space separated tokens of the masked, lower-cased texts, 0 to 1.
    Two texts without tokens are equal: 1.
    """
    first, second = set(mask(a).lower().split()), set(mask(b).lower().split())
    if not first and not second:
        return 1.0
    return len(first & second) / len(first | second)
