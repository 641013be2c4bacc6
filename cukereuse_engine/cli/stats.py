"""`cukereuse stats`: figures of a suite. It judges nothing and needs no model."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, give_back_paths, report_option, write_json
from cukereuse_engine.prose import percent
from cukereuse_engine.scanning.suite import Suite

TOP = 10


@click.command("stats")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@report_option("json", "JSON for programs.")
@click.option(
    "--top", type=click.IntRange(min=0), default=TOP, show_default=True, help="How many texts and files to list."
)
@setting_options("include", "exclude", "jobs")
@no_cache_option
@print_config_option
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Count files, steps and texts, and the steps that repeat the text of another.

    PATH is a folder; the default is the current folder.
    """
    from cukereuse_engine.cli.work import prepare, print_config, read

    reports, given = give_back_paths({"json": options["json_file"]}, paths)
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    work.loaded.checked()
    for destination in reports.values():
        check_writable(destination)
    data = figures(read(work, use_cache=not options["no_cache"]), options["top"])
    if "json" in reports:
        write_json(reports["json"], data)
    if "-" not in reports.values():
        _print(data)


def figures(suites: Sequence[Suite], top: int = TOP) -> dict[str, Any]:
    """The figures of all suites together, and of each suite if there are several."""
    all_together = _figures(suites, top)
    if len(suites) > 1:
        all_together["suites"] = [{"root": suite.root, **_figures([suite], top)} for suite in suites]
    return all_together


def _figures(suites: Sequence[Suite], top: int) -> dict[str, Any]:
    every_text = [text for suite in suites for text in suite.texts]
    files = [file for suite in suites for file in suite.files]
    texts: Counter[str] = Counter()
    for text in every_text:
        texts[text.text] += text.occurrences
    repeated, scenarios = _places(suites)
    unique, steps_with_text = len(every_text), texts.total()
    return {
        "feature_files": len(files),
        "parse_errors": sum(len(file.errors) for file in files),
        "languages": dict(Counter(file.language for file in files).most_common()),
        "scenarios": scenarios,
        "steps": steps_with_text,
        "unique_step_texts": unique,
        "templates": sum(len({text.template.key for text in suite.texts}) for suite in suites),
        "used_once": sum(text.occurrences == 1 for text in every_text),
        "exact_duplication_rate": round(1 - unique / steps_with_text, 6) if steps_with_text else 0.0,
        "eliminable_steps": steps_with_text - unique,
        "most_used": [{"text": text, "occurrences": n} for text, n in _first(texts, top)],
        "most_repeating_files": [{"path": path, "repeated_steps": n} for path, n in _first(repeated, top)],
    }


def _places(suites: Sequence[Suite]) -> tuple[Counter[str], int]:
    """The steps of each file that repeat a text, and the number of scenarios."""
    repeated: Counter[str] = Counter()
    scenarios: set[tuple[str, int]] = set()
    for suite in suites:
        for steps in suite.steps.values():
            scenarios.update((step.path, step.scenario_line) for step in steps)
            repeated.update(step.path for step in steps[1:])  # the first step represents the text
    return repeated, len(scenarios)


def _first(counts: Counter[str], top: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]


_LABELS = {
    "feature_files": "feature files",
    "parse_errors": "places that could not be read",
    "scenarios": "scenarios and backgrounds",
    "steps": "steps",
    "unique_step_texts": "distinct texts",
    "templates": "distinct texts with arguments masked",
    "used_once": "texts used once",
    "eliminable_steps": "steps that repeat another step's text",
}

_SUITE_COLUMNS = {
    "feature_files": "files",
    "steps": "steps",
    "unique_step_texts": "texts",
    "templates": "masked",
    "exact_duplication_rate": "repeated",
}


def _print(data: dict[str, Any]) -> None:
    from cukereuse_engine.report.tables import Column, console_for, print_table

    console = console_for()
    number, text = Column("", right=True), Column("", flexible=True)
    rows = [(label, data[name]) for name, label in _LABELS.items()]
    rows.append(("share of repeated steps", percent(data["exact_duplication_rate"])))
    print_table(console, [text, number], rows)
    if set(data["languages"]) - {"en"}:
        languages = ", ".join(f"{name} {n:,}" for name, n in data["languages"].items())
        console.print(f"languages: {languages}", soft_wrap=True)
    if data["most_used"]:
        console.print()
        used = [(item["occurrences"], item["text"]) for item in data["most_used"]]
        print_table(console, [Column("uses", right=True), Column("text", flexible=True)], used)
    if data["most_repeating_files"]:
        console.print()
        repeated = [(item["repeated_steps"], item["path"]) for item in data["most_repeating_files"]]
        print_table(console, [Column("repeated", right=True), Column("file", flexible=True)], repeated)
    if "suites" in data:
        console.print()
        columns = [Column("suite", flexible=True), *(Column(title, right=True) for title in _SUITE_COLUMNS.values())]
        table = [(suite["root"], *(suite[name] for name in _SUITE_COLUMNS)) for suite in data["suites"]]
        print_table(console, columns, table)
