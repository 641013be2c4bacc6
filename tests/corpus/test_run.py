"""One command from search to datasheet; and rehydrating. Killed at any moment, it ends with the same bytes."""

import errno
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import packages_distributions
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpus_tools.commands import table
from corpus_tools.commands.run import _NEEDED
from corpus_tools.stages import rehydrate as rehydrate_module
from corpus_tools.stages.parse import ParseOptions, parse
from corpus_tools.stages.rehydrate import rehydrate
from cukereuse_engine.cli.main import run
from cukereuse_engine.errors import CukereuseError

FEATURE = """Feature: f{n}
  Scenario: s
    Given the door number {n} is open
    When I shut the door
    Then the door is shut
  Scenario: t
    Given the doors number {n} is open
    When I shut the door
"""


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


fake, materialising = _load("github_server"), _load("test_materialise")


def outputs(corpus: Path) -> dict[str, bytes]:
    kept = {
        path.relative_to(corpus).as_posix(): path.read_bytes()
        for path in corpus.rglob("*")
        if path.is_file() and ".stages" not in path.parts
    }
    assert not [name for name in kept if name.endswith(".tmp")]
    return kept


def kill_once_there_are(more: int, corpus: Path, process: "subprocess.Popen[bytes]") -> None:
    """Kill a process when it has written so many files."""

    def files() -> set[tuple[str, str]]:
        return {(folder, name) for folder, _, names in os.walk(corpus) for name in names if "/.git" not in folder}

    before = files()
    while len(files() - before) < more:
        assert process.poll() is None, "it ended, and should have been killed"
        time.sleep(0.01)
    process.kill()


@pytest.mark.heavy
def test_killed_anywhere_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    names = [f"o{n}/r{n}" for n in range(4)]
    repositories = []
    for number, name in enumerate(names):
        materialising.make(tmp_path / "origin" / name, {f"features/{i}.feature": FEATURE.format(n=i) for i in range(6)})
        repository = fake.repository(name, 100 - number, "MIT" if number % 2 else "GPL-3.0")
        repositories.append(repository | {"clone_url": (tmp_path / "origin" / name).as_uri()})
    gone = fake.repository("gone/gone", 70) | {"clone_url": (tmp_path / "origin" / "nowhere").as_uri()}
    world = fake.World([*repositories, gone], [{"repo": names[0], "size": 3, "words": "Feature:"}])
    with fake.Server(world) as address:

        def start(corpus: Path) -> "subprocess.Popen[bytes]":
            stages = ["corpus", "run", str(corpus), "--api", address, "--until", "2026-01-01"]
            options = ["--strategy", "near-exact", "--jobs", "2"]
            program = "from cukereuse_engine.cli.main import main; main()"
            command = [sys.executable, "-c", program, *stages, *options]
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        output, _ = start(tmp_path / "whole").communicate(timeout=300)
        assert b"DATASHEET.md" in output, output.decode()
        for more in (1, 3, 12, 12):  # while it discovers, clones, parses, analyses and draws
            process = start(tmp_path / "cut")
            kill_once_there_are(more, tmp_path / "cut", process)
            process.communicate()
        process = start(tmp_path / "cut")
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output.decode()
    whole, cut = outputs(tmp_path / "whole"), outputs(tmp_path / "cut")
    assert sorted(whole) == sorted(cut)
    assert [name for name in whole if whole[name] != cut[name]] == []
    assert {"repos.csv", "clone_manifest.jsonl", "steps.parquet", "clusters_near-exact.parquet", "DATASHEET.md"} <= set(
        whole
    )
    assert (
        "Of 5 repositories found, 4 could be fetched. Of the 4 that were read, 4 have steps"
        in whole["DATASHEET.md"].decode()
    )


