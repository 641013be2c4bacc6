"""How similar two texts are as strings. The same on every machine; knows nothing of meaning."""

from rapidfuzz import fuzz

from cukereuse_engine.text.identity import normalise


def indel(a: str, b: str) -> float:
    """Indel similarity of the normalised texts, 0 to 1: `1 - d / (len(a) + len(b))`, where d counts inserted and
    deleted characters. This is what the paper calls its Levenshtein ratio.
    """
    return float(fuzz.ratio(normalise(a), normalise(b))) / 100
