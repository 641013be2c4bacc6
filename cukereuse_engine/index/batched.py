"""A cache of answers that are cheaper together than one by one."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Batched(Generic[K, V]):
    def __init__(self, answer: Callable[[Sequence[K]], Sequence[V]], most: int, at_once: int) -> None:
        """`answer` gives the values of at most `at_once` distinct keys; at most `most` values are kept."""
        self._answer, self._most, self._at_once = answer, most, at_once
        self._kept: dict[K, V] = {}

    def get(self, key: K) -> V:
        if key not in (kept := self._kept):
            kept = self._asked([key])
        return kept[key]

    def prepare(self, keys: Iterable[K]) -> None:
        """Answer these keys together, as far as the cache holds them."""
        new = list(islice((key for key in dict.fromkeys(keys) if key not in self._kept), self._most))
        for start in range(0, len(new), self._at_once):
            self._asked(new[start : start + self._at_once])

    def _asked(self, keys: Sequence[K]) -> dict[K, V]:
        answers = dict(zip(keys, self._answer(keys), strict=True))
        if len(self._kept) + len(answers) > self._most:
            self._kept = {}
        self._kept.update(answers)
        return answers
