"""`cukereuse rename` and `cukereuse fold` as a user sees them."""

import json

import pytest

DIFF = """\
--- a/features/login.feature
+++ b/features/login.feature
@@ -4,10 +4,10 @@
     Given the shop is open
.
   Scenario: Coming in
-    When I log in as "anna"
+    When I sign in as "anna"
     Then I see my name
.
   Scenario: Coming in again
-    When I log in as "ben"
+    When I sign in as "ben"
     Then I see my name
     And I fly to the moon
""".replace("\n.\n", "\n \n")


def snapshot(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ('I log in as "anna"', 'I sign in as "{1}"'),
        ('I log in as "anna"', "I sign in as {name}"),
        ('I log in as "anna"', 'I sign in as "anna"'),  # typed over the old text
        ("I log in as {who}", 'I sign in as "{who}"'),
    ],
)
def test_a_diff_and_nothing_else(source, target, run, suite):
    before = snapshot(suite)
    outcome = run("rename", "--from", source, "--to", target)
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith(DIFF)
    assert "-@when('I log in as \"{name}\"')\n+@when('I sign in as \"{name}\"')\n" in outcome.out
    assert "would rename 3 steps in 2 feature files" in outcome.err
    assert ", 3 uses\n" in outcome.err
    assert snapshot(suite) == before


def test_written_and_undone(run, suite):
    before = snapshot(suite)
    outcome = run("rename", ".", "--from", 'I log in as "anna"', "--to", "I sign in as {1}", "--write")
    assert outcome.code == 0
    assert outcome.out == ""
    assert 'I sign in as "<who>"' in (suite / "features" / "orders.feature").read_text("utf-8")
    again = run("rename", ".", "--undo")
    assert again.code == 0
    assert again.err == 'undone in 3 files: the change of “I log in as "anna"” to “I sign in as {1}”\n'
    assert snapshot(suite) == before
    assert run("rename", ".", "--undo").code == 2


@pytest.mark.usefixtures("suite")
def test_the_same_text_is_no_rename(run):
    outcome = run("rename", "--from", "I see my name", "--to", "I see my name")
    assert (outcome.code, outcome.out, outcome.err) == (
        1,
        "",
        "nothing to rename: the steps already say “I see my name”\n",
    )


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("source", "target", "name"),
    [('I log in as "anna"', "I sign in as {1}", "log_in"), ("I see my name", "I see the name", "")],
)
def test_a_function_keeps_its_name_and_that_is_said(run, source, target, name):
    said = [line for line in run("rename", "--from", source, "--to", target).err.splitlines() if "named" in line]
    assert said == ([f"    its function is still named {name}"] if name else [])


@pytest.mark.usefixtures("suite")
def test_one_file_stands_for_its_suite(run):
    outcome = run("rename", "features/login.feature", "--from", "I see my name", "--to", "my name is there")
    assert outcome.code == 0
    assert "+++ b/features/orders.feature" in outcome.out


@pytest.mark.usefixtures("suite")
def test_json(run):
    outcome = run("rename", "--from", 'I log in as "anna"', "--to", "I sign in as {1}", "--json")
    document = json.loads(outcome.out)
    (plan,) = document["plans"]
    assert document["written"] is False
    assert plan["replacements"][0] == {
        "before": 'I log in as "<who>"',
        "after": 'I sign in as "<who>"',
        "occurrences": 1,
    }
    (definition,) = plan["definitions"]
    assert (definition["outcome"], definition["new_expression"]) == ("rewritten", 'I sign in as "{name}"')
    edit = plan["files"][0]["edits"][0]
    assert (edit["line"], edit["column"], edit["old"]) == (7, 10, 'I log in as "anna"')


