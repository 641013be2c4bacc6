"""How alike two functions are: what a person who reads both would call the same is the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.glue.bodies import Bodies, body_tokens, terms
from cukereuse_engine.glue.languages.base import extract, languages
from cukereuse_engine.glue.model import ExpressionKind, SourceSpan, StepDefinition

SAME = {
    "csharp": (
        "public async Task BasketHolds(int count) { Assert.Equal(count, basket.Count); }",
        "public void ThereAre(int books) // in words\n{\n    Assert.Equal(books, basket.Count);\n}",
    ),
    "go": (
        "func (s *shop) holds(count int) error { return s.basket.expect(count) }",
        "func (world *shop) thereAre(books int) error {\n\t// counted\n\treturn world.basket.expect(books)\n}",
    ),
    "java": (
        "public void holds(int count) throws Exception { assertThat(basket.size()).isEqualTo(count); }",
        "void thereAre(int books) {\n  /* counted */ assertThat(basket.size())\n    .isEqualTo(books);\n}",
    ),
    "javascript": (
        "async function (count) { expect(await this.basket.size()).toBe(count) }",
        "async function(books) {\n  // counted\n  expect(await this.basket.size()).toBe(books);\n}",
    ),
    "kotlin": (
        "{ count: Int -> assertEquals(count, basket.size) }",
        "{ books: Int ->\n    // counted\n    assertEquals(books, basket.size)\n}",
    ),
    "php": (
        "public function holds($count) { $this->basket->shouldHold($count); }",
        "public function thereAre(int $books): void {\n    # counted\n    $this->basket->shouldHold($books);\n}",
    ),
    "python": (
        "def holds(context, count):\n    assert context.basket.size == count\n",
        "def there_are(world, books: int) -> None:\n    # counted\n    assert world.basket.size  ==  books\n",
    ),
    "ruby": (
        "do |count|\n  expect(basket.size).to eq(count)\nend",
        "do |books| # counted\n  expect(basket.size).to   eq(books)\nend",
    ),
    "rust": (
        "fn holds(world: &mut World, count: usize) { assert_eq!(world.basket.len(), count); }",
        "fn there_are(w: &mut World, books: usize) {\n    // counted\n    assert_eq!(w.basket.len(), books);\n}",
    ),
    "typescript": (
        "async ({ basket }: Fixtures, count: number): Promise<void> => { expect(basket.size).toBe(count); }",
        "async ({ basket }: Fixtures, books: number): Promise<void> => {\n  expect(basket.size).toBe(books)\n}",
    ),
}


def test_every_language_is_here() -> None:
    assert SAME.keys() == {language.id for language in languages()}


@pytest.mark.parametrize("language", SAME)
def test_layout_comments_and_names_of_parameters_are_no_difference(language: str) -> None:
    one, other = (body_tokens(function, language) for function in SAME[language])
    assert one == other
    assert len(one) > 3


def written_in(language: str, path: str, function: str) -> StepDefinition:
    """The definition of a function that is all that stands at `path`."""
    span = SourceSpan(path, 0, len(function.encode()), 1, 1, 1, 1)
    return StepDefinition("x", ExpressionKind.LITERAL, frozenset(), "given", language, "", span, "x", span, "")


@pytest.mark.parametrize("language", SAME)
@given(text=st.text(max_size=60))
def test_any_text_is_like_itself(language: str, text: str) -> None:
    assert all(token.text for token in body_tokens(text, language))
    one = written_in(language, "steps", text)
    assert Bodies(lambda _: text.encode()).similarity(one, one) in (1, None)


ALIKE = [
    pytest.param(
        "python", "def a(c):\n    '''Docs.'''\n    c.page.save()", "def b(c):\n    c.page.save()", 1, id="docstring"
    ),
    pytest.param("python", "def save(c):\n    c.page.save()", "def shut(c):\n    c.page.shut()", 1 / 3, id="own name"),
    pytest.param("java", "void save() { page.save(); }", "void shut() { page.shut(); }", 1 / 3, id="own name, Java"),
    pytest.param(
        "typescript",
        "async ({ bedPage }) => { await bedPage.save(); }",
        "async ({ lawnPage }) => { await lawnPage.save(); }",
        1 / 5,
        id="fixture",
    ),
    pytest.param("python", "def a(c):\n    c.is_('pending')", "def b(c):\n    c.is_('open')", 1 / 3, id="a value"),
    pytest.param("python", "def a(c):\n    c.page.skip()", "def b(c):\n    c.page.save()", 1 / 3, id="a method"),
    pytest.param("javascript", "function () { return 'pending'; }", "function () { page.save(); }", 0, id="pending"),
    pytest.param("javascript", "function () { return this.skip(); }", "function () { page.save(); }", 0, id="skip"),
    pytest.param("ruby", "do\n  pending\nend", "do\n  page.save\nend", 0, id="pending, Ruby"),
    pytest.param("csharp", "void A() { _context.Pending(); }", "void B() { bed.Dig(); }", 0, id="pending, SpecFlow"),
    pytest.param(
        "csharp", "void A() { bed.Is(State.Pending); }", "void B() { bed.Is(State.Dug); }", 3 / 5, id="a constant"
    ),
    pytest.param("kotlin", "{ bed.dig(); val x = 1 }", "{ lawn.mow(); val x = 1 }", 1 / 5, id="lambda, assignment"),
    pytest.param("kotlin", "{ bed.run { dig() } }", "{ lawn.run { dig() } }", 1 / 5, id="lambda in a lambda"),
    pytest.param("kotlin", "{ a: Int -> bed.dig(a) }", "{ b: Int -> bed.dig(b) }", 1, id="lambda with parameters"),
    pytest.param("kotlin", "{ BedPage(driver).open() }", "{ BedPage(driver).open() }", 1, id="constructor"),
    pytest.param("java", "void a() { assertTrue(bed.dug()); }", "void b() { assertTrue(bed.dug()); }", 1, id="assert"),
    pytest.param("java", "void a() { this.check(); }", "void b() { check(); }", 0, id="own method in two files"),
    pytest.param(
        "kotlin", "fun a(x: String) = page.open(x)", "fun b(y: String) = page.open(y)", 1, id="expression body"
    ),
]


@pytest.mark.parametrize(("language", "one", "other", "similarity"), ALIKE)
def test_how_alike(language: str, one: str, other: str, similarity: float) -> None:
    sources = {"one": one, "other": other}
    definitions = [written_in(language, path, function) for path, function in sources.items()]
    found = Bodies(lambda path: sources[path].encode()).similarity(*definitions)
    assert found == pytest.approx(similarity)


def test_fixtures_are_no_parameters(tmp_path: Path) -> None:
    path = tmp_path / "test_steps.py"
    steps = "from pytest_bdd import given, parsers\n" + "".join(
        f"\n\n@given(parsers.parse('{verb} {{name}}'))\ndef {verb}({page}, name):\n    {page}.save(name)\n"
        for verb, page in (("dig", "bed_page"), ("mow", "lawn_page"))
    )
    path.write_text(steps, "utf-8")
    one, other = extract(str(path), path.read_bytes()).definitions
    assert Bodies().similarity(one, other) == 1 / 5


TWO_CLASSES = {
    "csharp": ("void Done() { Check(); }", "void Done() { bed.Check(); }"),
    "go": (None, "func (s *beds) done() error { return check(s) }"),
    "java": ("void done() { check(); }", "void done() { bed.check(); }"),
    "javascript": (None, "function () { check(); this.bed.check(); }"),
    "kotlin": ("{ check() }", "{ bed.check() }"),
    "php": ("function done() { $this->bed->check(); }", "function done() { check(); }"),
    "python": (None, "def done(context):\n    check(context.bed)\n"),
    "ruby": (None, "do\n  check @bed\nend"),
    "rust": (None, "fn done(world: &mut World) { check(world.bed()); }"),
    "typescript": (None, "async function () { await check(this.bed); }"),
}


@pytest.mark.parametrize("language", TWO_CLASSES)
def test_what_is_of_the_class_around_is_another_thing_in_another_file(language: str) -> None:
    of_the_class, of_all = TWO_CLASSES[language]

    def shared(function: str) -> bool:
        body = body_tokens(function, language)
        return terms(body, language, "one") == terms(body, language, "other") != frozenset()

    assert shared(of_all)
    assert of_the_class is None or not shared(of_the_class)


PYTHON = """
@given("a basket with {count:d} books")
def holds(context, count):
    context.basket.fill(count)


