"""Where a step is used, what it binds to, what else says the same."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.functions.relations import Relation
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.step_call import Call
from cukereuse_engine.rules import RULES, About
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.navigation import (
    Counted,
    CountUses,
    Definition,
    DefinitionInfo,
    Describe,
    FindDefinitions,
    FindHere,
    FindUses,
    FindWordings,
    ListCounted,
    StepArgument,
    StepCount,
    StepInfo,
    Targets,
    Twin,
    Weighed,
    Wording,
)
from cukereuse_server.protocol.places import Place
from cukereuse_server.worker.handlers.places import Places
from cukereuse_server.worker.handlers.tags import tag_at, uses_of
from cukereuse_server.worker.handlers.wording import detail
from cukereuse_server.workspace.calling import calls_in, calls_of
from cukereuse_server.workspace.navigation import (
    arguments_of_step,
    binding_of,
    definitions_at,
    definitions_in,
    is_used_again,
    other_wordings,
    steps_like,
    steps_of_definition,
    steps_of_row,
    steps_of_wording,
    wordings_beside,
)
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.twins import twins_of
from cukereuse_server.workspace.view import View

_WORDINGS = 5
"""Wordings that a description names."""
_SHOWN = 20
"""Steps of one other wording that are shown."""


def step_on(workspace: View, path: str, line: int) -> tuple[SuiteState, Step, str] | None:
    """The step on a line, with its suite and the key of its template; None where there is none, or one without text."""
    suite, step = workspace.suite_of(path), workspace.step_at(path, line)
    key = suite.key_of(step.text) if suite is not None and step is not None and step.text else None
    return (suite, step, key) if suite is not None and step is not None and key is not None else None


def describe(workspace: View, request: Describe) -> StepInfo | DefinitionInfo | None:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return _describe_definition(workspace, request.path, request.line)
    suite, step, key = at_step
    binding = binding_of(suite, step)
    others = other_wordings(suite, step.path, key)
    places = Places(workspace)
    used = steps_like(suite, step, key)
    return StepInfo(
        place=places.of_step(step),
        text=step.text,
        occurrences=len(used),
        files=len({used_step.path for used_step in used}),
        others=None if others is None else [Wording(text.text, count) for text, count in others],
        status=binding.status.value if binding is not None else "",
        definitions=[
            _definition(places, definition) for definition in (binding.definitions if binding is not None else ())
        ],
        libraries=list(binding.libraries) if binding is not None else [],
        arguments=[StepArgument(argument.name, argument.text) for argument in arguments_of_step(suite, step)],
        findings=[_weighed(workspace, suite, step, finding) for finding in findings_at(suite, step)],
        twins=[
            twin
            for definition in (binding.definitions if binding is not None else ())
            for twin in _twins(places, suite, definition)
        ],
    )


def _weighed(workspace: View, suite: SuiteState, step: Step, finding: Finding) -> Weighed:
    """A finding, with the evidence of the pair that it shows at this step."""
    message = detail(finding, workspace.folders)
    preferred = finding.preferred
    compares = preferred is not None and RULES[finding.rule].about is About.WORDINGS
    reasons = suite.why(step.text, preferred.text) if preferred is not None and compares else None
    if preferred is None or reasons is None:
        return Weighed(message=message)
    sentences = [*reasons.weights(1), *reasons.weights(-1)]
    return Weighed(
        message=message,
        other=preferred.text,
        sure=reasons.judgement.p_one_intent,
        evidence=[(kind.value, weight) for kind, weight in sentences],
        known=[(pair.left, pair.right, pair.is_one) for pair in reasons.known],
    )


_SAID_BY_BINDING = ("undefined-step", "ambiguous-step")
"""Rules whose findings say what a step binds to, which is told anyway."""


def findings_at(suite: SuiteState, step: Step) -> list[Finding]:
    """Those that a diagnostic stands for at a step; none while they are not known."""
    if not suite.is_known(step.path):
        return []
    return [
        finding
        for finding in suite.findings_in(step.path)
        if finding.rule not in _SAID_BY_BINDING
        and any(
            place.path == step.path and place.line == step.line for other in finding.others for place in other.places
        )
    ]


def _describe_definition(workspace: View, path: str, line: int) -> DefinitionInfo | None:
    definitions = definitions_at(workspace, path, line)
    if not definitions:
        return None
    steps = [(suite, step) for suite, definition in definitions for step in steps_of_definition(suite, definition)]
    wordings = Counter(suite.wording(key).text for suite, step in steps if (key := suite.key_of(step.text)) is not None)
    return DefinitionInfo(
        definition=_definition(Places(workspace), definitions[0][1]),
        occurrences=len(steps),
        files=len({step.path for _, step in steps}),
        wordings=[Wording(text, count) for text, count in wordings.most_common(_WORDINGS)],
        twins=_twins(Places(workspace), *definitions[0]),
    )


def _twins(places: Places, suite: SuiteState, definition: StepDefinition) -> list[Twin]:
    twins = []
    for twin in twins_of(suite, definition):
        names = {Relation.SAME: "same", Relation.PASSES_ON: "passes on", Relation.CONSTANT: "constant"}
        relation = "called" if twin.related.reversed else names[twin.related.relation]
        values = list(twin.related.values) if twin.related.relation is Relation.CONSTANT else []
        twins.append(Twin(_definition(places, twin.definition), relation, values))
    return twins


def _definition(places: Places, definition: StepDefinition) -> Definition:
    return Definition(
        place=place_of_definition(places, definition),
        expression=definition.shown,
        function=definition.function_name,
        framework=definition.framework,
    )


def place_of_definition(places: Places, definition: StepDefinition) -> Place:
    """Of the expression; of its first line where it spans several."""
    span = definition.literal
    end = span.end_column if span.end_line == span.line else len(places.line(definition.path, span.line)) + 1
    return places.at(definition.path, span.line, span.column, end)


def uses(workspace: View, request: FindUses) -> list[Place]:
    places = Places(workspace)
    tag = tag_at(workspace, request.path, request.line, request.column)
    if tag is not None:
        return uses_of(workspace, request.path, tag[0])
    at_step = step_on(workspace, request.path, request.line)
    if at_step is not None:
        suite, step, key = at_step
        steps = steps_like(suite, step, key)
        binding = binding_of(suite, step)
        bound: Sequence[StepDefinition] = binding.definitions if binding is not None else ()
        definitions: Sequence[StepDefinition] = (
            _with_twins([(suite, definition) for definition in bound]) if request.declaration else ()
        )
        calls = [
            place_of_call(places, definition)
            for definition in calls_of(workspace, [(suite, definition) for definition in bound])
        ]
    else:
        pairs = definitions_at(workspace, request.path, request.line)
        steps = [step for suite, definition in pairs for step in steps_of_definition(suite, definition)]
        definitions = _with_twins(pairs) if request.declaration else ()
        calls = [place_of_call(places, call) for call in calls_of(workspace, pairs)]
    return [
        *(place_of_definition(places, definition) for definition in definitions),
        *map(places.of_step, steps),
        *calls,
    ]


def _with_twins(pairs: Sequence[tuple[SuiteState, StepDefinition]]) -> Sequence[StepDefinition]:
    """Definitions, each once, then those that run the same code or pass on."""
    twins = (twin for suite, definition in pairs for twin in twins_of(suite, definition))
    same = [twin.definition for twin in twins if twin.related.relation is not Relation.CONSTANT]
    return list(
        {definition.id: definition for definition in (*(definition for _, definition in pairs), *same)}.values()
    )


def definitions(workspace: View, request: FindDefinitions) -> Targets | None:
    suite = workspace.suite_of(request.path)
    step = workspace.step_at(request.path, request.line)
    places = Places(workspace)
    if suite is None:
        return _from_code(workspace, request.path, request.line, places)
    if step is not None:
        steps, origin = [step], places.of_step(step)
    else:
        steps = steps_of_row(workspace, request.path, request.line, request.column)
        line = places.line(request.path, request.line)
        origin = places.at(request.path, request.line, len(line) - len(line.lstrip()) + 1, len(line.rstrip()) + 1)
    bindings = [binding_of(suite, step) for step in steps if step.text]
    targets = {
        definition.id: definition for binding in bindings if binding is not None for definition in binding.definitions
    }
    return Targets(origin, [place_of_definition(places, target) for target in targets.values()]) if targets else None


def _from_code(workspace: View, path: str, line: int, places: Places) -> Targets | None:
    """From an expression to the steps that bind to it, from a call by a step's text to its definition."""
    pairs = definitions_at(workspace, path, line)
    if pairs:
        steps = [step for suite, definition in pairs for step in steps_of_definition(suite, definition)]
        targets = list(map(places.of_step, steps))
        return Targets(place_of_definition(places, pairs[0][1]), targets) if targets else None
    calls = [(call, definition) for call, definition in calls_in(workspace, path) if call.step.line == line]
    if not calls:
        return None
    targets = list(dict.fromkeys(place_of_definition(places, definition) for _, definition in calls))
    return Targets(place_of_call(places, calls[0][0]), targets)


