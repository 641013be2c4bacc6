"""How alike two functions are: what a person who reads both would call the same is the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.glue.bodies import LEAST_TOKENS, Bodies, body_tokens
from cukereuse_engine.glue.languages.base import extract, languages
from cukereuse_engine.glue.model import StepDefinition

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
    assert len(one) >= LEAST_TOKENS


@pytest.mark.parametrize("language", SAME)
@given(text=st.text(max_size=60))
def test_any_text_has_tokens(language: str, text: str) -> None:
    assert all(body_tokens(text, language))


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
"""
RUBY = "Given('{int} books') do |count|\n  basket.fill(count)\nend\n"


@pytest.fixture
def definitions(tmp_path: Path) -> list[StepDefinition]:
    found: list[StepDefinition] = []
    for name, source in (("steps.py", PYTHON), ("steps.rb", RUBY)):
        path = tmp_path / name
        path.write_text(source, "utf-8")
        found += extract(str(path), source.encode()).definitions
    return found


def test_the_same_body_under_two_expressions(definitions: list[StepDefinition]) -> None:
    holds, there_are, full, *_ = definitions
    assert Bodies().similarity(holds, there_are) == 1
    near = Bodies().similarity(holds, full)
    assert near is not None
    assert 0.3 < near < 0.8


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda found: found[3], id="pass says nothing"),
        pytest.param(lambda found: found[4], id="another language"),
        pytest.param(lambda found: replace(found[0], function=None), id="a function that stands elsewhere"),
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
