"""The functions that remain valid after an edit, compared with reading everything again."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.functions.rereading import Read, forms_after
from cukereuse_engine.glue.languages.base import extract

SOURCES = sorted(
    path
    for path in (Path(__file__).parent / "languages").rglob("*")
    if path.is_file() and path.suffix != ".tsv" and extract(path.name, path.read_bytes()).definitions
)
PIECES = [
    "x",
    " ",
    "\n",
    '"',
    "'",
    "(",
    ")",
    "{",
    "}",
    "foo(1);",
    "return 2\n",
    "# c\n",
    "// c\n",
    "self.a = 1\n",
    "end",
]
OVER = frozenset((HealthCheck.too_slow, HealthCheck.function_scoped_fixture))


@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
@settings(max_examples=15, deadline=None, suppress_health_check=OVER)
@given(data=st.data())
def test_an_edit_reads_as_the_whole_source_does(path: Path, data: st.DataObject) -> None:
    name, source = path.name, path.read_bytes()
    functions = Functions(lambda path: source if path == name else None)  # no helpers beside it
    functions.load(extract(name, source).definitions)
    functions.update(name, source, extract(name, source).definitions)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        end = min(start + data.draw(st.integers(0, 12)), len(source))
        source = source[:start] + data.draw(st.sampled_from(PIECES)).encode() + source[end:]
        definitions = extract(name, source).definitions
        functions.update(name, source, definitions)
        fresh = Functions(lambda path: source if path == name else None)  # noqa: B023
        fresh.load(definitions)
        assert [functions.form(definition) for definition in definitions] == [
            fresh.form(definition) for definition in definitions
        ]
        groups = [{frozenset(group) for group in each.equal()} for each in (functions, fresh)]
        assert groups[0] == groups[1]


EDITED = """from behave import when


@when("one")
def one(context):
    context.page.open("a")


@when("two")
def two(context):
    {called}
    context.page.close()


@when("three")
def three(context):
    {}
"""


def test_only_the_edited_function_is_read() -> None:
    before = (
        EDITED.format("pass", called="context.page.wait()").replace("    pass", '    context.page.open("b")').encode()
    )
    after = before.replace(b'open("b")', b'open("c").now()')
    definitions = [tuple(extract("a.py", each).definitions) for each in (before, after)]
    forms = forms_of("a.py", before, definitions[0])
    new = forms_after(Read(before, definitions[0], forms), "a.py", after, definitions[1])
    assert new == forms_of("a.py", after, definitions[1])
    kept = [form.statements for form in forms.forms.values()]
    assert [form.statements is old for form, old in zip(new.forms.values(), kept, strict=True)] == [True, True, False]


def test_what_another_function_calls_is_read_with_it() -> None:
    before = EDITED.format("context.page.shut()", called="three(context)").encode()
    after = before.replace(b"shut()", b"open()")
    definitions = [tuple(extract("a.py", each).definitions) for each in (before, after)]
    forms = forms_of("a.py", before, definitions[0])
    assert forms_after(Read(before, definitions[0], forms), "a.py", after, definitions[1]) is None
