"""Searches beyond 1,000 results: a query with more is split into halves of a range until each fits.

Repositories are split by stars, then by the date of creation; code is split by file size.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from corpus_tools.stages.discover.client import Answer, GitHub
from cukereuse_engine.progress import Stage

CAP = 1_000
"""The number of results that GitHub gives for a query."""
PAGE = 100
MOST_STARS = 1_000_000
LARGEST_FILE = 384 * 1024
"""Size in bytes above which GitHub's code search leaves out a file."""
FIRST_DAY = date(2007, 10, 1)
"""A day before the first repository."""


@dataclass(frozen=True, slots=True)
class Range:
    """A qualifier with bounds, both inclusive."""

    qualifier: str
    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.qualifier}:{self.low}..{self.high}"

    def halves(self) -> "tuple[Range, Range] | None":
        """Two halves; None if the range has one value only."""
        if self.low == self.high:
            return None
        middle = (self.low + self.high) // 2
        return Range(self.qualifier, self.low, middle), Range(self.qualifier, middle + 1, self.high)


@dataclass(frozen=True, slots=True)
class Days(Range):
    """Bounds are days since `FIRST_DAY`."""

    def __str__(self) -> str:
        low, high = (FIRST_DAY + timedelta(days=day) for day in (self.low, self.high))
        return f"{self.qualifier}:{low.isoformat()}..{high.isoformat()}"

    def halves(self) -> "tuple[Range, Range] | None":
        parts = Range.halves(self)
        return None if parts is None else (
            Days(self.qualifier, parts[0].low, parts[0].high), Days(self.qualifier, parts[1].low, parts[1].high)
        )  # fmt: skip


class Search:
    """Runs searches, and counts the results that GitHub does not give."""

    def __init__(self, github: GitHub, stage: Stage) -> None:
        self._github = github
        self._stage = stage
        self.beyond_cap = 0
        """Results of queries that can't be split further."""

    def repositories(self, words: str, *, low_stars: int, until: date) -> Iterator[Answer]:
        """Every repository for `words` with at least `low_stars`, created until `until`."""
        days = Days("created", 0, (until - FIRST_DAY).days)
        yield from self._all("/search/repositories", words, [Range("stars", low_stars, MOST_STARS), days])

    def code(self, words: str) -> Iterator[Answer]:
        """Every file for `words`."""
        yield from self._all("/search/code", words, [Range("size", 0, LARGEST_FILE)])

    def _all(self, path: str, words: str, ranges: list[Range]) -> Iterator[Answer]:
        query = f"{words} {ranges[0]}"
        first = self._page(path, query, 1)
        total = int(first.get("total_count") or 0)
        if total <= CAP:
            yield from self._pages(path, query, first, total)
            return
        halves = ranges[0].halves()
        if halves is not None:
            for half in halves:
                yield from self._all(path, words, [half, *ranges[1:]])
        elif len(ranges) > 1:
            yield from self._all(path, query, ranges[1:])
        else:
            self.beyond_cap += total - CAP
            yield from self._pages(path, query, first, CAP)

    def _pages(self, path: str, query: str, first: Answer, total: int) -> Iterator[Answer]:
        page, answer, seen = 1, first, 0
        while items := answer.get("items") or []:
            yield from items
            seen += len(items)
            if seen >= total or page * PAGE >= CAP:
                return
            page += 1
            answer = self._page(path, query, page)

    def _page(self, path: str, query: str, page: int) -> Answer:
        answer = self._github.get(path, {"q": query, "per_page": PAGE, "page": page})
        self._stage.advance()
        return answer or {}
