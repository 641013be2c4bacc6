"""Relations of functions, and forms kept up to date that equal those of a fresh load."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.functions.relations import Functions, Relation, by_path
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import extract


def read(sources: dict[str, str]) -> tuple[Functions, list[StepDefinition]]:
    """The functions of sources, which may change later."""
    definitions = [
        definition for path, source in sources.items() for definition in extract(path, source.encode()).definitions
    ]

    def read_one(path: str) -> bytes | None:
        return sources[path].encode() if path in sources else None

    def listing(folder: str) -> list[str]:
        return [path.rpartition("/")[2] for path in sources if path.rpartition("/")[0] == folder]

    functions = Functions(read_one, listing=listing)
    functions.load(definitions)
    return functions, definitions


def python(*bodies: str) -> str:
    steps = (f"@given('{number}')\ndef step_{number}(context):\n    {body}\n" for number, body in enumerate(bodies))
    return "from behave import given\n" + "\n\n".join(steps)


@pytest.mark.parametrize(
    ("bodies", "relation", "is_same"),
    [
        (("context.page.save()", "context.page.save()"), Relation.SAME, True),
        (("context.page.save()", "context.page.shut()"), Relation.DIFFERENT, False),
        (("context.page.save()", "step_0(context)"), Relation.PASSES_ON, True),
        (("context.page.save()", "context.page.shut(True)"), Relation.DIFFERENT, False),
        (("context.page.save(True)", "context.page.save(False)"), Relation.CONSTANT, False),
        (("page.open(); page.save()", "page.open(); page.save(); page.shut()"), Relation.CONTAINS, False),
        (("page.save()", "if page.slow:\n        print('slow')\n    page.save()"), Relation.SAME, True),
        *(
            (
                ("page.save()", f"if {condition}:\n        print(page)\n    {other}page.save()"),
                Relation.DIFFERENT,
                False,
            )
            for condition, other in (
                ("page.slow", "else:\n        page.late = True\n    "),
                ("page.slow", "elif page.broken:\n        raise AssertionError\n    "),
                ("page.slow", "else:\n        return\n    "),
                ("late := page.slow", ""),
            )
        ),
    ],
)
def test_doing_the_same(bodies: Sequence[str], relation: Relation, is_same: bool) -> None:
    functions, (one, other) = read({"steps.py": python(*bodies)})
    for related in (functions.relation(one, other), functions.relation(other, one)):
        assert (related.relation, related.is_same) == (relation, is_same)


def test_one_that_hands_on_a_value_of_its_own_does_not_do_the_same() -> None:
    source = """from behave import given
@given('the basket holds {what}')
def holding(context, what):
    context.basket.put(what)
@given('the basket contains {what}')
def containing(context, what):
    holding(context, what)
@given('the basket contains nothing')
def empty(context):
    holding(context, '')
"""
    functions, (holds, contains, empty) = read({"steps.py": source})
    assert functions.relation(contains, holds).is_same
    related = functions.relation(empty, holds)
    assert (related.relation, related.is_same) == (Relation.PASSES_ON, False)


def test_what_belongs_to_a_class_is_another_thing_in_another_one() -> None:
    java = (
        'import io.cucumber.java.en.*;\nclass {0} {{ Data data;\n @Given("{0}") public void a() {{ data.check(); }} }}'
    )
    functions, (one, other) = read({"A.java": java.format("A"), "B.java": java.format("B")})
    assert not functions.relation(one, other).is_same


def test_nothing_is_said_of_two_languages_or_without_a_source() -> None:
    functions, (one, other) = read({"a.py": python("context.page.save()"), "a.rb": "Given('x') { page.save }\n"})
    assert functions.relation(one, other).relation is Relation.UNKNOWN
    gone = Functions(lambda _: None)
    gone.load([one])
    assert gone.form(one) is None


def test_a_source_that_changed_is_read_again() -> None:
    functions, definitions = read({"steps.py": python("context.page.save()", "context.page.save()")})
    assert functions.relation(*definitions).relation is Relation.SAME
    changed = python("context.page.save()", "context.page.shut()").encode()
    definitions = list(extract("steps.py", changed).definitions)
    functions.update("steps.py", changed, definitions)
    assert functions.relation(*definitions).relation is Relation.DIFFERENT
    functions.update("steps.py", None, [])
    assert functions.form(definitions[0]) is None


def test_an_edit_may_change_the_runner() -> None:
    cucumber = "import {{ When }} from '@cucumber/cucumber';\nWhen('{0}', () => page.open(1));\n"
    now = {"a.js": cucumber.format("a"), "b.js": cucumber.format("b")}
    functions, _ = read(now)
    assert len(list(functions.equal())) == 1
    now["a.js"] = now["a.js"].replace("@cucumber/cucumber", "@badeball/cypress-cucumber-preprocessor")
    functions.update("a.js", now["a.js"].encode(), extract("a.js", now["a.js"].encode()).definitions)
    fresh, _ = read(now)
    assert list(functions.equal()) == list(fresh.equal()) == []


JAVA = "package p; import io.cucumber.java.en.*;\n"
SOURCES = {
    "a.py": python("context.page.save()", "context.page.shut()"),
    "b.py": python("context.page.save()"),
    "a.js": """import { When } from '@cucumber/cucumber';
