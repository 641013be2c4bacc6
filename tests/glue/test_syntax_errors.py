"""Step definitions beside syntax errors: no number or place of errors affects a sound definition."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.glue import sources
from cukereuse_engine.glue.definition import Extraction
from cukereuse_engine.glue.languages import base, syntax_errors
from cukereuse_engine.glue.languages.definition_lines import blocks_of, with_gaps
from cukereuse_engine.glue.languages.excerpts import Excerpts
from cukereuse_engine.storage.blob_store import BlobStore
from tests.glue.test_broken_sources import BODIES, BROKEN, FIXTURES, of

HALF_BROKEN = 150


def read(id_: str, body: str) -> Extraction:
    return base.extract("x" + of(id_).suffixes[0], (BROKEN[id_][0] % body).encode())


@pytest.mark.parametrize("id_", BODIES)
@pytest.mark.parametrize("every", [2, 7])
def test_half_a_file_may_be_broken(id_: str, every: int) -> None:
    step, sound, half = BODIES[id_]
    numbers = range(1, HALF_BROKEN)
    file = read(id_, "".join(step % (n, n, sound if n % every else half) for n in numbers))
    kept = {definition.expression for definition in file.definitions}
    assert {f"step {n}" for n in numbers if n % every} <= kept
    assert len(file.errors) <= len([n for n in numbers if n % every == 0])
    assert not file.is_cut_short


HELPERS = {
    "python": ("def helper(x):\n    go(x)\n\n", "def helper(x\n    go({x)\n\n"),
    "javascript": ("function helper(x) {\n  go(x)\n}\n\n", "function helper(x {\n  go({x)\n}\n\n"),
    "ruby": ("def helper(x)\n  go(x)\nend\n\n", "def helper(x)\n  go({x\nend\n\n"),
    "java": ("  void helper() {\n    go();\n  }\n\n", "  void helper( {\n    go({);\n  }\n\n"),
    "kotlin": ("  fun helper() {\n    go()\n  }\n\n", "  fun helper( {\n    go({)\n  }\n\n"),
    "scala": ("  def helper() = {\n    go()\n  }\n\n", "  def helper( = {\n    go({)\n  }\n\n"),
    "csharp": ("  void Helper() {\n    Go();\n  }\n\n", "  void Helper( {\n    Go({);\n  }\n\n"),
    "php": ("  function helper() {\n    go();\n  }\n\n", "  function helper( {\n    go({);\n  }\n\n"),
    "go": ("  helper(func() {\n    more()\n  })\n\n", "  helper(func() {\n    more({)\n  }\n\n"),
    "rust": ("fn helper() {\n    go();\n}\n\n", "fn helper( {\n    go({);\n}\n\n"),
}
"""A function beside step definitions, sound and broken."""


@pytest.mark.parametrize("id_", HELPERS)
@pytest.mark.parametrize("at", [0, 3, 6], ids=["before", "between", "after"])
def test_a_broken_function_costs_no_definition(id_: str, at: int) -> None:
    step, sound, _ = BODIES[id_]
    helper, broken = HELPERS[id_]
    parts = [step % (n, n, sound) + "\n" for n in range(6)]
    parts.insert(at, broken)
    file = read(id_, helper + "".join(parts) + helper.replace("elper", "elper2"))
    assert {definition.expression for definition in file.definitions} == {f"step {n}" for n in range(6)}
    assert not [error for error in file.errors if "step definition" in error.message]


@pytest.mark.parametrize("id_", [id_ for id_ in BODIES if BROKEN[id_][0].rstrip().endswith("}")])
def test_a_class_that_is_not_closed_yet(id_: str) -> None:
    step, sound, half = BODIES[id_]
    source = BROKEN[id_][0].rstrip().removesuffix("}") % "".join(
        step % (n, n, half if n == 3 else sound) for n in range(6)
    )
    extraction = base.extract("x" + of(id_).suffixes[0], source.encode())
    assert {definition.expression for definition in extraction.definitions} >= {f"step {n}" for n in range(6) if n != 3}


STACKED = {
    "x.py": "from behave import given, when\n@given('one')\n@when('two')\ndef step(context):\n    go({\n\n"
    "@given('three')\ndef other(context):\n    go()\n",
    "x.java": "import io.cucumber.java.en.*;\nclass A {\n"
    '  @Given("one")\n  @When("two")\n  void step() { go({; }\n\n  @Given("three")\n  void other() { go(); }\n}\n',
    "x.cs": "using Reqnroll;\n[Binding] public class A {\n  // why\n"
    '  [Given("one")]\n  [When("two")]\n  void Step() { Go({; }\n\n  [Given("three")]\n  void Other() { Go(); }\n}\n',
    "x.php": "<?php\nclass A {\n  /**\n   * Words.\n   *\n   * @Given one\n   * @When two\n   */\n"
    "  public function step() { go({; }\n\n  /**\n   * @Given three\n   */\n  public function other() { go(); }\n}\n",
}


@pytest.mark.parametrize("name", STACKED)
def test_definitions_on_one_function_stand_or_fall_together(name: str) -> None:
    source = STACKED[name].encode()
    first, _ = blocks_of(source)
    assert len(first.beginnings) == 2
    assert source[first.start : first.end].strip()[:1] in (b"@", b"[", b"/")
    extraction = base.extract(name, source)
    assert [definition.expression for definition in extraction.definitions] == ["one", "two", "three"]
    assert len({definition.function_id for definition in extraction.definitions[:2]}) == 1


def test_a_limit_above_another_definition_is_not_its_own() -> None:
    methods = "".join(
        f'  [Scope(Tag = "{name}")]\n  [When("{name}")]\n  public void {name}() {{ {body} }}\n\n'
        for name, body in (("A", "Go({;"), ("B", "Go();"), ("C", "Go({;"), ("D", "Go();"))
    )
    extraction = base.extract("x.cs", ("using Reqnroll;\n[Binding] public class S {\n" + methods + "}\n").encode())
    assert {
        definition.expression: [limit.tags for limit in definition.limits] for definition in extraction.definitions
    } == {name: [f"@{name}"] for name in "ABCD"}


def test_a_fault_of_the_reader_costs_one_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """A definition may make the reader fail, even without a syntax error."""
    language = of("python")

    def extract(path: str, source: bytes, names: base.ConstantNames) -> Extraction:
        if b"step 3" in source:
            raise IndexError("no such group")
        return language.extract(path, source, names)

    monkeypatch.setattr(base, "language_for", lambda _: replace(language, extract=extract))
    file = read("python", "".join(f"@given('step {n}')\ndef s{n}(c):\n    go()\n\n" for n in range(1, 6)))
    assert [definition.expression for definition in file.definitions] == ["step 1", "step 2", "step 4", "step 5"]
    assert [(error.line, error.message) for error in file.errors] == [(10, "can't be read: IndexError: no such group")]


@pytest.mark.parametrize("limit", ["READ_SECONDS", "READ_BYTES"])
def test_what_is_given_up_is_said_once(limit: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also, a source that a slow machine did not finish is read again another time."""
    monkeypatch.setattr(syntax_errors, limit, -1)
    step, sound, half = BODIES["javascript"]
    body = "".join(step % (n, n, half if n == 2 else sound) for n in range(9))
    path = tmp_path / "x.js"
    path.write_text(BROKEN["javascript"][0] % body)
    cache = BlobStore(tmp_path / "glue.sqlite")

    def known() -> Extraction:
        return sources.read_sources([str(path)], cache=cache)[str(path)]

    before = known()
    assert [error.message for error in before.errors] == [syntax_errors.GIVEN_UP]
    monkeypatch.undo()
    assert len(known().definitions) == (8 if limit == "READ_SECONDS" else len(before.definitions))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_an_excerpt_is_read_where_it_stands(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(FIXTURES))
    source = path.read_bytes()
    language = base.language_for(path.name)
    blocks = list(with_gaps(source, blocks_of(source)))
    if language is None or not blocks:
        return
    kept = [block for block in blocks if data.draw(st.booleans())]
    parts = [(0, blocks[0].start), *((block.start, block.end) for block in kept), (blocks[-1].end, len(source))]
    excerpt = Excerpts(source).of(parts)
    assert excerpt.text == b"".join(source[start:end] for start, end in parts)
    there = language.extract("x", excerpt.text, base.ConstantNames())
    for definition, home in zip(there.definitions, excerpt.at_home(there).definitions, strict=True):
        for span in (home.literal, home.function) if home.function is not None else (home.literal,):
            assert source.count(b"\n", 0, span.start_byte) + 1 == span.line
            assert source.count(b"\n", 0, span.end_byte) + 1 == span.end_line
        start, end = home.literal.start_byte, home.literal.end_byte
        assert source[start:end] == excerpt.text[definition.literal.start_byte : definition.literal.end_byte]


