"""The training kit on invented suites: what it reads, what it learns, and that it gives the same each time."""

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from corpus_tools.training import evaluate, fit
from corpus_tools.training.pair_files import read
from corpus_tools.training.rows import KnownBindings, Rows
from corpus_tools.training.train import KNOWN, Training, train, write
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.judging.parameters import Parameters
from cukereuse_engine.storage.arrays import from_arrays

VERBS = ("open", "close", "paint", "lift", "count", "weigh")
THINGS = ("crate", "lamp", "ladder", "drawer", "basket")


def _folder(path: Path, suites: Sequence[tuple[str, bool]]) -> Path:
    """Suites (name, true if one definition serves all things) with bound texts and all of their pairs."""
    path.mkdir()
    texts, pairs = [], []
    for name, merged in suites:
        bound = {
            f'I {verb} the {thing} "{number}"': verb if merged else f"{verb} {thing}"
            for verb in VERBS
            for thing in THINGS
            for number in (1, 2)
        }
        texts += [{"repo": name, "text": text, "function_id": definition} for text, definition in bound.items()]
        for one, other in list(combinations(bound, 2))[::7]:
            same = int(bound[one] == bound[other])
            pairs.append({"repo": name, "group": name, "text_a": one, "text_b": other, "same_def": same})
    for table, rows in (("texts", texts), ("pairs", pairs)):
        (path / f"{table}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    root = tmp_path_factory.mktemp("bindings")
    return (
        _folder(root / "one", [(f"o/one{i}", i % 2 == 0) for i in range(6)]),
        _folder(root / "two", [("o/one0", False), *((f"o/two{i}", i % 2 == 0) for i in range(4))]),
        _folder(root / "three", [("o/two0", True), ("o/three0", True), ("o/three1", False)]),
    )


@pytest.fixture(scope="module", autouse=True)
def few_trees() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit, "TREES", 10)
        yield


@pytest.fixture(scope="module")
def training(folders: tuple[Path, Path, Path]) -> Training:
    return train(folders[:2], folders[2:])


def test_sets_are_joined_and_a_suite_counts_once(folders: tuple[Path, Path, Path]) -> None:
    one, both = read(folders[:1]), read(folders[:2])
    assert set(both.groups) == {*(f"o/one{i}" for i in range(6)), *(f"o/two{i}" for i in range(4))}
    assert both.suites["o/one0"] == one.suites["o/one0"] != read(folders[1:2]).suites["o/one0"]
    assert both.pairs.suite.count("o/one0") == one.pairs.suite.count("o/one0")
    assert set(read(folders[2:], but=both).groups) == {"o/three0", "o/three1"}


@pytest.mark.parametrize("missing", ["pairs", "texts"])
def test_a_folder_without_a_table_is_told(tmp_path: Path, missing: str) -> None:
    folder = _folder(tmp_path / "set", [("o/r", True)])
    (folder / f"{missing}.jsonl").unlink()
    with pytest.raises(CukereuseError, match=missing):
        read([folder])


def test_nothing_unseen_is_left(folders: tuple[Path, Path, Path]) -> None:
    with pytest.raises(CukereuseError, match="not in other folders too"):
        read(folders[:1], but=read(folders[:1]))


@pytest.mark.heavy
def test_bindings_decide_what_texts_can_not(training: Training) -> None:
    figures = training.figures
    assert figures["groups"] == 10
    assert figures["unseen"]["groups"] == 2
    for setting in KNOWN[-2:]:
        here, unseen = figures[setting.name], figures["unseen"][setting.name]
        assert here["f1_differs"] > here["without"]["f1_differs"] + 0.1
        assert unseen["f1_differs"] > figures["unseen"]["nothing"]["f1_differs"] + 0.1


def test_the_same_bytes_on_any_number_of_threads(
    folders: tuple[Path, Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit, "TREES", 3)
    for threads, name in ((1, "one"), (2, "other")):
        with threadpool_limits(threads):
            training = train(folders[2:], ())
        write(training, tmp_path / f"{name}.npz")
    for suffix in (".npz", ".figures.json"):
        one, other = ((tmp_path / name).with_suffix(suffix).read_bytes() for name in ("one", "other"))
        assert one == other
    read_back = from_arrays(Parameters, np.load(tmp_path / "one.npz"))
    assert read_back.threshold == training.parameters.threshold


@pytest.mark.parametrize(("negatives", "threshold"), [(3, 0.11), (30, 0.36)])
def test_the_threshold_heeds_pairs_of_other_templates(negatives: int, threshold: float) -> None:
    """Ten of 20,020 positives have .35: they are worth three negatives beside them, not thirty."""
    scores = np.array([0.95] * 20_000 + [0.5] * 10 + [0.35] * (10 + negatives) + [0.1] * 30)
    same = np.array([True] * 20_020 + [False] * (negatives + 30))
    differs = scores < 0.9
    names = np.array(["x"] * len(same))
    rows = Rows((), np.zeros((len(same), 0)), same, differs, names, names)
    assert evaluate.best_threshold([(rows, scores)]) == threshold


def test_no_threshold_gives_more_than_little_of_f1_over_all_pairs() -> None:
    """With different templates, .31 is best by far, but it finds nothing right among the many pairs of one template."""
    scores = np.array([0.95] * 500 + [0.4] * 500 + [0.5] * 5 + [0.32] * 5)
    same = np.array([True] * 500 + [False] * 500 + [True] * 10)
    differs = np.array([False] * 1000 + [True] * 10)
    names = np.array(["x"] * len(same))
    rows = Rows((), np.zeros((len(same), 0)), same, differs, names, names)
    assert evaluate.best_threshold([(rows, scores)]) == 0.41


@pytest.mark.parametrize(
    ("setting", "count"),
    [
        (KnownBindings(), 0),
        (KnownBindings(texts=4), 4),
        (KnownBindings(texts=99), 60),
        (KnownBindings(0.5, "text"), 30),
    ],
)
def test_a_setting_tells_its_share_of_the_bindings(
    folders: tuple[Path, Path, Path], setting: KnownBindings, count: int
) -> None:
    bound = read(folders[:1]).suites["o/one1"]
    known = setting.draw(bound, np.random.default_rng(0))
    assert len(known) == count
    assert known.items() <= {(item.text, item.definition) for item in bound}