@given("{count:d} books in the basket")
def there_are(world, count):
    world.basket.fill(count)


@given("the basket is full")
def full(context):
    context.basket.fill(context.basket.room)
    context.basket.close()


@given("nothing")
def nothing(context):
    pass


@given("the basket is empty")
def empty(context):
    raise NotImplementedError("STEP: the basket is empty")

"""
RUBY = "Given('{int} books') do |count|\n  basket.fill(count)\nend\n"
JAVA = """
import io.cucumber.java8.En;

public class Steps implements En {
  public Steps() {
    Given("one", desk::clear);
    Given("two", shelf::clear);
    Given("three", shelf::sort);
  }
}
"""


@pytest.fixture
def definitions(tmp_path: Path) -> list[StepDefinition]:
    found: list[StepDefinition] = []
    for name, source in (("steps.py", PYTHON), ("steps.rb", RUBY), ("Steps.java", JAVA)):
        path = tmp_path / name
        path.write_text(source, "utf-8")
        found += extract(str(path), source.encode()).definitions
    return found


def test_the_same_body_under_two_expressions(definitions: list[StepDefinition]) -> None:
    holds, there_are, full, *_ = definitions
    assert Bodies().similarity(holds, there_are) == 1
    assert Bodies().similarity(holds, full) == 2 / 4  # basket, fill; room, close


def test_one_that_is_still_to_be_written_does_not_do_the_same(definitions: list[StepDefinition]) -> None:
    full, nothing, empty = definitions[2:5]
    assert Bodies().similarity(full, nothing) == 0
    assert Bodies().similarity(full, empty) == 0
    assert Bodies().similarity(nothing, empty) is None


def test_what_both_name_counts_by_its_words(tmp_path: Path) -> None:
    names = ("page.open(); page.save_new_book()", "page.close(); page.save_new_book()")
    path = tmp_path / "steps.py"
    path.write_text("".join(f"@given('{name[:8]}')\ndef step(context):\n    {name}\n" for name in names), "utf-8")
    one, other = extract(str(path), path.read_bytes()).definitions
    assert Bodies().similarity(one, other) == 4 / 6  # page 1, save_new_book 3; open 1, close 1


def test_of_a_function_that_stands_elsewhere_the_name_is_known(definitions: list[StepDefinition]) -> None:
    clear_desk, clear_shelf, sort_shelf = definitions[-3:]
    assert Bodies().similarity(clear_desk, clear_shelf) == 1
    assert Bodies().similarity(clear_shelf, sort_shelf) == 0
    moved = replace(clear_shelf, literal=replace(clear_shelf.literal, path="Other.java"))
    assert Bodies().similarity(clear_desk, moved) == 0


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda found: found[5], id="another language"),
        pytest.param(lambda found: replace(found[0], function=None, function_name=""), id="a function without a name"),
        pytest.param(
            lambda found: replace(found[0], function=replace(found[0].function, path="gone.py")),
            id="a source that is gone",
        ),
    ],
)
def test_nothing_is_said_where_nothing_is_known(
    definitions: list[StepDefinition], other: Callable[[list[StepDefinition]], StepDefinition]
) -> None:
    bodies = Bodies()
    assert bodies.similarity(definitions[0], other(definitions)) is None
    assert bodies.similarity(other(definitions), definitions[0]) is None


def test_a_source_that_changed_is_read_again(definitions: list[StepDefinition]) -> None:
    bodies = Bodies()
    assert bodies.similarity(definitions[0], definitions[1]) == 1
    path = definitions[0].path
    changed = PYTHON.replace("world.basket.fill(count)", "world.shelf.sort_by(count, 'title')")
    bodies.update(path, changed.encode())
    first, second, *_ = extract(path, changed.encode()).definitions
    assert bodies.similarity(first, second) != 1
    bodies.update(path, None)
    assert bodies.similarity(definitions[0], definitions[1]) == 1
