"""Limits the report to some files: file arguments, or files that changed since a revision.

The whole suite was compared before; this never changes a verdict.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.gherkin.feature import Step

if TYPE_CHECKING:
    from cukereuse_engine.detection.options import Cluster
    from cukereuse_engine.findings.finding import Finding


class ReportedFiles:
    """Some files, and all files in some folders. A path may be asked about in any form that discovery gives."""

    def __init__(self, paths: Iterable[str | Path], folders: Iterable[str | Path] = ()) -> None:
        self._files = frozenset(os.path.realpath(path) for path in paths)
        self._folders = tuple(os.path.realpath(folder).rstrip(os.sep) + os.sep for folder in folders)
        self._asked: dict[str, bool] = {}

    def __contains__(self, path: str) -> bool:
        is_inside = self._asked.get(path)
        if is_inside is None:
            real = os.path.realpath(path)
            is_inside = self._asked[path] = real in self._files or real.startswith(self._folders)
        return is_inside

    def holds_any(self, steps: Iterable[Step]) -> bool:
        return any(step.path in self for step in steps)


def limit_findings(findings: "Iterable[Finding]", files: ReportedFiles) -> "tuple[Finding, ...]":
    """Findings that are due to the files. A finding is limited to the places of its `others` in the files; if there are
    none, it stays if all places of its preferred wording are in them, as that is the new one then."""
    limited = []
    for finding in findings:
        here = finding.within(lambda place, _: place.path in files)
        preferred = finding.preferred.places if finding.preferred is not None else ()
        if here is not None:
            limited.append(here)
        elif preferred and all(place.path in files for place in preferred):
            limited.append(finding)
    return tuple(limited)


def limit_clusters(
    clusters: "Iterable[Cluster]", steps: Mapping[str, tuple[Step, ...]], files: ReportedFiles
) -> "tuple[Cluster, ...]":
    """Clusters with a member in the files; `steps`: identity of a text to its steps."""
    return tuple(
        cluster for cluster in clusters if any(files.holds_any(steps.get(text.identity, ())) for text in cluster.texts)
    )
