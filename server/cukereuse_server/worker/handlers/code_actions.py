"""The actions at a step, and the definition that one of them creates."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any

import msgspec

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.refactor.creation.new_file import new_file_for
from cukereuse_engine.refactor.creation.planning import model_for, plan_creation, plan_creations, plan_new_file
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.text.template import template
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.code_actions import (
    ActionsAt,
    MeantStep,
    Phrasing,
    PlanCreation,
    Replacement,
    StepActions,
)
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.plans import change_of
from cukereuse_server.workspace.components import Component
from cukereuse_server.workspace.navigation import known_glue
from cukereuse_server.workspace.renaming import Rewriter, phrasing_of, suite_as_read
from cukereuse_server.workspace.similar import similar_in
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.undefined import binds, is_undefined, meant, said_with_arguments
from cukereuse_server.workspace.view import View

_OFFERED = 5


_LOOKED_AT = 15


_APART = 0.5
"""Share of the score that groups two wordings: below it they are no near miss, and one is not offered for the other.
What fits by its arguments alone ("the status is …" for "the message … is shown") scores a tenth of it."""


def _preferred(findings: Iterable[Finding]) -> list[str]:
    return [finding.preferred.text for finding in findings if finding.preferred is not None]


def _version(workspace: View, path: str) -> int | None:
    buffer = workspace.buffers.get(path)
    return buffer.version if buffer is not None else None


def actions(workspace: View, request: ActionsAt) -> StepActions | None:
    suite, step = workspace.suite_of(request.path), workspace.step_at(request.path, request.line)
    if suite is None or step is None or not step.text:
        return None
    key = suite.key_of(step.text)
    component = suite.component(key) if key is not None and suite.judge is not None else None
    findings = _findings_at(suite, step, component)
    keys = _keys_beside(key, component)
    replacements = _replacements(workspace, suite, step, _preferred(findings), keys)
    # a finding names the meant step with more certainty
    meant_steps = (
        [] if any(each.preferred and not each.undefined for each in replacements) else _meant(workspace, suite, step)
    )
    texts = {meant_step.text for meant_step in meant_steps}
    offered = StepActions(
        version=_version(workspace, request.path),
        place=PlaceMaker(workspace).of_step(step),
        meant=meant_steps,
        replacements=[replacement for replacement in replacements if replacement.text not in texts],
        phrasings=_phrasings(workspace, suite, step, keys),
        rules=list(dict.fromkeys(finding.rule for finding in findings)),
    )
    model = _model(suite, step)
    if model is None:
        return offered
    creates_new = _new_file(workspace, suite, model, step)
    more = _lacks_others(suite, step)
    return msgspec.structs.replace(offered, creates_in=model.path, creates_new=creates_new, creates_more=more)


def _findings_at(suite: SuiteState, step: Step, component: Component | None) -> list[Finding]:
    """The findings with a place at a step."""
    known: Sequence[Finding] = component.findings if component is not None else ()
    if suite.findings.is_known(step.path):  # also those of rules that compare nothing
        known = suite.findings.in_file(step.path)
    here = step.path, step.line
    return [
        finding
        for finding in known
        if any((place.path, place.line) == here for other in finding.others for place in other.places)
    ]


def _keys_beside(key: str | None, component: Component | None) -> list[str]:
    """Keys of the templates in a template's cluster, including its own; empty if it is in no cluster."""
    for cluster in component.clusters if component is not None else ():
        keys = list(dict.fromkeys(text.template.key for text in cluster.texts))
        if key in keys:
            return keys
    return []


def _meant(workspace: View, suite: SuiteState, step: Step) -> list[MeantStep]:
    glue = known_glue(suite)
    rewriter, own = Rewriter(workspace, suite, step), suite.key_of(step.text)
    steps: dict[str, MeantStep] = {}
    for candidate in meant(suite, step, workspace.embedder) if glue is not None else ():
        wording = (
            said_with_arguments(candidate, step) if candidate.definition is not None else rewriter.say(candidate.text)
        )
        if wording is not None and _says_no_less(wording, step) and glue is not None and binds(glue, step, wording):
            others = suite.texts.occurrences(candidate.key) - (candidate.key == own)
            steps.setdefault(wording, MeantStep(wording, others))
    return list(steps.values())


def _model(suite: SuiteState, step: Step) -> StepDefinition | None:
    """The definition that serves as a model for one of an undefined step; None if the step has a definition."""
    glue, entry = known_glue(suite), suite.texts.files.get(step.path)
    if glue is None or entry is None or not is_undefined(suite, step):
        return None
    counts = suite.functions_in(step.path)
    by_function = {definition.function_id: definition for definition in glue.definitions}
    bound = chain.from_iterable(repeat(by_function[function], count) for function, count in counts.items())
    return model_for(step, bound, glue.own_definitions)


def _undefined(suite: SuiteState, step: Step) -> list[Step]:
    """The steps without a definition in a step's file, including the step itself."""
    return [other for other in suite.undefined_in(step.path) if is_undefined(suite, other)]


