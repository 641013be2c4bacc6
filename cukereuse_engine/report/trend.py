"""A trend as JSON, as rows, and as a page with plots.

The same trend gives the same bytes.
"""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import count
from typing import Any

from cukereuse_engine import __version__
from cukereuse_engine.git import Commit
from cukereuse_engine.history.trend import DIVERGENT, TREND_RULES, Point, Trend
from cukereuse_engine.prose import counted, percent
from cukereuse_engine.report.visible import encodable, visible
from cukereuse_engine.rules import RULES

SCHEMA_VERSION = 1
WITHOUT_DEFINITIONS = "A trend is measured without step definitions. A scan reads them, so its findings differ."
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 880, 190, 68, 24, 12
_LISTED = 50


def day(commit: Commit) -> str:
    """ISO date of a commit (UTC)."""
    return _date(commit.time)


def _date(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).date().isoformat()


def document(trend: Trend) -> dict[str, Any]:
    """The JSON report."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "root": encodable(trend.root),
        "every": trend.every.value,
        "model": trend.model,
        "points": [row(point) for point in trend.points],
        "findings": [{"id": id_, "says": encodable(says)} for id_, says in sorted(trend.descriptions.items())],
        "ahead_of_baseline": None
        if trend.ahead is None
        else [
            {
                "rule": finding.rule,
                "id": finding.id,
                "says": encodable(finding.says),
                "since": finding.since.id if finding.since is not None else None,
                "date": day(finding.since) if finding.since is not None else None,
            }
            for finding in trend.ahead
        ],
        "duplicates": [
            {"id": duplicate.id, "wordings": [encodable(text) for text in duplicate.wordings]}
            for duplicate in sorted(trend.duplicates.values(), key=lambda duplicate: duplicate.id)
        ],
    }


def row(point: Point) -> dict[str, Any]:
    """The row of a point: flat, except for lists of ids."""
    return {
        "commit": point.commit.id,
        "date": day(point.commit),
        "tags": list(point.commit.tags),
        "files": point.files,
        "scenarios": point.scenarios,
        "steps": point.steps,
        "texts": point.texts,
        "wordings": point.wordings,
        "repetition": round(point.repetition, 6),
        "unread": point.unread,
        "duplicates": len(point.duplicates),
        "came": sorted(point.came(DIVERGENT)),
        "resolved": sorted(point.resolved(DIVERGENT)),
        "findings": {
            rule: {
                "count": len(ids),
                "came": sorted(point.came(rule)),
                "resolved": sorted(point.resolved(rule)),
            }
            for rule, ids in point.findings.items()
        },
    }


def _flat(point: Point) -> dict[str, Any]:
    """A row of a table, with a column for each count of each rule."""
    flat = row(point)
    for rule, its in flat.pop("findings").items():
        name = rule.replace("-", "_")
        flat |= {name: its["count"], f"{name}_came": len(its["came"]), f"{name}_resolved": len(its["resolved"])}
    return flat


def parquet(trend: Trend) -> bytes:
    """The points as a Parquet file. Raises `CukereuseError` if pyarrow is not installed."""
    import io

    from cukereuse_engine.report.parquet import check_installed

    check_installed()
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([_flat(point) for point in trend.points], _schema(pa)), buffer)
    return buffer.getvalue()


def _schema(pa: Any) -> Any:
    counts = ("files", "scenarios", "steps", "texts", "wordings", "unread", "duplicates")
    texts = pa.list_(pa.string())
    fields = {"commit": pa.string(), "date": pa.string(), "tags": texts, **dict.fromkeys(counts, pa.int64())}
    fields |= {"repetition": pa.float64(), "came": texts, "resolved": texts}
    for rule in TREND_RULES:
        fields |= {f"{rule.replace('-', '_')}{suffix}": pa.int64() for suffix in ("", "_came", "_resolved")}
    return pa.schema(list(fields.items()))


def page(trend: Trend) -> bytes:
    """A page without scripts: a plot for each figure, and the latest appeared and resolved findings."""
    name = visible(encodable(trend.root.replace("\\", "/").rstrip("/").rpartition("/")[2] or trend.root))
    plots = _findings(trend.points) + "".join(_plot(trend.points, *wanted) for wanted in _PLOTS)
    compared = f"wording and meaning ({trend.model})" if trend.model else "wording only"
    first, last = (day(trend.points[0].commit), day(trend.points[-1].commit)) if trend.points else ("", "")
    span = f"from {first} to {last}" if first != last else f"on {first}"
    said = f"{counted(len(trend.points), 'point')} {span}. Compared by {compared}. {WITHOUT_DEFINITIONS}"
    head = f"<h1>{escape(name)}</h1><p>{said}</p>"
    body = head + plots + _ahead(trend) + _changes(trend) if trend.points else "<p>The history has no commits.</p>"
    return (
        "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{escape(name)}: trend</title><style>{_STYLE}</style><main>{body}</main></html>"
    ).encode()


_STYLE = (
    ":root{color-scheme:light dark;--line:#2563eb;--grid:#8884;--soft:#6b7280}"
    "@media(prefers-color-scheme:dark){:root{--line:#60a5fa;--soft:#9ca3af}}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:920px;margin:2rem auto;padding:0 1rem}"
    "h1{margin:0}h2{font-size:1rem;margin:1.6rem 0 .2rem}svg{width:100%;height:auto;display:block;overflow:visible}"
    "text{font-size:11px;fill:var(--soft)}@media(max-width:640px){text{font-size:16px}}"
    "@media(max-width:440px){text{font-size:22px}}"
    ".line{fill:none;stroke:var(--line);stroke-width:1.8;stroke-linejoin:round}"
    ".legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin:.3rem 0}"
    "code{color:var(--soft)}.legend li::before{content:'';display:inline-block;width:1.1rem;height:3px;"
    "margin-right:.5rem;vertical-align:middle;"
    "background:var(--rule)}.rule0{--rule:var(--line)}.rule1{--rule:#d97706}.rule2{--rule:#059669}.rule3{--rule:#9333ea}"
    "polyline[class*=rule]{stroke:var(--rule)}.dot{fill:var(--line)}.dot[class*=rule]{fill:var(--rule)}"
    ".area{fill:var(--line);opacity:.12}.grid{stroke:var(--grid)}.now{color:var(--soft);font-weight:400}"
    "ul{padding-left:1.1rem}li{margin:.3rem 0}time{color:var(--soft);margin-right:.6rem}"
    ".came::before{content:'+ ';color:#dc2626}.resolved::before{content:'\\2212  ';color:#16a34a}"
)

_Figure = tuple[str, Callable[[Point], float], Callable[[float], str]]
_PLOTS: tuple[_Figure, ...] = (
    ("Distinct wordings", lambda point: point.wordings, "{:,.0f}".format),
    ("Steps", lambda point: point.steps, "{:,.0f}".format),
    ("Steps that repeat a text", lambda point: point.repetition, percent),
)


def _plot(points: Sequence[Point], title: str, value: Callable[[Point], float], shown: Callable[[float], str]) -> str:
    values = [float(value(point)) for point in points]
    frame = _Frame(points, max(values), shown)
    line = frame.line(values)
    area = f"{frame.at(0, 0)} {line} {frame.at(len(points) - 1, 0)}"
    return (
        f"<h2>{title} <span class=now>{shown(values[-1])} now</span></h2>"
        f"{frame.svg(title, f'<polygon class=area points={chr(39)}{area}{chr(39)} />' + frame.polyline(line))}"
    )


def _findings(points: Sequence[Point]) -> str:
    """All rules in one plot, each with its line."""
    counts = {rule: [float(len(point.findings[rule])) for point in points] for rule in TREND_RULES}
    frame = _Frame(points, max(max(values) for values in counts.values()), "{:,.0f}".format)
    legend = "".join(
        f"<li class=rule{number}>{RULES[rule].title} <code>{rule}</code>: <b>{counts[rule][-1]:,.0f}</b></li>"
        for number, rule in enumerate(TREND_RULES)
    )
    lines = "".join(
        frame.polyline(frame.line(counts[rule]), f" rule{number}") for number, rule in enumerate(TREND_RULES)
    )
    return f"<h2>Findings by rule</h2><ul class=legend>{legend}</ul>{frame.svg('Findings by rule', lines)}"


class _Frame:
    """A plot over time: its places, grid and dates."""

    def __init__(self, points: Sequence[Point], largest: float, shown: Callable[[float], str]) -> None:
        self._points, self._shown = points, shown
        self._lines = _SHARES if shown is percent else _round_numbers(largest)
        self._top = self._lines[-1]
        times = [point.commit.time for point in points]  # not always in order: clocks differ
        self._begin, self._span = min(times), max(max(times) - min(times), 1)

    def at(self, number: int, height: float) -> str:
        share = (self._points[number].commit.time - self._begin) / self._span
        return f"{self._x(share):.1f},{self._y(height):.1f}"

    def _x(self, share: float) -> float:
        return _LEFT + share * (_WIDTH - _LEFT - 8)

    def _y(self, height: float) -> float:
        return _TOP + (1 - height / self._top) * (_HEIGHT - _TOP - _BOTTOM)

    def line(self, values: Sequence[float]) -> str:
        return " ".join(self.at(number, value) for number, value in enumerate(values))

    def polyline(self, line: str, kind: str = "") -> str:
        """With a dot at its end, which is all of a history with one point."""
        x, y = line.rpartition(" ")[2].split(",")
        return f"<polyline class='line{kind}' points='{line}' /><circle class='dot{kind}' cx={x} cy={y} r=2.5 />"

    def svg(self, title: str, lines: str) -> str:
        return (
            f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role=img aria-label='{title} over time'>{self._grid()}{lines}</svg>"
        )

    def _grid(self) -> str:
        grid = ""
        for height in self._lines:
            y = self._y(height)
            grid += f"<line class=grid x1={_LEFT} x2={_WIDTH - 8} y1={y:.1f} y2={y:.1f} />"
            grid += f"<text x={_LEFT - 6} y={y + 4:.1f} text-anchor=end>{self._shown(height)}</text>"
        days = {_date(self._begin + share * self._span): (share, anchor) for share, anchor in _DATES}
        for shown, (share, anchor) in days.items():
            grid += f"<text x={self._x(share):.1f} y={_HEIGHT - 6} text-anchor={anchor}>{shown}</text>"
        return grid


_DATES = ((1.0, "end"), (0.5, "middle"), (0.0, "start"))
"""Where a plot shows a date; of equal dates the last one here stays."""
_SHARES = (0.0, 0.5, 1.0)


def _round_numbers(largest: float) -> tuple[float, ...]:
    """Two to five numbers from 0 to `largest` or a little more, with steps of 1, 2 or 5 and zeros."""
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if 4 * step >= largest)
    return tuple(float(number * step) for number in range(max(math.ceil(largest / step), 1) + 1))


def _readable(text: str) -> str:
    """Escaped for HTML, with invisible characters written out."""
    return escape(visible(encodable(text)))


def _ahead(trend: Trend) -> str:
    """The findings that the baseline does not contain, the oldest first."""
    if trend.ahead is None:
        return ""
    if not trend.ahead:
        return "<h2>Ahead of the baseline</h2><p>The baseline contains all current findings.</p>"
    rows = [
        f"<li>{_time(finding.since)}<code>{finding.rule}</code> {_readable(finding.says)}{_since(finding.since)}</li>"
        for finding in trend.ahead
    ]
    more = f"<p>… and {len(rows) - _LISTED:,} more.</p>" if len(rows) > _LISTED else ""
    return f"<h2>Ahead of the baseline: {len(rows):,}</h2><ul>{''.join(rows[:_LISTED])}</ul>{more}"


def _time(commit: Commit | None) -> str:
    return f"<time>{day(commit)}</time>" if commit is not None else ""


def _since(commit: Commit | None) -> str:
    if commit is None:
        return ""
    return f" <span class=now>since {escape(commit.id[:10])} {_readable(commit.subject)}</span>"


def _changes(trend: Trend) -> str:
    """The findings that appeared or were resolved, the latest first."""
    rows: list[str] = []
    for point in reversed(trend.points[1:]):
        for rule in TREND_RULES:
            for kind, ids in (("came", point.came(rule)), ("resolved", point.resolved(rule))):
                for id_ in sorted(ids):
                    message = _readable(trend.descriptions[id_])
                    rows.append(f"<li class={kind}><time>{day(point.commit)}</time><code>{rule}</code> {message}</li>")
    if not rows:
        return ""
    more = f"<p>… and {len(rows) - _LISTED:,} earlier changes.</p>" if len(rows) > _LISTED else ""
    return f"<h2>Findings that appeared (+) and disappeared (−)</h2><ul>{''.join(rows[:_LISTED])}</ul>{more}"
