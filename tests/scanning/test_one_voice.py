"""The README's opening example and similar ones: obvious merges are found, opposites and siblings are not."""

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import load_settings

if TYPE_CHECKING:
    from cukereuse_engine.embedding_models.weights import ModelFiles

SUITE = Path(__file__).parents[1] / "suites" / "one-voice"

WANTED = [
    ("the response status is 200 OK", "status 200", "I should get a 200 response code"),
    ("I am on the home page", "I am on the homepage", "I am on the landing page"),
    ("I log in", "I sign in"),
    ("I delete the item", "I remove the item"),
    ("the basket is empty", "the cart contains no items"),
    ('the error "Wrong password" is displayed', 'I see the error "Locked"'),
    ("the client makes a request", "the client sends a request"),
]
UNWANTED = [
    ("the admin is welcomed", "the customer is welcomed"),
    ("I use the coupon before midnight", "I use the coupon after midnight"),
    ("notifications are enabled", "notifications are disabled"),
    ("an order is created", "an order is updated"),
    ("the first line is filled", "the second line is filled"),
    ("I enter the billing address", "I enter the shipping address"),
    ("the buyer gets a message", "the seller gets a message"),
    ("the min price is shown", "the max price is shown"),
]


@pytest.fixture(scope="module")
def findings(model_files: "ModelFiles") -> tuple[Finding, ...]:
    from cukereuse_engine.embedding_models.bert import embedder_of

    options = ScanOptions(load_settings(SUITE).checked(), use_cache=False)
    result = scan([SUITE], options, embedder=embedder_of(model_files))
    return result.suites[0].findings


def wordings(finding: Finding) -> set[str]:
    return {wording.text for subject in finding.subjects for wording in subject.wordings}


def joined(findings: tuple[Finding, ...], one: str, other: str) -> list[Finding]:
    return [finding for finding in findings if {one, other} <= wordings(finding)]


def test_every_step_of_the_tables_stands_in_the_suite() -> None:
    text = "".join(path.read_text("utf-8") for path in sorted(SUITE.rglob("*.feature")))
    assert [step for group in [*WANTED, *UNWANTED] for step in group if f" {step}\n" not in text] == []


@pytest.mark.parametrize("group", WANTED, ids=lambda group: group[0])
def test_what_anybody_would_merge_is_found(findings: tuple[Finding, ...], group: tuple[str, ...]) -> None:
    """Each wording is in a finding with a different wording of its group."""
    for wording in group:
        assert any(joined(findings, wording, other) for other in group if other != wording), wording


@pytest.mark.parametrize("pair", UNWANTED, ids=lambda pair: pair[0])
def test_opposites_and_siblings_are_kept_apart(findings: tuple[Finding, ...], pair: tuple[str, str]) -> None:
    assert joined(findings, *pair) == []


def test_nothing_else_is_said(findings: tuple[Finding, ...]) -> None:
    wanted = {frozenset(pair) for group in WANTED for pair in combinations(group, 2)}
    sure = [finding for finding in findings if finding.severity.rank >= Severity.INFORMATION.rank]
    pairs = {frozenset(pair) for finding in sure for pair in combinations(sorted(wordings(finding)), 2)}
    assert pairs <= wanted
