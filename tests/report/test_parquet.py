"""The Parquet table holds what the JSON report's clusters hold."""

import io
import json
import sys
from collections.abc import Callable

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report import json_report, parquet
from cukereuse_engine.scanning.model import ScanResult


@pytest.mark.parametrize("name", ["shop", "hostile"])
def test_equals_the_json_report(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet, "ROW_GROUP", 2)
    result: ScanResult = request.getfixturevalue(name)
    table = pq.read_table(io.BytesIO(parquet.render(result)))
    assert table.to_pylist() == json.loads(json_report.render(result))["clusters"]


def test_no_clusters_is_an_empty_table(result_of: Callable[..., ScanResult]) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(io.BytesIO(parquet.render(result_of())))
    assert table.num_rows == 0
    assert "members" in table.column_names


def test_without_pyarrow_it_says_what_to_install(shop: ScanResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CukereuseError, match=r"pip install 'cukereuse\[parquet\]'"):
        parquet.render(shop)
