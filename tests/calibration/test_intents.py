"""Suites read by people: certain and right pairs, and those that a scan finds."""

import json
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.calibration.intents import ReadSuite, read_suites_of_readers
from cukereuse_engine.calibration.reported import as_feature, count, keeping, measure
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.rules import Severity

TEXTS = ("I open the lid", "I open a lid", "the lid is open", 'I name it "x"', "I call it 'x'", "I close the lid")


def _file(folder: Path, readers: list[dict[str, Any]], texts: tuple[str, ...] = TEXTS, name: str = "lids") -> Path:
    wordings = [{"id": i, "text": text, "uses": 1 + i % 2, "roles": ["A"]} for i, text in enumerate(texts)]
    path = folder / f"{name}-{len(list(folder.iterdir()))}.json"
    path.write_text(json.dumps({"suite": name, "wordings": wordings, "readers": readers}), "utf-8")
    return path


def _suite(tmp_path: Path, *readers: dict[str, Any]) -> ReadSuite:
    _file(tmp_path, list(readers))
    return read_suites_of_readers([tmp_path])[0]


ONE = {"same": [[0, 1], [3, 4]], "maybe": [[0, 1, 2]], "frames": [[0, 5]]}
OTHER = {"same": [[0, 1]], "maybe": [], "frames": [[3, 4]]}


def test_sure_is_what_nobody_doubts_and_right_what_anybody_groups(tmp_path: Path) -> None:
    suite = _suite(tmp_path, ONE, OTHER)
    assert suite.sure == {(0, 1)}
    assert suite.right == {(0, 1), (0, 2), (1, 2), (3, 4)}
    assert suite.frames == {(0, 5)}
    assert suite.groups == (frozenset({0, 1}),)


def test_readers_of_several_files_read_one_suite(tmp_path: Path) -> None:
    _file(tmp_path, [ONE])
    _file(tmp_path, [OTHER])
    (suite,) = read_suites_of_readers([tmp_path])
    assert len(suite.readers) == 2
    assert suite.sure == {(0, 1)}


def test_groups_join_what_sure_pairs_chain(tmp_path: Path) -> None:
    suite = _suite(tmp_path, {"same": [[0, 1], [1, 2], [3, 4]], "maybe": [], "frames": []})
    assert suite.groups == (frozenset({0, 1, 2}), frozenset({3, 4}))


@pytest.mark.parametrize(
    ("pairs", "reported", "right", "groups_found", "sure_found"),
    [
        ([], 0, 0, 0, 0),
        ([(0, 1)], 1, 1, 1, 1),
        ([(0, 2)], 1, 1, 0, 0),  # maybe: right, and no sure pair
        ([(0, 5), (0, 1)], 2, 1, 1, 1),
    ],
)
def test_counts(
    tmp_path: Path, pairs: list[tuple[int, int]], reported: int, right: int, groups_found: int, sure_found: int
) -> None:
    counts = count(_suite(tmp_path, ONE, OTHER), pairs)
    assert (counts.reported, counts.right, counts.groups_found, counts.sure_found) == (
        reported,
        right,
        groups_found,
        sure_found,
    )
    assert (counts.groups, counts.sure) == (1, 1)


def test_threshold_keeps_its_promise_at_the_lowest_probability(tmp_path: Path) -> None:
    suite = _suite(tmp_path, ONE)
    hint = Severity.HINT
    reported = {(0, 1): (hint, 0.9), (0, 5): (hint, 0.8), (3, 4): (hint, 0.7), (2, 5): (hint, 0.7)}
    assert keeping(0.95, [(reported, suite)]) == 0.9
    assert keeping(0.5, [(reported, suite)]) == 0.7  # both of that probability, or none
    assert keeping(0.95, [({(0, 5): (hint, 0.8)}, suite)]) > 1


def test_levels_hold_what_is_above_them(tmp_path: Path) -> None:
    suite = _suite(tmp_path, ONE, OTHER)
    reported = {(0, 1): (Severity.INFORMATION, 0.9), (0, 5): (Severity.HINT, 0.6)}
    warning, information, hint = measure([suite], lambda _: reported, None).levels
    assert [level.total.reported for level in (warning, information, hint)] == [0, 1, 2]
    assert information.total.precision == 1.0
    assert hint.total.precision == 0.5
    assert hint.interval["group_recall"] == (1.0, 1.0)


def test_a_suite_without_files_is_scanned_as_its_wordings_are_used(tmp_path: Path) -> None:
    text = as_feature(_suite(tmp_path, ONE))
    assert text.count("When I open a lid") == 2
    assert text.count("When I open the lid\n") == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[1]", "TypeError"),
        ("{", "JSONDecodeError"),
        ('{"suite": "a", "wordings": []}', "readers"),
        ('{"suite": "a", "wordings": [], "readers": [{"same": [[1, 2]]}]}', "no wording has the id 1"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content, "utf-8")
    with pytest.raises(CukereuseError, match=f"bad.json can't be used.*{says}"):
        read_suites_of_readers([tmp_path])
