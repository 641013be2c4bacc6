"""All repositories on one page."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from corpus_tools.pages.page import render as render_page
from corpus_tools.pages.page import shortened
from cukereuse_engine.prose import counted
from cukereuse_engine.report.visible import visible
from cukereuse_engine.rules import RULES

_LONGEST = 240
"""The code points of a message that are shown."""


def render(rows: Sequence[Mapping[str, Any]], model: str | None) -> bytes:
    """UTF-8. `rows`: those of `stages.dashboard.COLUMNS`."""
    steps = sum(row["steps"] for row in rows)
    findings = sum(row[level] for row in rows for level in ("warnings", "information", "hints"))
    compared = "by wording and by meaning" if model else "by wording only"
    lede = (
        f"{counted(len(rows), 'repository')}, {counted(steps, 'step')}, {counted(findings, 'finding')}. "
        f"Compared {compared}, each suite separately. The line shows intents with several "
        "wordings by month, if the history is on this disk."
    )
    titles = {rule.id: rule.title for rule in RULES.values()}
    return render_page(
        "Suites at a glance", lede, {"rules": titles, "rows": [_row(row) for row in rows]}, "dashboard.js"
    )


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    plain = (
        "suites",
        "files",
        "steps",
        "texts",
        "wordings",
        "definitions",
        "unread",
        "warnings",
        "information",
        "hints",
    )
    worst = [[visible(path), count] for path, count in json.loads(row["worst_files"])]
    messages = [shortened(message, _LONGEST) for message in json.loads(row["first_findings"])]
    return {
        "repo": visible(row["repo"]),
        **{name: row[name] for name in plain},
        "repetition": round(row["repetition"], 4),
        "findings": json.loads(row["findings"]),
        "worst": worst,
        "first": messages,
        "trend": json.loads(row["trend"]),
    }
