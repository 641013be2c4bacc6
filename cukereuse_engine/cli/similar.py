"""`cukereuse similar`: lists the steps of a suite that are similar to a given text."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, give_back_paths, report_option, write_json
from cukereuse_engine.cli.targets import check_step_texts
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.prose import counted
from cukereuse_engine.scanning.similar_wordings import SimilarWording
from cukereuse_engine.scanning.suite import Suite

if TYPE_CHECKING:
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.judging.judge import Judgement

LIMIT = 10
PLACES_SHOWN = 3
REASONS_SHOWN = 3


@click.command("similar")
@click.argument("text", metavar='"STEP TEXT"')
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--limit", type=click.IntRange(min=1), default=LIMIT, show_default=True, help="How many wordings to list."
)
@report_option("json", "JSON for programs.")
@setting_options("glue", "include", "exclude", "model", "offline", "jobs")
@no_cache_option
@print_config_option
def command(text: str, paths: tuple[str, ...], **options: Any) -> None:
    """List the steps of a suite that are most similar to STEP TEXT, with counts and places.

    STEP TEXT is a step without its keyword. PATH is a folder; the default is the current folder. The number before each
    step ranks the list: 1 is the same step. If the embedding model is on this machine, meaning counts; otherwise only
    the wording does. The suite's step definitions also count: they show which wordings belong together. `cukereuse why`
    explains whether two steps should be one.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    reports, given = give_back_paths({"json": options["json_file"]}, paths)
    check_step_texts((text,), given, 'cukereuse similar "I log in" features')
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    work.loaded.checked()
    for destination in reports.values():
        check_writable(destination)
    results = _search(text, work, limit=options["limit"], use_cache=not options["no_cache"])
    if "json" in reports:
        write_json(reports["json"], document(text, results.wordings, results.model))
    if "-" not in reports.values():
        _print(results.wordings)
    for note in results.notes:
        click.echo(f"note: {note}", err=True)


@dataclass(frozen=True, slots=True)
class _Results:
    wordings: list[tuple[Suite, SimilarWording]]
    model: str | None
    notes: tuple[str, ...]


def _search(query: str, work: "Work", *, limit: int, use_cache: bool) -> _Results:
    """The most similar wordings of all suites; each suite has its own judge."""
    import numpy as np

    from cukereuse_engine.cli.work import keyword_notes, read, vectors_at_hand
    from cukereuse_engine.glue.sources import ReadSources
    from cukereuse_engine.scanning.bound import judge_for
    from cukereuse_engine.scanning.loading import listings, load_glue
    from cukereuse_engine.scanning.similar_wordings import similar_wordings
    from cukereuse_engine.text.template import mask

    saved = listings(use_cache=use_cache)
    suites = read(work, use_cache=use_cache, listings=saved)
    said = next((text for suite in suites if (text := suite.without_keyword(query)) != query), query)
    notes, query = keyword_notes([query], [said]), said
    masked = dict.fromkeys(text.template.masked for suite in suites for text in suite.texts)
    vectors = vectors_at_hand([mask(query), *masked], work.settings, use_cache=use_cache, coarsely=True)
    results = []
    sources = ReadSources(saved)
    for suite in suites:
        cosine = None
        if vectors.of is not None:
            rows = np.array([vectors.of[text.template.masked] for text in suite.texts]).reshape(len(suite.texts), -1)
            cosine = (rows @ vectors.of[mask(query)]).astype(np.float64) if len(rows) else None
        glue = load_glue(suite, work.settings_of(suite.root), use_cache=use_cache, read=sources)
        judge = judge_for(suite.texts, suite.steps, glue, vectors.embedder)
        results += [(suite, wording) for wording in similar_wordings(query, suite.texts, judge, cosine, limit)]
    results.sort(key=lambda result: -result[1].score)  # stable: keeps the order of the suites
    return _Results(results[:limit], vectors.model, (*notes, *vectors.notes))


def document(query: str, results: list[tuple[Suite, SimilarWording]], model: str | None) -> dict[str, Any]:
    """The JSON report: places of the listed text first, then of the wording's other texts."""
    return {
        "query": query,
        "model": model,
        "results": [
            {
                "suite": suite.root,
                "text": wording.text.text,
                "occurrences": wording.occurrences,
                "score": round(wording.score, 6),
                "kind": wording.judgement.kind.value,
                "p_one_intent": round(wording.judgement.p_one_intent, 6),
                "p_same_definition": round(wording.judgement.p_same_definition, 6),
                "indel": round(wording.indel, 6),
                "cosine": None if wording.cosine is None else round(wording.cosine, 6),
                "reasons": list(wording.judgement.reasons),
                "barred_by": list(wording.judgement.barred_by),
                "texts": [{"text": text.text, "occurrences": text.occurrences} for text in wording.texts],
                "places": [
                    {"path": step.path, "line": step.line, "column": step.column, "text": step.text}
                    for step in _places(suite, wording)
                ],
            }
            for suite, wording in results
        ],
    }


def _places(suite: Suite, wording: SimilarWording) -> list[Step]:
    texts = sorted(wording.texts, key=lambda text: text.identity != wording.text.identity)  # stable
    return [step for text in texts for step in suite.steps.get(text.identity, ())]


def _print(results: list[tuple[Suite, SimilarWording]]) -> None:
    from cukereuse_engine.report.tables import console_for
    from cukereuse_engine.report.visible import visible

    console = console_for()
    if results:
        console.print("Similarity from 0 to 1, of the words and of what they mean:", soft_wrap=True)
    for suite, wording in results:
        used = counted(wording.occurrences, "step")
        console.print(f"{wording.score:.2f}  {visible(wording.text.text)}  ({used})", style="bold", soft_wrap=True)
        if why := _why(wording.judgement):
            console.print(f"      {visible(why)}", style="dim", soft_wrap=True)
        places = sorted(_places(suite, wording), key=lambda step: (step.path, step.line))
        for step in places[:PLACES_SHOWN]:
            console.print(f"      {visible(step.path)}:{step.line}", soft_wrap=True)
        if len(places) > PLACES_SHOWN:
            console.print(f"      … and {counted(len(places) - PLACES_SHOWN, 'more place')}", style="dim")
    if not results:
        console.print("The suite has no steps.")


def _why(judgement: "Judgement") -> str:
    """What distinguishes a wording from the requested text; first what keeps the two apart."""
    from cukereuse_engine.text.guards import GUARDS

    barred = [GUARDS[guard] for guard in judgement.barred_by]
    reasons = [reason for reason in judgement.reasons if reason not in barred][:REASONS_SHOWN]
    return "; ".join([*([f"kept apart: {'; '.join(barred)}"] if barred else []), *reasons])
