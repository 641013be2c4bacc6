"""Trains the networks of `cukereuse_engine.judging.attention`, with PyTorch on one core: the same bytes each time."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.judging.attention import ARGUMENT, DIFFERENCE, LIMIT, MOST_TOKENS, SHARPNESS, SUM, Attention
from cukereuse_engine.judging.features import Column, matrix
from cukereuse_engine.text.template import SLOT

Floats = NDArray[np.float64]

NETWORKS, SIZE, HIDDEN = 2, 96, 96
EPOCHS, RATE, DECAY = 2, 1e-3, 0.05
"""Passes over the pairs, AdamW's learning rate and its weight decay; three passes were worse on suites left out."""
DROPPED, DROPPED_TOKENS = 0.2, 0.15
"""Share of what is hidden from each layer, and of the token embeddings."""
WARM_UP, MEMORY = 50, 0.99
"""Steps until the full rate; what the averaged weights, which are kept, take over at each step."""
_PAIRS_AT_ONCE = 128


@dataclass(frozen=True, slots=True, eq=False)
class PairsOfSuite:
    """Pairs of one suite. Arrays are `(n,)`."""

    left: Sequence[str]
    """Masked texts."""
    right: Sequence[str]
    features: Mapping[str, Column]
    same: NDArray[np.bool_]
    importance: NDArray[np.float64]
    rare: NDArray[np.bool_]
    """Pairs that every epoch has; of the others it has a share."""


def train_attention(
    suites: Sequence[PairsOfSuite], names: tuple[str, ...], table: TokenTable, thinned: float
) -> Attention:
    """`thinned`: the share of the pairs that are not `rare` which each epoch sees, each counting for those left out."""
    measured = np.concatenate([matrix(suite.features, names) for suite in suites])
    mean, deviation = measured.mean(0), measured.std(0) + 1e-6
    tensors = [_Tensors.of(suite, names, mean, deviation, table) for suite in suites]
    vectors = _vectors(table, tensors)
    trained = [_network(tensors, vectors, number, len(names), thinned) for number in range(NETWORKS)]
    weights = {name: np.stack([network[name] for network in trained]) for name in trained[0]}
    return Attention.from_arrays(Attention(names, mean, deviation, weights).arrays())  # as it will be read