class _Raw(BaseHTTPRequestHandler):
    files: dict[str, bytes]
    busy: list[int]

    def do_GET(self) -> None:
        if self.busy:
            self.send_response(self.busy.pop())
            self.send_header("Retry-After", "3")
            self.end_headers()
            return
        body = self.files.get(self.path)
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_rehydrate(corpus: Path) -> None:
    parse(corpus)
    files = {path: path.read_bytes() for path in sorted((corpus / "clones").rglob("*.feature"))}
    cart, login, pay = (corpus / "clones" / name for name in (
        "ant__shop/features/cart.feature", "ant__shop/features/login.feature", "bee__bank/spec/pay.feature",
    ))  # fmt: skip
    served = {
        f"/ant/shop/{'0' * 40}/features/cart.feature": files[cart],
        f"/ant/shop/{'0' * 40}/features/login.feature": b"Feature: other\n",
    }
    cart.unlink()
    login.unlink()
    handler = type("Handler", (_Raw,), {"files": served, "busy": [429]})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    waits: list[float] = []
    try:
        raw = f"http://127.0.0.1:{server.server_port}"
        assert rehydrate(corpus, raw=raw, pause=0.5, jobs=1, sleep=waits.append) == {"differs": 1, "ok": 2}
        assert cart.read_bytes() == files[cart]
        assert not login.exists()
        assert waits == [0.5, 3.0, 0.5]
        pay.unlink()
        assert rehydrate(corpus, raw=raw, pause=0, sleep=waits.append) == {"differs": 1, "gone": 1, "ok": 1}
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("is_reached", [True, False])
def test_a_server_that_is_gone_is_asked_about_a_few_files_only(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, is_reached: bool
) -> None:
    parse(corpus)
    table = pq.read_table(corpus / "steps.parquet")
    rows = [row | {"repo": f"o/r{i}"} for i in range(50) for row in table.slice(0, 1).to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, table.schema), corpus / "steps.parquet")
    waits: list[float] = []
    if is_reached:  # the connection ends without an answer
        monkeypatch.setattr(rehydrate_module, "is_unreachable", lambda _: False)
    counts = rehydrate(corpus, raw="http://127.0.0.1:9", pause=0, jobs=4, sleep=waits.append)
    assert counts == {"failed": 50}
    assert sum(waits) < (7 * 15 if is_reached else 1)  # what is under way when it is noticed ends as it would
    errors = pq.read_table(corpus / "rehydrated.parquet").column("error").to_pylist()
    assert errors.count("http://127.0.0.1:9 does not answer") > 40


def test_the_suites_of_a_monorepo_are_rehydrated_from_one_repository(corpus: Path) -> None:
    (corpus / "clones/ant__shop/features/behave.ini").touch()
    parse(corpus, ParseOptions(by_suite=True))
    assert "ant/shop//features" in pq.read_table(corpus / "steps.parquet").column("repo").to_pylist()
    assert rehydrate(corpus, raw="http://127.0.0.1:9", pause=0) == {"ok": 3}


_STEP: dict[str, list[object]] = {
    "repo": ["a/b"], "commit_sha": ["0"], "file_path": ["x.feature"], "line": [3], "text": ["t"],
    "license_class": ["unknown"], "is_background": [False], "is_outline": [False], "scenario_line": [2],
    "scenario": ["s"], "argument": [""],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "command", "message"),
    [
        ({"text": None}, "analyse", "has no column text"),
        ({"text": None}, "rehydrate", "has no column text"),
        ({"text": [7]}, "analyse", "the column text is of type int64, and string is needed"),
        ({"text": [7]}, "rehydrate", "the column text is of type int64"),
        ({"file_path": [""]}, "rehydrate", "row 1 names no repository, file or line"),
        ({"line": pa.array([None], pa.int32())}, "rehydrate", "row 1 names no repository, file or line"),
        ({"commit_sha": [""]}, "rehydrate", "name no commit"),
        ({"commit_sha": ["0-dirty"]}, "rehydrate", "name no commit"),
        ({name: pa.array([], pa.string()) for name in ("repo", "commit_sha", "file_path", "text", "license_class")}
         | {name: pa.array([], pa.string()) for name in ("scenario", "argument")}
         | {name: pa.array([], pa.int32()) for name in ("line", "scenario_line")}
         | {name: pa.array([], pa.bool_()) for name in ("is_background", "is_outline")}, "analyse", "has no steps"),
        ({"text": ["  "]}, "analyse", "has no steps"),
        (b"hello", "analyse", "can't be read as Parquet"),
        (b"hello", "rehydrate", "can't be read as Parquet"),
    ],
)  # fmt: skip
def test_tables_that_can_not_be_used_are_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, Any] | bytes,
    command: str,
    message: str,
) -> None:
    path = tmp_path / "steps.parquet"
    if isinstance(changed, bytes):
        path.write_bytes(changed)
    else:
        pq.write_table(pa.table({k: v for k, v in {**_STEP, **changed}.items() if v is not None}), path)
    assert run(["corpus", command, str(tmp_path), *(["--strategy", "exact"] * (command == "analyse"))]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert "fault in cukereuse" not in errors
    assert "SELECT" not in errors


@pytest.mark.parametrize("content", [b"", b"PAR1 cut", None])
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("steps.parquet", ["slices", "{}", "--strategy", "exact"]),
        ("cluster_members_exact.parquet", ["slices", "{}", "--strategy", "exact"]),
        ("cluster_members_auto.parquet", ["catalogue", "{}", "--jobs", "1"]),
        ("tables/overview.parquet", ["datasheet", "{}"]),
        ("clusters_exact.parquet", ["synthesise", "{}", "{}/clusters_exact.parquet"]),
        ("clusters_exact.parquet", ["evaluate", "{}", "--recorded"]),
        ("labeled_pairs.parquet", ["evaluate", "{}/labeled_pairs.parquet", "--recorded"]),
        ("texts.parquet", ["sample", "{}/texts.parquet", "{}/pairs.jsonl"]),
    ],
)
def test_every_command_names_the_table_that_it_can_not_use(
    corpus: Path, capsys: pytest.CaptureFixture[str], name: str, command: list[str], content: bytes | None
) -> None:
    """Cut files, and another table under that name."""
    pair = {"text_a": "a b", "text_b": "b a", "label": 0, "cos": 0.9, "lev": 0.9}
    (corpus / "labeled_pairs.jsonl").write_text(json.dumps(pair) + "\n")
    pq.write_table(pa.table(_STEP), corpus / "steps.parquet")
    pq.write_table(pa.table({"cluster_id": [0], "text": ["a"]}), corpus / "cluster_members_exact.parquet")
    (corpus / "tables").mkdir()
    if content is None:
        pq.write_table(pa.table({"other": [1]}), corpus / name)
    else:
        (corpus / name).write_bytes(content)
    assert run(["corpus", *(part.format(corpus) for part in command)]) == 2
    errors = capsys.readouterr().err
    assert f"error: {corpus / name}" in errors
    assert ("has no" if content is None else "can't be read as Parquet") in errors.replace("has none of", "has no")
    assert "fault in cukereuse" not in errors


