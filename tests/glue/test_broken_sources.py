"""Half-typed, cut, shuffled and binary sources in every language module: nothing is raised, little is lost."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from cukereuse_engine.glue.definition import Extraction
from cukereuse_engine.glue.languages import base, definition_lines
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

FIXTURES = [
    path
    for folder in sorted((Path(__file__).parent / "languages").iterdir())
    for path in sorted(folder.iterdir())
    if path.suffix != ".tsv"
]
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=base.languages(), ids=lambda language: language.id)
def language(request: pytest.FixtureRequest) -> base.Language:
    return request.param


@pytest.fixture(params=FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def fixture(request: pytest.FixtureRequest) -> Path:
    return request.param


def check(source: bytes, extraction: Extraction) -> None:
    lines = source.count(b"\n") + 1
    for definition in extraction.definitions:
        span = definition.literal
        assert 0 <= span.start_byte < span.end_byte <= len(source)
        assert 1 <= span.line <= span.end_line <= lines
        assert span.column >= 1
        if definition.rewritable:
            assert source[span.start_byte : span.end_byte].decode() == definition.source_literal
    for error in extraction.errors:
        assert 1 <= error.line <= lines


@quick
@given(source=st.binary(max_size=300))
def test_any_bytes(language: base.Language, source: bytes) -> None:
    check(source, language.extract("x", source))


@quick
@given(data=st.data())
def test_mutated_sources(fixture: Path, data: st.DataObject) -> None:
    source = fixture.read_bytes()
    language = base.language_for(fixture.name)
    assert language is not None
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(source))] * 2)))
        inserted = data.draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from([b'"', b"'", b"`", b"(", b"{", b"}", b"/*", b"\\", b"\xff", "\u2028é".encode(), b"${"]),
                st.just(source[start:end] * 2),
            )
        )
        source = source[:start] + inserted + source[min(end, start + 40) :]
    try:
        extraction = language.extract("x", source)
    except SlowSourceError:  # some grammars need seconds for a few strange lines
        reject()
    check(source, extraction)


BROKEN = {
    "python": (
        "from behave import given\n%s\n",
        "@given('step %s')\ndef step_%s(context):\n    go('a')\n\n",
        [
            "@given('half)\ndef half(context):\n    go()\n\n",
            "@given('half'\ndef half(context):\n    go()\n\n",
            '@given("""half\')\ndef half(context):\n    go()\n\n',
            "@given('half')\ndef half(context:\n    go()\n\n",
            "@given('half')\ndef half(context):\n    go(\n\n",
            "@given('half')\ndef half(context)\n    go()\n\n",
            "@given('half')\ndef half(context):\n    x = [1, 2\n\n",
            "@given('half')\ndef half(context):\n    '''open\n\n",
            "@given(\n",
            "@given('half')\n\n",
        ],
    ),
    "javascript": (
        "const { Given } = require('@cucumber/cucumber')\n%s\n",
        "Given(/^step %s$/, function step%s() { go('a') })\n",
        [
            "Given(/^half [x$/, () => { go('b') })\n",
            "Given(/^half (x$, () => { go() })\n",
            "Given('half, () => { go() })\n",
            "Given(`half, () => { go() })\n",
            "Given('half', () => { go(; })\n",
            "Given('half', () => {\n",
            "Given('half'\n",
            "Given(/half\n",
            "Given(\n",
            "Given('half', () => { if (x { go() } })\n",
            "Given('half', async () => { const s = 'abc })\n",
        ],
    ),
    "ruby": (
        "# cucumber\n%s\n",
        "Given(/^step %s$/) do |x%s|\n  go 'a'\nend\n",
        [
            "Given(/^half [x$/) do\n  go\nend\n",
            "Given(/^half$) do\n  go\nend\n",
            "Given('half) do\n  go\nend\n",
            "Given(/half/) do\n  go(\nend\n",
            "Given(/half/) do |x\n  go\nend\n",
            "Given(/half/) do\n  if x\n  go\nend\n",
            "Given(/half\n",
            "Given(/half/) do\n  x = [1,\nend\n",
            "Given(/half/) do\n  x = <<EOS\nend\n",
            "Given(/half #{/) do\nend\n",
        ],
    ),
    "java": (
        "import io.cucumber.java.en.*;\npublic class A {\n%s\n}\n",
        '  @Given("step %s") public void step%s() { }\n',
        [
            '  @When("half\n',
            '  @When("half"',
            "  @When(",
            "  public void half() { foo(",
            '  @When("half") public void',
            '  @When("half") public void h( { go(); }\n',
            '  @When("ha"lf") public void h() { }\n',
            '  @When("half") public void h() { x = "a; }\n',
        ],
    ),
    "kotlin": (
        "import io.cucumber.java.en.*\nclass A {\n%s\n}\n",
        '  @Given("step %s") fun step%s() { }\n',
        [
            '  @When("half\n',
            '  @When("half")\n',
            '  @When("half") fun\n',
            '  @When("half) fun h() { go() }\n',
            '  @When("half" fun h() { go() }\n',
            '  @When("half") fun h( { go() }\n',
            '  @When("half") fun h() { go()\n',
            '  @When("""half) fun h() { }\n',
            '  @When("ha${lf") fun h() { }\n',
        ],
    ),
    "scala": (
        "import io.cucumber.scala.{EN, ScalaDsl}\nclass A extends ScalaDsl with EN {\n%s\n}\n",
        '  Given("step %s") { (step%s: Int) => go("a") }\n',
        [
            '  Given("""half) { (x: Int) => go("a") }\n',
            '  Given("half) { (x: Int) => go() }\n',
            '  Given("half" { (x: Int) => go("a") }\n',
            '  Given("half") { (x: Int => go("a") }\n',
            '  Given("half") { (x: Int) => go()\n',
            "  Given(\n",
        ],
    ),
    "csharp": (
        "using Reqnroll;\n[Binding] public class A {\n%s\n}\n",
        '  [Given("step %s")] public void Step%s() { }\n',
        [
            '  [When("half\n',
            '  [When("half")]\n',
            "  [When(\n",
            '  [When("half")] public void\n',
            '  [When(@"half)] public void H() { Go(); }\n',
            '  [When("half)] public void H() { Go(); }\n',
            '  [When("half")] public void H() { var x = $"a{b"; }\n',
            '  [When("""half")] public void H() { }\n',
        ],
    ),
    "php": (
        "<?php\nclass A {\n%s\n}\n",
        "  /** @Given step %s */ public function step%s() { }\n",
        [
            "  /** @When half */\n",
            "  public function half() { $this->\n",
            "  /** @When */ public function half(\n",
            "  #[When('half)] public function h() { go(); }\n",
            "  #[When('half')] public function h() { go(; }\n",
            "  /** @When half */ public function h() { $x = 'a; }\n",
            "  /** @When half */ public #function h() { go(); }\n",
        ],
    ),
    "go": (
        'package a\nimport "github.com/cucumber/godog"\nfunc f(ctx *godog.ScenarioContext) {\n%s\n}\n',
        "  ctx.Step(`step %s`, step%s)\n",
        [
            '  ctx.Step("half\n',
            '  ctx.Step("half", \n',
            "  ctx.\n",
            "  ctx.Step(\n",
            "  if x {\n",
            "  ctx.Step(`half, half)\n",
            '  ctx.Step("half", func() {\n',
        ],
    ),
    "rust": (
        "use cucumber::given;\n%s\n",
        '#[given("step %s")] fn step%s(w: &mut World) { }\n',
        [
            '#[when("half")]\n',
            '#[when("half")] fn\n',
            "#[when]\n",
            "fn half() { foo(\n",
            "#[when(\n",
            '#[when("half)] fn h(w: &mut World) { }\n',
            '#[when("half")] fn h(w: &mut World) {\n',
        ],
    ),
}
HALVES = [(id_, half) for id_, (_, _, halves) in BROKEN.items() for half in halves]


