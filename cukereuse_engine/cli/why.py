"""`cukereuse why`: explains what speaks for and against merging two steps."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, report_option, write_json
from cukereuse_engine.cli.targets import check_step_texts
from cukereuse_engine.prose import chance, counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.scanning.suite import Suite
    from cukereuse_engine.scanning.why import Why


@click.command("why")
@click.argument("left", metavar='"STEP A"')
@click.argument("right", metavar='"STEP B"')
@click.argument("path", metavar="[PATH]", required=False)
@report_option("json", "JSON for programs.")
@setting_options("sensitivity", "glue", "include", "exclude", "model", "offline", "jobs")
@no_cache_option
@print_config_option
def command(left: str, right: str, path: str | None, **options: Any) -> None:
    """Explain what speaks for and against merging STEP A and STEP B in the suite at PATH.

    Give the steps without their keywords; they need not be in the suite. The output shows what a scan makes of this
    pair, how likely people are to call the two one wording, the reasons, the evidence by weight, and whether similar
    pairs of the suite share a step definition.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    paths = [] if path is None else [path]
    check_step_texts((left, right), paths, 'cukereuse why "I log in" "I sign in" features')
    work = prepare(paths or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    work.loaded.checked()
    if options["json_file"] is not None:
        check_writable(options["json_file"])
    answer, says, model, notes = _ask(left, right, work, use_cache=not options["no_cache"])
    if options["json_file"] is not None:
        write_json(options["json_file"], document(answer, says, model))
    if options["json_file"] != "-":
        _print(answer, says)
    for note in notes:
        click.echo(f"note: {note}", err=True)


def _ask(left: str, right: str, work: "Work", *, use_cache: bool) -> "tuple[Why, str, str | None, tuple[str, ...]]":
    """The judgement of the suite that contains most of the two texts (the first such suite), what a scan makes of the
    pair, the model, and notes."""
    from cukereuse_engine.cli.work import keyword_notes, read, vectors_at_hand
    from cukereuse_engine.scanning.bound import bound_functions, judge_for
    from cukereuse_engine.scanning.loading import load_glue
    from cukereuse_engine.scanning.suite import Suite
    from cukereuse_engine.scanning.verdict import verdict
    from cukereuse_engine.scanning.why import why
    from cukereuse_engine.text.identity import identity, normalise

    given = left, right
    suites = read(work, use_cache=use_cache) or [Suite.of(str(work.targets.compared[0]), ())]
    suite = max(suites, key=lambda suite: sum(identity(suite.without_keyword(text)) in suite.steps for text in given))
    wanted = [suite.without_keyword(text) for text in given]
    settings = work.settings_of(suite.root)
    glue = load_glue(suite, settings, use_cache=use_cache)
    texts = [_step_text(suite, normalise(text)) for text in wanted]
    masked = [text.template.masked for text in texts]
    vectors = vectors_at_hand(masked, work.settings, use_cache=use_cache)
    cosine = None if vectors.of is None else float(vectors.of[masked[0]] @ vectors.of[masked[1]])
    judge = judge_for(suite.texts, suite.steps, glue, vectors.embedder)
    answer = why(texts[0], texts[1], judge, cosine, suite.texts, bound_functions(suite.steps, glue))
    says = verdict(answer, judge, suite, glue, settings, use_cache=use_cache)
    return answer, says, vectors.model, (*keyword_notes(given, wanted), *vectors.notes)


def _step_text(suite: "Suite", text: str) -> "Any":
    """The suite's own text, or else a new text that no step uses yet."""
    from cukereuse_engine.text.identity import identity
    from cukereuse_engine.text.step_text import StepText
    from cukereuse_engine.text.template import template

    name = identity(text)
    used = next((mine for mine in suite.texts if mine.identity == name), None)
    return used or StepText(text, name, template(text), 0)


def document(answer: "Why", verdict: str, model: str | None) -> dict[str, Any]:
    """The JSON report."""
    judgement = answer.judgement
    return {
        "texts": [{"text": text.text, "occurrences": text.occurrences} for text in (answer.left, answer.right)],
        "model": model,
        "cosine": answer.cosine,
        "p_one_intent": judgement.p_one_intent,
        "p_same_definition": judgement.p_same_definition,
        "verdict": verdict,
        "kind": judgement.kind.value,
        "difference": judgement.difference.value,
        "reasons": list(judgement.reasons),
        "evidence": [
            {"kind": kind.name.lower(), "says": kind.value, "log_odds": weight}
            for kind, weight in answer.evidence.items()
        ],
        "known": [
            {"texts": [pair.left, pair.right], "one_definition": pair.is_one, "likeness": pair.likeness}
            for pair in answer.known
        ],
    }


def _print(answer: "Why", verdict: str) -> None:
    from cukereuse_engine.report.tables import console_for
    from cukereuse_engine.report.visible import visible

    print_line = partial(console_for().print, soft_wrap=True)
    judgement = answer.judgement
    for text, uses in zip((answer.left, answer.right), answer.uses, strict=True):
        others = uses - text.occurrences
        also = f", and {others:,} with other arguments" if others else ""
        told = f"({counted(text.occurrences, 'step')}{also})"
        print_line(f"{visible(text.text)}  {told}", style="bold")
    print_line(f"\n{verdict}.")
    if judgement.p_one_intent:
        share = chance(judgement.p_one_intent)
        print_line(f"By the words alone, the probability that people would call them one wording is {share}.")
    _print_list("Reasons:", judgement.reasons)
    title = "Evidence for (+) and against (-) one wording, in log odds that add up (0 is 50 %, 0.7 doubles the odds):"
    _print_list(title, (f"{weight:+.1f}  {says}" for says, weight in answer.rows()))
    known = ((pair.left, pair.right, "shared" if pair.is_one else "apart ") for pair in answer.known)
    title = "Similar pairs of this suite, and whether they share a step definition:"
    _print_list(title, (f"{shared}  {left} / {right}" for left, right, shared in known))


def _print_list(title: str, rows: "Iterable[str]") -> None:
    from cukereuse_engine.report.tables import console_for
    from cukereuse_engine.report.visible import visible

    lines = [f"  {visible(row)}" for row in rows]
    if lines:
        console_for().print("\n".join(["", title, *lines]), soft_wrap=True)
