"""The networks that read two steps side by side give what training gave, in any batch."""

import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.bert import BertWithTokens
from cukereuse_engine.embedding_models.weights import ModelFiles
from cukereuse_engine.judging.attention import Attention, PairReader
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

WIDTH, NAMES = 24, ("indel", "jaccard")
STEPS = (
    "I press the ▣ button",
    "I click on the button ▣",
    "the basket is empty",
    "the cart contains no items",
    "",
    "▣",
    "I wait",
    "a very long step that goes on and on and says one thing after the other " * 6,
    "注文を確認する",
)


class Words:
    """A `TokenTable` for tests: a word is a token, with a random embedding by its number."""

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        return [np.array([zlib.crc32(word.encode()) % 500 for word in text.split()], np.int32) for text in texts]

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        return np.array([np.random.default_rng(token).normal(size=WIDTH) for token in tokens.tolist()], np.float32)


def attention(seed: int = 1) -> "tuple[Attention, list[object]]":
    """Networks of random weights, and the results of PyTorch with the same weights."""
    torch = pytest.importorskip("torch")
    from corpus_tools.training import attention as training

    torch.manual_seed(seed)
    networks = [training._module(WIDTH, len(NAMES)).eval() for _ in range(2)]
    layers = [training._weights(network) for network in networks]
    weights = {name: np.stack([layer[name] for layer in layers]) for name in layers[0]}
    return Attention(NAMES, np.array([0.5, 0.4]), np.array([0.2, 0.3]), weights), networks


def features(count: int, seed: int = 3) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return {name: rng.random(count) for name in (*NAMES, "support")}


def pairs() -> tuple[list[str], list[str]]:
    return [left for left in STEPS for _ in STEPS], [right for _ in STEPS for right in STEPS]


def test_says_what_pytorch_says() -> None:
    import torch

    read, networks = attention()
    left, right = pairs()
    measured = features(len(left))
    table, expected = Words(), []
    for row, texts in enumerate(zip(left, right, strict=True)):
        sides: list[object] = []
        for text in texts:
            tokens = table.tokens([text.replace("▣", "_")])[0][:62]
            padded = tokens if len(tokens) else np.zeros(1, np.int32)
            vectors = table.token_embeddings(padded) * bool(len(tokens))
            sides += [torch.tensor(vectors)[None], torch.full((1, len(padded)), bool(len(tokens)))]
        own = read.measured({name: column[row : row + 1] for name, column in measured.items()})
        with torch.no_grad():
            votes = [network(*sides, torch.tensor(own, dtype=torch.float32)) for network in networks]  # type: ignore[operator]
        expected.append(float(np.mean([float(vote) for vote in votes])))
    assert np.abs(PairReader(read, table).logit(left, right, measured) - expected).max() < 1e-4


def test_does_not_depend_on_what_is_read_beside_it_nor_on_the_side() -> None:
    read, _ = attention()
    left, right = pairs()
    measured = features(len(left))
    together = PairReader(read, Words()).logit(left, right, measured)
    assert np.abs(PairReader(read, Words()).logit(right, left, measured) - together).max() < 1e-5
    reader = PairReader(read, Words())
    for row in np.random.default_rng(4).permutation(len(left)).tolist():
        own = {name: column[row : row + 1] for name, column in measured.items()}
        assert abs(reader.logit(left[row : row + 1], right[row : row + 1], own)[0] - together[row]) < 1e-5


@given(st.text(max_size=80), st.text(max_size=80))
def test_reads_anything(left: str, right: str) -> None:
    read, _ = attention()
    assert np.isfinite(PairReader(read, Words()).logit([left], [right], features(1))).all()


def test_is_kept_as_it_was() -> None:
    read, _ = attention()
    kept = Attention.from_arrays(read.arrays())
    left, right = pairs()
    one, other = (PairReader(each, Words()).logit(left, right, features(len(left))) for each in (read, kept))
    assert np.abs(one - other).max() < 0.05  # kept in half precision


def _texts(*texts: str) -> list[StepText]:
    return [StepText(text, identity(text), template(text), 3) for text in texts]


def test_the_judge_asks_about_what_the_trees_leave_open(model_files: ModelFiles) -> None:
    texts = _texts("I press the button", "I click on the button", "the basket is empty", "snow lies on the roof")
    a, b = np.array([0, 0], np.int32), np.array([1, 3], np.int32)
    judge = TextJudge.for_suite(texts)
    alone = judge.probabilities(texts, a, b)
    read = judge.read_with(BertWithTokens(model_files)).probabilities(texts, a, b)
    assert read.p_one_intent[0] != alone.p_one_intent[0]
    assert read.p_one_intent[1] == alone.p_one_intent[1]
    assert np.array_equal(read.p_same_definition, alone.p_same_definition)
    assert np.array_equal(judge.read_with(None).probabilities(texts, a, b).p_one_intent, alone.p_one_intent)
