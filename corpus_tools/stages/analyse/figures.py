"""Figures for print, as SVG and PNG. The same data give the same bytes."""

import statistics
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_tools.stages.analyse.rollups import reference
from corpus_tools.support.checkpoint import replace_whole
from corpus_tools.support.licences import CLASSES
from cukereuse_engine.prose import percent
from cukereuse_engine.strategies.table import STRATEGIES

if TYPE_CHECKING:
    import pyarrow as pa

_MAIN = "#24527a"
COLOURS = {"permissive": "#1b7f5c", "copyleft": "#b5442f", "unknown": "#6d6d6d", "unlicensed": "#c98a12"}
_MARKERS = {"permissive": "o", "copyleft": "s", "unknown": "^", "unlicensed": "D"}
_LINES: tuple[dict[str, Any], ...] = (
    {"color": "#b5442f", "linestyle": "--"},
    {"color": _MAIN, "linestyle": "-"},
    {"color": "#c98a12", "linestyle": "-."},
    {"color": "#1b7f5c", "linestyle": ":"},
    {"color": "#7a4f9a", "linestyle": (0, (5, 1))},
)
_STRATEGIES = dict(zip(STRATEGIES, cycle(_LINES), strict=False))
"""Also distinct without colours, as in print."""
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "svg.hashsalt": "cukereuse",
    "figure.constrained_layout.use": True,
}

Tables = dict[str, "pa.Table"]


