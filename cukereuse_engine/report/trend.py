"""A trend as JSON, as rows, and as a page with plots. The same trend gives the same bytes."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.git import Commit
from cukereuse_engine.history.trend import Point, Trend
from cukereuse_engine.report.visible import encodable, visible

SCHEMA_VERSION = 1
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 880, 190, 56, 24, 12
_LISTED = 50


def day(commit: Commit) -> str:
    """ISO date of a commit (UTC)."""
    return datetime.fromtimestamp(commit.time, UTC).date().isoformat()


def document(trend: Trend) -> dict[str, Any]:
    """The JSON report."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "root": encodable(trend.root),
        "every": trend.every.value,
        "model": trend.model,
        "points": [row(point) for point in trend.points],
        "duplicates": [
            {"id": duplicate.id, "wordings": [encodable(text) for text in duplicate.wordings]}
            for duplicate in sorted(trend.duplicates.values(), key=lambda duplicate: duplicate.id)
        ],
    }


def row(point: Point) -> dict[str, Any]:
    """One point: flat but for lists of ids."""
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
        "came": sorted(point.came),
        "resolved": sorted(point.resolved),
    }


def parquet(trend: Trend) -> bytes:
    """The points as a Parquet file. Raises `CukereuseError` where pyarrow is not installed."""
    import io

    from cukereuse_engine.errors import CukereuseError

    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        message = "Parquet needs pyarrow, which is not installed."
        raise CukereuseError(message, "Install it with `pip install 'cukereuse[parquet]'`.") from None
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row(point) for point in trend.points], _schema(pa)), buffer)
    return buffer.getvalue()


def _schema(pa: Any) -> Any:
    counts = ("files", "scenarios", "steps", "texts", "wordings", "unread", "duplicates")
    texts = pa.list_(pa.string())
    fields = {"commit": pa.string(), "date": pa.string(), "tags": texts, **dict.fromkeys(counts, pa.int64())}
    fields |= {"repetition": pa.float64(), "came": texts, "resolved": texts}
    return pa.schema(list(fields.items()))


def page(trend: Trend) -> bytes:
    """A page without scripts: a plot for each figure, and what came and was resolved last."""
    name = visible(encodable(trend.root.replace("\\", "/").rstrip("/").rpartition("/")[2] or trend.root))
    plots = "".join(_plot(trend.points, *wanted) for wanted in _PLOTS)
    compared = f"wording and meaning ({trend.model})" if trend.model else "wording only"
    first, last = (day(trend.points[0].commit), day(trend.points[-1].commit)) if trend.points else ("", "")
    head = f"<h1>{escape(name)}</h1><p>{len(trend.points):,} points from {first} to {last}. Compared by {compared}.</p>"
    body = head + plots + _changes(trend) if trend.points else "<p>The history has no commits.</p>"
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
    "h1{margin:0}h2{font-size:1rem;margin:1.6rem 0 .2rem}svg{width:100%;height:auto;display:block}"
    "text{font-size:11px;fill:var(--soft)}.line{fill:none;stroke:var(--line);stroke-width:1.8;stroke-linejoin:round}"
    ".area{fill:var(--line);opacity:.12}.grid{stroke:var(--grid)}.now{color:var(--soft);font-weight:400}"
    "ul{padding-left:1.1rem}li{margin:.3rem 0}time{color:var(--soft);margin-right:.6rem}"
    ".came::before{content:'+ ';color:#dc2626}.resolved::before{content:'\\2212 ';color:#16a34a}"
)

_Figure = tuple[str, Callable[[Point], float], Callable[[float], str]]
_PLOTS: tuple[_Figure, ...] = (
    ("Intents with several wordings", lambda point: len(point.duplicates), "{:,.0f}".format),
    ("Distinct wordings", lambda point: point.wordings, "{:,.0f}".format),
    ("Steps", lambda point: point.steps, "{:,.0f}".format),
    ("Steps that repeat a text", lambda point: point.repetition, "{:.0%}".format),
)


def _plot(points: Sequence[Point], title: str, value: Callable[[Point], float], shown: Callable[[float], str]) -> str:
    values = [float(value(point)) for point in points]
    times = [point.commit.time for point in points]
    top = max(values) or 1.0
    begin, span = times[0], max(times[-1] - times[0], 1)

    def at(time: int, height: float) -> str:
        x = _LEFT + (time - begin) / span * (_WIDTH - _LEFT - 8)
        y = _TOP + (1 - height / top) * (_HEIGHT - _TOP - _BOTTOM)
        return f"{x:.1f},{y:.1f}"

    line = " ".join(map(at, times, values))
    floor = _HEIGHT - _BOTTOM
    grid = ""
    for share in (0.0, 1.0) if top == 1 and shown(0.5) != "50%" else (0.0, 0.5, 1.0):  # no half intents
        y = _TOP + (1 - share) * (floor - _TOP)
        grid += f"<line class=grid x1={_LEFT} x2={_WIDTH - 8} y1={y:.1f} y2={y:.1f} />"
        grid += f"<text x={_LEFT - 6} y={y + 4:.1f} text-anchor=end>{shown(top * share)}</text>"
    for number, anchor in ((0, "start"), (len(points) // 2, "middle"), (-1, "end")):
        x = at(times[number], 0).partition(",")[0]
        grid += f"<text x={x} y={_HEIGHT - 6} text-anchor={anchor}>{day(points[number].commit)}</text>"
    area = f"{at(times[0], 0)} {line} {at(times[-1], 0)}"
    return (
        f"<h2>{title} <span class=now>{shown(values[-1])} now</span></h2>"
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role=img aria-label='{title} over time'>{grid}"
        f"<polygon class=area points='{area}' /><polyline class=line points='{line}' /></svg>"
    )


def _changes(trend: Trend) -> str:
    """What came and was resolved, the latest first."""
    rows: list[str] = []
    for point in reversed(trend.points[1:]):
        for kind, ids in (("came", point.came), ("resolved", point.resolved)):
            for id_ in sorted(ids):
                said = " · ".join(escape(visible(encodable(text))) for text in trend.duplicates[id_].wordings)
                rows.append(f"<li class={kind}><time>{day(point.commit)}</time>{said}</li>")
    if not rows:
        return ""
    more = f"<p>… and {len(rows) - _LISTED:,} earlier changes.</p>" if len(rows) > _LISTED else ""
    return f"<h2>Intents that appeared (+) and were resolved (−)</h2><ul>{''.join(rows[:_LISTED])}</ul>{more}"


def encoded(trend: Trend) -> bytes:
    """The JSON report's bytes."""
    return msgspec.json.format(msgspec.json.encode(document(trend)), indent=2)
