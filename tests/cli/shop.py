"""A suite of two files, and the findings of a scan in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cukereuse_engine.report import json_report

Run = Callable[..., Any]

API = """\
Feature: API
  Scenario: One
    When I request tea
    Then the response status is 200
  Scenario: Two
    When I request coffee
    Then the response status is 404
"""


OTHER = """\
Feature: Other
  Scenario: Three
    When I request milk
    Then the response status should be 404
"""


@pytest.fixture
def no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, a machine without the weights and without a network: fast, and the same everywhere."""
    from cukereuse_engine.embedding_models import weights

    monkeypatch.setattr(weights, "_places", lambda _: iter(()))
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "nowhere").as_uri())
    monkeypatch.setenv("PIP_NO_INDEX", "1")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a suite of two files, the second of which words one intent differently."""
    root = tmp_path / "a#b 100% ünï"
    (root / "features").mkdir(parents=True)
    (root / "behave.ini").touch()
    (root / "features" / "api.feature").write_text(API, "utf-8")
    (root / "features" / "other.feature").write_text(OTHER, "utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setenv("CUKEREUSE_SEVERITY", "divergent-wording=warning")
    return root


def findings(outcome: Any) -> list[tuple[str, str]]:
    data = json.loads(outcome.out)
    jsonschema.validate(data, json_report.schema())
    return [(finding["others"][0]["text"], finding["preferred"]["text"]) for finding in data["findings"]]


WORDING = ("the response status should be 404", "the response status is 200")


def scan_json(run: Run, *arguments: str | Path) -> list[tuple[str, str]]:
    return findings(run("scan", "--json", "-", *arguments))
