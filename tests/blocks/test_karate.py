"""Blocks of Karate's statements: where they are cut, and the scenario that replaces one."""

import pytest

from cukereuse_engine.blocks.block import STRICT
from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.blocks.mine import find_blocks
from cukereuse_engine.blocks.symbols import scenarios_of
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.refactor.edits import ChangedFileError
from cukereuse_engine.refactor.journal import Journal
from tests.blocks.conftest import contents

SIGN_IN = ["* url base", "* path 'login', 'NAME'", "* request { a: 1 }", "* method post", "* status 200"]


def feature(*scenarios, background=()):
    lines = ["Feature: f", *(["  Background:", *(f"    {line}" for line in background)] if background else [])]
    for number, statements in enumerate(scenarios):
        lines += [f"  Scenario: s{number}", *(f"    {line}" for line in statements)]
    return "\n".join([*lines, ""])


def signed_in(name, *more, before=()):
    return [*before, *(line.replace("NAME", name) for line in SIGN_IN), *more]


def suite(tmp_path, *scenarios, background=()):
    """A file for each scenario, which has an end of its own."""
    root = tmp_path / "suite"
    for number, statements in enumerate(scenarios):
        folder = root / ("b" if number else "a")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.feature").write_text(
            feature([*statements, f"* def end{number} = 1"], background=background), "utf-8"
        )
    return root


@pytest.mark.parametrize(
    ("common", "taken"),
    [
        ("path 'a' / method get / status 200", 3),
        ("def a = 1 / def b = 2 / def c = 3 / url x / path y", 3),  # the request goes on with another one each time
        ("def a = 1 / path 'a' / def body = a / request body / method put", 4),  # what it needs may be set up in it
        ("path 'a' / method get / status 200 / path 'b' / param u = 1 / method get", 3),
        ("path 'a' / method get / status 200 / print 1 / def b = 1 / def c = 1", 6),
    ],
)
def test_cut_where_meaning_cuts(common, taken):
    texts = [[*(f"* {line}" for line in common.split(" / ")), f"* match {name} == 1"] for name in "uvw"]
    texts = [[*text, f"* header {number} = 1"] if "url x" in common else text for number, text in enumerate(texts)]
    texts = [[line.replace("param u", f"param u{number}") for line in text] for number, text in enumerate(texts)]
    steps = read_text("k.feature", feature(*texts)).steps
    blocks = find_blocks(scenarios_of(steps, ("k.feature",)), limits=STRICT)
    assert [block.length for block in blocks] == [taken]


def test_a_scenario_that_is_called_stands_in_place_of_the_block(tmp_path, written):
    root = suite(
        tmp_path, *(signed_in(name, f"* match x{number} == 1") for number, name in enumerate(["ann", "bob", "c"]))
    )
    before = contents(root)
    plan = written(root, "Sign in")
    assert (root / "a/0.feature").read_text("utf-8") == feature(
        ["* call read('sign-in.feature') { path2: 'ann' }", "* match x0 == 1", "* def end0 = 1"]
    )
    assert "call read('../a/sign-in.feature') { path2: 'c' }" in (root / "b/2.feature").read_text("utf-8")
    assert (root / "a/sign-in.feature").read_text("utf-8").splitlines() == [
        "@ignore",
        "Feature: Sign in",
        "",
        "  Scenario: Sign in",
        *(f"    {line}" for line in (line.replace("'NAME'", "path2") for line in SIGN_IN)),
    ]
    assert len(plan.places) == 3
    Journal(str(root.parent)).undo()
    assert contents(root) == before