def test_refused(run, suite):
    """Another definition matches the target, and captures more of it."""
    glue = suite / "features" / "steps" / "steps.py"
    computed = "TEA = 'I order tea'\nprint(TEA)\n\n\n@when(TEA)"
    glue.write_text(glue.read_text("utf-8").replace('@when("I order tea")', computed), "utf-8")
    outcome = run("rename", "--from", "I order tea", "--to", "I want tea", "--write")
    assert outcome.code == 1
    assert "refused: the step definition at features/steps/steps.py:18 can't be rewritten: " in outcome.err
    assert "orders.feature:6: I order tea" in outcome.err


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", "nobody says so", "--to", "x"), "no step has the text 'nobody says so'\nCopy a step's text, or "),
        (("--from", "When I order the tea", "--to", "x"), "Did you mean 'I order tea'? Copy a step's text, or "),
        (("--from", "I order tea", "--to", "a {b"), "write {{"),
        (("--from", "I order tea"), "--from and --to"),
        ((), "--from and --to"),
        (("I order tea", "I want tea"), "The text of a step follows --from, and the new wording --to."),
    ],
)
def test_what_can_t_be_run(arguments, message, run):
    outcome = run("rename", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


@pytest.mark.usefixtures("suite")
def test_left_out_is_told(run):
    outcome = run("rename", "--from", 'I log in as "anna"', "--to", "I sign in")
    assert outcome.code == 1
    assert "left out: 3 steps" in outcome.err
    assert "the target keeps none of its arguments (" in outcome.err
    assert outcome.out == ""


def test_a_cluster(run, suite):
    features = suite / "features"
    (features / "more.feature").write_text(
        'Feature: More\n  Scenario: S\n    When I log in as an "eve"\n    And I log in as "eve"\n', "utf-8"
    )
    glue = features / "steps" / "steps.py"
    more = "\n\n@when('I log in as an \"{name}\"')\ndef log_in_as_an(context, name):\n    shop.enter(name)\n"
    glue.write_text(f"import shop\n{glue.read_text('utf-8')}{more}", "utf-8")
    arguments = ("rename", "--from", 'I log in as "anna"', "--to", 'I log in as "anna"')
    alone = run(*arguments)
    assert "nothing to rename" in alone.err
    options = ("--cluster", "--strategy", "near-exact", "--move")
    assert "--remove-unused also removes" in run(*arguments, *options).err
    outcome = run(*arguments, *options, "--remove-unused", "--write")
    assert "also removes" not in outcome.err
    assert "steps.py:1 imports shop, which nothing uses there then" in outcome.err
    assert outcome.code == 0, outcome.err
    assert "moves: 1 step from log_in_as_an (features/steps/steps.py:" in outcome.err
    assert 'When I log in as "eve"\n    And' in (features / "more.feature").read_text("utf-8")
    assert "log_in_as_an" not in glue.read_text("utf-8")


def test_fold(run, suite):
    before = snapshot(suite)
    (suite / "features" / "two.feature").write_text(
        "Feature: Two\n  Scenario: A\n    Given I have 1 tea\n  Scenario: A\n    Given I have 2 tea\n", "utf-8"
    )
    assert run("fold").err == (
        "There is nothing to fold that a scan reports.\nleft out: 1 smaller suggestion; use --all to fold these too\n"
    )
    outcome = run("fold", "--all")
    assert outcome.code == 0
    assert "two.feature:2: 2 scenarios differ only in their arguments" in outcome.out
    assert "+    Given I have <tea> tea" in outcome.out
    assert run("fold", "--all", "--background").out == ""
    document = json.loads(run("fold", "--all", "--json").out)
    assert document[0]["edits"][0]["line"] == 2
    written = run("fold", "--all", "--write")
    assert (written.code, written.err) == (0, "applied 1 suggestion in 1 file\n")
    assert "Scenario Outline: A" in (suite / "features" / "two.feature").read_text("utf-8")
    assert run("fold", "--all").err.endswith("There is nothing to fold.\n")
    assert "undone in 1 file" in run("fold", "--undo").err
    (suite / "features" / "two.feature").unlink()
    assert snapshot(suite) == before


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("tests/test_two.py", '@scenario("../features/two.feature", "B")\ndef test_b(): ...\n', 1),
        ("two.test.ts", 'const f = await loadFeature("features/two.feature");\nScenario("A", () => {});\n', 2),
        ("Makefile", "smoke:\n\tcucumber --name 'B'\n", 2),
        (".github/workflows/ci.yml", "steps:\n  - run: behave -n A\n", 2),
        ("run.sh", "behave features/two.feature:4\n", 1),
        ("package.json", '{"scripts": {"t": "cucumber-js --name \\\\"B\\\\""}}\n', 1),
        ("junit-platform.properties", "cucumber.filter.name=B\n", 1),
        ("pipelines.yml", 'steps:\n  - script: dotnet test --filter "DisplayName~B"\n', 2),
        ("e2e.sh", "npx playwright test -g 'B'\n", 1),
        ("behat.yml", "default:\n  suites:\n    a:\n      filters:\n        name: B\n", 4),
        ("tests/two.rs", '#[scenario(path = "features/two.feature", index = 1)]\nfn b() {}\n', 1),
        ("sort.sh", "sort -n Bees; cp -t B out; ls -k\n", 0),
        ("other.sh", "behave features/two.feature features/other.feature:4 --name C\n", 0),
        ("other.py", '@scenario("one.feature", "B")\ndef test_b(): ...\n', 0),
    ],
)
def test_fold_asks_who_looks_scenarios_up(path, text, line, run, suite):
    feature = suite / "features" / "two.feature"
    feature.write_text(
        "Feature: Two\n  Scenario: A\n    Given I have 1 tea\n  Scenario: B\n    Given I have 2 tea\n", "utf-8"
    )
    (suite / path).parent.mkdir(parents=True, exist_ok=True)
    (suite / path).write_text(text, "utf-8")
    before = snapshot(suite)
    outcome = run("fold", "--all", "--write")
    if line:
        assert "two.feature:2: 2 scenarios differ only in their arguments" in outcome.err
        assert f": {path}:{line} refers to a name or line that would disappear" in outcome.err
        assert snapshot(suite) == before
        (entry,) = json.loads(run("fold", "--all", "--json").out)
        assert entry["refused_for"] == {"path": path, "line": line}
    else:
        assert "Scenario Outline: <scenario>" in feature.read_text("utf-8")


