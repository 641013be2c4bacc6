"""What a step without a definition most likely meant: the wordings nearest to it whose definitions are known.

Never binds anything: it ranks what a person may choose from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.model import Judge, StepText
from cukereuse_engine.scanning.similar import SimilarWording, similar_wordings

LIMIT = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
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
) -> tuple[Suggestion, ...]:
    """The definitions that the text `undefined` most likely meant, the likeliest first, each once.

    `functions` is identity to function, as `bound_functions` gives it; of `texts` only those that it names count.
    `cosine` is `(len(texts),)`, NaN where unknown. A typing mistake and another wording both lead to the definition in
    use; a text that nothing resembles gets the nearest all the same, with its low score.
    """
    kept = [place for place, text in enumerate(texts) if text.identity in functions]
    near = None if cosine is None else np.asarray(cosine, np.float64)[kept]
    found: dict[str, Suggestion] = {}
    # Several wordings of one definition stand beside each other: ask for more than are shown.
    for wording in similar_wordings(undefined, [texts[place] for place in kept], judge, near, 4 * limit):
        function = functions[wording.text.identity]
        found.setdefault(function, Suggestion(wording, function))
    return tuple(found.values())[:limit]
