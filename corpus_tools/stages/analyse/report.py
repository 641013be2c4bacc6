"""The study as one HTML file: figures, tables and the largest clusters, to be read, printed and passed on.

Works offline, without scripts, with any text. Everything is in the tables too; nothing is computed here.
"""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_tools.stages.analyse.rollups import reference
from corpus_tools.support.markdown import cells_of, is_number
from cukereuse_engine import __version__
from cukereuse_engine.prose import counted
from cukereuse_engine.report.visible import encodable, visible

if TYPE_CHECKING:
    import pyarrow as pa

_CONVERGED = (
    "Clusters shared by several owners, independently or from one source. If far fewer repositories have the text "
    "itself (n repos of text) than the cluster, the cluster is a chain: each text is similar to the next, but the "
    "two ends have little in common. The paper's example of 11 organisations that converged on one phrasing is such "
    "a chain, made by single linkage; its text occurs in 4 repositories."
)
SHOWN = 100
"""The number of clusters shown for each strategy."""
_LONGEST = 400
"""The code points of a text that are shown."""
_SECTIONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "Reuse and rewording",
        "A wording that is used again with other arguments is reuse: one step definition serves all of them, which "
        "is the purpose of steps. The cost is in saying the same thing in different words. Lines are what each cluster "
        "has beyond one: steps with one text, texts of one wording, wordings of one meaning. Coverage is the share of "
        "all steps that the most frequent texts and wordings make up.",
        ("kinds", "coverage"),
        (),
    ),
    (
        "Duplication",
        "The share of steps that repeat a text: over all steps, and over repositories, with each repository counted "
        "once.",
        ("prevalence",),
        ("savings_rate", "size_and_rate"),
    ),
    ("", "Are larger repositories more repetitive? Spearman's rank correlation.", ("size_and_rate",), ()),
    (
        "Licences",
        "The rate of exact duplicates by licence class. The effect size is Cramér's V over all classes and Cohen's h "
        "for two classes.",
        ("licences", "licence_tests"),
        ("licences",),
    ),
    (
        "Savings",
        "Lines that could be written once. The aggregate counts repetition of one text in full, and weights the "
        "savings from joined texts by the strategy's confidence.",
        ("savings", "tiers"),
        ("sensitivity", "cluster_sizes"),
    ),
    ("Lengths", "Characters of a step's text.", ("lengths",), ("lengths",)),
    (
        "Blocks",
        "Windows of 2 to 18 consecutive steps, and the patterns that recur in one file, in one repository, in "
        "several. The shares of scenarios come mostly from pairs of adjacent steps. The savings count no step twice.",
        ("patterns", "windows"),
        ("windows", "patterns"),
    ),
    ("Scenarios", "Number of steps per scenario.", ("scenario_lengths",), ()),
)
"""Heading, what it says, tables, figures."""
_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1d211f;--soft:#5a625d;--line:#dfe1dc;--tint:#f5f6f2;--accent:#256b45}
@media(prefers-color-scheme:dark){:root{--paper:#151817;--ink:#e6e8e4;--soft:#a0a8a2;--line:#333936;--tint:#1f2422;
--accent:#7fc9a0}figure img{background:#fff;border-radius:4px}}
*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:2rem 1.25rem 4rem;background:var(--paper);
color:var(--ink);font:16px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}h2{font-size:1.25rem;margin:2.5rem 0 .25rem}
p{max-width:44rem;margin:.25rem 0 .75rem;color:var(--soft)}nav{display:flex;flex-wrap:wrap;
gap:.25rem 1rem}a{color:var(--accent)}
dl{display:flex;flex-wrap:wrap;gap:.75rem 2rem;margin:1.25rem 0}dt{color:var(--soft);font-size:.875rem}
dd{margin:0;font-size:1.375rem;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;margin:.75rem 0}table{border-collapse:collapse;font-size:.875rem;width:100%}
th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;border-bottom-color:var(--ink)}.n{text-align:right;font-variant-numeric:tabular-nums;
white-space:nowrap}td{min-width:5.5rem}td bdi{overflow-wrap:anywhere}figure{margin:1rem 0;break-inside:avoid}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem}
figure img{width:100%;max-width:40rem;height:auto}details ul{margin:.25rem 0;padding-left:1.25rem;color:var(--soft)}
summary{cursor:pointer}footer{margin-top:3rem;color:var(--soft);font-size:.875rem}
@media print{body{max-width:none;padding:0;font-size:10pt}nav{display:none}tr,figure{break-inside:avoid}
h2{break-after:avoid}}
"""


def render(tables: "dict[str, pa.Table]", figures: Path, strategies: Sequence[str]) -> bytes:
    """The page, UTF-8. `figures`: the folder of the SVG files."""
    overview = {row["figure"]: row["value"] for row in tables["overview"].to_pylist()}
    title = headline(tables, strategies)
    headings = [*(heading for heading, *_ in _SECTIONS if heading), *(f"Clusters: {name}" for name in strategies)]
    links = "".join(f'<a href="#{_anchor(heading)}">{escape(heading)}</a>' for heading in headings)
    body = [f"<h1>{title}</h1>", f"<nav>{links}</nav>", _figures_list(overview)]
    for heading, introduction, names, drawn in _SECTIONS:
        body.append(_heading(heading) if heading else "")
        body.append(f"<p>{escape(introduction)}</p>")
        body += [_table(tables[name]) for name in names if len(tables[name])]
        body.append('<div class="pair">' + "".join(_figure(figures / f"{name}.svg") for name in drawn) + "</div>")
    for name in strategies:
        body += _clusters(tables, name)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · cukereuse</title><style>{_STYLE}</style>"
    )
    footer = f"<footer>Made by cukereuse {__version__}. The tables beside this file have every row.</footer>"
    page = f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{"".join(body)}{footer}</body></html>\n'
    return page.encode("utf-8")


def headline(tables: "Mapping[str, pa.Table]", strategies: Sequence[str]) -> str:
    """Other wordings come first; repetition is mostly reuse. `tables`: `overview` and `kinds`."""
    overview = {row["figure"]: row["value"] for row in tables["overview"].to_pylist()}
    size = f"{counted(overview['steps'], 'step')} of {counted(overview['repositories'], 'repository')}"
    strategy = reference(strategies)
    reworded = [
        row["lines"]
        for row in tables["kinds"].to_pylist()
        if row["strategy"] == strategy and row["differs_by"] == "other words"
    ]
    if strategy == "exact" or not reworded:
        return size
    verb = "means" if reworded[0] == 1 else "mean"
    return f"{reworded[0]:,} of {counted(overview['wordings'], 'wording')} {verb} the same as another one ({size})"


def _figures_list(overview: dict[str, Any]) -> str:
    shown = "".join(f"<div><dt>{escape(name)}</dt><dd>{value:,}</dd></div>" for name, value in overview.items())
    return f"<dl>{shown}</dl>"


def _heading(heading: str) -> str:
    return f'<h2 id="{_anchor(heading)}">{escape(heading)}</h2>'


def _anchor(heading: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in heading.lower())


def _figure(path: Path) -> str:
    if not path.is_file():
        return ""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    name = escape(path.stem.replace("_", " "))
    return f'<figure><img alt="{name}" src="data:image/svg+xml;base64,{data}"></figure>'


def _table(table: "pa.Table") -> str:
    rows = cells_of([list(row.values()) for row in table.slice(0, SHOWN).to_pylist()])
    numeric = [bool(rows) and all(is_number(row[i]) for row in rows) for i in range(table.num_columns)]
    style = [' class="n"' if right else "" for right in numeric]
    head = "".join(
        f"<th{kind}>{escape(name.replace('_', ' '))}</th>" for name, kind in zip(table.column_names, style, strict=True)
    )
    lines = "".join(
        "<tr>" + "".join(f"<td{kind}>{_text(value)}</td>" for value, kind in zip(row, style, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def _clusters(tables: "dict[str, pa.Table]", strategy: str) -> list[str]:
    clusters, convergence = tables[f"clusters_{strategy}"], tables[f"convergence_{strategy}"]
    summary = (
        f"{len(clusters):,} clusters; the {min(SHOWN, len(clusters)):,} of most steps, with examples of their texts."
    )
    lines = []
    for row in clusters.slice(0, SHOWN).to_pylist():
        others = "".join(f"<li>{_text(text)}</li>" for text in row["member_examples"])
        more = row["n_distinct_variants"] - 1 - len(row["member_examples"])
        others += f"<li>… and {more:,} more</li>" if more > 0 else ""
        name = _text(row["wording"])
        if row["wording"] != row["canonical_text"]:
            others = f"<li>{_text(row['canonical_text'])}</li>{others}"
        shown = f"<details><summary>{name}</summary><ul>{others}</ul></details>" if others else name
        numbers = (
            row["count"], row["n_distinct_wordings"], row["n_distinct_variants"], row["occurrence_files"],
            row["n_distinct_repos"],
        )  # fmt: skip
        cells = "".join(f'<td class="n">{number:,}</td>' for number in numbers)
        lines.append(f"<tr><td>{shown}</td><td>{escape(row['kind'])}</td>{cells}</tr>")
    names = ("steps", "wordings", "texts", "files", "repositories")
    head = "<th>wording</th><th>kind</th>" + "".join(f'<th class="n">{name}</th>' for name in names)
    table = f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    body = [_heading(f"Clusters: {strategy}"), f"<p>{escape(summary)}</p>", table if lines else ""]
    if len(convergence):
        body += [f"<p>{_CONVERGED}</p>", _table(convergence)]
    return body


def _text(text: str) -> str:
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"
    return f"<bdi>{escape(visible(encodable(cut)))}</bdi>"
