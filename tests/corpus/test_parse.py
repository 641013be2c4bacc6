"""Clones to tables of steps and errors: rows, resuming, bytes."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus_tools.stages.parse import ERROR_COLUMNS, STEP_COLUMNS, parse
from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import CheckpointedStage
from cukereuse_engine.errors import Cancelled, CukereuseError


def test_rows(corpus: Path) -> None:
    parsed = parse(corpus)
    table = pq.read_table(corpus / "steps.parquet")
    errors = pq.read_table(corpus / "errors.parquet").to_pylist()
    assert table.column_names == list(STEP_COLUMNS)
    assert (parsed.repositories, parsed.steps, parsed.errors) == (3, table.num_rows, len(errors))
    rows = table.to_pylist()
    assert [(row["repo"], row["file_path"], row["line"]) for row in rows] == sorted(
        (row["repo"], row["file_path"], row["line"]) for row in rows
    )
    outline = next(row for row in rows if row["text"] == "I log in as <role>")
    assert (outline["keyword"], outline["is_outline"], outline["argument_kinds"]) == ("When", True, ["placeholder"])
    assert (outline["license_spdx"], outline["license_class"], outline["commit_sha"]) == ("MIT", "permissive", "0" * 40)
    assert sum(row["is_background"] for row in rows) == 1
    assert [row["text"] for row in rows if row["repo"] == "bee/bank"][:3] == [
        "the shop is open",
        "I pay 10 euros",
        "I see the start page",
    ]
    assert {error["repo"] for error in errors} == {"bee/bank", "cat/empty"}
    assert set(errors[0]) == set(ERROR_COLUMNS)


@pytest.mark.parametrize("stop", [0, 1, 2])
def test_stopped_anywhere_it_gives_the_same_bytes(build_corpus: Callable[[str], Path], stop: int) -> None:
    whole, cut = build_corpus("whole"), build_corpus("cut")
    parse(whole)

    def interrupted(work, tasks, _):  # type: ignore[no-untyped-def]
        for number, task in enumerate(tasks):
            if number == stop:
                raise Cancelled
            work(task)

    with pytest.raises(Cancelled):
        parse(cut, runner=interrupted)
    assert not (cut / "steps.parquet").exists()
    done: list[str] = []

    def counting(work, tasks, _):  # type: ignore[no-untyped-def]
        done.extend(task.source.repo for task in tasks)
        for task in tasks:
            work(task)

    parse(cut, runner=counting)
    assert len(done) == 3 - stop
    for name in ("steps.parquet", "errors.parquet"):
        assert (whole / name).read_bytes() == (cut / name).read_bytes()


def test_a_finished_stage_is_not_run_again_until_its_inputs_change(corpus: Path) -> None:
    parse(corpus)

    def never(_, tasks, __):  # type: ignore[no-untyped-def]
        raise AssertionError(tasks)

    parse(corpus, runner=never)
    (corpus / "steps.parquet").write_bytes(b"damaged")
    with pytest.raises(AssertionError):
        parse(corpus, runner=never)
    assert parse(corpus).steps == 13


def test_several_processes_give_the_same_bytes(build_corpus: Callable[[str], Path]) -> None:
    one, two = build_corpus("one"), build_corpus("two")
    parse(one, jobs=1)
    parse(two, jobs=2)
    assert (one / "steps.parquet").read_bytes() == (two / "steps.parquet").read_bytes()


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="has no repositories"):
        parse(tmp_path)


def test_row_groups_do_not_depend_on_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "ROW_GROUP", 10)
    columns = {"n": "int64", "names": "[string]"}
    rows = [(i, [str(i)] * (i % 3)) for i in range(57)]
    contents = set()
    for size in (1, 7, 10, 57):
        path = tmp_path / f"{size}.parquet"
        tables: list[pa.Table] = [arrow.table(columns, rows[i : i + size]) for i in range(0, 57, size)]
        assert arrow.write(path, columns, tables) == 57
        contents.add(path.read_bytes())
    assert len(contents) == 1
    assert pq.ParquetFile(path).num_row_groups == 6
    assert pq.read_table(path).to_pylist() == [{"n": n, "names": names} for n, names in rows]


def test_parts_of_another_key_are_thrown_away(tmp_path: Path) -> None:
    stage = CheckpointedStage(tmp_path, "x", {"a": 1})
    stage.part("p").parent.mkdir(parents=True)
    stage.part("p").write_text("1")
    assert CheckpointedStage(tmp_path, "x", {"a": 1}).part("p").exists()
    assert not CheckpointedStage(tmp_path, "x", {"a": 2}).part("p").exists()
