"""cucumber-rs: a program runs the steps of its World on the features that it names."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = "Feature: f\n  Scenario: s\n    When I go\n"


def program(world: str, runs: str, *, struct: bool = True, step: bool = True) -> str:
    declared = f"#[derive(World)] struct {world};\n" if struct else ""
    defined = f'#[when("I go")]\nfn go(w: &mut {world}) {{}}\n' if step else ""
    return f"use cucumber::{{when, World as _}};\n{declared}{defined}fn main() {{ {runs}; }}\n"


def steps(world: str) -> str:
    return program(world, "", struct=False).replace("fn main() { ; }", "")


WEB, API = program("Web", 'Web::run("features/web")'), program("Api", 'Api::run("features/api")')
SITUATIONS: list[tuple[dict[str, str], str]] = [
    ({"tests/web.rs": WEB, "tests/api.rs": API}, "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features")'), "tests/api.rs": API}, "tests/web.rs"),
    ({"tests/web.rs": program("W", 'W::run("features/web")'), "tests/api.rs": program("W", 'W::run("features/api")')},
     "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'block_on(Web::cucumber().max_concurrent(2)\n.run("features/web"))'),
      "tests/api.rs": API}, "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'Web::cucumber().filter_run_and_exit("features/web", |_, _, s| true).await'),
      "tests/api.rs": API}, "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'cucumber::Cucumber::<Web, _>::new().run_and_exit("features/web").await'),
      "tests/api.rs": API}, "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False), "tests/api.rs": API,
      "tests/steps/mod.rs": steps("Web")}, "tests/steps/mod.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False), "tests/api.rs": API}, "-"),
    ({"tests/web/main.rs": program("W", 'W::run("features/web")', step=False), "tests/web/steps.rs": steps("W"),
      "tests/api/main.rs": program("W", 'W::run("features/api")', step=False), "tests/api/steps.rs": steps("W")},
     "tests/web/steps.rs"),
    ({"tests/web.rs": program("W", 'W::run("features/web")', struct=False), "tests/world.rs": "pub struct W;",
      "tests/api.rs": program("W", 'W::run("features/api")', struct=False)}, "tests/web.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False), "tests/api.rs": API,
      "tests/steps/mod.rs": "use crate::Web as W;\n" + steps("W")}, "tests/steps/mod.rs"),
    ({"tests/web.rs": "type W = crate::Web;\n" + program("Web", 'W::run("features/web")', step=False),
      "tests/steps/mod.rs": steps("Web"), "tests/api.rs": API}, "tests/steps/mod.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False), "tests/api.rs": API,
      "tests/steps/mod.rs": "use crate::*;\n" + steps("W")}, "tests/steps/mod.rs?"),  # some other name of the World
    ({"tests/web/main.rs": '#[path = "../steps/mod.rs"] mod steps;\n'
      + program("Web", 'Web::run("features/web")', step=False),
      "tests/api.rs": API, "tests/steps/mod.rs": steps("Web")}, "tests/steps/mod.rs?"),
    ({"tests/quick.rs": program("W", 'W::run("features/web")', step=False),
      "tests/web/main.rs": program("W", 'W::run("features/web")', step=False), "tests/web/steps.rs": steps("W")},
     "tests/web/steps.rs"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False),
      "tests/all.rs": program("All", 'All::run("features")')}, "tests/all.rs"),  # the other one skips it
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False), "tests/api.rs": API,
      "e2e/s.py": 'from behave import when\n@when("I go")\ndef go(context): ...\n'}, "e2e/s.py"),
    ({"tests/web.rs": program("Web", 'Web::run("features/web")', step=False),
      "tests/steps/mod.rs": "use crate::*;\n" + steps("W"),
      "e2e/s.py": 'from behave import when\n@when("I go")\ndef go(context): ...\n'}, "e2e/s.py tests/steps/mod.rs?"),
    *(({"tests/web/main.rs": program("W", 'W::run("features/web")', step=False), own: steps("W"),
        "b/Cargo.toml": "", f"b/{own}": steps("W"), "b/features/web/a.feature": FEATURE,
        "b/tests/web/main.rs": program("W", 'W::run("features/web")', step=False)}, own)
      for own in ("src/steps.rs", "tests/steps/mod.rs")),  # each package has its own
    ({"tests/web/main.rs": program("W", 'W::run("features/web")', step=False), "b/Cargo.toml": "",
      "b/src/steps.rs": steps("W")}, "b/src/steps.rs"),
    ({"tests/steps/mod.rs": "use crate::a::World as A;\nuse crate::b::World as B;\n" + steps("A") + steps("B")},
     "tests/steps/mod.rs tests/steps/mod.rs"),
    *(({"tests/web.rs": f"type W = {written};\n" + program("W", 'W::run("features/web")', step=False),
        "tests/steps/mod.rs": steps(f"App<{inner}>"), "tests/api.rs": API}, "tests/steps/mod.rs")
      for written, inner in (("App<Db>", "Db"), ("app::App<db::Pg>", "Pg"), ("app::App<db::Pg>", "db::Pg"))),
    ({"tests/web.rs": program("Web", 'Web::run(place())'), "tests/api.rs": API}, "tests/api.rs tests/web.rs"),
]  # fmt: skip
"""Sources, and those to which a step of `features/web` binds: `?`: by a guess; `-`: none."""


@pytest.mark.parametrize(("files", "expected"), SITUATIONS)
def test_worlds(files: dict[str, str], expected: str, tmp_path: Path) -> None:
    for name, text in {"features/web/a.feature": FEATURE, "Cargo.toml": "", ".git/HEAD": "", **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    glue = Glue.load(str(tmp_path), jobs=1)
    file = read_text(str(tmp_path / "features/web/a.feature"), FEATURE).steps
    glue.update_feature(str(tmp_path / "features/web/a.feature"), file)
    binding = glue.bind(file[0])
    paths = sorted(Path(definition.path).relative_to(tmp_path).as_posix() for definition in binding.definitions)
    assert binding.status is (Status.UNDEFINED if expected == "-" else Status.BOUND)
    assert " ".join(paths) + "?" * binding.guessed == expected.strip("-")


def test_a_package_that_is_made_later(tmp_path: Path) -> None:
    """Features are relative to it."""
    files = {"features/a.feature": FEATURE, "app/features/a.feature": FEATURE, "app/tests/web.rs": ""}
    for name, text in {".git/HEAD": "", "Cargo.toml": "", **files}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    glue = Glue.load(str(tmp_path), jobs=1)
    glue.update_file(str(tmp_path / "app/tests/web.rs"), program("W", 'W::run("features")', step=False).encode())
    glue.update_file(str(tmp_path / "app/tests/api.rs"), program("Api", 'Api::run("x")').encode())
    step = read_text(str(tmp_path / "app/features/a.feature"), FEATURE).steps[0]
    assert glue.bind(step).status is Status.BOUND  # no program runs it
    (tmp_path / "app/Cargo.toml").write_text("", encoding="utf-8")
    glue.reload_configuration()
    assert glue.bind(step).status is Status.UNDEFINED


RSTEST = """use rstest_bdd_macros::{given, then, when};
#[given("a basket with {count:u32} {fruit}")] fn a(count: u32, fruit: String) {}
#[when(expr = "I pay {price:f64} by {how:string}")] fn b(price: f64, how: String) {}
#[then] fn it_is_empty() {}
#[then("the output is {value}")] fn d(value: String) {}
#[then("the output is foo")] fn e() {}
#[then("it says {{x}} (y)")] fn f() {}
"""


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ("Given a basket with 3 ripe pears", 2),
        ("Given a basket with -3 pears", None),
        ('When I pay 1.5e2 by "my card"', 3),
        ("When I pay 1.5 by card", None),
        ("Then it is empty", 4),
        ("Then the output is foo", 6),
        ("Then the output is foo and bar", 5),
        ("Then it says {x} (y)", 7),
        ("When it is empty", None),
    ],
)
def test_patterns_of_rstest_bdd(step: str, line: int | None) -> None:
    glue = Glue("/s")
    glue.update_file("/s/tests/a.rs", RSTEST.encode())
    (read,) = read_text("/s/a.feature", f"Feature: f\n  Scenario: s\n    {step}\n").steps
    glue.update_feature("/s/a.feature", [read])
    binding = glue.bind(read)
    assert [definition.line for definition in binding.definitions] == ([line] if line else [])
    assert binding.status is (Status.BOUND if line else Status.UNDEFINED)
