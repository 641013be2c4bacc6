"""Each objection applies to its own example, and to nothing that lacks its reason."""

import re
from dataclasses import replace
from typing import cast

import pytest

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.objections import OBJECTIONS, Effect, Objection, Pair, objections
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.units import by_template, units_of
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.scanning.suite import Suite


def feature(path: str, *scenarios: str) -> FeatureFile:
    lines = ["Feature: f"]
    for number, steps in enumerate(scenarios):
        lines += [f"  Scenario: {number}", f"    {steps}"]
    return read_text(path, "\n".join(lines) + "\n")


def pair_of(one: str, other: str, objection: str = "") -> Pair:
    """Two steps in two scenarios of a file."""
    written = [re.sub(r"/(?=\||And )", "\n      ", step) for step in (one, other)]
    suite = Suite.of("a", [feature("a/x.feature", *written)])
    detection = Detection(StrategyOptions(), suite.texts)
    context = Context(detection, suite.steps)
    units = units_of(by_template(suite.texts).values(), context)
    if objection in ("another-role", "given-and-when", "one-says-more"):
        units = [replace(unit, definitions=(cast("StepDefinition", object()),)) for unit in units]
    return Pair(units[0], units[1])


@pytest.mark.parametrize("objection", OBJECTIONS, ids=lambda row: row.id)
def test_each_holds_for_its_example(objection: Objection) -> None:
    held = objections(pair_of(*objection.example, objection.id))
    assert objection in held
    if objection.effect is Effect.APART:
        assert held == (objection,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("When I click the link", "When I follow the link"),
        ('Then I see the error "x"', 'Then the error "y" is displayed'),
        ("Given 2 users", "Given 3 accounts"),
        ('When I go to "/a"', 'When I visit "/b"'),
    ],
)
def test_none_holds_where_words_alone_differ(one: str, other: str) -> None:
    assert objections(pair_of(one, other)) == () or "one-definition" in objections(pair_of(one, other))[0].id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Then the user should see the bed", "Then I should see the bed"),
        ("Then the user should see the bed", "Then should see the bed"),
        ("Then user should see the bed", "Then should see the bed"),
    ],
)
def test_who_acts_has_an_article_or_none(one: str, other: str) -> None:
    assert [objection.id for objection in objections(pair_of(one, other))] == ["one-definition-any-form"]


def test_ids_are_unique_and_what_keeps_apart_comes_first() -> None:
    assert len({objection.id for objection in OBJECTIONS}) == len(OBJECTIONS)
    effects = [objection.effect for objection in OBJECTIONS]
    assert effects == sorted(effects, key=[Effect.APART, Effect.DOUBT].index)
