"""Two steps read side by side, token by token: how what one says is found again in the other.

Decomposable attention (Parikh et al. 2016) over the token embeddings of all-MiniLM-L6-v2, which are looked up and not
computed: every token meets its likeness in the other step, the two are compared, and the evidence of the trees goes in
beside what that gave. Answers where the language model is at hand; `intent` does without it elsewhere. Trained by
`corpus_tools.training.intents`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.judging.features import Column, matrix
from cukereuse_engine.text.template import SLOT

Floats = NDArray[np.float32]

ARGUMENT = "_"
"""What an argument is read as."""
SHARPNESS = 4.0
"""How much more a token looks at what is like it than scaled dot products alone would have it."""
DIFFERENCE, SUM = 2.0, 1.0 / 3.0
"""Bring what is compared, and what is summed over tokens, to one scale."""
LIMIT = 4.0
"""Standard deviations from the mean at which evidence is cut off."""
MOST_TOKENS = 62
"""What comes after is not read."""
_PAIRS_AT_ONCE = 16
_LAYERS = ("project", "look", "compare", "compare_bias", "refine", "refine_bias")
_DECISION = ("decide", "decide_bias", "answer", "answer_bias")


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Networks that vote; every array has one more axis in front, a row a network."""

    names: tuple[str, ...]
    """The evidence that goes in, in order."""
    mean: Column
    deviation: Column
    """(evidence,) of the pairs that it was trained with."""
    weights: Mapping[str, Floats]
    """By layer: `project` (384, size), `look` (size, size), `compare` (4·size + 1, hidden), `refine` (hidden, hidden),
    `decide` (4·hidden + evidence, hidden), `answer` (hidden, 1), and their biases."""

    @property
    def layers(self) -> list[dict[str, Floats]]:
        """The weights of each network."""
        return [dict(zip(self.weights, arrays, strict=True)) for arrays in zip(*self.weights.values(), strict=True)]

    def measured(self, features: Mapping[str, Column]) -> Floats:
        """(n, evidence) in standard deviations."""
        measured = (matrix(features, self.names) - self.mean) / self.deviation
        return np.clip(measured, -LIMIT, LIMIT).astype(np.float32)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "attention.names": np.array(self.names),
            "attention.scale": np.stack([self.mean, self.deviation]),
            **{f"attention.{name}": array.astype(np.float16) for name, array in self.weights.items()},
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Attention":
        names = tuple(str(name) for name in arrays["attention.names"])
        weights = {name: arrays[f"attention.{name}"].astype(np.float32) for name in (*_LAYERS, *_DECISION)}
        mean, deviation = arrays["attention.scale"]
        return cls(names, mean, deviation, weights)


