"""The training of `p_one_intent` on invented suites: what it learns, and that it gives the same each time."""

import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus_tools.training import intents, trees
from corpus_tools.training.bars import bars_of, sayable
from corpus_tools.training.intent_rows import EvidenceTable, rows_of
from corpus_tools.training.intents import IntentTraining, choose_bars, curve, train
from corpus_tools.training.trees import grow
from corpus_tools.training.varied import varied
from cukereuse_engine.calibration.intents import ReadSuite, ReadWording, read_suites_of_readers
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.judging.features import matrix
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.arrays import write_arrays

THINGS = ("crate", "lamp", "ladder", "drawer", "kettle", "barrel")
ROOMS = ("attic", "cellar", "garden", "harbour", "workshop")


class Letters:
    """An embedder for tests: a vector of the letters in a text."""

    model_id, model_hash, dim = "letters", "letters", 128

    def embed(self, texts: Sequence[str], progress: Progress = SILENT) -> Vectors:
        del progress
        counts = np.array([[text.count(chr(code)) for code in range(128)] for text in texts], np.float32) + 1e-3
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), np.float32)

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        return [np.array([zlib.crc32(word.encode()) % 999 for word in text.split()], np.int32) for text in texts]

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(token).normal(size=self.dim) for token in tokens.tolist()]
        return np.array(rows, np.float32).reshape(-1, self.dim)


def _suite(folder: Path, name: str, room: str) -> None:
    texts = [f"I {verb} the {thing} in the {room}" for thing in THINGS for verb in ("click", "click on", "paint")]
    wordings = [{"id": i, "text": text, "uses": 1, "roles": ["A"]} for i, text in enumerate(texts)]
    same = [[i, i + 1] for i in range(0, len(texts), 3)]
    data = {"suite": name, "wordings": wordings, "readers": [{"same": same, "maybe": [], "frames": []}]}
    (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truth")
    for room in ROOMS:
        _suite(folder, f"suite-{room}", room)
    return folder


@pytest.fixture(scope="module", autouse=True)
def few_trees(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "TREES", 12)
        patch.setenv("CUKEREUSE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def training(truth: Path) -> IntentTraining:
    return train([truth], Letters(), [truth])


@pytest.mark.heavy
def test_learns_what_readers_group(training: IntentTraining) -> None:
    held_out = training.figures["held out"]
    assert held_out["suites"] == len(ROOMS)
    assert held_out["recall at 0.9"] == 1.0
    assert training.figures["unseen"]["recall at 0.9"] == 1.0


def test_says_the_same_each_time(training: IntentTraining, truth: Path, tmp_path: Path) -> None:
    again = train([truth], Letters(), [truth])
    assert again.figures == training.figures
    files = []
    for name, parameters in (("one", training.parameters), ("other", again.parameters)):
        write_arrays(tmp_path / name, parameters.arrays())
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]


def test_a_forest_says_what_scikit_learn_says(training: IntentTraining, truth: Path) -> None:
    """The shipped form of the trees compared with the library that grew them."""
    table = EvidenceTable([rows_of(suite, Letters()) for suite in read_suites_of_readers([truth])])
    forest = training.parameters.trees
    grown = grow(table, forest.names)
    expected = grown.predict_proba(matrix(table.features, forest.names).astype(np.float32))[:, 1]
    chances = 1.0 / (1.0 + np.exp(-forest.logit(table.features)))
    assert np.abs(chances - np.clip(expected, 1e-4, 1 - 1e-4)).max() < 1e-4


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="no labelled suites"):
        train([tmp_path], Letters())


def test_the_curve_is_monotone_and_the_bars_keep_their_promise() -> None:
    rng = np.random.default_rng(1)
    odds = rng.normal(size=2000)
    right = rng.random(2000) < 1 / (1 + np.exp(-2 * odds))
    made = curve(odds, right, np.ones(2000))
    assert np.all(np.diff(made.odds) > 0)
    assert np.all(np.diff(made.probabilities) >= 0)
    probability = made.probability(odds)
    assert abs(float(probability.mean()) - float(right.mean())) < 0.03
    for promise, bar in bars_of(probability, right).items():
        predicted = probability >= bar
        assert not predicted.any() or right[predicted].mean() >= promise


