"""Many texts with many definitions, and the changes after a file changes."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import Anchoring, Extraction, ParameterType, StepDefinition
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.reach import Reach
from cukereuse_engine.glue.text_binding import Status

Make = Callable[..., StepDefinition]
POOL: list[dict[str, object]] = [
    {"expression": "the cat {word}"},
    {"expression": "the {animal} sat"},
    {"expression": "the cat", "kind": "literal", "language": "python", "framework": "pytest-bdd"},
    {"expression": "the {x} {y}", "kind": "parse", "language": "python"},
    {"expression": "^the (cat|dog)", "kind": "regex", "language": "ruby", "anchoring": Anchoring.SEARCH},
    {"expression": "sat$", "kind": "regex", "language": "ruby", "anchoring": Anchoring.SEARCH},
    {"expression": "cat", "kind": "regex", "language": "javascript", "anchoring": Anchoring.SEARCH, "flags": "i"},
    {"expression": "a|the", "kind": "regex", "language": "go", "anchoring": Anchoring.SEARCH},
    {"expression": "the (cat", "kind": "regex", "language": "go"},
    {"expression": "the :animal (quietly )sat", "kind": "turnip", "language": "php"},
    {"expression": "the {other} sat down"},
]
"""Arguments of `definition`, with the line as its place."""
TYPES = [
    ParameterType("animal", ("cat|dog",), "java", "", 1),
    ParameterType("animal", (".*",), "java", "", 2),
    ParameterType("other", ("c.t",), "java", "", 3),
    ParameterType("other", (), "java", "", 4),
]
TEXTS = st.lists(
    st.sampled_from(["the", "cat", "dog", "sat", "The", "CAT", "quietly", "down", "cats", "a"]), min_size=1, max_size=4
).map(" ".join)


def at(path: str, definitions: list[StepDefinition], types: list[ParameterType]) -> Extraction:
    return Extraction(
        tuple(replace(definition, literal=replace(definition.literal, path=path)) for definition in definitions),
        tuple(replace(kind, path=path) for kind in types),
    )


EXTRACTIONS = st.one_of(
    st.none(),
    st.builds(
        lambda definitions, types: (definitions, types),
        st.lists(st.integers(0, len(POOL) - 1), max_size=5, unique=True),
        st.lists(st.sampled_from(TYPES), max_size=2),
    ),
)


def brute_force(extractions: Mapping[str, Extraction], text: str) -> list[str]:
    """The exact twin: tries every definition on the text."""
    types: dict[str, ParameterType] = {}
    for path in sorted(extractions):
        for parameter_type in extractions[path].parameter_types:
            if parameter_type.name not in types or (not types[parameter_type.name].regexps and parameter_type.regexps):
                types[parameter_type.name] = parameter_type
    matches = []
    for path in sorted(extractions):
        for definition in extractions[path].definitions:
            matcher = compile_definition(definition, types).matcher
            if matcher is not None and matcher.match(text) is not None:
                matches.append(definition.id)
    return sorted(matches)


def state(binder: Binder, texts: list[str]) -> dict[str, list[tuple[str, object]]]:
    """All matches with their arguments, before a runner's choice."""
    for text in texts:
        binder.bind(text)
    return {
        text: sorted((match.definition.id, match.arguments) for match in binder._bound[text].values()) for text in texts
    }


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), EXTRACTIONS), max_size=6),
    st.lists(TEXTS, max_size=6),
    st.data(),
)
def test_incremental_equals_fresh_equals_brute_force(
    definition: Make, edits: list, texts: list[str], data: st.DataObject
) -> None:
    pool = [definition(**arguments, line=line) for line, arguments in enumerate(POOL, 1)]
    binder = Binder()
    current: dict[str, Extraction] = {}
    known: set[str] = set()
    asked: set[str] = set()
    for path, content in edits:
        for text in data.draw(st.lists(st.sampled_from(texts), max_size=2)) if texts else []:
            if data.draw(st.booleans()):
                binder.update_texts(added=[text])
                known.add(text)
            else:
                binder.update_texts(removed=[text])
                known.discard(text)
        asked &= known
        asked |= set(data.draw(st.lists(st.sampled_from(sorted(known))))) if known else set()
        before = state(binder, sorted(asked))
        extraction = at(path, [pool[n] for n in content[0]], content[1]) if content is not None else None
        changed = binder.update_files({path: extraction})
        current.pop(path, None)
        if extraction is not None:
            current[path] = extraction
        after = state(binder, sorted(asked))
        assert {text for text in asked if before[text] != after[text]} <= changed
    binder.update_texts(added=texts)
    for bound in binder.definitions:
        expected = {text for text in binder.texts if bound.id in brute_force(current, text)}
        assert binder.texts_of(bound.id) == expected
    fresh = Binder()
    fresh.update_texts(added=texts)
    fresh.update_files(current)
    assert state(binder, texts) == state(fresh, texts)
    assert binder.errors == fresh.errors
    assert binder.definitions == fresh.definitions
    for text in texts:
        assert [id for id, _ in state(binder, [text])[text]] == brute_force(current, text)


def bound_lines(definitions: list[StepDefinition], text: str, keyword: KeywordType, path: str = "") -> list[int]:
    binder = Binder()
    by_path: dict[str, list[StepDefinition]] = {}
    for definition in definitions:
        by_path.setdefault(definition.path, []).append(definition)
    binder.update_files({name: Extraction(tuple(definitions)) for name, definitions in by_path.items()})
    return [match.definition.line for match in binder.bind(text, keyword, path).matches]


