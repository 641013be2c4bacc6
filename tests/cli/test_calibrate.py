"""`cukereuse calibrate`: the table, the JSON, and files that can't be used."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.strategies.table import STRATEGIES, VectorUse

WITHOUT_MODEL = {name for name, row in STRATEGIES.items() if row.vectors is not VectorUse.NEEDED}

Run = Callable[..., Any]
PAIRS = [
    ('I open the page "a"', 'I open the page "b"', 1, "one"),
    ("the door is open", "the door is opened", 1, "one"),
    ("I press the button", "I click the button", 1, "two"),
    ("I press the button", "the sky is blue", 0, "two"),
    ("the door is open", "the door is not open", 0, "three"),
    ('I open the page "a"', "I close everything", 0, "three"),
]


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from cukereuse_engine.embedding_models import weights

    monkeypatch.setattr(weights, "_places", lambda _: iter(()))


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "a#b pairs.jsonl"
    rows = [{"text_a": a, "text_b": b, "same_def": same, "group": group, "repo": group} for a, b, same, group in PAIRS]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_json(run: Run, pairs: Path) -> None:
    outcome = run("calibrate", pairs, "--json")
    assert outcome.code == 0
    data = json.loads(outcome.out)
    assert data["pairs"] == 6
    assert set(data["strategies"]) == WITHOUT_MODEL
    for figures in data["strategies"].values():
        assert set(figures["default"]) == set(figures["best"]) == {"threshold", "precision", "recall", "f1"}
        assert figures["best"]["f1"] >= figures["default"]["f1"]
        assert "f1" in figures["held_out"]
    near_exact = data["strategies"]["near-exact"]["default"]
    assert (near_exact["threshold"], near_exact["recall"], near_exact["precision"]) == (0.8, 2 / 3, 2 / 3)
    assert "are left out" in outcome.err
    assert all(name in outcome.err for name in STRATEGIES.keys() - WITHOUT_MODEL)


def test_table(run: Run, pairs: Path) -> None:
    outcome = run("calibrate", pairs, "--json", pairs.parent / "out.json")
    rows = outcome.out.splitlines()[1 : len(WITHOUT_MODEL) + 1]
    assert {line.split()[0] for line in rows} == WITHOUT_MODEL
    assert "(held out) one that was chosen on the other groups" in outcome.out
    assert json.loads((pairs.parent / "out.json").read_text("utf-8"))["pairs"] == 6


def test_known_share(run: Run, pairs: Path) -> None:
    texts = pairs.parent / "texts.jsonl"
    rows = [
        {"repo": group, "text": text, "function_id": f"{number}.{side if not same else 0}"}
        for number, (a, b, same, group) in enumerate(PAIRS)
        for side, text in enumerate((a, b))
    ]
    texts.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    arguments = ("calibrate", pairs, "--texts", texts, "--known", "0.5", "--by", "text", "--seed", "1")
    data = json.loads(run(*arguments, "--json", "-").out)
    assert set(data["strategies"]["auto"]["adapted"]) >= {"f1", "precision", "recall", "f1_differs", "pairs"}
    assert "auto, adapted" in run(*arguments).out


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("", [], "has no pairs"),
        ("[]", [], "not a JSON object"),
        ("{", [], "not JSON"),
        ('{"text_a": "x", "text_b": "y"}', [], "has no column label or same_def"),
        ('{"text_a": "x", "text_b": "y", "label": 1}', ["--known", "0.3"], "--known needs --texts"),
        ('{"text_a": "x", "text_b": "y", "label": 1}', ["--known", "3"], "is not in the range"),
        ('{"text_a": "x", "text_b": "y", "label": 1}', ["--texts", "nowhere.jsonl"], "is not a file"),
        ('{"text_a": "x", "text_b": "y", "label": 1}', ["--write"], "--write needs a suite"),
        ('{"text_a": "x", "text_b": "y", "label": 1}', ["--json", "no/folder/x.json"], "there is no folder"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, content: str, arguments: list[str], message: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(content, "utf-8")
    outcome = run("calibrate", path, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.fixture
def webshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a#b shop"
    shutil.copytree(Path(__file__).parent.parent / "suites" / "webshop", folder)
    monkeypatch.chdir(tmp_path)
    return folder


def test_own_bindings_are_labels(run: Run, webshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.loads(run("calibrate", webshop, "--json").out)
    assert data["pairs"] > 0
    assert set(data["proposed"]) == WITHOUT_MODEL - {"exact"}
    assert data["strategies"]["auto"]["adapted"]["pairs"] <= data["pairs"]
    monkeypatch.chdir(webshop)
    outcome = run("calibrate")
    assert "proposed values of the setting threshold: near-exact" in outcome.out
    assert not (webshop / "cukereuse.toml").exists()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("cukereuse.toml", None, "threshold = {}\n"),
        (
            "cukereuse.toml",
            "# ours\nthreshold = 0.9  # strict\nmin_count = 3\n",
            "# ours\nthreshold = {}  # strict\nmin_count = 3\n",
        ),
        (
            "pyproject.toml",
            "[project]\n\n[tool.cukereuse]\n# all of them\nmin_count = 1\n\n[tool.ruff]\nline-length = 99\n",
            "[project]\n\n[tool.cukereuse]\n# all of them\nmin_count = 1\nthreshold = {}\n\n"
            "[tool.ruff]\nline-length = 99\n",
        ),
    ],
)
def test_write(run: Run, webshop: Path, name: str, before: str | None, after: str) -> None:
    if before is not None:
        (webshop / name).write_text(before, "utf-8")
    outcome = run("calibrate", webshop, "--strategy", "near-exact", "--write", "--json", "out.json")
    proposed = json.loads(Path("out.json").read_text("utf-8"))["proposed"]["near-exact"]
    assert outcome.code == 0
    assert (webshop / name).read_text("utf-8") == after.format(proposed)
    assert json.loads(run("scan", webshop, "--json", "--fail-on", "off").out)["schema_version"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--texts", "x.jsonl"], "--texts needs a file of pairs"),
        (["--strategy", "exact", "--write"], "has no threshold to set"),
    ],
)
def test_options_that_do_not_fit_a_suite(run: Run, webshop: Path, arguments: list[str], message: str) -> None:
    outcome = run("calibrate", webshop, *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_suite_without_step_definitions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.feature").write_text("Feature: f\n  Scenario: s\n    Given x\n", "utf-8")
    outcome = run("calibrate", tmp_path)
    assert outcome.code == 2
    assert "too few steps are bound" in outcome.err


@pytest.mark.parametrize("name", ["nowhere.jsonl", ""])
def test_no_file(run: Run, name: str) -> None:
    outcome = run("calibrate", name)
    assert outcome.code == 2
    assert "no such file" in outcome.err


def _read_suite(folder: Path) -> None:
    texts = ("I open the lid", "I open a lid", "I close the lid")
    wordings = [{"id": i, "text": text, "uses": 2, "roles": ["A"]} for i, text in enumerate(texts)]
    suite = {"suite": "lids", "wordings": wordings, "readers": [{"same": [[0, 1]], "maybe": [], "frames": []}]}
    (folder / "lids.json").write_text(json.dumps(suite), "utf-8")


def test_measures_what_people_read(tmp_path: Path, run: Run) -> None:
    _read_suite(tmp_path)
    destination = tmp_path / "out.txt"
    outcome = run("calibrate", "--intents", str(tmp_path), "--json", str(destination))
    assert outcome.code == 0, outcome.err
    levels = json.loads(destination.read_text("utf-8"))["levels"]
    assert list(levels) == ["warning", "information", "hint"]
    assert levels["hint"]["sure"] == 1
    assert "groups found" in outcome.out
    assert "lids" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--intents", ".", "."), "leave out PAIRS and PATH"),
        (("--intents", "none"), "no such file"),
        (("--intents", ".", "--suites", "none"), "no such file"),
    ],
)
def test_refuses_what_does_not_go_together(
    arguments: tuple[str, ...], says: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("calibrate", *arguments)
    assert outcome.code != 0
    assert says in outcome.err
