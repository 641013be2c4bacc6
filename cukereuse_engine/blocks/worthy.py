"""Whether a block is one thought that a maintainer would take out."""

import math

from cukereuse_engine.blocks.block import Shape

_LONG = 12
"""Steps from which on a block is rather a scenario than a step: nobody finds words for all that it does."""

_MOSTLY = 0.5


def confidence(shape: Shape, length: int, parameters: int) -> float:
    """Probability that a maintainer would take the block out.

    A logistic score whose weights were set by hand, by reading the first blocks of fifteen public suites: what is said
    elsewhere too, what varies at every place and what is cut amid a phase was rarely worth a step of its own; what a
    program wrote never was, nor what runs on for dozens of steps, nor what is a whole scenario or its one action with
    the checks, nor what begins or ends with a step that is another one at each place, or amid steps of one wording.
    """
    score = 1.0
    score += 0.8 * math.log(max(shape.cohesion, 1e-3))
    score += 1.6 * (shape.borders - 0.75)
    score -= 0.45 * parameters
    score += 1.0 * (shape.constant - 0.5)
    score += 0.15 * (min(length, 8) - 3)
    score -= 0.12 * max(0, length - _LONG)
    score -= 4.0 * shape.generated
    score -= 2.5 * (shape.whole + shape.subject)
    score -= 2.0 * (shape.ragged + (shape.amid > _MOSTLY))
    return 1 / (1 + math.exp(-score))
