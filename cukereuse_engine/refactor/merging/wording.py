"""One wording: the checked rename gives the steps of a definition the wording of another definition, and removes the
first."""

import re

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import listed
from cukereuse_engine.refactor.merging.merge_plan import MergePlan
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import Outcome, ReadSuites, RefusedPlanError, RenamePlan
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.stemming import singular

_WORD = re.compile(r"[^\W\d_]+")


def one_wording(suites: ReadSuites, keep: StepDefinition, other: StepDefinition) -> MergePlan:
    """Give every step of `other` the wording of `keep`, and remove `other`. Raises `UnmergeableError`, `OSError`."""
    ours, theirs = _texts_of(suites, keep), _texts_of(suites, other)
    if not ours or not theirs:
        unused = keep if not ours else other
        raise UnmergeableError(f"{unused.place}: no step uses it")
    try:
        request = request_for(suites, theirs[0], ours[0], move=True, remove_unused=True)
        plan = plan_rename(request, suites)
    except RefusedPlanError as error:
        raise UnmergeableError(f"{other.place}: {error.message}") from None
    except CukereuseError as error:
        raise UnmergeableError(f"{other.place}: {error}") from None
    _refuse_half(plan, keep, other)
    row = next((row for row in plan.table if _differ_in_number(row.before, row.after)), None)
    if row is not None:
        raise UnmergeableError(
            f"{other.place}: “{row.before}” would read “{row.after}”, with the noun in another number"
        )
    return MergePlan(f"“{keep.shown}” instead of “{other.shown}”", plan.files, keep, (other,), moves=True)


def _differ_in_number(before: str, after: str) -> bool:
    """True if two texts differ only in the singular and the plural of their words, beside a number."""
    words = [[word.lower() for word in _WORD.findall(text)] for text in (before, after)]
    singulars = [[singular(word) if len(word) > 2 else word for word in text] for text in words]
    return words[0] != words[1] and singulars[0] == singulars[1] and re.search(r"\d|<", before) is not None


def _texts_of(suites: ReadSuites, definition: StepDefinition) -> list[str]:
    """The texts of a definition's steps, the most used first; without those that bind to it by a translation."""
    glue = suites.glue
    if glue is None:
        return []
    counts: dict[str, int] = {}
    for step in suites.saying(glue.texts_of(definition.id)):
        if _runs(suites, step, definition):
            counts[normalise(step.text)] = counts.get(normalise(step.text), 0) + 1
    return sorted(counts, key=lambda text: (-counts[text], text))


def _runs(suites: ReadSuites, step: Step, definition: StepDefinition) -> bool:
    assert suites.glue is not None
    bound = suites.glue.bind(step).definitions
    return any(match.id == definition.id and not match.is_translation for match in bound)


def _refuse_half(plan: RenamePlan, keep: StepDefinition, other: StepDefinition) -> None:
    """Refuse a rename that would leave steps behind or lead to another definition."""
    place = other.place
    if not plan.files and not plan.left_out:
        raise UnmergeableError(
            f"{place}: {keep.place} has the same wording; keep one of them, where all features load it"
        )
    if plan.left_out:
        raise UnmergeableError(f"{place}: “{plan.left_out[0].text}” can't be reworded: {plan.left_out[0].reason}")
    gone = [change for change in plan.definitions if change.outcome in (Outcome.REMOVED, Outcome.UNUSED)]
    if not any(other.id in (change.definition.id, *(also.id for also in change.also)) for change in gone):
        raise UnmergeableError(f"{place}: {_why_it_stays(keep, other)}")
    unused = next((change for change in gone if change.outcome is Outcome.UNUSED), None)
    if unused is not None:
        raise UnmergeableError(f"{place}: it would have no step left: {unused.note}")
    if any(move.after.function_id != keep.function_id for move in plan.moves):
        raise UnmergeableError(f"{place}: another definition would serve its steps")


def _why_it_stays(keep: StepDefinition, other: StepDefinition) -> str:
    if keep.keyword_types and not (other.keyword_types and other.keyword_types <= keep.keyword_types):
        keywords = listed([keyword.capitalize() for keyword in sorted(keep.keyword_types)])
        return f"{keep.place} serves {keywords} steps only"
    return "some of its wordings would stay; rename them first"
