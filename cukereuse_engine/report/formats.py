"""The formats in which `scan` writes a report, a row each. The command line takes its options from this table.

A row imports what its format needs when it is used, so that a command starts quickly.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cukereuse_engine.report.html import PlaceLinks
    from cukereuse_engine.scanning.result import ScanResult


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    """Also the option's, after two dashes."""
    help: str
    """What the option's help says of it."""
    render: "Callable[[ScanResult, PlaceLinks | None], bytes | Iterable[bytes]]"
    """Makes the file's content, whole or in pieces. `links`: the target of each place in an HTML page; None if no page
    is written. Raises as `check`."""
    check: Callable[[], None] = lambda: None
    """Asked before the scan: raises `CukereuseError` if something that the format needs is not installed."""


def _html(result: "ScanResult", links: "PlaceLinks | None") -> bytes:
    from cukereuse_engine.report import html

    return html.render(result, links=links)


def _json(result: "ScanResult", links: "PlaceLinks | None") -> "Iterable[bytes]":
    from cukereuse_engine.report import json_report

    del links
    return json_report.chunks(result)


def _sarif(result: "ScanResult", links: "PlaceLinks | None") -> bytes:
    from cukereuse_engine.report import sarif
    from cukereuse_engine.source_root import source_root

    del links
    return sarif.render(result, source_root(suite.root for suite in result.suites))


def _parquet(result: "ScanResult", links: "PlaceLinks | None") -> bytes:
    from cukereuse_engine.report import parquet

    del links
    return parquet.render(result)


def _check_parquet() -> None:
    from cukereuse_engine.report import parquet

    parquet.check_installed()


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format("html", "HTML report in one file.", _html),
        Format("json", "JSON for programs.", _json),
        Format("sarif", "SARIF 2.1.0 for code scanning.", _sarif),
        Format(
            "parquet",
            "Clusters and their members as a table; needs the extra cukereuse[parquet].",
            _parquet,
            _check_parquet,
        ),
    )
}
"""Rows by name, in the order of the help."""