@pytest.mark.parametrize(
    ("scenarios", "reason"),
    [
        (
            [signed_in(f"n{n}", f"* header h{n} = 1", "* method get") for n in range(3)],
            "a later request is sent to the url that the block sets",
        ),
        ([signed_in(f"n{n}", before=[f"* header h{n} = 1", "* def a = 1"]) for n in range(3)], "within a request"),
        ([signed_in(f"n{n}")[1:] for n in range(3)], "sent to a url that is set outside"),
        (
            [["* def a = callonce read('x.feature')", *signed_in("n")] for _ in range(3)],
            "“callonce” means something else",
        ),
        ([["* def a = __arg.a", *signed_in("n")] for _ in range(3)], "“__arg” means something else"),
        ([[f"* def a = {{ b: 'x{n}' }}", *signed_in("n")] for n in range(3)], "a variable can't replace"),
        ([[f"* def a = '#(x{n})'", *signed_in("n")] for n in range(3)], "only texts and numbers"),
        ([["* def a = read('x.json')", *signed_in("n")] for _ in range(2)], "only one place"),
        ([[*SIGN_IN[:2], "# why", *SIGN_IN[2:]] for _ in range(3)], "there is a comment"),
        ([["* def a = read(b)", *signed_in("n")] for _ in range(2)], "only one place"),
        ([["* def a = { read: 'x.pdf' }", *signed_in("n")] for _ in range(2)], "only one place"),
        *(
            ([[f"* def a = {expression.format(n=n)}", *signed_in("n")] for n in range(3)], "a variable can't replace")
            for expression in ("b -{n}", "xml/b/c[{n}]", "items[*].c[{n}]", "b.split(/ {n} /)")
        ),
        ([[f"* def a = 00{n}", *signed_in("n")] for n in range(3)], "only texts and numbers"),
        (
            [[*signed_in("n")[:4], *([f"* def b{n} = 1"] if n else []), "* status 201"] for n in range(3)],
            "they would be separated",
        ),
    ],
)
def test_refused_with_the_reason(tmp_path, plan_of, scenarios, reason):
    root = suite(tmp_path, *scenarios, *scenarios[:1])
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(root)


def outlines(root, column):
    root.mkdir()
    for number in range(3):
        statements = [line.replace("'NAME'", column) for line in SIGN_IN]
        text = feature([*statements, f"* def end{number} = 1"]).replace("Scenario:", "Scenario Outline:")
        (root / f"{number}.feature").write_text(f"{text}    Examples:\n      | user |\n      | u{number} |\n", "utf-8")


def test_a_column_of_an_outline_is_passed_to_the_scenario_that_is_called(tmp_path, written, plan_of):
    outlines(tmp_path / "quoted", "'<user>'")
    written(tmp_path / "quoted", "Sign in")
    assert "call read('sign-in.feature') { path2: '<user>' }" in (tmp_path / "quoted/1.feature").read_text("utf-8")
    assert "* path 'login', path2" in (tmp_path / "quoted/sign-in.feature").read_text("utf-8")
    outlines(tmp_path / "bare", "<user>")
    with pytest.raises(NoExtractionError, match="<user> of the Outline is not replaced"):
        plan_of(tmp_path / "bare")


def test_a_file_that_is_there_meanwhile_is_not_written_over(tmp_path, plan_of):
    root = suite(tmp_path, *(signed_in(name) for name in "abc"))
    plan = plan_of(root, "Sign in")
    (root / "a/sign-in.feature").write_text("mine", "utf-8")
    before = contents(root)
    with pytest.raises(ChangedFileError):
        Journal(str(root.parent)).apply(list(plan.files), "test")
    assert contents(root) == before
    plan = plan_of(root, "Sign in")  # then it gets another name
    assert plan.files[-1].path.endswith("sign-in2.feature")


def test_undo_leaves_a_new_file_that_was_changed(tmp_path, written):
    root = suite(tmp_path, *(signed_in(name) for name in "abc"))
    written(root, "Sign in")
    (root / "a/sign-in.feature").write_text("mine", "utf-8")
    before = contents(root)
    with pytest.raises(ChangedFileError, match=r"sign-in\.feature"):
        Journal(str(root.parent)).undo()
    assert contents(root) == before
