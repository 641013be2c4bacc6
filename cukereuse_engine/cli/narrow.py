"""Removes from a scan's result what is not to be reported: known findings, and findings in other files.

The figures of the suite (files, steps, texts) stay those of the whole suite, which is what was compared.
"""

from dataclasses import replace

from cukereuse_engine.scanning.result import ScanResult, SuiteScan
from cukereuse_engine.suppression.baseline import Baseline, new_errors
from cukereuse_engine.suppression.limit import ReportedFiles, limit_clusters, limit_findings


def without_known(result: ScanResult, baseline: Baseline) -> ScanResult:
    """Only findings and unread places that are not in the baseline; the others count as suppressed."""

    def narrowed(suite: SuiteScan) -> SuiteScan:
        new = baseline.new(suite.findings)
        files = new_errors(suite.files, baseline)
        left = {id(error) for file in files for error in file.errors}
        return replace(
            suite,
            files=files,
            findings=new,
            suppressed=suite.suppressed + len(suite.findings) - len(new),
            known_errors=tuple(error for error in suite.errors if id(error) not in left),
        )

    return replace(result, suites=tuple(map(narrowed, result.suites)))


def only_files(result: ScanResult, files: ReportedFiles) -> ScanResult:
    """Findings, clusters and errors of these files."""

    def narrowed(suite: SuiteScan) -> SuiteScan:
        return replace(
            suite,
            files=tuple(file if file.path in files else replace(file, errors=()) for file in suite.files),
            findings=limit_findings(suite.findings, files),
            clusters=limit_clusters(suite.clusters, suite.steps, files),
            glue_errors=tuple(error for error in suite.glue_errors if error.path in files),
            known_errors=tuple(error for error in suite.known_errors if error.path in files),
        )

    comparison = result.comparison
    if comparison is not None:
        limited = ((limit_findings((gone.finding,), files), gone) for gone in comparison.gone)
        kept = tuple(replace(gone, finding=finding) for findings, gone in limited for finding in findings)
        comparison = replace(comparison, gone=kept)
    return replace(result, suites=tuple(map(narrowed, result.suites)), comparison=comparison)