@dataclass(frozen=True, slots=True, eq=False)
class _Tensors:
    """One suite's pairs as the networks take them."""

    tokens: tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]
    lengths: NDArray[np.int64]
    measured: NDArray[np.float32]
    suite: PairsOfSuite

    @classmethod
    def of(
        cls,
        suite: PairsOfSuite,
        names: tuple[str, ...],
        mean: NDArray[np.float64],
        deviation: NDArray[np.float64],
        table: TokenTable,
    ) -> "_Tensors":
        sides = [
            [tokens[:MOST_TOKENS] for tokens in table.tokens([text.replace(SLOT, ARGUMENT) for text in texts])]
            for texts in (suite.left, suite.right)
        ]
        measured = np.clip((matrix(suite.features, names) - mean) / deviation, -LIMIT, LIMIT)
        lengths = np.array([len(mine) + len(other) for mine, other in zip(*sides, strict=True)], np.int64)
        return cls((sides[0], sides[1]), lengths, measured.astype(np.float32), suite)

    def drawn(self, thinned: float, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """An epoch's batches, pairs of about one length together: places and what each counts."""
        rare = np.flatnonzero(self.suite.rare)
        common = np.flatnonzero(~self.suite.rare)
        count = int(np.ceil(thinned * len(common)))
        places = np.concatenate([rare, rng.choice(common, count, replace=False)])
        counts = self.suite.importance[places] * np.repeat([1.0, len(common) / max(count, 1)], [len(rare), count])
        order = np.argsort(self.lengths[places] + rng.random(len(places)) * 4.0)
        for start in range(0, len(order), _PAIRS_AT_ONCE):
            part = order[start : start + _PAIRS_AT_ONCE]
            yield places[part], counts[part]


def _vectors(table: TokenTable, tensors: Sequence[_Tensors]) -> Any:
    """(vocabulary, width) of the tokens that occur."""
    import torch

    used = np.unique(np.concatenate([tokens for suite in tensors for side in suite.tokens for tokens in side]))
    occurring = table.token_embeddings(used.astype(np.int32))
    vectors = torch.zeros(int(used.max()) + 1, occurring.shape[1])
    vectors[torch.tensor(used, dtype=torch.long)] = torch.tensor(occurring)
    return vectors


def _network(
    tensors: Sequence[_Tensors], vectors: Any, number: int, evidence: int, thinned: float
) -> dict[str, NDArray[np.float32]]:
    """Weights by layer, averaged over the steps of training."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(number)
    rng = np.random.default_rng(number)
    network = _module(vectors.shape[1], evidence)
    averaged = deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    epochs = [[(suite, *batch) for suite in tensors for batch in suite.drawn(thinned, rng)] for _ in range(EPOCHS)]
    total, typical = sum(map(len, epochs)), float(np.mean(np.concatenate([counts for *_, counts in epochs[0]])))
    step = 0
    network.train()
    for epoch in epochs:
        for place in rng.permutation(len(epoch)).tolist():
            suite, places, counts = epoch[place]
            step += 1
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(1.0, step / WARM_UP) * max(0.01, 1.0 - step / total)
            odds = network(*_batch(suite, places, vectors, swapped=rng.random() < 0.5))
            same = torch.tensor(suite.suite.same[places], dtype=torch.float32)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, same, reduction="none")
            optimiser.zero_grad()
            counted: Any = (loss * torch.tensor(counts / typical, dtype=torch.float32)).mean()
            counted.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            decay = min(MEMORY, step / (step + 10))
            with torch.no_grad():
                for mine, now in zip(averaged.parameters(), network.parameters(), strict=True):
                    mine.mul_(decay).add_(now, alpha=1.0 - decay)
    return _weights(averaged)


def _batch(suite: _Tensors, places: NDArray[np.int64], vectors: Any, *, swapped: bool) -> tuple[Any, ...]:
    import torch

    sides = []
    for rows in reversed(suite.tokens) if swapped else suite.tokens:
        tokens = [rows[place] for place in places.tolist()]
        padded = np.zeros((len(tokens), max(1, *map(len, tokens))), np.int64)
        for row, numbers in enumerate(tokens):
            padded[row, : len(numbers)] = numbers
        inside = np.arange(padded.shape[1]) < np.array(list(map(len, tokens)))[:, None]
        sides += [vectors[torch.tensor(padded)], torch.tensor(inside)]
    return (*sides, torch.tensor(suite.measured[places]))


def _module(width: int, evidence: int) -> Any:
    """The network of `judging.attention`, as it is trained."""
    import torch
    from torch import nn

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.project, self.look = nn.Linear(width, SIZE, bias=False), nn.Linear(SIZE, SIZE, bias=False)
            self.compare, self.refine = nn.Linear(4 * SIZE + 1, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
            self.decide, self.answer = nn.Linear(4 * HIDDEN + evidence, HIDDEN), nn.Linear(HIDDEN, 1)
            self.hide_tokens, self.hide = nn.Dropout(DROPPED_TOKENS), nn.Dropout(DROPPED)

        def forward(self, left: Any, left_inside: Any, right: Any, right_inside: Any, measured: Any) -> Any:
            left, right = (self.project(self.hide_tokens(side)) for side in (left, right))
            forth = self.compared(left, left_inside, right, right_inside)
            back = self.compared(right, right_inside, left, left_inside)
            joined = torch.cat([forth + back, (forth - back).abs(), measured], -1)
            return self.answer(self.hide(torch.relu(self.decide(joined)))).squeeze(-1)

        def compared(self, mine: Any, inside: Any, theirs: Any, their_inside: Any) -> Any:
            absent = ~their_inside[:, None, :]
            looks = self.look(mine) @ self.look(theirs).transpose(1, 2) * (SHARPNESS / SIZE**0.5)
            likeness = looks.masked_fill(absent, -1e4).softmax(-1) @ theirs
            unit = nn.functional.normalize
            cosine = unit(mine, dim=-1) @ unit(theirs, dim=-1).transpose(1, 2)
            nearest = cosine.masked_fill(absent, -1.0).max(-1).values[..., None]
            parts = [mine, likeness, (mine - likeness).abs() * DIFFERENCE, mine * likeness, nearest]
            compared = self.hide(torch.relu(self.compare(torch.cat(parts, -1))))
            refined = torch.relu(self.refine(compared)) * inside[..., None]
            return torch.cat([refined.sum(1) * SUM, refined.max(1).values], -1)

    return Network()


def _weights(network: Any) -> dict[str, NDArray[np.float32]]:
    """A network's layers as `judging.attention` takes them: `(inputs, outputs)`."""
    layers = {}
    for name, tensor in network.state_dict().items():
        layer, kind = name.split(".")
        array = tensor.detach().numpy()
        layers[layer if kind == "weight" else f"{layer}_bias"] = array.T if kind == "weight" else array
    return layers
