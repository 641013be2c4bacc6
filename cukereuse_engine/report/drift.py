"""Drift as JSON, and as a page that shows both sides.

The same survey gives the same bytes.
"""

from html import escape
from typing import Any

from cukereuse_engine import __version__
from cukereuse_engine.history.drift import Drift, DriftKind, DriftSide
from cukereuse_engine.history.survey import DriftFinding, Survey
from cukereuse_engine.prose import counted
from cukereuse_engine.report.code_pieces import pieces, tokens
from cukereuse_engine.report.trend import day
from cukereuse_engine.report.visible import encodable, visible

SCHEMA_VERSION = 1
LABELS = {
    DriftKind.COPY: ("stayed", "changed"),
    DriftKind.HOLLOW: ("before", "now"),
    DriftKind.IGNORED: ("before", "now"),
    DriftKind.OTHER: ("before", "now"),
    DriftKind.PLACES: ("here", "there"),
}
"""Headings of the two sides, for each kind."""


def sentence(drift: Drift) -> str:
    """A sentence for people."""
    left, right = (visible(encodable(side.version.state.expression)) for side in drift.sides)
    match drift.kind:
        case DriftKind.COPY:
            return f"“{right}” was changed; “{left}”, which did the same, was not"
        case DriftKind.HOLLOW if not drift.sides[1].version.state.form:
            return f"“{right}” no longer does anything"
        case DriftKind.HOLLOW if drift.sides[1].version.state.only_pauses:
            return f"“{right}” only waits now"
        case DriftKind.HOLLOW if not drift.sides[1].version.state.may_check:
            return f"“{right}” no longer checks anything"
        case DriftKind.HOLLOW:
            return f"“{right}” no longer checks all that it did"
        case DriftKind.IGNORED:
            return f"“{right}” no longer uses its argument “{drift.argument}”"
        case DriftKind.OTHER:
            return f"“{right}” does something other than its wording says"
        case DriftKind.PLACES:
            return f"“{right}” is defined in several places that do nearly the same"


def place(side: DriftSide, repositories: int) -> str:
    """The place of a side, with its repository if there are several."""
    where = f"{encodable(side.version.path)}:{side.version.state.line}"
    return f"{side.repository}: {where}" if repositories > 1 else where


def document(survey: Survey) -> dict[str, Any]:
    """The JSON report."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "repositories": [encodable(name) for name in survey.repositories],
        "definitions": survey.definitions,
        "commits": survey.commits,
        "findings": [_finding(finding) for finding in survey.findings],
    }


def _finding(finding: DriftFinding) -> dict[str, Any]:
    drift = finding.drift
    commit = drift.commit
    return {
        "id": drift.id,
        "kind": drift.kind.value,
        "message": sentence(drift),
        "worth": round(drift.worth, 3),
        "commit": None
        if commit is None
        else {"id": commit.id, "date": day(commit), "subject": encodable(commit.subject)},
        "sides": [
            {"role": role, **_side(side), "code": encodable(code)}
            for role, side, code in zip(LABELS[drift.kind], drift.sides, finding.code, strict=True)
        ],
        "also": [_side(side) for side in drift.also],
    }


def _side(side: DriftSide) -> dict[str, Any]:
    version = side.version
    return {
        "repository": encodable(side.repository),
        "path": encodable(version.path),
        "line": version.state.line,
        "expression": encodable(version.state.expression),
        "since": version.commit.id,
        "steps": side.uses.steps,
        "files": side.uses.files,
        "text": encodable(side.uses.text),
    }


def page(survey: Survey) -> bytes:
    """A page without scripts: both sides of each finding, side by side, with their differences marked."""
    several = len(survey.repositories)
    names = escape(", ".join(visible(encodable(name)) for name in survey.repositories))
    head = (
        f"<h1>Drift in {names}</h1><p>{counted(len(survey.findings), 'finding')} in "
        f"{counted(survey.definitions, 'step definition')} and {counted(survey.commits, 'commit')} "
        "that changed them.</p>"
    )
    body = head + "".join(_article(finding, several) for finding in survey.findings)
    return (
        "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>Drift in {names}</title><style>{_STYLE}</style><main>{body}</main></html>"
    ).encode()


_STYLE = (
    ":root{color-scheme:light dark;--soft:#6b7280;--box:#8883;--mark:#fde68a;--ink:#111}"
    "@media(prefers-color-scheme:dark){:root{--soft:#9ca3af;--mark:#854d0e;--ink:#fff}}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:1280px;margin:2rem auto;padding:0 1rem}"
    "article{border-top:1px solid var(--box);padding:1rem 0}h1{margin:0}h2{font-size:1rem;margin:0}"
    "p,ul,h3{margin:.3rem 0;color:var(--soft);font-size:.85rem;font-weight:400}"
    ".sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem}"
    "pre{font:12px/1.5 ui-monospace,monospace;overflow:auto;background:var(--box);padding:.6rem;border-radius:6px;"
    "margin:0}mark{background:var(--mark);color:var(--ink)}"
)


def _article(finding: DriftFinding, repositories: int) -> str:
    drift = finding.drift
    commit = drift.commit
    when = ""
    if commit is not None:
        when = f"<p>{day(commit)} <code>{commit.id[:10]}</code> {escape(visible(encodable(commit.subject)))}</p>"
    mine, theirs = (tokens(code) for code in finding.code)
    sides = "".join(
        f"<section><h3>{role}: {escape(visible(place(side, repositories)))}, {_steps(side)}</h3>"
        f"<pre>{_marked(pieces(code, other))}</pre></section>"
        for role, side, code, other in zip(LABELS[drift.kind], drift.sides, (mine, theirs), (theirs, mine), strict=True)
    )
    also = "".join(f"<li>{escape(visible(place(side, repositories)))}</li>" for side in drift.also)
    title = escape(sentence(drift))
    more = f"<p>Also:</p><ul>{also}</ul>" if also else ""
    return f"<article id={drift.id}><h2>{title}</h2>{when}<div class=sides>{sides}</div>{more}</article>"


def _steps(side: DriftSide) -> str:
    return f"{side.uses.steps:,} {'step' if side.uses.steps == 1 else 'steps'}"


def _marked(parts: list[Any]) -> str:
    texts, marks = parts[::2], parts[1::2]
    return "".join(
        f"<mark>{escape(text)}</mark>" if marked else escape(text) for text, marked in zip(texts, marks, strict=True)
    )
