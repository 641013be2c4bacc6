"""Chooses the commits that represent a history."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from cukereuse_engine.git import Commit


class Every(StrEnum):
    COMMIT = "commit"
    WEEK = "week"
    MONTH = "month"
    TAG = "tag"


def sampled(commits: Sequence[Commit], every: Every) -> list[Commit]:
    """The last commit of each week (ISO) or month, those with a tag, or all; the newest in any case. Oldest first."""
    if every is Every.COMMIT or not commits:
        return list(commits)
    if every is Every.TAG:
        return [commit for commit in commits if commit.tags or commit is commits[-1]]
    period: Callable[[Commit], object] = _week if every is Every.WEEK else _month
    return [
        commit
        for commit, following in zip(commits, [*commits[1:], None], strict=True)
        if following is None or period(following) != period(commit)
    ]


def _week(commit: Commit) -> tuple[int, int]:
    year, week, _ = datetime.fromtimestamp(commit.time, UTC).isocalendar()
    return year, week


def _month(commit: Commit) -> tuple[int, int]:
    day = datetime.fromtimestamp(commit.time, UTC)
    return day.year, day.month
