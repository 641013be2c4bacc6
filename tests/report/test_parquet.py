"""The Parquet table has the same contents as the JSON report's clusters, with a row for each member."""

import importlib.util
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from cukereuse_engine.cli.outputs import check_reports
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report import json_report, parquet
from cukereuse_engine.scanning.result import ScanResult


def rows(content: bytes) -> list[dict[str, Any]]:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'cukereuse[parquet]'")
    table: list[dict[str, Any]] = pq.read_table(io.BytesIO(content)).to_pylist()
    return table


@pytest.mark.parametrize("group", [1, 3, 100_000])
@pytest.mark.parametrize("name", ["shop", "hostile"])
def test_equals_the_json_report(
    name: str, group: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "_ROWS_PER_GROUP", group)
    result: ScanResult = request.getfixturevalue(name)
    read = [
        tuple(row[key] for key in ("cluster_id", "canonical", "text", "path", "line", "column", "keyword", "scenario"))
        for row in rows(parquet.render(result))
    ]
    report = json.loads(json_report.render(result))
    expected = [
        (
            cluster["id"], cluster["canonical"], cluster["texts"][member["text"]]["text"], member["path"],
            member["line"], member["column"], member["keyword"], member["scenario"],
        )
        for cluster in report["clusters"]
        for member in cluster["members"]
    ]  # fmt: skip
    assert sorted(read) == sorted(expected)


def test_no_clusters_is_an_empty_table(result_of: Callable[..., ScanResult]) -> None:
    assert rows(parquet.render(result_of())) == []


def test_without_pyarrow_it_says_what_to_install(shop: ScanResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    for ask in (lambda: parquet.render(shop), lambda: check_reports({"parquet": "out.parquet"})):
        with pytest.raises(CukereuseError, match=r"pip install 'cukereuse\[parquet\]'"):
            ask()
