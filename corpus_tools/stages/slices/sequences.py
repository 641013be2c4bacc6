"""Scenarios as sequences of cluster ids."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from corpus_tools.stages.slices.steps import Numbers, numbered, paired
from corpus_tools.support.spilled import Spilled

LEAST = 2
"""The fewest steps with a cluster of a scenario that counts."""


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSequences:
    """Scenarios, each a sequence of cluster ids. Steps without a cluster are left out, and scenarios of one name in one
    file are one."""

    symbols: Numbers
    """`(steps,)`, one scenario after another."""
    lengths: Numbers
    """`(scenarios,)`"""
    files: Numbers
    """`(scenarios,)`; numbers from 0."""
    repositories: Numbers

    @classmethod
    def of(cls, repository: Numbers, path: Numbers, name: Numbers, cluster: Numbers) -> "ClusterSequences":
        """Steps in order, without those of Backgrounds. Numbers below `1 << 32` stand for repository, path and name of
        the scenario (0: none); cluster is -1 for none. Scenarios are in the order of their first steps."""
        kept = np.flatnonzero((name > 0) & (cluster >= 0))
        file = numbered(paired(repository[kept], path[kept]))
        _, first, scenario = np.unique(paired(file, name[kept]), return_index=True, return_inverse=True)
        lengths = np.bincount(scenario, minlength=len(first))
        long_enough = np.flatnonzero(lengths >= LEAST)
        chosen = long_enough[np.argsort(first[long_enough])]
        place = np.full(len(first), len(chosen))
        place[chosen] = np.arange(len(chosen))
        order = np.argsort(place[scenario], kind="stable")[: lengths[chosen].sum()]
        files = numbered(file[first[chosen]])
        return cls(
            cluster[kept[order]].astype(np.int32),
            lengths[chosen].astype(np.int32),
            files,
            repository[kept[first[chosen]]].astype(np.int32),
        )

    @classmethod
    def joined(cls, parts: "Iterable[ClusterSequences]") -> "ClusterSequences":
        """All of `parts`, which have no file in common."""
        columns = [Spilled(np.int32) for _ in range(4)]
        files = 0
        for part in parts:
            numbers = part.files + np.int32(files)
            files += int(part.files.max(initial=-1)) + 1
            for column, own in zip(columns, (part.symbols, part.lengths, numbers, part.repositories), strict=True):
                column.append(own)
        return cls(*(column.whole() for column in columns))
