"""The report formats of `scan`, one row each. The option and its dispatch follow from the row."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.outputs import Command, report_option

if TYPE_CHECKING:
    from cukereuse_engine.report.html import PlaceLinks
    from cukereuse_engine.scanning.result import ScanResult


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    """Name of the option, without dashes."""
    help: str
    render: "Callable[[ScanResult, PlaceLinks | None], bytes | Iterable[bytes]]"
    """Makes the file's content, whole or in pieces. `links`: the target of each place in an HTML page; None if no page
    is written. Imports what the format needs. Raises `CukereuseError` if that is not installed."""


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


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        Format("html", "HTML report in one file.", _html),
        Format("json", "JSON for programs.", _json),
        Format("sarif", "SARIF 2.1.0 for code scanning.", _sarif),
        Format("parquet", "Clusters and their members as a table; needs the extra cukereuse[parquet].", _parquet),
    )
}
"""Rows by name, in the order of the help."""


def format_options(command: Command) -> Command:
    """An option for each format, and the options that only one format has."""
    links = click.option(
        "--html-links",
        metavar="TEMPLATE",
        default="",
        help="URL template for the links of the HTML report, with {path}, {absolute}, {line} and {column}.",
    )
    command = links(command)
    for row in reversed(FORMATS.values()):
        command = report_option(row.name, row.help)(command)
    return command


def taken_from(options: dict[str, Any]) -> dict[str, str | None]:
    """Maps formats to the requested files, and removes these options from the command's options."""
    return {name: options.pop(f"{name}_file") for name in FORMATS}