@given(source=st.text(alphabet="@[]*/#()'\"Given \n\tx}{", max_size=300))
def test_blocks_cover_what_is_between_the_first_and_the_last(source: str) -> None:
    data = source.encode()
    blocks = blocks_of(data)
    covered = list(with_gaps(data, blocks)) if blocks else []
    assert [block.end for block in covered[:-1]] == [block.start for block in covered[1:]]
    for block in covered:
        assert block.start < block.end
        assert block.start == 0 or data[block.start - 1 : block.start] == b"\n"
        assert all(block.start <= beginning.start < beginning.until <= block.end for beginning in block.beginnings)


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        (
            "x.cs",  # a line that is indented less opens no function
            'using Reqnroll;\n[Binding] public class A {\n[Given("a")] public void A() { Go(); }\n'
            '  [Given("b")] public void B() { Go({; }\n  [Given("c")] public void C() { Go(); }\n}\n',
            ["a", "b", "c"],
        ),
        (
            "x.kt",  # this language has no comments with #
            'import io.cucumber.java.en.*\nclass A {\n  @Given("a") fun a() { go() }\n#  @Given("b) fun b() { go() }\n'
            '  @Given("c") fun c() { go() }\n}\n',
            ["a", "c"],
        ),
    ],
)
def test_odd_lines_above_cost_nothing(name: str, source: str, expected: list[str]) -> None:
    assert [definition.expression for definition in base.extract(name, source.encode()).definitions] == expected


@pytest.mark.parametrize("breaks", [("",), ("def q(:\n",), ("def q(:\n", "x = (1\n")], ids=["end", "start", "both"])
def test_breaks_far_above_cost_no_definition(breaks: tuple[str, ...]) -> None:
    """A file in which somebody types: hundreds of functions above the definitions, some of them broken."""
    helpers = "\n".join(f"def h{n}(a):\n    return go(a, {n})\n" for n in range(300))
    step, sound, _ = BODIES["python"]
    body = breaks[0] + helpers + "\n" + (breaks[1] if len(breaks) > 1 else "x = (1\n") + "\n"
    file = read("python", body + "".join(step % (n, n, sound) for n in range(40)))
    assert len(file.definitions) == 40
    assert not file.errors
