"""The contents of a hover on a step or a step definition."""

from collections import Counter
from typing import Any

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.functions.relations import Relation
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.rules import RULES, About
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.hover import (
    CountedWording,
    DefinitionInfo,
    DefinitionTwin,
    Describe,
    ShownDefinition,
    StepArgument,
    StepInfo,
    Weighed,
)
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_definition, step_on
from cukereuse_server.worker.handlers.wording import detail
from cukereuse_server.workspace.navigation import (
    arguments_of_step,
    binding_of,
    definitions_at,
    other_wordings,
    steps_like,
    steps_of_definition,
)
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.twins import twins_of
from cukereuse_server.workspace.view import View

_WORDINGS = 5
"""Maximum number of wordings that a description names."""


def describe(workspace: View, request: Describe) -> StepInfo | DefinitionInfo | None:
    at_step = step_on(workspace, request.path, request.line)
    if at_step is None:
        return _describe_definition(workspace, request.path, request.line)
    suite, step, key = at_step
    binding = binding_of(suite, step)
    others = other_wordings(suite, step.path, key)
    places = PlaceMaker(workspace)
    used = steps_like(suite, step, key)
    return StepInfo(
        place=places.of_step(step),
        text=step.text,
        occurrences=len(used),
        files=len({used_step.path for used_step in used}),
        others=None if others is None else [CountedWording(text.text, count) for text, count in others],
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
    """A finding, with the evidence for the pair that it shows at this step."""
    message = detail(finding, step, workspace.folders)
    preferred = finding.preferred
    compares = preferred is not None and RULES[finding.rule].about is About.WORDINGS
    reasons = suite.why(step.text, preferred.text) if preferred is not None and compares else None
    if preferred is None or reasons is None:
        return Weighed(message=message)
    return Weighed(
        message=message,
        other=preferred.text,
        sure=reasons.judgement.p_one_intent,
        evidence=reasons.rows(),
        known=[(pair.left, pair.right, pair.is_one) for pair in reasons.known],
    )


_SAID_BY_BINDING = ("undefined-step", "ambiguous-step")
"""Rules whose findings repeat what the binding already shows."""


def findings_at(suite: SuiteState, step: Step) -> list[Finding]:
    """The findings that diagnostics show at a step; empty while they are unknown."""
    if not suite.findings.is_known(step.path):
        return []
    return [
        finding
        for finding in suite.findings.in_file(step.path)
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
        definition=_definition(PlaceMaker(workspace), definitions[0][1]),
        occurrences=len(steps),
        files=len({step.path for _, step in steps}),
        wordings=[CountedWording(text, count) for text, count in wordings.most_common(_WORDINGS)],
        twins=_twins(PlaceMaker(workspace), *definitions[0]),
    )


def _twins(places: PlaceMaker, suite: SuiteState, definition: StepDefinition) -> list[DefinitionTwin]:
    twins = []
    for twin in twins_of(suite, definition):
        names = {Relation.SAME: "same", Relation.PASSES_ON: "passes on", Relation.CONSTANT: "constant"}
        relation = "called" if twin.related.reversed else names[twin.related.relation]
        values = list(twin.related.values) if twin.related.relation is Relation.CONSTANT else []
        twins.append(DefinitionTwin(_definition(places, twin.definition), relation, values))
    return twins


def _definition(places: PlaceMaker, definition: StepDefinition) -> ShownDefinition:
    return ShownDefinition(
        place=place_of_definition(places, definition),
        expression=definition.shown,
        function=definition.function_name,
        framework=definition.framework,
    )


HANDLERS: dict[type[Request], Any] = {Describe: describe}