def draw(tables: Tables, folder: Path) -> list[Path]:
    """Draw every figure for which `tables` has the data, as `folder/NAME.svg` and `.png`."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    written = []
    with matplotlib.rc_context(_STYLE):
        for name, figure in FIGURES.items():
            drawing, axes = plt.subplots(figsize=(6.2, 3.8))
            if figure(axes, tables):
                written += [_save(drawing, folder / f"{name}.svg"), _save(drawing, folder / f"{name}.png")]
            plt.close(drawing)
    return written


def _save(drawing: Any, path: Path) -> Path:
    kind = path.suffix[1:]
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    replace_whole(path, lambda temporary: drawing.savefig(temporary, format=kind, dpi=200, metadata=metadata))
    return path


def _savings_rate(axes: Any, tables: Tables) -> bool:
    rates = tables["repositories"].column("savings_rate").to_numpy()
    axes.hist(rates * 100, bins=range(0, 105, 5), color=_MAIN, edgecolor="white", linewidth=0.5)
    median = statistics.median(rates) * 100 if len(rates) else 0
    axes.axvline(median, color="#b5442f", linewidth=1, label=f"median {median:.1f} %")
    strategy = reference([key.removeprefix("clusters_") for key in tables if key.startswith("clusters_")])
    axes.set(xlabel=f"lines that could be written once (% of a repository's steps, {strategy})", xlim=(0, 100))
    axes.set(ylabel="repositories")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)
    return len(rates) > 0


def _size_and_rate(axes: Any, tables: Tables) -> bool:
    table = tables["repositories"]
    for name in CLASSES:
        rows = [row for row in table.to_pylist() if row["license_class"] == name]
        if not rows:
            continue
        axes.scatter(
            [row["steps"] for row in rows], [row["duplicate_rate"] * 100 for row in rows],
            s=14, alpha=0.6, linewidths=0, color=COLOURS[name], marker=_MARKERS[name], label=f"{name} ({len(rows)})",
        )  # fmt: skip
    axes.set(xscale="log", xlabel="steps of the repository", ylabel="exact duplicates (%)", ylim=(-2, 102))
    axes.legend(frameon=False, loc="lower right")
    return len(table) > 0


def _licences(axes: Any, tables: Tables) -> bool:
    rows = tables["licences"].to_pylist()
    bars = axes.bar(
        [row["license_class"] for row in rows], [row["duplicate_rate"] * 100 for row in rows],
        color=[COLOURS.get(row["license_class"], _MAIN) for row in rows], width=0.6,
    )  # fmt: skip
    axes.bar_label(
        bars, [f"{percent(row['duplicate_rate'], 1)}\nof {row['steps']:,} steps" for row in rows], fontsize=8
    )
    axes.set(ylabel="exact duplicates (%)", ylim=(0, 118))
    axes.grid(axis="x", visible=False)
    return bool(rows)


def _cluster_sizes(axes: Any, tables: Tables) -> bool:
    drawn = False
    for name, style in _STRATEGIES.items():
        table = tables.get(f"clusters_{name}")
        if table is not None and len(table):
            counts = sorted(table.column("count").to_pylist(), reverse=True)
            axes.plot(range(1, len(counts) + 1), counts, **style, linewidth=1.3, label=name)
            drawn = True
    axes.set(xscale="log", yscale="log", xlabel="cluster, most frequent first", ylabel="steps")
    if drawn:
        axes.legend(frameon=False)
    return drawn


def _sensitivity(axes: Any, tables: Tables) -> bool:
    rows = tables["sensitivity"].to_pylist()
    for name in dict.fromkeys(row["strategy"] for row in rows):
        points = [(row["confidence"], row["aggregate"]) for row in rows if row["strategy"] == name]
        axes.plot(*zip(*points, strict=True), **_STRATEGIES[name], marker="o", markersize=3, linewidth=1.3, label=name)
    axes.set(xlabel="confidence in the savings from joined texts", ylabel="lines that could be written once")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if rows:
        axes.legend(frameon=False)
    return bool(rows)


def _lengths(axes: Any, tables: Tables) -> bool:
    rows = tables["length_counts"].to_pylist()
    longest = 200
    for column, colour, line, label in (("steps", _MAIN, "-", "steps"), ("texts", "#c98a12", "--", "distinct texts")):
        total = sum(row[column] for row in rows) or 1
        points = [(row["length"], 100 * row[column] / total) for row in rows if row["length"] <= longest]
        if points:
            axes.plot(*zip(*points, strict=True), color=colour, linestyle=line, linewidth=1, label=label)
    axes.set(xlabel="characters of a step's text", ylabel="share (%)", xlim=(0, longest))
    axes.legend(frameon=False)
    return bool(rows)


def _windows(axes: Any, tables: Tables) -> bool:
    rows = tables["windows"].to_pylist()
    lengths = [row["length"] for row in rows]
    bars = axes.bar(lengths, [row["windows"] for row in rows], color=_MAIN, width=0.7)
    axes.bar_label(bars, [_short(row["windows"]) for row in rows], fontsize=7)
    axes.set(xlabel="steps of a window", ylabel="windows", xticks=lengths)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(axis="x", visible=False)
    return any(row["windows"] for row in rows)


def _short(count: int) -> str:
    return f"{count / 1e6:.2f}M" if count >= 1e6 else f"{count / 1e3:.0f}k" if count >= 1e4 else f"{count:,}"


def _patterns(axes: Any, tables: Tables) -> bool:
    """The scenarios that contain a recurring pattern: pairs of adjacent steps alone explain most of them."""
    rows = tables["patterns"].to_pylist()
    kinds = (
        ("scenario_share", _MAIN, "any sequence that recurs"),
        ("scenario_share_of_pairs", "#c98a12", "a pair of steps that recurs"),
        ("worthy_scenario_share", "#1b7f5c", "a sequence that looks worth extracting"),
    )
    for number, (column, colour, label) in enumerate(kinds):
        bars = axes.bar(
            [place + (number - 1) * 0.27 for place in range(len(rows))], [row[column] * 100 for row in rows],
            width=0.25, color=colour, label=label,
        )  # fmt: skip
        axes.bar_label(bars, [f"{percent(row[column], 1)}" for row in rows], fontsize=7)
    names = [
        f"{row['scope']}\n{row['patterns']:,} patterns\n{row['steps_saved']:,} steps could be saved" for row in rows
    ]
    axes.set(xticks=range(len(rows)), xticklabels=names, ylabel="scenarios with (%)", ylim=(0, 112))
    axes.grid(axis="x", visible=False)
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    return any(row["patterns"] for row in rows)


FIGURES: dict[str, Callable[[Any, Tables], bool]] = {
    "savings_rate": _savings_rate,
    "size_and_rate": _size_and_rate,
    "licences": _licences,
    "cluster_sizes": _cluster_sizes,
    "sensitivity": _sensitivity,
    "lengths": _lengths,
    "windows": _windows,
    "patterns": _patterns,
}
"""Maps each name to the function that draws it, which returns False if there is nothing to draw."""
