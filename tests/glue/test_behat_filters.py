"""Behat's filters: the scenarios that a suite runs, by tag, role and narrative."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.glue import behat
from cukereuse_engine.glue.behat_suites import description_in, needed_tag, passes, text_on_disk
from cukereuse_engine.glue.glue import Glue
from tests.glue.behat_shop import FEATURE, SUITES, bindings, load, write


@pytest.mark.parametrize(
    ("tag_filter", "passing"),
    [
        ("@a", ["@a", "@a @b"]),
        ("~@a", ["", "@b"]),
        ("@a&&~@b", ["@a"]),
        ("@a,@b", ["@a", "@b", "@a @b"]),
        ("~@a,@b", ["", "@b", "@a @b"]),
        ("a && ~b", ["@a"]),
    ],
)
def test_tag_filters(tag_filter: str, passing: list[str]) -> None:
    assert [tags for tags in ("", "@a", "@b", "@a @b") if passes(tuple(tags.split()), tag_filter)] == passing


ALTERNATIVES = st.lists(st.sampled_from(["@a", "~@a", "@b", "~@b", "c", "~ c", ""]), min_size=1, max_size=3)


FILTERS = st.lists(ALTERNATIVES, max_size=3)


@given(parts=FILTERS, tags=st.sets(st.sampled_from(["@a", "@b", "@c"])))
def test_what_lacks_the_tag_that_a_filter_needs_does_not_pass(parts, tags):
    """Such scenarios are not tested."""
    tag_filter = "&&".join(",".join(alternatives) for alternatives in parts)
    needed = needed_tag(tag_filter)
    if needed and f"@{needed}" not in tags:
        assert not passes(tuple(tags), tag_filter)
    if len(parts) == 1 and parts[0] in (["@a"], ["@b"], ["c"]):
        assert needed == parts[0][0].lstrip("@")


FILTERS = [
    ("{name: Seen}", "{name: Both}", [["Adding"], ["Api"]]),
    ("{name: '/^seen$/i'}", "{name: /o/}", [["Adding"], ["Api"]]),
    ("{name: Basket}", "{name: Other}", [["Adding"], ["Adding"]]),
    ("{role: buyer}", "{role: 'shop owner'}", [["Api"], ["Api"]]),
    ("{role: 'shop *'}", "{role: buyer}", [["Adding"], ["Adding"]]),
    ("{narrative: '/tea.*cheap/s'}", "{narrative: /coffee/}", [["Adding"], ["Adding"]]),
    ("{tags: '@web', name: Seen}", "{tags: '@api', name: Basket}", [["Adding"], ["Api"]]),
    ("{name: '/(/'}", "{name: none}", [["Adding"], ["Adding"]]),
]


@pytest.mark.parametrize(("web", "api", "expected"), FILTERS)
def test_filters_of_suites(web: str, api: str, expected: list[list[str]], shop: Path) -> None:
    """By the title of a scenario or its feature, by a feature's role, by its description."""
    said = "Feature: Basket\n  As a shop owner\n  I want tea\n  so that it is cheap\n"
    write(shop, {"features/basket.feature": FEATURE.replace("Feature: Basket\n", said)})
    write(shop, {"behat.yml": SUITES.replace('{tags: "@web"}', web).replace('{tags: "@api"}', api)})
    sources = [files for text, _, files in bindings(shop) if text.startswith("I add")]
    assert sources[:2] == expected


@pytest.mark.parametrize("told", [True, False])
def test_a_narrative_that_changes_counts(told: bool, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts if its feature file is taken in again, and if it was only saved after that."""
    if told:
        monkeypatch.setattr(behat, "stamp_of", lambda _: (0,))  # as where a file system's clock is coarse
    text = FEATURE.replace("Feature: Basket\n", "Feature: Basket\n  As a buyer\n  I want tea\n")
    write(shop, {"features/basket.feature": text})
    roles = SUITES.replace('{tags: "@web"}', "{role: buyer}").replace('{tags: "@api"}', "{role: owner}")
    write(shop, {"behat.yml": roles})
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    step = load(shop, glue)[1]
    assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == ["Adding"]
    write(shop, {"features/basket.feature": text.replace("As a buyer", "As an owner")})
    if told:
        load(shop, glue)
    assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == ["Api"]


def test_a_narrative_that_an_editor_holds_counts(shop: Path) -> None:
    """The editor's narrative counts, not the one on disk, until the editor closes the file."""
    said = FEATURE.replace("Feature: Basket\n", "Feature: Basket\n  As a buyer\n  I want tea\n")
    roles = SUITES.replace('{tags: "@web"}', "{role: buyer}").replace('{tags: "@api"}', "{role: owner}")
    write(shop, {"features/basket.feature": said, "behat.yml": roles})
    glue = Glue.load(str(shop / "features"), paths=[shop], jobs=1)
    step = load(shop, glue)[1]
    held: dict[str, str] = {}
    glue.hold_texts(held.get)
    for text, expected in (
        (None, "Adding"),
        (said.replace("buyer", "owner"), "Api"),
        (said.replace("buyer", "buyer\n  I want"), "Adding"),
        (said.replace("buyer", "owner"), "Api"),
        (None, "Adding"),
    ):
        held.clear()
        held |= {step.path: text} if text is not None else {}
        assert [Path(definition.path).stem for definition in glue.bind(step).definitions] == [expected]
        assert not glue.tells_otherwise(step.path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Feature: a\n  As a b\n\n  Scenario: c\n", ["As a b"]),
        (
            "Feature: a\n  In order to: win\n  See https://x.y\n  As a b\n@t\n  Scenario: c\n",
            ["In order to: win", "See https://x.y", "As a b"],
        ),
        ("\ufeff# language: de\nFunktionalität: a\n  Als: b\n  Grundlage:\n  Szenario: c", ["Als: b"]),
        ("# by: me\n# language: fr\n@t\nFonctionnalité: a\n  Rule: b\n  Règle: c\n", ["Rule: b"]),
        ("Feature: a\n  Examples: b\nBackground:\n  Given: c\n", ["Examples: b"]),
        ("Feature: a\nAs a b", ["As a b"]),
        ("# Feature: a\nScenario: a\n  As a b\n", []),
        ("", []),
    ],
)
def test_the_description_of_a_feature(text: str, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"a.feature": text})
    lines = description_in(text_on_disk(str(tmp_path / "a.feature"))).splitlines()
    assert [line.strip() for line in lines if line.strip()] == expected