def _lacks_others(suite: SuiteState, step: Step) -> bool:
    """True if another step of its file, with another template, lacks a definition too."""
    key, others = suite.key_of(step.text), suite.undefined_in(step.path)
    return any(suite.key_of(other.text) != key and is_undefined(suite, other) for other in others)


def _new_file(workspace: View, suite: SuiteState, model: StepDefinition, step: Step) -> str:
    """Empty if the file already exists."""
    path = new_file_for(model, step.path, suite_as_read(workspace, suite).read)
    return "" if path in workspace.buffers or os.path.lexists(path) else path


def create(workspace: View, request: PlanCreation) -> Plan:
    suite, step = workspace.suite_of(request.path), workspace.step_at(request.path, request.line)
    model = _model(suite, step) if suite is not None and step is not None else None
    if suite is None or step is None or model is None:
        return Plan(
            changes=[], notes=[], refused="this step already has a definition, or no definition next to it can be read"
        )
    try:
        new = _new_file(workspace, suite, model, step) if request.new else ""
        if request.new and not new:
            return Plan(changes=[], notes=[], refused="this file already exists")
        read = suite_as_read(workspace, suite).read
        left: list[tuple[Step, str]] = []
        if request.all:
            edits, left = plan_creations(_undefined(suite, step), model, read)
            files: tuple[FileEdits, ...] = (edits,)
        else:
            files = plan_new_file(step, model, new, read) if new else (plan_creation(step, model, read),)
    except (CukereuseError, OSError) as error:
        return Plan(changes=[], notes=[], refused=str(error))
    changes = []
    for file in files:
        buffer = workspace.buffers.get(file.path)
        change = change_of(file, buffer.version if buffer is not None else None, PlaceMaker(workspace))
        changes.append(msgspec.structs.replace(change, is_new=file.path == new))
    return Plan(changes=changes, notes=[f"“{other.text}” still has none: {reason}" for other, reason in left])


def _phrasings(workspace: View, suite: SuiteState, step: Step, keys: list[str]) -> list[Phrasing]:
    rewriter = Rewriter(workspace, suite, step)
    own = suite.key_of(step.text)
    phrasings: dict[str, Phrasing] = {}
    for key in keys:
        wording = step.text if key == own else suite.wording(key).text
        phrasing = phrasing_of(workspace, suite, wording)
        if phrasing not in phrasings or key == own:  # a definition may serve several templates
            shown = step.text if key == own else rewriter.say(wording)
            phrasings[phrasing] = Phrasing(phrasing, shown or phrasing)
    return list(phrasings.values()) if len(phrasings) > 1 else []


def _replacements(
    workspace: View, suite: SuiteState, step: Step, preferred: list[str], cluster: list[str]
) -> list[Replacement]:
    """The wordings that findings prefer, then the cluster's other templates, most used first, then similar ones. For an
    undefined step, only findings may ask for an undefined one."""
    own, glue = suite.key_of(step.text), known_glue(suite) if is_undefined(suite, step) else None
    rewriter = Rewriter(workspace, suite, step)
    wordings = [(text, True) for text in dict.fromkeys(preferred)]
    grouped = sorted(cluster, key=lambda key: -suite.texts.occurrences(key))
    others = [*grouped, *_near(workspace, suite, step)]
    wordings += [(suite.wording(key).text, False) for key in others if key != own]
    offered: dict[str, Replacement] = {}
    for wording, asked_for in wordings:
        replacement = rewriter.say(wording)
        key = suite.key_of(wording)
        if replacement is None or key is None or replacement in offered:
            continue
        if _fits(suite, key, replacement, step):
            undefined = glue is not None and not binds(glue, step, replacement)
            if asked_for or not undefined:
                # a free argument makes a template of its own
                used = suite.texts.occurrences(template(replacement).key) or suite.texts.occurrences(key)
                offered[replacement] = Replacement(replacement, wording, used, asked_for, undefined)
        if len(offered) == _OFFERED:
            break
    return list(offered.values())


def _near(workspace: View, suite: SuiteState, step: Step) -> Iterator[str]:
    """The keys of the templates that are near misses of a step's text."""
    least = _APART * suite.options().effective_threshold
    for near in similar_in(suite, step.text, _LOOKED_AT, workspace.embedder):
        if not near.judgement.barred_by and near.judgement.p_one_intent >= least:
            yield near.text.template.key


def _says_no_less(wording: str, step: Step) -> bool:
    """True if another text keeps each value of a step and adds none of its own: a page for 503 is not one for 404, even
    if a definition contains both as words."""
    return wording != step.text and _values(wording) == _values(step.text)


def _fits(suite: SuiteState, key: str, wording: str, step: Step) -> bool:
    """True if a wording of a template keeps the values of a step, and if some step of the template has a table, a
    DocString or nothing below it as this step has."""
    texts = suite.texts
    others = (other for text in texts.members.get(key, ()) for other in texts.steps(text))
    return _says_no_less(wording, step) and any(other.argument == step.argument for other in others)


def _values(text: str) -> Counter[str]:
    return Counter(argument.value for argument in masked_arguments(text))


HANDLERS: dict[type[Request], Any] = {
    ActionsAt: actions,
    PlanCreation: create,
}
