"""Scenarios and bindings of an invented repository with behave's steps."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from corpus_tools.stages.bindings import NATURAL_COLUMNS, bindings
from corpus_tools.stages.sample import sample
from corpus_tools.stages.scenarios import scenarios
from corpus_tools.support.bands import draw, draw_near
from corpus_tools.support.related import groups
from corpus_tools.support.repositories import Clone, write_manifest
from cukereuse_engine.cli.main import run

FEATURE = """Feature: Doors
  Background:
    Given a house
  Scenario: Open
    Given a door "red"
    When I open it
    Then it is open
  Scenario: Open again
    Given a door "red"
    When I open it
    Then it is open
  Scenario: Opening in other words
    Given a door "red"
    When the door is opened
    Then it is open
  Scenario: Open blue
    Given a door "blue"
    When I open it
    Then it is open
  Scenario: Longer
    Given a door "red"
    When I open it
    Then it is open
    And it is wide
    And nobody knows this step
  Scenario: Other
    When I paint the wall
    Then the wall is white
"""
STEPS = """from behave import given, when, then

@given("a house")
def house(context): pass

@given('a door "{colour}"')
def door(context, colour): pass

@when("I open it")
@when("the door is opened")
def opens(context): pass

@then("it is open")
def is_open(context): pass

@then("it is wide")
def wide(context): pass

@when("I paint the wall")
def paint(context): pass

@then("the wall is {colour}")
def wall(context, colour): pass
"""


class LetterCounts:
    """Vectors by letters: similar texts have similar vectors."""

    model_id, model_hash, dim = "letters", "1", 26

    def embed(self, texts, progress=None):  # type: ignore[no-untyped-def]
        del progress
        rows = np.array([[text.lower().count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "clones" / "o__house"
    (folder / "features" / "steps").mkdir(parents=True)
    (folder / "behave.ini").write_text("[behave]\n")
    (folder / "features" / "doors.feature").write_text(FEATURE)
    (folder / "features" / "steps" / "doors.py").write_text(STEPS)
    return tmp_path / "corpus"


def test_like_scenarios(house: Path) -> None:
    assert scenarios(house) == (6, 5)
    pairs = {(row["line_a"], row["line_b"]): row for row in pq.read_table(house / "scenario_pairs.parquet").to_pylist()}
    lines = {row["scenario"]: row["line"] for row in pq.read_table(house / "scenarios.parquet").to_pylist()}

    def kind(a: str, b: str) -> str | None:
        row = pairs.get((lines[a], lines[b]))
        return None if row is None else str(row["kind"])

    assert kind("Open", "Open again") == "text"
    assert kind("Open", "Opening in other words") == "trace"
    assert kind("Open", "Open blue") == "structure"
    assert kind("Open", "Other") is None
    assert kind("Opening in other words", "Open blue") is None


def test_what_stands_behind_a_scenario(house: Path) -> None:
    scenarios(house)
    rows = {row["scenario"]: row for row in pq.read_table(house / "scenarios.parquet").to_pylist()}
    assert (rows["Open"]["steps"], rows["Open"]["bound_steps"]) == (3, 3)
    assert rows["Open"]["sources"] == ["features/steps/doors.py"]
    assert len(rows["Open"]["definitions"]) == 3
    assert (rows["Longer"]["steps"], rows["Longer"]["bound_steps"], rows["Longer"]["trace_hash"]) == (5, 4, None)
    assert rows["Open"]["trace_hash"] == rows["Opening in other words"]["trace_hash"] != rows["Open blue"]["trace_hash"]
    assert rows["Open"]["structure_hash"] == rows["Open blue"]["structure_hash"]
    before = (house / "scenarios.parquet").read_bytes()
    (house / "scenarios.parquet").unlink()
    scenarios(house, jobs=2)
    assert (house / "scenarios.parquet").read_bytes() == before


TABLES = """Feature: Tables
  Scenario: One
    Given a door "red"
      | size | wide |
      | 1    | yes  |
    When I open it
  Scenario: Padded
    Given a door "red"
      # as above
      |size|wide|

      |  1 |yes |
    When the door is opened
  Scenario: Other row
    Given a door "red"
      | size | wide |
      | 2    | yes  |
    When I open it
  Scenario: Text
    Given a door "red"
      \"\"\"
      | size | wide |
        # one
      \"\"\"
    When I open it
  Scenario: The same text
    Given a door "red"
    ```
    | size | wide |
      # one
    ```
    When I open it
  Scenario: Bare
    Given a door "red"
    When I open it
