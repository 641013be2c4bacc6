"""Steps that are similar to a text, and the cluster of a step."""

from collections.abc import Iterable, Sequence
from typing import Any

from cukereuse_engine.catalogue.search import said_of
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.scanning.similar_wordings import SimilarWording
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.similar import ClusterAnswer, ClusterWording, GetCluster, Similar, SimilarStep
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.workspace.similar import similar_in
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_ELSEWHERE = 5
"""Maximum number of steps of other repositories."""
_PLACES = 50
"""Maximum number of places of a wording."""


def similar(workspace: View, request: Similar) -> list[SimilarStep]:
    suite = workspace.suite_of(request.path)
    suites = [suite] if suite is not None else [] if request.path else list(workspace.suites.values())
    step = workspace.step_at(request.path, request.line) if request.line else None
    query = step.text if step is not None else request.text
    own = template(normalise(query)).key if request.line else None
    places = PlaceMaker(workspace)
    near: list[tuple[SuiteState, SimilarWording]] = []
    for suite in suites:
        ranked = similar_in(suite, query, 3 * request.limit + 1, workspace.embedder)
        near += [(suite, wording) for wording in ranked if wording.text.template.key != own]
    if request.apply:
        near = [pair for pair in near if not pair[1].judgement.barred_by]
    near.sort(key=lambda pair: -pair[1].score)
    own_steps = [_similar_step(suite, wording, places) for suite, wording in near[: request.limit]]
    return own_steps if request.apply else own_steps + _elsewhere(suites, query, own)


def _elsewhere(suites: Sequence[SuiteState], query: str, own: str | None) -> list[SimilarStep]:
    """Steps of other repositories that no suite here has."""
    keys = {key for suite in suites for key in suite.texts.members} | {own or ""}
    catalogues = {id(catalogue): catalogue for suite in suites if (catalogue := suite.catalogue) is not None}
    pairs = [
        pair
        for catalogue in catalogues.values()
        for pair in catalogue.like(query, 3 * _ELSEWHERE, keys)
        if not any(suite.defines(pair[0].text) for suite in suites)
    ]
    pairs.sort(key=lambda pair: -pair[1])
    return [
        SimilarStep(
            text=entry.text,
            occurrences=entry.uses,
            score=round(score, 4),
            indel=round(score, 4),
            cosine=None,
            reasons=[said_of(entry)],
            barred_by=[],
            places=[],
            known_to=entry.repositories,
        )
        for entry, score in pairs[:_ELSEWHERE]
    ]


def _similar_step(suite: SuiteState, wording: SimilarWording, places: PlaceMaker) -> SimilarStep:
    return SimilarStep(
        text=wording.text.text,
        occurrences=wording.occurrences,
        score=round(wording.score, 4),
        indel=round(wording.indel, 4),
        cosine=None if wording.cosine is None else round(wording.cosine, 4),
        reasons=list(wording.judgement.reasons),
        barred_by=list(wording.judgement.barred_by),
        places=_places(places, (step for text in wording.texts for step in suite.texts.steps(text.text))),
    )


def cluster(workspace: View, request: GetCluster) -> ClusterAnswer | None:
    suite, step = workspace.suite_of(request.path), workspace.step_at(request.path, request.line)
    if suite is None or step is None or suite.judge is None:
        return None
    text = normalise(step.text)
    entry = suite.texts.texts.get(text)
    if entry is None:
        return None
    component = suite.component(entry.template.key)
    group = next(
        (candidate for candidate in component.clusters if any(member.text == text for member in candidate.texts)), None
    )
    if group is None:
        return None
    places, bind = PlaceMaker(workspace), suite.bindings.bind
    by_key: dict[str, list[Step]] = {}
    for member in group.texts:
        by_key.setdefault(member.template.key, []).extend(suite.texts.steps(member.text))
    wordings = [
        ClusterWording(
            text=suite.wording(key).text,
            occurrences=len(steps),
            definitions=[
                places.at(definition.path, definition.line, definition.literal.column, definition.literal.end_column)
                for definition in {d.id: d for step in steps for d in (bind(step).definitions if bind else ())}.values()
            ],
            places=_places(places, steps),
        )
        for key, steps in by_key.items()
    ]
    return ClusterAnswer(
        id=group.id,
        kind=group.kind.value,
        canonical=group.canonical,
        score=group.score,
        reasons=list(group.reasons),
        wordings=sorted(wordings, key=lambda wording: (-wording.occurrences, wording.text)),
    )


def _places(places: PlaceMaker, steps: Iterable[Step]) -> list[Place]:
    return [places.of_step(step) for step, _ in zip(steps, range(_PLACES), strict=False)]


HANDLERS: dict[type[Request], Any] = {Similar: similar, GetCluster: cluster}