def test_fold_keeps_the_steps_of_blocks(run, suite):
    """vitest-cucumber: "Given a bag does not exist" would end its tests."""
    scenarios = [f"  Scenario: {name}\n    Given I have 1 tea\n    When I pay {name}\n" for name in "ABC"]
    (suite / "features" / "two.feature").write_text("Feature: Two\n" + "".join(scenarios), "utf-8")
    outcome = run("fold", "--all", "--background")
    assert "One step begins each of 3 scenarios" in outcome.out
    assert outcome.err == "1 suggestion\n"
    assert run("fold", "--background").out == ""
    spec = "describeFeature(await loadFeature('./two.feature'), ({ Scenario }) => {});\n"
    (suite / "features" / "two.spec.ts").write_text(spec, "utf-8")
    outcome = run("fold", "--all", "--background")
    assert (outcome.out, "two.spec.ts:1 has a block for each scenario" in outcome.err) == ("", True)


def test_one_journal_for_all_suites(run, suite):
    """All files or none of one command, and back again from any folder."""
    (suite / ".git").mkdir()
    for name in ("one", "two"):
        (suite / name / "features" / "steps").mkdir(parents=True)
        (suite / name / "behave.ini").write_text("[behave]\n")
        (suite / name / "features" / "a.feature").write_text("Feature: F\n  Scenario: S\n    Given I sing\n")
    (suite / "features" / "steps" / "sing.py").write_text(
        "from behave import given\n\n@given('I sing')\ndef f(c): ...\n"
    )
    before = snapshot(suite)
    outcome = run("rename", "one", "--from", "I sing", "--to", "we sing", "--write", "--json", "plan.json")
    (suite / "plan.json").unlink()
    assert outcome.code == 0, outcome.err
    assert "Given we sing" in (suite / "two" / "features" / "a.feature").read_text()
    assert "undone in 3 files" in run("rename", "two/features", "--undo").err
    assert snapshot(suite) == before


def test_fold_passes_over_a_file_that_can_t_be_read(run, suite):
    gone = suite / "features" / "gone.feature"
    gone.symlink_to(gone)
    (suite / "features" / "two.feature").write_text(
        "Feature: Two\n  Scenario: A\n    Given I have 1 tea\n  Scenario: A\n    Given I have 2 tea\n", "utf-8"
    )
    outcome = run("fold", "--all")
    assert outcome.code == 0
    assert "gone.feature can't be read" in outcome.err
    assert "two.feature:2: 2 scenarios differ only in their arguments" in outcome.out


def test_a_cluster_is_what_a_scan_says_it_is(run, suite):
    """The same judge, which knows the suite's bindings."""
    for number, name in enumerate(("tea", "milk", "honey", "bread")):
        (suite / "features" / f"more{number}.feature").write_text(
            f"Feature: More\n  Scenario: S\n    When I order the {name}\n    And I put the {name} back\n"
            f"    And I order a {name}\n    And I want to order {name}\n",
            "utf-8",
        )
    scanned = json.loads(run("scan", "--json", "--offline").out)
    clusters = [[text["text"] for text in cluster["texts"]] for cluster in scanned["clusters"]]
    several = [cluster for cluster in clusters if len(cluster) > 1]
    assert several
    for cluster in several:
        target = "something new, without a slot"
        document = json.loads(
            run("rename", "--from", cluster[0], "--to", target, "--cluster", "--move", "--offline", "--json").out
        )
        (plan,) = document["plans"]
        met = {row["before"] for row in plan["replacements"]} | {row["text"] for row in plan["left_out"]}
        assert met >= set(cluster)


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("README.md", 'Write\n\n    When I log in as "somebody"\n', 3),
        ("docs/steps.rst", '``I log in as "anna"`` opens the door.\n', 1),
        ("README.md", 'You can log in as "anna".\n', 0),
        ("notes.log", 'I log in as "anna"\n', 0),
    ],
)
def test_documents_that_quote_the_step_are_told(path, text, line, run, suite):
    (suite / path).parent.mkdir(parents=True, exist_ok=True)
    (suite / path).write_text(text, "utf-8")
    outcome = run("rename", "--from", 'I log in as "anna"', "--to", 'I sign in as "{1}"', "--write")
    assert outcome.code == 0
    assert (f"note: {path}:{line} quotes the step in its old words" in outcome.err) is bool(line)
    assert outcome.err.count("quotes the step") == bool(line)
    assert (suite / path).read_text("utf-8") == text