def of(id_: str) -> base.Language:
    return next(language for language in base.languages() if language.id == id_)


@pytest.mark.parametrize(("id_", "half"), HALVES, ids=repr)
def test_half_typed_code_loses_none_of_its_neighbours(id_: str, half: str) -> None:
    frame, step, _ = BROKEN[id_]
    body = step % (1, 1) + step % (2, 2) + half + step % (3, 3) + step % (4, 4) + step % (5, 5)
    source = (frame % body).encode()
    extraction = base.extract("x" + of(id_).suffixes[0], source)
    check(source, extraction)
    kept = [definition.expression.strip("^$") for definition in extraction.definitions]
    numbers = [number for number in range(1, 6) if f"step {number}" in kept]
    # where code of another kind is broken, the definition that follows on its line may belong to it
    assert numbers == [1, 2, 3, 4, 5] or (not half.endswith("\n") and numbers == [1, 2, 4, 5]), extraction
    first = source[: source.index(half.encode())].count(b"\n") + 1
    of_half = range(first, first + half.count("\n") + 1)
    assert all(error.line in of_half for error in extraction.errors)
    assert not any(
        "step" in expression for expression in kept if expression not in {f"step {number}" for number in range(1, 6)}
    )


BODIES = {
    "python": ("@given('step %s')\ndef step_%s(context):\n    %s\n\n", "go()", "go({"),
    "javascript": ("Given('step %s', function step%s() { %s })\n", "go()", "go({"),
    "ruby": ("Given('step %s') do |x%s|\n  %s\nend\n", "go", "go({"),
    "java": ('  @Given("step %s") public void step%s() { %s }\n', "go();", "go({;"),
    "kotlin": ('  @Given("step %s") fun step%s() { %s }\n', "go()", "go({"),
    "scala": ('  Given("step %s") { (step%s: Int) => %s }\n', "go()", "go({"),
    "csharp": ('  [Given("step %s")] public void Step%s() { %s }\n', "Go();", "Go({;"),
    "php": ("  /** @Given step %s */ public function step%s() { %s }\n", "go();", "go({;"),
    "go": ("  ctx.Step(`step %s`, func(step%s int) { %s })\n", "go()", "go({"),
    "rust": ('#[given("step %s")] fn step%s(w: &mut World) { %s }\n', "go();", "go({;"),
}
"""A definition with a place for its body, a sound body and a broken one."""