def place_of_call(places: Places, call: Call) -> Place:
    return places.at(call.step.path, call.step.line, call.step.column, call.step.span.end_column)


def here(workspace: View, request: FindHere) -> list[Place]:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return []
    suite, _, key = at_step
    entry = suite.texts.files[request.path]
    members = suite.texts.members[key]
    places = Places(workspace)
    steps = [step for text in members if text in entry.texts for step in entry.texts[text]]
    return [places.of_step(step) for step in sorted(steps, key=lambda step: step.line)]


def list_counted(workspace: View, request: ListCounted) -> list[Counted]:
    suite = workspace.suite_of(request.path)
    entry = suite.texts.files.get(request.path) if suite is not None else None
    if request.path not in workspace.buffers or (entry is not None and entry.is_karate):
        return []
    places = Places(workspace)
    if suite is None or entry is None:
        return [
            Counted(place_of_definition(places, definition), False)
            for definition in definitions_in(workspace, request.path)
        ]
    is_known = suite.is_known(request.path)
    counted = []
    by_template: dict[str, tuple[bool, bool]] = {}
    """Whether there are other wordings, and whether it is used again, which a template has in common."""
    for step in entry.file.steps:
        key = suite.key_of(step.text) if step.text else None
        if key is not None:
            if key not in by_template:
                has_others = is_known and bool(wordings_beside(suite, key))
                by_template[key] = has_others, has_others or is_used_again(suite, step, key)
            has_others, is_counted = by_template[key]
            if is_counted:
                counted.append(Counted(places.of_step(step), has_others))
    return counted


def count(workspace: View, request: CountUses) -> StepCount | None:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return _count_definition(workspace, request.path, request.line)
    suite, step, key = at_step
    others = other_wordings(suite, step.path, key)
    return StepCount(len(steps_like(suite, step, key)), None if others is None else len(others))


def _count_definition(workspace: View, path: str, line: int) -> StepCount | None:
    pairs = definitions_at(workspace, path, line)
    if not pairs:
        return None
    uses = sum(len(steps_of_definition(suite, definition)) for suite, definition in pairs)
    return StepCount(uses, 0, len(calls_of(workspace, pairs)))


def wordings(workspace: View, request: FindWordings) -> list[Place]:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return []
    suite, step, key = at_step
    places = Places(workspace)
    others = [suite.key_of(text.text) for text, _ in other_wordings(suite, step.path, key) or ()]
    return [
        places.of_step(step)
        for other in others
        if other is not None
        for step in steps_of_wording(suite, other)[:_SHOWN]
    ]


HANDLERS: dict[type[Request], Any] = {
    Describe: describe,
    FindUses: uses,
    FindDefinitions: definitions,
    FindHere: here,
    ListCounted: list_counted,
    CountUses: count,
    FindWordings: wordings,
}