class PairReader:
    """Reads pairs of templates by one model's tokens; keeps what it has looked up."""

    def __init__(self, attention: Attention, table: TokenTable) -> None:
        self.attention = attention
        self._table = table
        self._texts: dict[str, NDArray[np.int64]] = {}
        """Template to the places of its tokens in `_words`."""
        self._places: dict[int, int] = {}
        nothing = np.zeros((1, attention.weights["project"].shape[1]), np.float32)
        self._words = list(self._seen(nothing))
        """By network (tokens seen, …), what of a token does not depend on the other text; nothing in the first."""

    def logit(self, left: Sequence[str], right: Sequence[str], features: Mapping[str, Column]) -> Column:
        """(n,) log odds that the masked texts `left[i]` and `right[i]` mean one thing: the networks' mean."""
        self._look_up(sorted({*left, *right}))
        measured, result = self.attention.measured(features), np.empty(len(left))
        rows = [[self._texts[text] for text in texts] for texts in (left, right)]
        order = np.lexsort([[len(tokens) for tokens in side] for side in rows])
        for start in range(0, len(order), _PAIRS_AT_ONCE):
            part = order[start : start + _PAIRS_AT_ONCE]
            sides = [_side_by_side([tokens[place] for place in part.tolist()]) for tokens in rows]
            result[part] = self._votes(sides, measured[part]).mean(0)
        return result

    def _look_up(self, masked: Sequence[str]) -> None:
        new = [text for text in masked if text not in self._texts]
        if not new:
            return
        rows = [tokens[:MOST_TOKENS] for tokens in self._table.tokens([text.replace(SLOT, ARGUMENT) for text in new])]
        unseen = [token for token in np.unique(np.concatenate(rows)).tolist() if token not in self._places]
        if unseen:
            self._places.update(zip(unseen, count(len(self._words[0]))))
            seen = self._seen(self._table.token_embeddings(np.array(unseen, np.int32)))
            self._words = [np.concatenate(both) for both in zip(self._words, seen, strict=True)]
        for text, tokens in zip(new, rows, strict=True):
            self._texts[text] = np.array([self._places[token] for token in tokens.tolist()], np.int64)

    def _seen(self, embeddings: Floats) -> Iterator[Floats]:
        """By network `(tokens, 3·size + hidden)`: each token, the same at length 1, how it looks and is compared."""
        for layer in self.attention.layers:
            words = embeddings @ layer["project"]
            unit = words / np.maximum(np.linalg.norm(words, axis=1, keepdims=True), np.float32(1e-12))
            compared = words @ layer["compare"][: words.shape[1]] + layer["compare_bias"]
            yield np.concatenate([words, unit, words @ layer["look"], compared], 1)

    def _votes(self, sides: Sequence[tuple[NDArray[np.int64], NDArray[np.bool_]]], measured: Floats) -> Floats:
        """(networks, n) log odds."""
        votes = []
        (_, left), (_, right) = sides
        absent = ~(left[:, :, None] & right[:, None, :])
        for words, layer in zip(self._words, self.attention.layers, strict=True):
            size = len(layer["look"])
            mine, theirs = (np.split(words[tokens], [size, 2 * size, 3 * size], 2) for tokens, _ in sides)
            nearness, looks = (mine[part] @ theirs[part].transpose(0, 2, 1) for part in (1, 2))
            nearness[absent], looks[absent] = -1.0, -1e4
            forth = _compared(mine, theirs, nearness, looks, layer) * left[..., None]
            back = _compared(theirs, mine, nearness.transpose(0, 2, 1), looks.transpose(0, 2, 1), layer)
            back *= right[..., None]
            forth, back = (np.concatenate([side.sum(1) * np.float32(SUM), side.max(1)], 1) for side in (forth, back))
            joined = np.concatenate([forth + back, np.abs(forth - back), measured], 1)
            hidden = np.maximum(joined @ layer["decide"] + layer["decide_bias"], 0.0)
            votes.append((hidden @ layer["answer"] + layer["answer_bias"])[:, 0])
        return np.array(votes)


def _compared(
    mine: Sequence[Floats], theirs: Sequence[Floats], nearness: Floats, looks: Floats, layer: Mapping[str, Floats]
) -> Floats:
    """(n, mine, hidden) what each token of one side makes of its likeness in the other. `nearness`, `looks`: (n, mine,
    theirs) how near two tokens are, and how much they look at each other."""
    words = mine[0]
    attention = looks * np.float32(SHARPNESS / np.sqrt(words.shape[2]))
    attention = np.exp(attention - attention.max(2, keepdims=True))
    likeness = (attention / attention.sum(2, keepdims=True)) @ theirs[0]
    parts = [likeness, np.abs(words - likeness) * np.float32(DIFFERENCE), words * likeness, nearness.max(2)[..., None]]
    of_both = _times(np.concatenate(parts, 2), layer["compare"][words.shape[2] :])
    refined = _times(np.maximum(mine[3] + of_both, 0.0), layer["refine"]) + layer["refine_bias"]
    return np.asarray(np.maximum(refined, 0.0), np.float32)


def _times(rows: Floats, weights: Floats) -> Floats:
    """`rows @ weights` as one product of matrices: NumPy would take one product for each of the first axis, each with
    threads of its own, which is two hundred times slower."""
    return np.asarray((rows.reshape(-1, rows.shape[2]) @ weights).reshape(*rows.shape[:2], -1))


def _side_by_side(rows: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(n, longest) tokens of one side of n pairs, and where there are some: a shorter text ends before."""
    lengths = np.array([len(places) for places in rows])
    inside = np.arange(max(1, lengths.max())) < lengths[:, None]
    tokens = np.zeros(inside.shape, np.int64)
    tokens[inside] = np.concatenate(rows)
    return tokens, inside
