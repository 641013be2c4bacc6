"""Copies that are none any more, in one repository and between several."""

from pathlib import Path

import pytest

from cukereuse_engine.history.drift import DriftKind
from cukereuse_engine.history.survey import survey
from tests.history.drift_histories import (
    COPY,
    FEATURE,
    MORE,
    MORE_ARGUMENTS,
    OTHER_INTENT,
    OTHER_PYTHON,
    PYTHON,
    RUBY,
    STEPS,
    WAITING,
    WAITS,
    drifts,
    told,
)
from tests.history.test_trend import commit, git


@pytest.mark.parametrize(
    ("versions", "kinds"),
    [
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING}],
            [DriftKind.COPY],
            id="a copy is changed alone",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: OTHER_INTENT}, {MORE: OTHER_INTENT.replace("  click", "  sleep 1\n  click")}],
            [],
            id="a function of another intent is changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: MORE_ARGUMENTS}, {MORE: MORE_ARGUMENTS.replace("  click", "  sleep 1\n  click")}],
            [],
            id="one that takes other arguments is changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("visit checkout", "visit guest_checkout")}],
            [],
            id="what a change names is what only its own wording says",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING, STEPS: WAITING.replace("by a card", "by card")}],
            [],
            id="both are changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING}, {STEPS: WAITING.replace("by a card", "by card")}],
            [],
            id="the other one follows later",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("'Pay'\n", "'Pay' # now\n").replace("do\n", "do\n\n")}],
            [],
            id="layout and comments do not count",
        ),
        *(
            pytest.param(
                [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("  click", f"  {log}\n  click")}],
                [],
                id=f"a copy says more: {log}",
            )
            for log in ("puts page.body", "$stderr.puts(page.body)")
        ),
        *(
            pytest.param(
                [
                    {"a/s.py": PYTHON, "b/s.py": OTHER_PYTHON},
                    {"b/s.py": OTHER_PYTHON.replace("    context.press", f"{log}    context.press")},
                ],
                told,
                id=f"a copy in Python says more: {log}",
            )
            for log, told in (
                ("    pprint(context.page)\n", []),
                ("    if context.debug:\n        print(context.page)\n", []),
                ("    for line in context.lines:\n        print(line)\n", []),
                ("    if context.is_open():\n        print(context.page)\n", [DriftKind.COPY]),
                ("    if context.debug:\n        context.stop()\n", [DriftKind.COPY]),
            )
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: None, "features/step_definitions/c/d.rb": COPY}, {MORE: None}],
            [],
            id="a copy moves",
        ),
        pytest.param(
            [
                {STEPS: RUBY, MORE: COPY},
                {MORE: None, "features/step_definitions/c/d.rb": COPY},
                {"features/step_definitions/c/d.rb": WAITING},
            ],
            [DriftKind.COPY],
            id="a copy moves, and is changed there",
        ),
        pytest.param([{STEPS: RUBY}, {STEPS: RUBY + WAITING}], [], id="what was never the same is no copy"),
        pytest.param(
            [
                {STEPS: RUBY, MORE: COPY},
                {MORE: COPY.replace("click_button 'Pay'", "checkout_page.pay.click")},
            ],
            [],
            id="a copy does the same in another way",
        ),
        pytest.param(
            [
                {STEPS: RUBY, MORE: RUBY.replace("I pay", "I try to pay")},
                {MORE: WAITING.replace("I pay by a", "I try to pay by")},
            ],
            [],
            id="an attempt goes on where the other one fails",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: RUBY}, {MORE: WAITING.replace("by a card", "by card")}],
            [],
            id="two files have one wording each for itself",
        ),
    ],
)
def test_copies_that_were_not_changed_together(
    drifting: Path, versions: list[dict[str, str | None]], kinds: list[DriftKind]
) -> None:
    assert told(drifting, versions) == kinds


def test_one_wording_in_two_suites(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    feature = "Feature: f\n  Scenario: s\n    When I pay by card\n"
    for suite in ("shop", "admin"):
        files = {"cucumber.yml": "", "features/f.feature": feature, STEPS: RUBY}
        commit(tmp_path, {f"{suite}/{path}": content for path, content in files.items()})
    commit(tmp_path, {f"admin/{STEPS}": WAITS})
    (finding,) = drifts(tmp_path)
    assert finding.drift.kind is DriftKind.COPY
    assert [side.version.path for side in finding.drift.sides] == [f"shop/{STEPS}", f"admin/{STEPS}"]


@pytest.mark.parametrize(
    ("one", "two", "changed"),
    [
        ([RUBY], [WAITS], None),
        ([RUBY], [RUBY, WAITS], "two"),
        ([RUBY, WAITS], [RUBY], "one"),
        ([RUBY, RUBY.replace("'Pay'", "'Buy'")], [RUBY, WAITS], None),
        ([RUBY, WAITS], [None, None, RUBY], None),
    ],
    ids=["two sources", "the second is changed", "the first is changed", "both go their ways", "an old copy"],
)
def test_one_wording_in_two_repositories(
    tmp_path: Path, one: list[str | None], two: list[str | None], changed: str | None
) -> None:
    """Copies, if one of them was changed after both did the same."""
    for name, sources in (("one", one), ("two", two)):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        for number, source in enumerate(sources):
            files = {"features/f.feature": FEATURE, STEPS: source, "README.md": name}
            commit(tmp_path / name, files, when=1_700_000_000 + number)
    (finding,) = survey([str(tmp_path / name) for name in ("one", "two")], use_cache=False).findings
    drift = finding.drift
    assert {side.repository for side in drift.sides} == {"one", "two"}
    assert drift.kind is (DriftKind.PLACES if changed is None else DriftKind.COPY)
    assert (drift.commit.time if drift.commit is not None else None) == (1_700_000_001 if changed else None)
    assert changed in (None, drift.sides[1].repository)


def test_a_fork_is_no_other_suite(tmp_path: Path) -> None:
    """Each is for its own version of what it tests."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    git(one, "init", "-q")
    commit(one, {"features/f.feature": FEATURE, STEPS: RUBY})
    git(tmp_path, "clone", "-q", str(one), str(two))
    commit(two, {STEPS: WAITS}, when=1_700_000_001)
    assert survey([str(one), str(two)], use_cache=False).findings == ()


@pytest.mark.parametrize("order", ['the ("[^"]+" order of [a-z]+)', '(the "[^"]+" order of [a-z]+)'])
def test_what_steps_say_tells_copies(drifting: Path, order: str) -> None:
    """An expression may capture words too; to both steps its slots look the same."""
    one = RUBY.replace("'I pay by card') do", "/^(this order) is paid by card$/) do |order|")
    two = RUBY.replace("'I pay by card') do", f"/^{order} is paid by card$/) do |order|")
    steps = ["this order is paid by card", 'the "first" order of shoes is paid by card']
    feature = "Feature: f\n  Scenario: s\n" + "".join(f"    When {step}\n" for step in steps)
    commit(drifting, {"features/f.feature": feature, STEPS: one, MORE: two})
    waiting = two.replace("  click_button", "  expect(page).to have_button('Pay')\n  click_button")
    commit(drifting, {MORE: waiting}, when=1_700_000_001)
    assert drifts(drifting) == []
