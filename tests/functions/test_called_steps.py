"""Functions that call steps, kept up to date: an edit gives the same as a fresh load."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import extract

CALLER = "Given('other') { step 'I open it' }\n"


def tokens_of(sources: dict[str, str], edited: str | None = None) -> tuple[str, ...]:
    """The tokens of the function of `other`; `edited`: the new text of a.rb."""
    binder = Binder()
    data = {path: text.encode() for path, text in sources.items()}
    extractions = {path: extract(path, source) for path, source in data.items()}
    binder.update_files(dict(extractions))

    def bind(text: str, _path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = binder.bind(text).matches
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    functions = Functions(data.get, bind, listing=lambda _: [])
    functions.load([definition for extraction in extractions.values() for definition in extraction.definitions])
    if edited is not None:
        data["a.rb"] = edited.encode()
        extractions["a.rb"] = extract("a.rb", data["a.rb"])
        binder.update_files({"a.rb": extractions["a.rb"]})
        functions.update("a.rb", data["a.rb"], extractions["a.rb"].definitions)
    (other,) = [definition for definition in extractions["b.rb"].definitions if definition.expression == "other"]
    form = functions.form(other)
    assert form is not None
    return form.tokens


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Given('I open it') { a }\nGiven('I open it') { b }\n", "Given('I open it') { click_on 'a' }\n"),
        ("Given('I open it') { click_on 'a' }\n", "Given('I open it') { a }\nGiven('I open it') { b }\n"),
        ("Given(/^I OPEN it$/) { click_on 'a' }\n", "Given(/^I OPEN it$/i) { click_on 'a' }\n"),
        ("Given('I open it') { click_on 'a' }\n", "Given('I open it') { click_on 'b' }\n"),
        ("Given('I open it') { click_on 'a' }\n", "Given('I open that') { click_on 'a' }\n"),
        (
            "ParameterType(name: 'thing', regexp: /box/)\nGiven('I open {thing}') { |_| click_on 'a' }\n",
            "ParameterType(name: 'thing', regexp: /box|it/)\nGiven('I open {thing}') { |_| click_on 'a' }\n",
        ),
    ],
)
def test_what_called_steps_bind_to_after_an_edit(before: str, after: str) -> None:
    fresh = tokens_of({"a.rb": after, "b.rb": CALLER})
    assert tokens_of({"a.rb": before, "b.rb": CALLER}, edited=after) == fresh
    assert tokens_of({"a.rb": before, "b.rb": CALLER}) != fresh


HELPER = "module {0}\n  def {1}\n    visit '{2}'\n    fill_in 'user', with: 'x'\n  end\nend\nWorld({0})\n"


def test_a_helper_of_a_called_step_that_is_edited(tmp_path: Path) -> None:
    folder = tmp_path / "features" / "step_definitions"
    folder.mkdir(parents=True)
    sources = {
        "a.rb": HELPER.format("A", "log_in", "/login"),
        "b.rb": "Given('inner') do\n  log_in\n  click_on 'Go'\nend\n",
        "c.rb": "Given('outer') do\n  step 'inner'\n  page.reload\nend\n",
        "d.rb": HELPER.format("D", "sign_in", "/signin"),
        "e.rb": "Given('twin') do\n  sign_in\n  click_on 'Go'\n  page.reload\nend\n",
    }
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
    definitions = [
        definition for name in sources for definition in extract(str(folder / name), sources[name].encode()).definitions
    ]
    outer, twin = (
        next(definition for definition in definitions if definition.expression == expression)
        for expression in ("outer", "twin")
    )

    def loaded() -> Functions:
        functions = Functions(
            lambda path: Path(path).read_bytes(),
            lambda text, _: [(definition, ()) for definition in definitions if definition.expression == text],
        )
        functions.load(definitions)
        return functions

    functions = loaded()
    before = functions.relation(outer, twin)
    (folder / "a.rb").write_text(HELPER.format("A", "log_in", "/signin"), encoding="utf-8")
    functions.update(str(folder / "a.rb"), (folder / "a.rb").read_bytes(), [])
    assert functions.relation(outer, twin) == loaded().relation(outer, twin) != before


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('step "I put #{x}"\n  step "I put #{y}"', ["$0", "$1"]),
        ("step 'I put 98761'\n  step \"I put #{x} and 9876100\"", ["'98761", "$0"]),
    ],
)
def test_arguments_of_every_called_step(code: str, expected: list[str]) -> None:
    caller = f"Given('other') do |x, y|\n  {code}\nend\n"
    called = "When(/^I put (\\S+)(?: and \\S+)?$/) { |what| put(what) }\n"
    tokens = tokens_of({"a.rb": called, "b.rb": caller})
    assert [token for token in tokens if token in ("$0", "$1") or token.startswith("'98")] == expected
