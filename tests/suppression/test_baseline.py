"""A baseline: stable text, with keys from the contents of findings."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding, Subject
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.glue.sources import extract_source
from cukereuse_engine.suppression.baseline import Baseline, read_baseline, write_baseline

MakeFinding = Callable[..., Finding]


def some_findings(make_finding: MakeFinding) -> list[Finding]:
    return [
        make_finding([(f"I {verb} the “{noun}”", "a.feature", 3)], [(f"I open {noun}", "b.feature", 4)], rule)
        for verb in ("press", "click")
        for noun in ("café", "door")
        for rule in ("divergent-wording", "divergent-definition")
    ]


def test_round_trip(make_finding: MakeFinding, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "b#.json"
    baseline = Baseline.of(some_findings(make_finding))
    write_baseline(path, baseline)
    assert read_baseline(path) == baseline
    assert len(baseline.fingerprints) == 8
    assert "café" in path.read_text("utf-8"), "readable by people"


def test_order_of_findings_does_not_matter(make_finding: MakeFinding) -> None:
    findings = some_findings(make_finding)
    text = Baseline.of(findings).to_json()
    random.Random(7).shuffle(findings)
    assert Baseline.of([*findings, *findings[:3]]).to_json() == text
    entries = json.loads(text)["findings"]
    assert [entry["rule"] for entry in entries] == ["divergent-definition"] * 4 + ["divergent-wording"] * 4


def test_places_do_not_matter(make_finding: MakeFinding) -> None:
    before = make_finding([("I log in", "a.feature", 3)], [("I sign in", "b.feature", 4)])
    after = make_finding(
        [("I log in", "z.feature", 99), ("I log in", "z.feature", 100)], [("I sign in", "b.feature", 1)]
    )
    assert Baseline.of([before]) == Baseline.of([after])


def test_pruned_forgets_what_is_gone_and_adds_nothing(make_finding: MakeFinding) -> None:
    findings = some_findings(make_finding)
    pruned = Baseline.of(findings[:4]).pruned(findings[2:])
    assert pruned == Baseline.of(findings[2:4])


def test_unread_places_are_known_by_file_message_and_number(tmp_path: Path) -> None:
    def errors(*lines: int, path: str = "f/a.feature", message: str = "bad") -> list[ReadError]:
        return [ReadError(str(tmp_path / path), line, 1, message) for line in lines]

    path = tmp_path / "b.json"
    write_baseline(path, Baseline.of((), errors(3, 8), tmp_path))
    baseline = read_baseline(path)
    assert [(entry.rule, entry.text, entry.beside) for entry in baseline.entries] == [
        ("unread", "f/a.feature", "bad")
    ] * 2
    assert baseline.new_errors(errors(13, 18)) == (), "lines moved"
    assert baseline.new_errors(errors(3, 8, 9)) == tuple(errors(9)), "one more of them"
    for other in (errors(3, message="worse"), errors(3, path="a.feature")):
        assert baseline.new_errors(other) == tuple(other)
    assert baseline.pruned((), errors(3)) == Baseline.of((), errors(3), tmp_path)
    assert baseline.pruned((), errors(3, message="worse")).entries == ()


BAD = [
    (None, "can't be read"),
    (b"", "is not JSON"),
    (b"\xff", "is not JSON"),
    (b"[]", "has no list of findings"),
    (b'{"version": 1}', "has no list of findings"),
    (b'{"version": 99, "findings": []}', "this cukereuse reads version 1"),
    (b'{"version": 1, "findings": [1]}', "finding 1 has no fingerprint"),
    (b'{"version": 1, "findings": [{"rule": "x"}]}', "finding 1 has no fingerprint"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "baseline.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CukereuseError) as caught:
        read_baseline(path)
    assert message in caught.value.message
    assert str(path) in caught.value.message


def test_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CukereuseError, match="can't be written"):
        write_baseline(tmp_path / "file" / "b.json", Baseline())


def test_an_old_baseline_still_works(make_finding: MakeFinding) -> None:
    """It contains each pair of wordings, whichever was preferred and whatever was known of definitions."""
    door, gate, hatch = (
        [(f"I open the {noun}", "a.feature", line)] for line, noun in enumerate(("door", "gate", "hatch"), 3)
    )
    old = Baseline.of([make_finding(gate, door, "divergent-definition")])
    group = make_finding(door, gate, "divergent-wording", hatch)
    (new,) = old.new([group])
    assert [other.text for other in new.others] == ["I open the hatch"], "only what the old one did not know"
    assert new.fingerprint == group.fingerprint
    assert Baseline.of([group]).new([group]) == ()
    assert len(old.pruned([group]).entries) == 1


GLUE = b"""from behave import given

@given('I log in as "{name}"')
def log_in(context, name): ...

@given('I am logged in as "{name}"')
def logged_in(context, name): ...
"""


@pytest.mark.parametrize(
    ("was", "now", "is_known"),
    [
        ("divergent-definition", "same-code", True),
        ("same-code", "divergent-definition", True),
        ("same-code", "divergent-wording", True),
        ("same-code", "suspect-definition", False),  # says more
        ("divergent-definition", "state-and-action", False),  # another intent
    ],
)
def test_a_known_pair_is_known_whichever_rule_tells_it(
    was: str, now: str, is_known: bool, make_finding: MakeFinding
) -> None:
    """A step elsewhere can change what is preferred, and with it the rule."""
    places = ([('I log in as "anna"', "a.feature", 3)], [('I am logged in as "ben"', "a.feature", 4)])

    def told(rule: str) -> Finding:
        finding = make_finding(*places, rule)
        assert finding.preferred is not None
        return replace(
            finding, others=(subject(finding.others[0], 0, rule),), preferred=subject(finding.preferred, 1, rule)
        )

    def subject(subject: Subject, number: int, rule: str) -> Subject:
        definition = extract_source("steps.py", GLUE).definitions[number]
        about_code = rule in ("same-code", "suspect-definition")
        return replace(
            subject, definitions=(definition,), identity=definition.expression if about_code else subject.identity
        )

    new = Baseline.of([told(was)]).new([told(now)])
    assert (new == ()) == is_known


@pytest.mark.parametrize(
    ("known", "now", "new"),
    [
        (["ab"], "ab", ""),
        (["ab"], "ba", ""),
        (["abc"], "ba", ""),
        (["ab"], "abc", "c"),
        (["ab"], "a", "a"),
        (["ab", "cd"], "ac", "ac"),
        (["a", "b"], "ab", "ab"),
    ],
    ids=["the same", "another is more used", "fewer", "one more", "one alone", "each known with another", "together"],
)
def test_where_none_is_preferred_it_is_known_who_was_told_together(
    known: list[str], now: str, new: str, make_finding: MakeFinding
) -> None:
    """Definitions that run the same code: one of them has another fault, or the same with another one."""

    def told(names: str) -> Finding:
        finding = make_finding([("x", "a.feature", 3)], [("y", "a.feature", 4)], "suspect-definition")
        definition = extract_source("steps.py", GLUE).definitions[0]
        others = tuple(
            replace(finding.others[0], text=name, identity=name, definitions=(replace(definition, expression=name),))
            for name in names
        )
        return replace(finding, others=others, preferred=None, fingerprint="")

    left = Baseline.of(map(told, known)).new([told(now)])
    assert "".join(other.text for finding in left for other in finding.others) == new
