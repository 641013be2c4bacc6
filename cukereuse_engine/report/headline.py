"""The headline of a report: how much was found; and if nothing was, what was compared and what was not.

"No duplicate wordings found" is said only if both wording and meaning were compared.
"""

from dataclasses import dataclass

from cukereuse_engine.prose import counted, listed, noun_for
from cukereuse_engine.report.summary import Summary, summarise, summarise_result
from cukereuse_engine.scanning.result import Comparison, How, ScanResult
from cukereuse_engine.strategies.table import STRATEGIES


@dataclass(frozen=True, slots=True)
class Headline:
    title: str
    """A sentence."""
    detail: str
    """Details, and what a person can do; empty if findings follow."""
    is_clean: bool = False
    """True if everything was compared and nothing is left to do."""


def headline(result: ScanResult) -> Headline:
    figures = summarise_result(result)
    if not figures.feature_files:
        return Headline("No feature files were found.", "Point cukereuse at a folder that holds .feature files.")
    things = _Things(figures, result)
    if result.comparison is not None and figures.steps:
        return _compared_with(figures, things, result.comparison)
    if things.count:
        title = f"{counted(things.count, 'thing')} to look at: {things.levels}."
        details = [_repeated(figures), things.unread, "" if figures.findings else _compared(result)]
        return Headline(title, " ".join(filter(None, details)))
    if not figures.steps:
        return Headline("There are no steps to compare.", "The feature files contain no steps with text.")
    if figures.suppressed:
        suppressed = findings_and_places(figures.suppressed - figures.known_errors, figures.known_errors)
        verb = "is" if figures.suppressed == 1 else "are"
        title = f"Nothing new: {suppressed} {verb} suppressed."
        return Headline(title, _compared(result), is_clean=result.model is not None)
    if not STRATEGIES[result.strategy].is_judged:
        return Headline(f"The strategy {result.strategy} found no duplicate wordings.", _compared(result))
    if result.model is None:
        return Headline("Nothing found by wording; meaning was not compared.", _compared(result))
    return Headline("No duplicate wordings found.", _compared(result), is_clean=True)


def findings_and_places(findings: int, unread: int) -> str:
    """The numbers of both, without zeros: "2 findings and 1 unread place"."""
    kinds = ((findings, "finding"), (unread, "unread place"))
    return listed([counted(number, noun) for number, noun in kinds if number])


class _Things:
    """The things that a person should look at: findings, and places that could not be read."""

    def __init__(self, figures: Summary, result: ScanResult) -> None:
        unread = len(result.reported_errors)
        _, levels = figures.with_unread(result.unread)
        self.count = sum(levels.values())
        self.levels = ", ".join(counted(number, level) for level, number in levels.items())
        self.unread = f"{counted(unread, 'place')} could not be read." if unread else ""


def _compared_with(figures: Summary, things: _Things, comparison: Comparison) -> Headline:
    added = f"{counted(things.count, 'finding')} ({things.levels})" if things.count else "nothing"
    resolved, silenced = (len(comparison.went(how)) for how in (How.RESOLVED, How.SILENCED))
    deleted = len(comparison.gone) - resolved - silenced
    resolves = f"{resolved:,}" if resolved else "none" if things.count else "nothing"
    title = f"Compared with {comparison.ref}, this branch adds {added} and resolves {resolves}."
    if deleted:
        verb = "is" if deleted == 1 else "are"
        title += f" {counted(deleted, 'finding')} {verb} gone only because steps or checks were deleted."
    if silenced:
        title += f" Comments silence {counted(silenced, 'finding')}."
    before = summarise(comparison.before)
    changes = [
        f"{now - then:+,} {noun_for(now - then, noun)}".replace("-", "−")
        for noun, now, then in (
            ("feature file", figures.feature_files, before.feature_files),
            ("step", figures.steps, before.steps),
            ("different text", figures.unique_step_texts, before.unique_step_texts),
        )
        if now != then
    ]
    detail = f"{', '.join(changes)} since {comparison.commit[:10]}." if changes else ""
    if comparison.elsewhere:
        other = counted(comparison.elsewhere, "finding")
        verb = "is" if comparison.elsewhere == 1 else "are"
        detail += f" {other} in unchanged files appeared or disappeared because the suite changed, and {verb} left out."
    return Headline(title, f"{things.unread} {detail}".strip(), is_clean=not things.count and not deleted)


def _repeated(figures: Summary) -> str:
    if not figures.repetition:
        return ""
    verb = "is" if figures.repetition == 1 else "are"
    return f"{figures.repetition:,} of them {verb} about scenarios or sequences of steps that repeat."


def _compared(result: ScanResult) -> str:
    wordings = sum(len({text.template.key for text in suite.texts}) for suite in result.suites)
    definitions = sum(len(suite.definitions) for suite in result.suites)
    known_definitions = counted(definitions, "step definition")
    scope = f"{counted(wordings, 'wording')} compared with each other, {known_definitions} known"
    limit = STRATEGIES[result.strategy].limit
    if limit:
        return f"{scope}. {limit}"
    if result.model is None:
        return (
            f"{scope}. Without the model, steps in completely different words are missed, such as "
            "“I log in” and “I sign in to my account”. `cukereuse model download` downloads the model."
        )
    return f"{scope}, by wording and by meaning ({result.model})."