"""


def test_tables_and_doc_strings_are_part_of_a_step(house: Path) -> None:
    (house / "clones" / "o__house" / "features" / "doors.feature").write_text(TABLES)
    scenarios(house)
    rows = {row["scenario"]: row for row in pq.read_table(house / "scenarios.parquet").to_pylist()}
    lines = {row["line"]: name for name, row in rows.items()}
    pairs = pq.read_table(house / "scenario_pairs.parquet").to_pylist()
    kinds = {frozenset((lines[row["line_a"]], lines[row["line_b"]])): row["kind"] for row in pairs}
    assert kinds == {
        frozenset(("One", "Padded")): "trace",  # the same table, another wording
        frozenset(("One", "Other row")): "structure",
        frozenset(("Text", "The same text")): "text",
    }
    assert rows["One"]["trace_hash"] == rows["Padded"]["trace_hash"]
    assert len({rows[name]["trace_hash"] for name in ("One", "Other row", "Text", "Bare")}) == 4


def test_bindings(house: Path) -> None:
    counts = bindings(house, LetterCounts(), per_band=100)  # type: ignore[arg-type]
    texts = {row["text"]: row for row in pq.read_table(house / "bindings/texts.parquet").to_pylist()}
    assert counts["texts.parquet"] == len(texts) == 9
    assert "nobody knows this step" not in texts
    assert texts['a door "red"']["expression"] == 'a door "{colour}"'
    assert texts['a door "red"']["occurrences"] == 4
    assert texts["I open it"]["function_id"] == texts["the door is opened"]["function_id"]
    pairs = pq.read_table(house / "bindings/pairs.parquet").to_pylist()
    same = {frozenset((row["text_a"], row["text_b"])) for row in pairs if row["same_def"]}
    assert frozenset(('a door "red"', 'a door "blue"')) in same
    assert all(row["template_eq"] == 0 for row in pairs if not row["same_def"])
    synonyms = pq.read_table(house / "bindings/synonyms.parquet").to_pylist()
    assert [{row["text_a"], row["text_b"]} for row in synonyms] == [{"I open it", "the door is opened"}]
    natural = pq.read_table(house / "bindings/natural_pairs.parquet").to_pylist()
    assert set(natural[0]) == set(NATURAL_COLUMNS) == set(synonyms[0])
    assert len(natural) == counts["natural_pairs.parquet"] > 3
    assert all(max(row["cos"], row["lev"]) >= 0.5 for row in natural)
    assert {row["group"] for row in [*pairs, *natural, *synonyms]} == {"o/house"}
    (doors,) = [row for row in natural if {row["text_a"], row["text_b"]} == {'a door "red"', 'a door "blue"'}]
    assert (doors["same_def"], doors["template_eq"], doors["lev_masked"], doors["jaccard"]) == (1, 1, 1.0, 1.0)


def test_glue_that_comes_later_is_read_and_nothing_else_again(house: Path) -> None:
    """Glue can be added to a clone at the same commit; one more repository costs one more unit."""
    glue, manifest = house / "clones/o__house/features/steps/doors.py", house / "clone_manifest.jsonl"
    write_manifest(manifest, [Clone("o/house", "ok", 1, 1, "1" * 40, "")])
    glue.unlink()
    assert bindings(house, LetterCounts())["texts.parquet"] == 0  # type: ignore[arg-type]
    scenarios(house)
    glue.write_text(STEPS)
    assert bindings(house, LetterCounts())["texts.parquet"] == 9  # type: ignore[arg-type]
    assert scenarios(house) == (6, 5)
    parts = {path: path.stat().st_mtime_ns for path in house.glob(".stages/*/parts/o__house*")}
    assert {path.parts[-3] for path in parts} == {"bindings", "scenarios"}
    shutil.copytree(house / "clones/o__house", house / "clones/o__twin")
    write_manifest(manifest, [Clone(name, "ok", 1, 1, "1" * 40, "") for name in ("o/house", "o/twin")])
    assert bindings(house, LetterCounts())["texts.parquet"] == 18  # type: ignore[arg-type]
    assert scenarios(house) == (12, 10)
    assert all(path.stat().st_mtime_ns == time for path, time in parts.items())


COMMON = {("python", f"step {i}") for i in range(5)}


@pytest.mark.parametrize(
    ("repositories", "expected"),
    [
        ({"a/x": COMMON, "b/y": set()}, {"a/x": "a/x", "b/y": "b/y"}),
        ({"b/y": COMMON, "a/x": COMMON}, {"a/x": "a/x", "b/y": "a/x"}),  # a fork
        ({"A/x": set(), "a/y": set()}, {"A/x": "A", "a/y": "A"}),  # one owner
        ({"a/x": COMMON, "b/y": {("ruby", text) for _, text in COMMON}}, {"a/x": "a/x", "b/y": "b/y"}),
        ({"a/x": COMMON, "b/y": {("python", "step 1"), ("python", "step 2")}}, {"a/x": "a/x", "b/y": "b/y"}),
        (  # by a third
            {
                "a/x": COMMON,
                "b/y": COMMON | {("go", str(i)) for i in range(9)},
                "c/z": {("go", str(i)) for i in range(4)},
            },
            {"a/x": "a/x", "b/y": "a/x", "c/z": "a/x"},
        ),
    ],
)
def test_related_repositories_are_one_group(
    repositories: dict[str, set[tuple[str, str]]], expected: dict[str, str]
) -> None:
    assert groups(repositories) == expected


def test_near_pairs_are_drawn_evenly_from_all_near_pairs() -> None:
    texts = [f"{verb} the {thing}" for verb in ("open", "shut", "paint") for thing in ("door", "wall", "gate", "doors")]
    vectors = LetterCounts().embed(texts)
    near = {
        (i, j)
        for i in range(12)
        for j in range(i + 1, 12)
        if float(vectors[i] @ vectors[j]) >= 0.8 or fuzz.ratio(texts[i], texts[j]) >= 80
    }
    every = draw_near(texts, vectors, 1000, near=0.8, seed=1)
    assert 10 < len(near) < 66
    assert {(a, b) for a, b, _, _ in every} == near
    assert all(indel == fuzz.ratio(texts[a], texts[b]) / 100 for a, b, _, indel in every)
    drawn = [{(a, b) for a, b, _, _ in draw_near(texts, vectors, 5, near=0.8, seed=seed)} for seed in range(200)]
    assert all(len(names) == 5 for names in drawn)
    assert set.union(*drawn) == near


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 5), st.integers(1, 40), st.integers(2, 80))
def test_a_draw_is_the_lowest_keys_of_all_pairs(seed: int, per_band: int, count: int) -> None:
    import corpus_tools.support.bands as bands_module

    vectors = np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    bands = ((-1.1, 0.0), (0.0, 0.5), (0.5, 1.1))
    drawn = draw(vectors, bands, per_band, seed=seed)
    before, bands_module._BLOCK = bands_module._BLOCK, 7
    try:
        again = draw(vectors, bands, per_band, seed=seed)
    finally:
        bands_module._BLOCK = before
    assert [(pair.a, pair.b, pair.band) for pair in drawn] == [(pair.a, pair.b, pair.band) for pair in again]
    cosine = vectors @ vectors.T
    for number, (low, high) in enumerate(bands):
        inside = [(i, j) for i in range(count) for j in range(i + 1, count) if low <= float(cosine[i, j]) < high]
        here = [(pair.a, pair.b) for pair in drawn if pair.band == number]
        assert len(here) == min(per_band, len(inside))
        assert set(here) <= set(inside)


def test_what_counts_over_all_bands_goes_to_the_nearest_pairs() -> None:
    vectors = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    bands = ((-1.1, 0.0), (0.0, 0.5), (0.5, 1.1))
    asked: list[tuple[int, int]] = []

    def keep(a: int, b: int) -> bool:
        asked.append((a, b))
        return len(asked) <= 8

    drawn = draw(vectors, bands, 5, seed=0, keep=lambda: keep)
    assert [pair.band for pair in drawn] == [1] * 3 + [2] * 5
    assert {(pair.a, pair.b) for pair in drawn} == set(asked[:8])


def test_sample(tmp_path: Path) -> None:
    import json

    import pyarrow as pa

    texts = [f"{verb} the {thing}" for verb in ("open", "shut", "paint") for thing in ("door", "wall", "gate", "doors")]
    pq.write_table(pa.table({"text": texts * 3}), tmp_path / "steps.parquet")
    drawn = sample(tmp_path / "steps.parquet", tmp_path / "pairs.jsonl", LetterCounts(), per_band=3)  # type: ignore[arg-type]
    count = drawn.pairs
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert count == len(rows) > 3
    assert [row["id"] for row in rows] == list(range(count))
    by_band: dict[str, list[str]] = {}
    for row in rows:
        by_band.setdefault(row["cos_band"], []).extend((row["text_a"], row["text_b"]))
    assert all(len(pairs) == len(set(pairs)) <= 6 for pairs in by_band.values())
    assert drawn.of_band == {band: len(by_band.get(band, ())) // 2 for band in drawn.of_band}
    assert drawn.texts == 12


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([], "has 0 distinct texts: there is nothing to compare"),
        (["one", "one"], "has 1 distinct text:"),
        (["a door", "xyz"], "Fewer than 170 pairs by cosine: 0 of [0.50,0.70)"),
    ],
)
def test_a_sample_says_why_it_is_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: list[str], told: str
) -> None:
    import pyarrow as pa

    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", lambda **_: LetterCounts())
    pq.write_table(pa.table({"text": pa.array(texts, pa.string())}), tmp_path / "steps.parquet")
    assert run(["corpus", "sample", str(tmp_path / "steps.parquet"), str(tmp_path / "pairs.jsonl")]) == 0
    both = capsys.readouterr()
    assert "0 pairs in" in both.out
    assert told in both.err


def test_a_clone_may_be_a_link(house: Path, tmp_path: Path) -> None:
    written = []
    clone = house / "clones" / "o__house"
    (clone / "setup.py").touch()  # glue is looked for in the whole project
    for _ in range(2):
        bindings(house, LetterCounts(), per_band=100)  # type: ignore[arg-type]
        written.append(pq.read_table(house / "bindings/texts.parquet").to_pylist())
        shutil.rmtree(house / ".stages")
        if not clone.is_symlink():
            clone.symlink_to(clone.rename(tmp_path / "elsewhere"))
    assert written[0] == written[1] != []
