from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT
from cukereuse_engine.scanning.join_cache import DECIDING, WORTH_KEEPING, remembered, remembered_judging
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore

TEXTS = [f"I see {word} number {i}" for i in range(WORTH_KEEPING) for word in ("the cart", "a cart")]
BAGS = [frozenset(text.split()) for text in TEXTS]
VECTORS = np.eye(WORTH_KEEPING, 8, dtype=np.float32) + 0.5


class Counting:
    """`LOCAL`, counting its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.joins = Joins(**{name: self._counted(name) for name in ("lexical", "vector", "words")})

    def _counted(self, name: str) -> Any:
        def join(*arguments: Any) -> ScoredPairs:
            self.calls.append(name)
            return getattr(LOCAL, name)(*arguments)

        return join


def rows(pairs: ScoredPairs) -> list[tuple[int, int, float]]:
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.score.tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "texts", "others", "threshold"),
    [
        ("lexical", TEXTS, [*TEXTS[:-1], "another text"], 0.9),
        ("words", BAGS, [*BAGS[:-1], frozenset({"another", "text"})], 0.7),
        ("vector", VECTORS, VECTORS + np.float32(0.25), 0.9),
    ],
)
def test_a_join_is_computed_once(
    name: str, texts: Sequence[Any], others: Sequence[Any], threshold: float, tmp_path: Path
) -> None:
    counting = Counting()
    expected = rows(getattr(LOCAL, name)(texts, threshold, SILENT))
    assert expected
    for _ in range(2):
        join = getattr(remembered(counting.joins, BlobStore(tmp_path / "joins.sqlite")), name)
        assert rows(join(texts, threshold, SILENT)) == expected
    assert counting.calls == [name]
    join(others, threshold, SILENT)
    join(texts, 0.95, SILENT)
    assert counting.calls == [name] * 3


def test_few_texts_are_not_kept(tmp_path: Path) -> None:
    counting = Counting()
    join = remembered(counting.joins, BlobStore(tmp_path / "joins.sqlite")).lexical
    for _ in range(2):
        join(["a", "a b"], 0.5, SILENT)
    assert counting.calls == ["lexical"] * 2


def test_a_damaged_result_is_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "joins.sqlite"
    counting = Counting()
    expected = rows(remembered(counting.joins, BlobStore(path)).lexical(TEXTS, 0.9, SILENT))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :: 64] = b"\x55" * len(content[len(content) // 2 :: 64])
    path.write_bytes(content)
    assert rows(remembered(counting.joins, BlobStore(path)).lexical(TEXTS, 0.9, SILENT)) == expected
    assert counting.calls == ["lexical"] * 2


def test_a_judging_is_computed_once_for_each_fingerprint(tmp_path: Path) -> None:
    asked = [f"I see cart {i}" for i in range(WORTH_KEEPING)]
    pairs = ScoredPairs(np.array([0, 1], np.int32), np.array([2, 3], np.int32), np.array([0.8, 0.95]))
    kinds, calls = np.array([2, 3], np.int8), []
    for cosine in (None, np.array([0.5, np.nan])):
        for _ in range(2):
            remember = remembered_judging(f"judge {cosine is None}", BlobStore(tmp_path / "joins.sqlite"))
            answer = remember(asked, lambda c=cosine: (calls.append(c), ((pairs, kinds, c), 7))[1])
            (joined, found_kinds, found_cosine), uncompared = answer
            assert uncompared == 7
            assert rows(joined) == rows(pairs)
            assert found_kinds.tolist() == [2, 3]
            np.testing.assert_array_equal(found_cosine, cosine)
    assert len(calls) == 2
    remember = remembered_judging("judge True", BlobStore(tmp_path / "joins.sqlite"))
    remember([*asked, "more"], lambda: (calls.append(0), ((pairs, kinds, None), 0))[1])
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("judging/intent.npz", True),
        ("judging/parameters.npz", True),
        ("text/languages/en.toml", True),
        ("detection/objections.py", True),
        ("glue/binding.py", False),
        ("judging/__pycache__/intent.cpython-311.pyc", False),
    ],
)
def test_a_judging_is_asked_anew_where_code_or_data_are_others(name: str, counts: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    digests = []
    for content in ("one", "other"):
        path.write_text(content, "utf-8")
        digests.append(digest_of(*(tmp_path / folder for folder in DECIDING)))
    assert (digests[0] != digests[1]) is counts
