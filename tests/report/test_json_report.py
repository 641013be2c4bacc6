"""The JSON report keeps to its published schema, and contains the whole scan."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.report import document, json_report
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.scanning.result import ScanResult

ONLY_COMPARED = ("compared_with", "resolved", "gone_with_steps", "gone_with_check", "silenced")
"""Members that appear only if a comparison is requested."""


def validated(result: ScanResult) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(json_report.render(result))
    jsonschema.Draft202012Validator(json_report.schema()).validate(report)
    return report


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_report.schema())


def test_every_object_of_the_schema_is_closed_and_described() -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert "additionalProperties" in node, node
                assert node.get("description"), node
                if "properties" in node:
                    assert node["additionalProperties"] is False
                    assert node["required"] == [name for name in node["properties"] if name not in ONLY_COMPARED]
            for child in node.values():
                walk(child)
        elif isinstance(node, list):
            for child in node:
                walk(child)

    walk(json_report.schema())


def test_the_schema_refuses_what_is_not_a_report(shop: ScanResult) -> None:
    validator = jsonschema.Draft202012Validator(json_report.schema())
    report = json.loads(json_report.render(shop))
    for damage in (
        lambda r: r.pop("summary"),
        lambda r: r.update(extra=1),
        lambda r: r["clusters"][0].update(kind="other"),
        lambda r: r["clusters"][0]["members"][0].pop("line"),
        lambda r: r["findings"][0].update(severity="off"),
        lambda r: r.update(schema_version=1),
    ):
        copy = json.loads(json.dumps(report))
        damage(copy)
        assert not validator.is_valid(copy)


def test_a_small_suite(shop: ScanResult) -> None:
    report = validated(shop)
    assert report["summary"] == {
        "feature_files": 4,
        "parse_errors": 1,
        "steps": 12,
        "unique_step_texts": 7,
        "clusters": 3,
        "exact_duplication_rate": pytest.approx(5 / 12, abs=1e-6),
        "eliminable_steps": 5,
        "findings": {
            "total": 3,
            "suppressed": 1,
            "by_rule": {"divergent-definition": 1, "divergent-wording": 1, "unread": 1},
            "by_severity": {"warning": 2, "information": 1},
        },
    }
    cluster = report["clusters"][0]
    assert (cluster["canonical"], cluster["kind"], cluster["occurrences"], cluster["files"]) == (
        'I log in as "ada"', "paraphrase", 5, 3,
    )  # fmt: skip
    assert cluster["texts"][0] == {"text": 'I log in as "ada"', "occurrences": 2}
    assert cluster["members"][0] == {
        "path": "shop/features/basket.feature", "line": 6, "column": 11, "keyword": "Given",
        "scenario": "Fill a basket", "text": 1,
    }  # fmt: skip
    assert report["findings"][0]["others"][0]["definitions"][0]["line"] == 8
    assert report["errors"][0]["message"].startswith("A table row")
    assert report["glue_errors"][0]["path"] == "shop/steps/orders.rb"


def test_hostile_content_is_valid_json(hostile: ScanResult) -> None:
    report = validated(hostile)
    assert any("\u202e" in cluster["canonical"] for cluster in report["clusters"])
    assert report["errors"][0]["path"] == r"caf\udce9.feature"


def test_nothing_found(result_of: Callable[..., ScanResult], suite_builder: type) -> None:
    assert validated(result_of())["summary"]["exact_duplication_rate"] == 0
    assert validated(result_of(suite_builder().build()))["clusters"] == []


def test_one_finding_and_one_cluster_a_line(shop: ScanResult) -> None:
    lines = json_report.render(shop).decode().splitlines()
    assert sum(line.startswith('{"rule"') for line in lines) == 2
    assert sum(line.startswith('{"id"') for line in lines) == 3
    assert json_report.render(shop) == json_report.render(shop)


NAMES = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
TEXTS = st.text(min_size=1, max_size=30).filter(lambda text: text.strip())


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_a_scan_holds_validates_and_reads_back(
    data: st.DataObject, suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    suite = suite_builder(root=data.draw(NAMES))
    texts = data.draw(st.lists(TEXTS, min_size=2, max_size=5, unique_by=lambda text: " ".join(text.split())))
    for text in texts:
        lines = data.draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=4))
        suite.add(
            text,
            data.draw(NAMES),
            lines,
            scenario=data.draw(NAMES),
            keyword=data.draw(st.sampled_from(["Given ", "* ", "假如"])),
        )
    suite.cluster(*texts, kind=data.draw(st.sampled_from(list(Kind))), reasons=data.draw(st.lists(NAMES, max_size=2)))
    suite.finding(texts[1], texts[0], confidence=data.draw(st.floats(0, 1)))
    suite.errors.append(ReadError(data.draw(NAMES), data.draw(st.integers(0, 9)), 0, data.draw(NAMES)))
    result = result_of(suite.build(), notes=[data.draw(NAMES)])

    validated(result)
    report = msgspec.json.decode(json_report.render(result))
    summary, (finding,), (cluster,) = (
        msgspec.convert(report[part], kind)
        for part, kind in (
            ("summary", document.Summary),
            ("findings", list[document.Finding]),
            ("clusters", list[document.Cluster]),
        )
    )
    scanned = result.suites[0]
    assert summary.steps == scanned.step_count == len(cluster.members)
    assert [text.text for text in cluster.texts] == [encodable(t.text) for t in scanned.clusters[0].texts]
    expected = sorted(
        (encodable(step.path), step.line, step.column, position)
        for position, text in enumerate(scanned.clusters[0].texts)
        for step in scanned.steps[text.identity]
    )
    assert sorted((m.path, m.line, m.column, m.text) for m in cluster.members) == expected
    assert finding.fingerprint == scanned.findings[0].fingerprint
    assert finding.confidence == pytest.approx(scanned.findings[0].confidence, abs=1e-6)


def test_a_large_report_is_written_in_pieces(large: Callable[..., ScanResult]) -> None:
    largest = total = clusters = 0
    for chunk in json_report.chunks(large(5_000, 60_000)):
        largest = max(largest, len(chunk))
        total += len(chunk)
        clusters += b'"canonical":' in chunk
    assert clusters == 5_000
    assert largest < total / 10