@pytest.mark.parametrize(
    ("types", "keyword", "bound"),
    [
        (("given",), KeywordType.CONTEXT, True),
        (("given",), KeywordType.ACTION, False),
        (("given", "then"), KeywordType.OUTCOME, True),
        ((), KeywordType.ACTION, True),
        (("given",), KeywordType.UNKNOWN, True),
    ],
)
def test_keyword_types(definition: Make, types: tuple[str, ...], keyword: KeywordType, bound: bool) -> None:
    assert bool(bound_lines([definition("a b", types=types)], "a b", keyword)) is bound


def test_two_definitions_with_one_pattern_are_both_named(definition: Make) -> None:
    binder = Binder()
    both = [definition("a {int}", line=1), definition("a {int}", line=2)]
    binder.update_files({"glue": Extraction(tuple(both))})
    binding = binder.bind("a 1")
    assert (binding.status, [match.definition for match in binding.matches]) == (Status.AMBIGUOUS, both)


BEHAVE = {"kind": "parse", "language": "python"}


def test_behave_takes_the_first_registered(definition: Make) -> None:
    special = definition("a special {x}", **BEHAVE, line=1, types=("given",))
    general = definition("a {x}", **BEHAVE, line=2, types=("given",))
    assert bound_lines([special, general], "a special thing", KeywordType.CONTEXT) == [1]


def test_behave_refuses_what_an_earlier_pattern_matches(definition: Make) -> None:
    general = definition("a {x}", **BEHAVE, line=1, types=("given",))
    special = definition("a special {x}", **BEHAVE, line=2, types=("given",))
    assert bound_lines([general, special], "a special thing", KeywordType.CONTEXT) == [1, 2]


def test_behave_takes_the_own_keyword_before_step(definition: Make) -> None:
    anything = definition("a {x}", **BEHAVE, line=1)
    given_ = definition("a thing", **BEHAVE, line=2, types=("given",))
    assert bound_lines([anything, given_], "a thing", KeywordType.CONTEXT) == [2]


@pytest.mark.parametrize(
    ("expressions", "chosen"),
    [
        ({"conftest.py": ["a {x}", "a thing"]}, [("conftest.py", "a {x}")]),  # "{" comes after "t"
        ({"conftest.py": ["a {x}"], "test_a.py": ["a thing"]}, [("test_a.py", "a thing")]),
        ({"conftest.py": ["a {x}"], "../conftest.py": ["a thing"]}, [("conftest.py", "a {x}")]),
        ({"test_a.py": ["a {x}"], "test_b.py": ["a {y}"]}, [("test_a.py", "a {x}"), ("test_b.py", "a {y}")]),
    ],
    ids=["the last by name", "the test module", "the nearer", "modules apart"],
)
def test_pytest_bdd_takes_one_of_a_module(
    definition: Make, expressions: dict[str, list[str]], chosen: list[tuple[str, str]]
) -> None:
    def place(file: str) -> str:
        return posixpath.normpath(f"tests/shop/{file}")

    binder = Binder()
    for file, patterns in expressions.items():
        definitions = [
            definition(expression, **BEHAVE, path=place(file), line=line, types=("given",), framework="pytest-bdd")
            for line, expression in enumerate(patterns)
        ]
        binder.update_files({place(file): Extraction(tuple(definitions))})
    binding = binder.bind("a thing", KeywordType.CONTEXT, "tests/shop/a.feature")
    assert [(match.definition.path, match.definition.expression) for match in binding.matches] == [
        (place(file), definition) for file, definition in chosen
    ]


def test_of_two_frameworks_the_nearer_counts(definition: Make) -> None:
    here = definition("a", language="javascript", path="x/js/steps.js", line=1)
    there = definition("a", language="ruby", path="x/ruby/steps.rb", line=2)
    assert bound_lines([here, there], "a", KeywordType.CONTEXT, "x/ruby/features/a.feature") == [2]


def test_home_goes_before_elsewhere(definition: Make) -> None:
    binder = Binder(Reach(lambda path: path.startswith("home")))
    here, there = definition("a", path="home/steps", line=1), definition("a", path="away/steps", line=2)
    binder.update_files({"home/steps": Extraction((here,)), "away/steps": Extraction((there,))})
    assert [match.definition for match in binder.bind("a").matches] == [here]
    binder.update_files({"home/steps": None})
    assert [match.definition for match in binder.bind("a").matches] == [there]


def test_a_broken_pattern_harms_no_other(definition: Make) -> None:
    binder = Binder()
    binder.update_files({"glue": Extraction((definition("a (b", "regex", line=1), definition("a b", line=2)))})
    assert [match.definition.line for match in binder.bind("a b").matches] == [2]
    assert [error.line for error in binder.errors] == [1]


def test_features_that_several_frameworks_run_are_not_ambiguous(definition: Make) -> None:
    binder = Binder()
    definitions = [definition("a", language="javascript", line=1), definition("a", language="go", line=2)]
    binder.update_files({"glue": Extraction(tuple(definitions))})
    binding = binder.bind("a")
    assert (binding.status, len(binding.matches)) == (Status.BOUND, 2)
