"""Caches joins: pairs of the same texts need not be searched again.

A join is a pure function, so its result is cached under a hash of its input. This decides nothing about pairs.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache as once
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.auto import Answer, Remember
from cukereuse_engine.detection.options import Joins
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import Progress
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore

WORTH_KEEPING = 300
"""From this number of texts on, a lookup is faster than joining."""

Texts = TypeVar("Texts", Sequence[str], Sequence[frozenset[str]], NDArray[np.float32])
Join = Callable[[Texts, float, Progress], ScoredPairs]


def join_cache() -> BlobStore:
    """The cache in the user's cache folder."""
    return BlobStore("joins.sqlite")


def remembered(joins: Joins, cache: BlobStore) -> Joins:
    """`joins` with their results kept in `cache`."""
    return replace(
        joins,
        lexical=_cached("lexical", joins.lexical, _text_parts, cache),
        vector=_cached("vector", joins.vector, lambda vectors: [np.ascontiguousarray(vectors).tobytes()], cache),
        words=_cached("words", joins.words, lambda bags: _text_parts([" ".join(sorted(bag)) for bag in bags]), cache),
    )


def _text_parts(texts: Sequence[str]) -> Iterable[bytes]:
    return (text.encode("utf-8", "surrogatepass") + b"\0" for text in texts)


def _cached(
    name: str, join: "Join[Texts]", parts: Callable[[Texts], Iterable[bytes]], cache: BlobStore
) -> "Join[Texts]":
    def look_up_or_join(texts: Texts, threshold: float, progress: Progress) -> ScoredPairs:
        if len(texts) < WORTH_KEEPING:
            return join(texts, threshold, progress)
        digest = hashlib.blake2b(f"{_code(JOINING)} {name} {threshold!r} {len(texts)}\n".encode(), digest_size=16)
        for part in parts(texts):
            digest.update(part)
        key = digest.hexdigest()
        payload = cache.get_many([key]).get(key)
        if payload is not None:
            return unpacked(payload)
        pairs = join(texts, threshold, progress)
        cache.put_many({key: packed(pairs)})
        return pairs

    return look_up_or_join


def packed(pairs: ScoredPairs) -> bytes:
    return b"".join((pairs.a.tobytes(), pairs.b.tobytes(), pairs.score.tobytes()))


def unpacked(payload: bytes) -> ScoredPairs:
    count = len(payload) // 16
    return ScoredPairs(
        np.frombuffer(payload, np.int32, count),
        np.frombuffer(payload, np.int32, count, 4 * count),
        np.frombuffer(payload, np.float64, count, 8 * count),
    )


def remembered_judging(fingerprint: str, cache: BlobStore) -> Remember:
    """The accepted pairs of templates, kept in `cache` under what was asked and `fingerprint`, which names everything
    else that the answer depends on: the judge with what it learnt, the vectors."""

    def look_up_or_judge(parts: Sequence[str], judge: Callable[[], Answer]) -> Answer:
        if len(parts) < WORTH_KEEPING:
            return judge()
        key = judging_key(parts, fingerprint)
        payload = cache.get_many([key]).get(key)
        if payload is not None:
            return _unpacked_judging(payload)
        (pairs, kinds, cosine), uncompared = answer = judge()
        arrays = (pairs.a, pairs.b, pairs.score, kinds, *(() if cosine is None else (cosine,)))
        counts = (number.to_bytes(8, "little") for number in (len(pairs), uncompared))
        cache.put_many({key: b"".join((*counts, *(array.tobytes() for array in arrays)))})
        return answer

    return look_up_or_judge


def judging_key(parts: Sequence[str], fingerprint: str = "") -> str:
    """Under which accepted pairs are kept, by the code that judges."""
    digest = hashlib.blake2b(f"judged {fingerprint} {_code(DECIDING)} {len(parts)}\n".encode(), digest_size=16)
    for part in _text_parts(parts):
        digest.update(part)
    return digest.hexdigest()


def _unpacked_judging(payload: bytes) -> Answer:
    count, uncompared = (int.from_bytes(payload[at : at + 8], "little") for at in (0, 8))
    at = 16 + 16 * count
    pairs = unpacked(payload[16:at])
    kinds = np.frombuffer(payload, np.int8, count, at)
    rest = payload[at + count :]
    cosine = np.frombuffer(rest, np.float64, count) if rest or not count else None
    return (pairs, kinds, cosine), uncompared


JOINING = ("text", "index")
"""The engine's folders with everything that finds pairs."""
DECIDING = ("judging", "text", "detection", "index", "embedding_models")
"""The folders with everything that decides about pairs."""


@once
def _code(folders: tuple[str, ...]) -> str:
    """Of the code in the engine's folders, and of what packs its results."""
    return digest_of(Path(__file__), *(Path(__file__).parents[1] / folder for folder in folders))