@pytest.mark.parametrize("id_", BODIES)
@pytest.mark.parametrize("broken", [{1, 4}, {1, 5}, {2, 5}, {3, 6}, {4, 6}, {2, 3, 6}, {1, 2, 3, 4, 5, 6}], ids=repr)
def test_several_broken_definitions_cost_no_sound_one(id_: str, broken: set[int]) -> None:
    step, sound, half = BODIES[id_]
    body = "".join(step % (n, n, half if n in broken else sound) for n in range(1, 8))
    extraction = base.extract("x" + of(id_).suffixes[0], (BROKEN[id_][0] % body).encode())
    kept = {definition.expression for definition in extraction.definitions}
    assert {f"step {n}" for n in range(1, 8) if n not in broken} <= kept


@pytest.mark.parametrize("id_", BROKEN)
def test_what_is_hidden_beside_a_syntax_error_is_said(id_: str) -> None:
    """For a literal that is left open, the definition itself is an error of its line."""
    frame, step, halves = BROKEN[id_]
    half = next(half for half in halves if "half" in half and half.count('"') + half.count("'") + half.count("/") == 1)
    source = (frame % (step % (1, 1) + half + step % (2, 2))).encode()
    extraction = base.extract("x" + of(id_).suffixes[0], source)
    line = source[: source.index(half.strip().encode())].count(b"\n") + 1
    assert [error.line for error in extraction.errors] == [line]


def test_a_mocking_library_s_given_is_no_step_definition() -> None:
    source = (
        b"// cucumber\nclass FooTest {\n  void test() {\n    given(repo.find()).willReturn(1);\n    foo(;\n  }\n}\n"
    )
    assert not [error for error in base.extract("FooTest.java", source).errors if "step definition" in error.message]


def test_a_variable_of_ruby_is_no_annotation() -> None:
    assert not definition_lines.blocks_of(b"def show\n  @step = :hour\n  @given ||= 1\n  @when||=1\nend\n")
    assert definition_lines.blocks_of(b"@step\ndef f(): pass\n@given(a == 1)\ndef g(): pass\n")


@pytest.mark.parametrize("id_", BROKEN)
def test_time_is_linear_in_the_number_of_definitions(id_: str) -> None:
    frame, step, _ = BROKEN[id_]
    language = next(language for language in base.languages() if language.id == id_)

    def seconds(count: int) -> float:
        source = (frame % "".join(step % (number, number) for number in range(count))).encode()
        start = time.process_time()
        assert len(language.extract("x", source).definitions) == count
        return time.process_time() - start

    seconds(10)  # loads the grammar
    # a busy machine may disturb one measurement; time that grows with the square has a ratio of 25 in all of them
    assert any(seconds(3000) < 10 * max(seconds(600), 0.02) for _ in range(3))


@pytest.mark.parametrize("source", [b"(" * 20_000, b'"' * 20_000, b"[Given(" * 3_000], ids=["(", '"', "[Given("])
def test_nonsense_takes_bounded_time(language: base.Language, source: bytes) -> None:
    start = time.process_time()
    language.extract("x", source)
    assert time.process_time() - start < 5


def test_thousands_of_comment_lines_cost_little() -> None:
    glue = 'from behave import given\n@given("it é")\ndef it(context): pass\n'
    source = (glue + "# ü\r\n" * 30_000 + glue).encode()
    start = time.thread_time()
    extraction = base.extract("steps.py", source)
    assert time.thread_time() - start < 2
    assert [definition.line for definition in extraction.definitions] == [2, 30_005]
    assert not extraction.errors
