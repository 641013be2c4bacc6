"""`cukereuse similar`: ranked wordings with counts and places."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def lexical(monkeypatch: pytest.MonkeyPatch) -> None:
    from cukereuse_engine.embedding_models import weights

    monkeypatch.setattr(weights, "_places", lambda _: iter(()))


@pytest.mark.usefixtures("lexical")
def test_json(run: Run, suite: Path) -> None:
    del suite
    outcome = run("similar", 'I sign in as "ben"', "--json", "features", "--limit", "2")
    assert outcome.code == 0
    data = json.loads(outcome.out)
    assert (data["query"], data["model"], len(data["results"])) == ('I sign in as "ben"', None, 2)
    first = data["results"][0]
    assert (first["text"], first["occurrences"]) == ('I log in as "ben"', 3)
    assert {text["text"] for text in first["texts"]} == {
        'I log in as "anna"',
        'I log in as "ben"',
        'I log in as "<who>"',
    }
    assert first["places"][0] == {
        "path": "features/login.feature",
        "line": 11,
        "column": 10,
        "text": 'I log in as "ben"',
    }
    assert first["score"] > data["results"][1]["score"]


@pytest.mark.usefixtures("lexical")
def test_table(run: Run, suite: Path) -> None:
    del suite
    outcome = run("similar", "I see my own name")
    says, *first = outcome.out.splitlines()[:4]
    assert says.startswith("Similarity from 0 to 1")
    assert first[0].split(maxsplit=1)[1] == "I see my name  (3 steps)"
    assert first[2].strip() == "features/login.feature:8"
    assert "only wordings are compared" in outcome.err


@pytest.mark.usefixtures("lexical")
def test_places_are_printed_in_order(run: Run, tmp_path: Path) -> None:
    steps = "".join(f'    Given I log in as "{name}"\n' for name in ("ann", "bob", "eve", "bob"))
    (tmp_path / "a.feature").write_text(f"Feature: F\n  Scenario: S\n{steps}", "utf-8")
    shown = re.findall(r"a\.feature:(\d+)", run("similar", 'I log in as "bob"', str(tmp_path)).out)
    assert shown == ["3", "4", "5"]


@pytest.mark.usefixtures("lexical")
def test_the_keyword_of_a_copied_line_is_left_out(run: Run, suite: Path) -> None:
    del suite
    outcome = run("similar", 'When I log in as "ben"', "--json", "features", "--limit", "1")
    (best,) = json.loads(outcome.out)["results"]
    assert (best["text"], best["reasons"]) == ('I log in as "ben"', ["the same text"])
    assert "is left out" in outcome.err


@pytest.mark.usefixtures("lexical")
def test_opposites_say_that_they_are_kept_apart(run: Run, suite: Path) -> None:
    del suite
    assert "kept apart: one says the opposite of the other" in run("similar", "I do not see my name").out


@pytest.mark.model
def test_with_the_model(run: Run, suite: Path, model_files: object) -> None:
    del suite, model_files
    data = json.loads(run("similar", "I see my name", "--json").out)
    assert data["model"] == "sentence-transformers/all-MiniLM-L6-v2"
    first, second = data["results"][:2]
    assert first["kind"] == "exact"
    assert first["cosine"] == pytest.approx(1.0, abs=1e-5)
    assert -1 <= second["cosine"] < 1


@pytest.mark.parametrize("text", ["", "  "])
def test_empty_text(run: Run, suite: Path, text: str) -> None:
    del suite
    outcome = run("similar", text)
    assert outcome.code == 2
    assert "the step text is empty" in outcome.err


@pytest.mark.usefixtures("lexical")
@pytest.mark.parametrize("text", ["[bold]x[/]", '"', "<a> <b>", "\u202e", "‮ 日本語 \x1b[31m", "x" * 20_000])
def test_any_text(run: Run, suite: Path, text: str) -> None:
    del suite
    outcome = run("similar", text)
    assert outcome.code == 0
    assert "\x1b" not in outcome.out
