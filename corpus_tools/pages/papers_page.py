"""The figures of both papers beside ours, as a page without scripts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from corpus_tools.pages.paper_rows import PaperTable
from cukereuse_engine import __version__
from cukereuse_engine.prose import counted

_STYLE = (
    ":root{color-scheme:light dark;--soft:#6b7280;--line:#8884}body{font:15px/1.5 system-ui,sans-serif;margin:0}"
    "main{max-width:76rem;margin:2rem auto;padding:0 1rem}h3{margin:1.6rem 0 .3rem;font-size:1rem}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}td,th{border-bottom:1px solid var(--line);"
    "padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th{width:9%}th:first-child{width:26%}th:last-child{width:auto}.n{text-align:right;font-variant-numeric:tabular-nums}"
    "td.why,p{color:var(--soft)}tr.differs td{font-weight:600}.scroll{overflow-x:auto}"
    "@media(max-width:48rem){table{min-width:44rem}}"
)


def render(papers: Mapping[str, Sequence[PaperTable]]) -> bytes:
    """UTF-8; the same tables give the same bytes."""
    body = "".join(_paper(title, tables) for title, tables in papers.items())
    return (
        "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>Both papers beside ours</title><style>{_STYLE}</style>"
        f"<main><h1>Both papers beside ours</h1>{body}<p>Made by cukereuse {escape(__version__)}.</p></main></html>"
    ).encode()


def summary(tables: Sequence[PaperTable]) -> str:
    """The numbers of equal figures, and so on."""
    counts = Counter(row.verdict for table in tables for row in table.rows)
    return f"{counted(counts.total(), 'figure')}: " + ", ".join(
        f"{count:,} {verdict}" for verdict, count in counts.items()
    )


def _paper(title: str, tables: Sequence[PaperTable]) -> str:
    return f"<h2>{escape(title)}</h2><p>{escape(summary(tables))}.</p>{''.join(map(_table, tables))}"


def _table(table: PaperTable) -> str:
    rows = "".join(
        f"<tr class={'differs' if row.verdict == 'differs' else 'other'}><td>{escape(row.figure)}</td>"
        f"<td class=n>{escape(row.paper)}</td><td class=n>{escape(row.ours)}</td><td>{escape(row.verdict)}</td>"
        f"<td class=why>{escape(row.why)}</td></tr>"
        for row in table.rows
    )
    head = "<tr><th>figure<th class=n>paper<th class=n>ours<th>verdict<th>why</tr>"
    return f"<h3>{escape(table.title)}</h3><div class=scroll><table>{head}{rows}</table></div>"
