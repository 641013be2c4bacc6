"""Assembles the page. Reads its own package data and nothing else."""

import base64
import gzip
import hashlib
import os
import re
from functools import cache
from html import escape
from importlib import resources
from pathlib import PurePath

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.prose import percent
from cukereuse_engine.report.headline import headline
from cukereuse_engine.report.html.data import build
from cukereuse_engine.report.html.links import PlaceLinks
from cukereuse_engine.report.summary import Summary, summarise_result
from cukereuse_engine.report.visible import encodable, visible
from cukereuse_engine.scanning.result import ScanResult

SCRIPTS = (
    *("dom.js", "text.js", "store.js", "places.js"),
    *("findings.js", "clusters.js", "charts.js", "blocks.js", "main.js"),
)
"""In this order, as one module."""


_AFTER_NUMBER = re.compile(r"(?<=\d) (?=\w)")
"""A line does not end between a number and its noun."""


@cache
def _asset(name: str) -> str:
    return (resources.files("cukereuse_engine.report.html") / name).read_text(encoding="utf-8")


def render(result: ScanResult, *, links: PlaceLinks | None = None, title: str = "") -> bytes:
    """The page as UTF-8; `title` is the folder's name unless given. The same scan gives the same bytes."""
    name = visible(encodable(title or _name(result)))
    # Compressed data is a fifth of the size, and no step text can be taken for markup.
    data = base64.b64encode(gzip.compress(msgspec.json.encode(build(result, links or PlaceLinks())), 4, mtime=0))
    script = "\n".join(_asset(script) for script in SCRIPTS)
    style = _asset("style.css")
    figures = summarise_result(result)
    parts = {
        "policy": (
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
            "base-uri 'none'; form-action 'none'"
        ),
        "title": escape(name),
        "version": escape(__version__),
        "headline": _AFTER_NUMBER.sub("\N{NO-BREAK SPACE}", escape(visible(headline(result).title))),
        "figures": _figures(figures),
        "style": style,
        "script": script,
        "data": data.decode("ascii"),
    }
    page: list[str] = []
    for position, part in enumerate(_asset("page.html").split("%%")):
        page.append(parts[part] if position % 2 else part)
    return "".join(page).encode("utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _name(result: ScanResult) -> str:
    if len(result.suites) == 1:
        root = result.suites[0].root
        return PurePath(os.path.abspath(root)).name or root  # noqa: PTH100 - a link keeps its name
    return f"{len(result.suites)} suites"


def _figures(figures: Summary) -> str:
    shown = [
        ("Feature files", f"{figures.feature_files:,}", ""),
        ("Steps", f"{figures.steps:,}", ""),
        ("Different texts", f"{figures.unique_step_texts:,}", ""),
        (
            "Steps that repeat a text",
            percent(figures.exact_duplication_rate),
            f"{figures.eliminable_steps:,} of {figures.steps:,}",
        ),
        (
            "Not read",
            f"{figures.parse_errors:,}",
            f"{figures.known_errors:,} more in the baseline" if figures.known_errors else "",
        ),
    ]
    return "".join(
        f"<div><dt>{label}</dt><dd>{value}</dd>{f'<dd class=hint>{hint}</dd>' if hint else ''}</div>"
        for label, value, hint in shown
    )