import { open } from './pages/doors';
When('a', () => open('a'));
""",
    "b.js": """import { When } from '@cucumber/cucumber';
import * as lids from './pages/lids';
When('b', () => lids.save('a'));
""",
    "pages/doors.js": "import { move } from './lids';\nexport const open = (what) => { move(what); };\n",
    "pages/lids.js": "export function move(it) { it.save(1); }\nexport function save(it) { it.save(2); }\n",
    "features/a.rb": "When('a') { shut(1) }\n",
    "features/b.rb": "When('b') { save(1) }\ndef save(it)\n  it.save 1\nend\n",
    "features/world.rb": "def shut(it)\n  it.save 1\nend\n",
    "A.java": JAVA + 'class A extends B {\n @Given("a") public void a() { check(1); } }',
    "C.java": JAVA + 'class C extends B {\n @Given("c") public void c() { check(1); } }',
    "B.java": (f'{JAVA}class B {{\n void check(int n) {{ n.x(); }}\n @Given("b") public void b() {{ check(1); }} }}'),
}


@given(st.lists(st.tuples(st.sampled_from(sorted(SOURCES)), st.booleans()), max_size=8))
def test_kept_up_to_date_is_as_read_at_once(changes: list[tuple[str, bool]]) -> None:
    """A state that is updated file by file equals one that is loaded."""
    now = dict(SOURCES)
    functions, _ = read(now)
    for path, there in changes:
        if there:
            now[path] = SOURCES[path].replace("save", "store").replace("1", "2").replace("void check", "void trial")
        else:
            now.pop(path, None)
        changed = extract(path, now[path].encode()).definitions if path in now else ()
        functions.update(path, now[path].encode() if path in now else None, changed)
    fresh, definitions = read(now)
    for one in definitions:
        for other in definitions:
            assert functions.relation(one, other) == fresh.relation(one, other)
    assert sorted(map(sorted, functions.equal())) == sorted(map(sorted, fresh.equal()))


@given(st.sampled_from([".py", ".rb", ".js", ".ts", ".java", ".kt", ".cs", ".php", ".go", ".rs"]), st.text(max_size=80))
def test_any_text_is_read_without_raising(suffix: str, text: str) -> None:
    source = {
        ".py": "from behave import given\n@given('x')\ndef a(context):\n    ",
        ".rb": "Given('x') do |a|\n  ",
        ".js": "Given('x', function (a) { ",
        ".ts": "Given('x', function (a) { ",
        ".java": 'import io.cucumber.java.en.*; class A { @Given("x") void a() { ',
        ".kt": 'import io.cucumber.java.en.Given\nclass A { @Given("x") fun a() { ',
        ".cs": 'using Reqnroll; [Binding] class A { [Given("x")] void A() { ',
        ".php": "<?php class A implements Context { /** @Given x */ function a() { ",
        ".go": 'import "github.com/cucumber/godog"\nfunc I(ctx *godog.ScenarioContext) { ctx.Step(`x`, func() error { ',
        ".rs": '#[given("x")]\nfn a(w: &mut W) { ',
    }[suffix] + text
    data = source.encode("utf-8", "replace")
    definitions = list(extract(f"a{suffix}", data).definitions)
    functions = Functions(lambda _: data)
    functions.load(definitions)
    for path, group in by_path(definitions).items():
        functions.update(path, data, group)
        assert functions.relation(group[0], group[0]).relation is Relation.SAME
