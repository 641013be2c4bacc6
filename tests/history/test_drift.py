"""Drift from a user's view: steps that do something else than they say, and what a report says of a drift."""

from pathlib import Path

import pytest

from cukereuse_engine.history.drift import DriftKind
from tests.history.drift_histories import (
    CHECK,
    COPY,
    MORE,
    OPEN,
    OPEN_DETAILS,
    OPEN_TAB,
    RUBY,
    SHOW,
    STEPS,
    WAITING,
    drifts,
    told,
)
from tests.history.test_trend import commit, git


@pytest.mark.parametrize(
    ("versions", "kinds"),
    [
        pytest.param(
            [{STEPS: OPEN_DETAILS}, {STEPS: OPEN_DETAILS.replace("'Case Details'", "'Application'")}],
            [DriftKind.OTHER],
            id="a step opens another tab than it names",
        ),
        pytest.param(
            [{STEPS: OPEN_DETAILS}, {STEPS: OPEN_DETAILS.replace("Case Details", "Application")}],
            [],
            id="the wording follows",
        ),
        pytest.param(
            [{STEPS: OPEN_TAB}, {STEPS: OPEN_TAB.replace("'case details'", "'application'")}],
            [],
            id="a tab that is described and not named has another label",
        ),
        pytest.param(
            [{STEPS: OPEN}, {STEPS: OPEN.replace("/basket", "/cart")}],
            [],
            id="the page has moved",
        ),
        pytest.param([{STEPS: "def broken("}, {STEPS: "When('a') do"}], [], id="nothing can be read"),
    ],
)
def test_steps_that_do_something_else(
    drifting: Path, versions: list[dict[str, str | None]], kinds: list[DriftKind]
) -> None:
    assert told(drifting, versions) == kinds


def test_both_sides_and_the_commit(drifting: Path) -> None:
    commit(drifting, {STEPS: RUBY, MORE: COPY})
    commit(drifting, {MORE: WAITING}, tag="changed")
    commit(drifting, {"features/step_definitions/c.rb": "# nothing\n" + CHECK, MORE: "# moved down\n" + WAITING})
    (finding,) = drifts(drifting)
    assert finding.drift.commit is not None
    assert finding.drift.commit.id == git(drifting, "rev-parse", "changed").strip()
    assert [side.version.state.expression for side in finding.drift.sides] == [
        "I pay by card",
        "I pay by a card",
    ]
    assert [side.uses.steps for side in finding.drift.sides] == [1, 1]
    assert finding.drift.sides[1].version.state.line == 3
    assert "have_button" in finding.code[1]
    assert "have_button" not in finding.code[0]
    assert drifts(drifting, since="changed") == []
    for before in ("changed^", "2001-01-01"):  # with several repositories, one may be younger than the day
        assert len(drifts(drifting, since=before)) == 1
    assert drifts(drifting, ref="changed^") == []


def test_steps_that_nothing_says_are_left_out(drifting: Path) -> None:
    commit(drifting, {STEPS: RUBY, MORE: COPY, "features/f.feature": "Feature: f\n"})
    commit(drifting, {MORE: WAITING})
    assert drifts(drifting) == []


def test_what_one_commit_did_to_many_is_told_once(drifting: Path) -> None:
    commit(drifting, {STEPS: CHECK + SHOW})
    commit(drifting, {STEPS: "Then('the order is confirmed') do\nend\nThen('I print the last order') do\nend\n"})
    (finding,) = drifts(drifting)
    assert finding.drift.sides[1].version.state.expression == "the order is confirmed"
    assert [side.version.state.expression for side in finding.drift.also] == ["I print the last order"]