def test_one_step_is_a_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No text occurs twice, so no strategy has a cluster."""
    pq.write_table(pa.table(_STEP), tmp_path / "steps.parquet")
    assert run(["corpus", "analyse", str(tmp_path), "--strategy", "near-exact"]) == 0, capsys.readouterr().err
    assert (tmp_path / "report.html").is_file()


def test_the_datasheet_tells_what_was_not_on_this_disk(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(corpus / "clones/bee__bank")
    assert run(["corpus", "run", str(corpus), "--from", "parse", "--strategy", "exact"]) == 0
    assert "1 clone of the manifest left out: not on this disk" in capsys.readouterr().err
    sheet = " ".join((corpus / "DATASHEET.md").read_text().split())
    assert "Of 3 repositories found, 3 could be fetched. 1 of these were not on this disk" in sheet
    assert "Of the 2 that were read, 1 have steps." in sheet
    assert "| exact | other words |" in sheet


@pytest.mark.parametrize(("command", "option"), [("rehydrate", "--raw"), ("discover", "--api"), ("run", "--api")])
@pytest.mark.parametrize("address", ["nonsense", "file:///etc", "https://", "http://["])
def test_servers_are_web_servers(
    corpus: Path, command: str, option: str, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["corpus", command, str(corpus), option, address]) == 2
    assert "is not an address that begins with http" in capsys.readouterr().err


def test_rehydrating_needs_steps(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="does not exist"):
        rehydrate(tmp_path)


@pytest.mark.parametrize(
    ("number", "message"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "Read-only"), (errno.EIO, None)],
)
def test_a_disk_that_takes_nothing(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, message: str | None
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("corpus_tools.support.arrow.write", full)
    assert run(["corpus", "parse", str(corpus), "--jobs", "1"]) == 2
    errors = capsys.readouterr().err
    assert (message or "fault in cukereuse") in errors
    assert ("fault in cukereuse" in errors) == (message is None)


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ("duckdb", ["analyse"]),
        ("pyarrow", ["parse"]),
        ("matplotlib", ["analyse"]),
        ("sklearn", ["run"]),
        ("ray", ["parse", "--engine", "ray"]),
    ],
)
def test_a_package_that_is_missing_is_named(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], package: str, command: list[str]
) -> None:
    parse(corpus)
    shutil.rmtree(corpus / ".stages")
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    stage, *options = command
    assert run(["corpus", stage, str(corpus), *options, *(["--strategy", "exact"] * (stage == "analyse"))]) == 2
    errors = capsys.readouterr().err
    assert f"the package {package} is not installed" in errors
    assert f"cukereuse[{'corpus' if package == 'ray' else 'corpus-base'}]" in errors
    assert "==" not in errors, "before the first stage of a run begins"


def test_a_run_asks_for_the_packages_of_its_extra() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [package for name in ("parquet", "corpus-base") for package in extras[name]]
    wanted = {re.split(r"[^\w-]", package)[0] for package in needed} - {"cukereuse"}
    imported = {name: distributions for name, distributions in packages_distributions().items() if name in _NEEDED}
    assert imported.keys() == set(_NEEDED)
    assert {distribution for each in imported.values() for distribution in each} == wanted


def test_the_readme_has_every_stage() -> None:
    readme = table.README.read_text("utf-8")
    assert table.documented(readme) == readme, "run `python -m corpus_tools.commands.table`"
    assert all(f"| `{row.name}` |" in readme for row in table.STAGES)