def test_words_are_exchanged_for_synonyms_and_siblings() -> None:
    made = varied(["I log in", "the basket is full", "I am the admin"], ("en",))
    assert {same for _, _, same in made} == {True, False}
    for place, text, _ in made:
        assert text.lower() != ["I log in", "the basket is full", "I am the admin"][place].lower()
    assert made == varied(["I log in", "the basket is full", "I am the admin"], ("en",))


def test_what_a_scan_keeps_apart_or_hints_at_is_nothing_that_it_promises() -> None:
    texts = ["I add 2 books", 'I add the book "Emma"', "I click the link", "I follow the link", "the link I follow"]
    wordings = {number: ReadWording(text, 1, frozenset("A")) for number, text in enumerate(texts)}
    suite = ReadSuite("books", wordings, ())
    limits = sayable(suite, np.array([[0, 1], [2, 3], [3, 4]]))
    assert limits.at_all.tolist() == [False, True, True]
    assert limits.loudly.tolist() == [False, True, False]


def test_a_suite_s_own_files_say_what_its_wordings_carry(tmp_path: Path) -> None:
    wordings = {number: ReadWording(text, 1, frozenset("A")) for number, text in enumerate(["I sow", "I do sow"])}
    suite, pair = ReadSuite("beds", wordings, ()), np.array([[0, 1]])
    assert sayable(suite, pair).at_all.tolist() == [True]
    (tmp_path / "beds").mkdir()
    (tmp_path / "beds" / "a.feature").write_text(
        "Feature: f\n  Scenario: s\n    When I sow\n      | a |\n    When I do sow\n"
    )
    assert sayable(suite, pair, tmp_path).at_all.tolist() == [False]


def test_thresholds_are_chosen_on_other_suites_and_nothing_is_learnt(training: IntentTraining, truth: Path) -> None:
    chosen = choose_bars(training.parameters, [truth], Letters())
    mine, theirs = training.parameters.arrays(), chosen.parameters.arrays()
    assert [name for name in mine if name != "bars" and not np.array_equal(mine[name], theirs[name])] == []
    bars = [bar for _, bar in sorted(chosen.parameters.bars.items(), reverse=True)]
    assert bars == sorted(bars, reverse=True)
    assert chosen.figures["thresholds chosen on"]["suites"] == len(ROOMS)


def test_the_command_keeps_a_judge_and_its_figures(
    training: IntentTraining,
    truth: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    judge, out = tmp_path / "judge.npz", tmp_path / "intent.npz"
    write_arrays(judge, training.parameters.arrays())
    judge.with_suffix(".figures.json").write_text('{"suites": 5}', "utf-8")
    monkeypatch.setattr(intents, "open_embedder", Letters)
    monkeypatch.setattr("sys.argv", ["intents", str(truth), "--thresholds-of", str(judge), "--out", str(out)])
    assert intents.main() == 0
    assert set(json.loads(out.with_suffix(".figures.json").read_text("utf-8"))) >= {"suites", "thresholds chosen on"}
    new = tmp_path / "new.json"
    monkeypatch.setattr("sys.argv", [*sys.argv, "--figures", str(new)])
    assert intents.main() == 0
    assert "thresholds chosen on" in json.loads(new.read_text("utf-8"))
    whole = judge.read_bytes()
    np.savez(tmp_path / "other.npz", a=np.zeros(1))
    for name, content in {"cut.npz": whole[: len(whole) // 2], "empty.npz": b"", "text.npz": b"a judge"}.items():
        (tmp_path / name).write_bytes(content)
    for wrong in (truth, *(tmp_path / f"{name}.npz" for name in ("other", "cut", "empty", "text", "none"))):
        monkeypatch.setattr("sys.argv", ["intents", str(truth), "--thresholds-of", str(wrong), "--out", str(out)])
        assert intents.main() == 2
        assert str(wrong) in capsys.readouterr().err
