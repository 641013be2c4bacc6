"""Which folders of a suite know each other, however its files came and went."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.detection.findings import find
from cukereuse_engine.detection.folders import Folders
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.judging.model import Judge, StepText
from cukereuse_engine.rules import Severity

PATHS = [f"{folder}/{name}.feature" for folder in ("a", "a/b", "c") for name in "xy"] + ["top.feature"]
WORDING = "I click the button", "I click on the button"


def folders_of(files: dict[str, set[str]]) -> Folders:
    folders = Folders()
    for path, keys in files.items():
        folders.update(path, (), keys)
    return folders


@pytest.mark.parametrize(
    ("files", "one", "other", "strangers"),
    [
        ({"a/x": {"1"}, "b/x": {"2"}}, ["a/x"], ["b/x"], True),
        ({"a/x": {"1", "3"}, "b/x": {"2", "3"}}, ["a/x"], ["b/x"], False),
        ({"a/x": {"1"}, "a/y": {"3"}, "b/x": {"2"}, "b/y": {"3"}}, ["a/x"], ["b/x"], False),
        ({"a/x": {"1"}, "a/y": {"2"}}, ["a/x"], ["a/y"], False),
        ({"a/x": {"1"}, "a/b/x": {"2"}}, ["a/x"], ["a/b/x"], True),
        ({"a/x": {"1"}, "b/x": {"2"}, "c/x": {"2", "1"}}, ["a/x"], ["b/x"], True),
        ({"a/x": {"1"}, "b/x": {"2"}, "c/x": {"2", "1"}}, ["a/x"], ["b/x", "c/x"], False),
    ],
)
def test_strangers(files: dict[str, set[str]], one: list[str], other: list[str], strangers: bool) -> None:
    folders = folders_of(files)
    assert folders.are_strangers(one, other) is strangers
    assert folders.are_strangers(other, one) is strangers


CHANGES = st.lists(st.tuples(st.sampled_from(PATHS), st.sets(st.sampled_from("1234"))), max_size=30)
QUESTIONS = st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(PATHS)), max_size=6)


@given(CHANGES, QUESTIONS)
def test_kept_up_to_date_says_what_a_fresh_one_says(
    changes: Iterable[tuple[str, set[str]]], questions: list[tuple[str, str]]
) -> None:
    folders, files = Folders(), dict[str, set[str]]()
    for path, keys in changes:
        before = [folders.are_strangers([one], [other]) for one, other in questions]
        moved = folders.update(path, files.get(path, set()), keys)
        files[path] = keys
        fresh = folders_of(files)
        after = [folders.are_strangers([one], [other]) for one, other in questions]
        assert after == [fresh.are_strangers([one], [other]) for one, other in questions]
        assert moved or before == after


@pytest.mark.parametrize(
    ("shared", "severity", "says_so"),
    [
        ((), Severity.HINT, True),
        (("roses/b.feature", "lawns/b.feature"), Severity.INFORMATION, False),
        (("roses/b.feature",), Severity.HINT, True),
    ],
)
def test_a_wording_in_a_folder_that_shares_no_step_is_a_hint(
    shared: tuple[str, ...],
    severity: Severity,
    says_so: bool,
    text: Callable[..., StepText],
    step: Callable[..., Step],
    judge: Judge,
) -> None:
    steps = [step(WORDING[0], 1, "roses/a.feature"), step(WORDING[1], 1, "lawns/a.feature")]
    steps += [step("the sun shines", 1, path) for path in shared]
    by_text: dict[str, list[Step]] = {}
    for one in steps:
        by_text.setdefault(one.text, []).append(one)
    texts = [text(one, len(group)) for one, group in by_text.items()]
    detection = detect(texts, StrategyOptions("auto"), judge=judge)
    [finding] = find(detection, {one.identity: by_text[one.text] for one in texts}, judge=judge)
    assert finding.rule == "divergent-wording"
    assert finding.severity is severity
    assert ("strangers" in {reason.id for reason in finding.reasons}) is says_so
