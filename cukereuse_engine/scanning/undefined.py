"""Finds what a step without a definition most likely meant: the most similar wordings with known definitions, or a
definition with a similar wording.

Binds nothing: it ranks what a person may choose from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.nearest import CUTOFF, Nearest
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.scanning.similar_wordings import SimilarWording, similar_wordings
from cukereuse_engine.scanning.undefined_cache import Likeliest
from cukereuse_engine.text.step_text import StepText

LIMIT = 3
MOST_TEXTS = 200
"""How many texts without a definition are compared with every step; if there are more, the glue is likely elsewhere."""


@dataclass(frozen=True, slots=True)
class DefinitionSuggestion:
    wording: SimilarWording
    """Its score, nearest text and reasons."""
    function: str
    """The function behind its definitions (`StepDefinition.function_id`)."""


def suggest(
    undefined: str,
    texts: Sequence[StepText],
    functions: Mapping[str, str],
    judge: Judge,
    cosine: NDArray[np.float64] | None = None,
    limit: int = LIMIT,
) -> tuple[DefinitionSuggestion, ...]:
    """The definitions that the text `undefined` most likely meant, likeliest first, each once.

    `functions` maps identity to function, as `bound_functions` does; only the `texts` in it count. `cosine` is
    `(len(texts),)`, NaN if unknown. Typing mistakes and other wordings lead to the definition in use; a text without
    any resemblance still gets the nearest one, with its low score.
    """
    kept = [place for place, text in enumerate(texts) if text.identity in functions]
    near = None if cosine is None else np.asarray(cosine, np.float64)[kept]
    suggestions: dict[str, DefinitionSuggestion] = {}
    # Several wordings of one definition may be adjacent, so ask for more than are shown.
    for wording in similar_wordings(undefined, [texts[place] for place in kept], judge, near, 4 * limit):
        function = functions[wording.text.identity]
        suggestions.setdefault(function, DefinitionSuggestion(wording, function))
    return tuple(suggestions.values())[:limit]


def likeliest(
    undefined: Sequence[str],
    texts: Sequence[StepText],
    functions: Mapping[str, str],
    definitions: Sequence[StepDefinition],
    judge: Judge,
) -> dict[str, Likeliest]:
    """What each of the texts meant; texts without a similar one are left out. First comes a step in use with the same
    meaning, then the definition of the most similar wording, used or not (typing mistakes), then the step with the most
    similar wording. `texts` and `functions` as in `suggest`."""
    nearest = Nearest(definitions)
    by_function = {definition.function_id: definition for definition in reversed(definitions)}
    meant_by = {}
    for place, text in enumerate(dict.fromkeys(undefined)):
        suggested = suggest(text, texts, functions, judge) if place < MOST_TEXTS else ()
        steps = {
            suggestion.function: suggestion.wording for suggestion in suggested if suggestion.function in by_function
        }
        function = next((name for name, wording in steps.items() if wording.judgement.p_one_intent >= 0.5), None)
        definition = by_function[function] if function is not None else nearest.of(text)
        if definition is None:
            near = next((name for name, wording in steps.items() if wording.indel >= CUTOFF / 100), None)
            definition = by_function[near] if near is not None else None
        if definition is not None:
            step = steps.get(definition.function_id)
            meant_by[text] = Likeliest(definition, step.text.text if step is not None else None)
    return meant_by
