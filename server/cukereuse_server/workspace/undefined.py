"""What a step without a definition most likely meant: the wording of a bound step, or an unused definition with the
step's own arguments, so that it binds.

Ranks by `cukereuse_engine.scanning.undefined`; never binds anything, never changes the suite.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.open_outlines import is_open
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.scanning.undefined import DefinitionSuggestion, suggest
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import mask, template
from cukereuse_server.workspace.navigation import known_glue
from cukereuse_server.workspace.phrases import Pieces, Typed, masked_of, phrase_of_definition, text_of, with_typed
from cukereuse_server.workspace.similar import picked
from cukereuse_server.workspace.suite import SuiteState

_MOST_SUGGESTIONS = 3
_LOOKED_AT = 8
_UNSAID = 20
"""The number of unused definitions that are compared, those with the most similar wordings."""
_LEAST = 0.6
"""The Indel similarity of masked texts, or probability of one definition, below which nothing is suggested."""


@dataclass(frozen=True, slots=True)
class Meant:
    key: str
    """The key of the template; for an unused definition, that of its own wording."""
    text: str
    """The wording, or a step that binds to the definition."""
    definition: StepDefinition | None
    """The unused definition."""
    pieces: Pieces
    """The definition's wording with its arguments separate; empty for a wording in use."""


def is_undefined(suite: SuiteState, step: Step) -> bool:
    glue = known_glue(suite)
    if not step.text or glue is None or is_open(step):
        return False
    return glue.bind(step).status is Status.UNDEFINED


def meant(suite: SuiteState, step: Step, embedder: Embedder | None) -> list[Meant]:
    """Likeliest first, each definition once; empty for a bound step, or if no definition is known."""
    glue = known_glue(suite)
    if glue is None or suite.judge is None or not is_undefined(suite, step):
        return []
    texts, cosine = picked(suite, step.text, embedder)
    functions = {text.identity: bound for text in texts if (bound := suite.bindings.known.get(text.identity))}
    unsaid = {normalise(text_of(pieces)): (definition, pieces) for definition, pieces in _unsaid(glue, step.text)}
    new = [StepText(text, identity(text), template(text), 0) for text in unsaid]
    functions |= {text.identity: unsaid[text.text][0].function_id for text in new}
    texts = [*texts, *new]
    cosines = None if cosine is None else np.concatenate([cosine, np.full(len(unsaid), np.nan)])
    suggestions = suggest(step.text, texts, functions, suite.judge, _or_none(cosines), _LOOKED_AT)
    return [_meant(suggestion, unsaid) for suggestion in suggestions if _is_likely(suggestion)][:_MOST_SUGGESTIONS]


def binds(glue: Glue, step: Step, text: str) -> bool:
    """True if the step would bind with `text`."""
    return glue.bind(replace(step, text=text)).status is not Status.UNDEFINED


def said_with_arguments(candidate: Meant, step: Step) -> str | None:
    """A definition's wording with the step's own arguments; None if they do not fit."""
    pieces = with_typed(candidate.pieces, Typed.of(step.text))
    return None if pieces is candidate.pieces else text_of(pieces)


def _or_none(cosine: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    return None if cosine is None or np.isnan(cosine).all() else cosine


def _is_likely(suggestion: DefinitionSuggestion) -> bool:
    judgement = suggestion.wording.judgement
    near = max(suggestion.wording.indel, judgement.p_one_intent, judgement.p_same_definition)
    return not judgement.barred_by and near >= _LEAST


def _meant(suggestion: DefinitionSuggestion, unsaid: dict[str, tuple[StepDefinition, Pieces]]) -> Meant:
    text = suggestion.wording.text
    definition, pieces = unsaid.get(text.text, (None, [])) if not text.occurrences else (None, [])
    return Meant(text.template.key, text.text, definition, pieces)


def _unsaid(glue: Glue, text: str) -> Iterator[tuple[StepDefinition, Pieces]]:
    """Definitions that no other text uses, likeliest by their wording first."""
    phrases = [
        (definition, pieces)
        for definition in glue.unsaid(text)
        if (pieces := phrase_of_definition(definition)) is not None
    ]
    wordings = [masked_of(pieces).lower() for _, pieces in phrases]
    near = process.extract(mask(text).lower(), wordings, scorer=fuzz.ratio, limit=_UNSAID)
    yield from (phrases[place] for _, _, place in near)
