"""A rename is refused, with the place, if it concerns a file that a runner loads, but that is not read here because of
`.gitignore`, its language or its encoding."""

import pytest

FEATURE = "Feature: f\n  Scenario: s\n    Given I pay 5 coins\n    Given I pay 7 coins\n"
RUBY = "Given(/^I pay (\\d+) coins$/) do |a|\n  pay(a)\nend\n"
NAMED = "PAY = /^I pay (\\d+) coins$/\nGiven(PAY) { |a| }\n"
TYPED = "import {Given} from '@cucumber/cucumber';\nGiven('I pay {int} coins', (n: number) => { pay(n); });\n"
BUILT = TYPED.replace(": number", "")
SHARP = "using Reqnroll;\n[Binding]\npublic class S {\n  [Given(%s)]\n  public void F(int a) { Pay(a); }\n}\n"
PLAIN = SHARP % '@"^I pay (\\d+) coins$"'
CONSTANT = SHARP % "Texts.PAY" + 'static class Texts { public const string PAY = @"^I pay (\\d+) coins$"; }\n'
BASIC = "Class T\n  Inherits Steps\n  Sub M(s As S)\n    %s\n  End Sub\nEnd Class\n"
CALL = 'class T : Steps { void M() {\n  Given("I pay 5 coins"); } }\n'
STEPS = "features/step_definitions/s.rb"
LOCAL = "features/step_definitions/t.local.rb"
A = {"features/a.feature": FEATURE}
RB = {**A, STEPS: RUBY, ".gitignore": "*.local.rb\nlocal/\n"}
EITHER = {**RB, STEPS: RUBY.replace("coins", "(?:coins|farthings|cents)")}
ROWS = "    Examples:\n      | a   |\n      | cen |\n"
CS = {**A, "S.cs": PLAIN, "X.csproj": "", ".gitignore": "*.feature.cs\n"}


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({**RB, LOCAL: RUBY}, (), f"{LOCAL}:1 uses or defines a renamed step"),
        ({**A, LOCAL: RUBY, ".gitignore": "*.local.rb\n"}, (), f"add --include '{LOCAL}'"),
        ({**A, LOCAL: RUBY, ".gitignore": "*.local.rb\n"}, ("--include", LOCAL), None),
        ({**RB, LOCAL: "def go\n  step 'I pay 5 coins'\nend\n"}, (), f"{LOCAL}:2"),
        ({**RB, LOCAL: "def go\n  step 'I wait'\nend\n"}, (), None),
        ({**RB, "features/local/b.feature": FEATURE}, (), "features/local/b.feature:3"),
        ({**RB, "features/local/b.feature": FEATURE}, ("--exclude", "local"), None),
        ({**RB, "features/local/b.feature": FEATURE.replace("pay", "see")}, (), None),
        ({**EITHER, "features/local/b.feature": FEATURE.replace("coins", "<a>ts") + ROWS}, (), "local/b.feature:3"),
        ({**EITHER, "features/local/b.feature": FEATURE.replace("coins", "cents")}, (), "local/b.feature:3"),
        ({**EITHER, LOCAL: "def go\n  step 'I pay 6 cents'\nend\n"}, (), f"{LOCAL}:2"),
        ({**RB, LOCAL: "Given(/^(.+) (\\d+) (.+)$/) do |a, b, c|\nend\n"}, (), f"{LOCAL}:1"),
        ({**RB, "elsewhere/local/b.feature": FEATURE}, (), None),
        ({**RB, "features/node_modules/b.feature": FEATURE}, (), None),
        ({**RB, STEPS: f"PAY = /^I pay (\\d+) coins$/\n{RUBY}", LOCAL: "puts PAY\n"}, (), None),
        ({**RB, STEPS: NAMED, LOCAL: "puts PAY\n"}, (), f"which {LOCAL}:1 uses"),
        ({**A, "features/s.ts": TYPED, "features/s.js": BUILT, ".gitignore": "*.js\n"}, (), None),
        ({**CS, "T.vb": BASIC % 'MyBase.Given("I pay 5 coins")'}, (), "T.vb:4 uses or defines a renamed step"),
        ({**CS, "T.vb": BASIC % 'X("I wait") : Y(".+")'}, (), None),
        ({**CS, "T.vb": BASIC % 'X("abc{99999999999999999999}")'}, (), None),
        ({**A, "X.vbproj": "", "lib/T.vb": '<Given("^I pay (\\d+) coins$")>\n'}, (), "lib/T.vb:1"),
        ({**A, "X.fsproj": "", "lib/T.fs": '[<Given("{who} {verb} {int} {what}")>]\n'}, (), "lib/T.fs:1"),
        ({**A, "X.fsproj": "", "lib/T.fs": '[<Given("I pay {int} coins")>]\n'}, (), "because .fs files are not read"),
        ({**CS, "T.vb": BASIC % 'Print($"{first} {last}")'}, (), None),
        ({**A, "src/test/groovy/S.groovy": "Given(~/^I pay (\\d+) coins$/) { n -> }\n"}, (), "groovy/S.groovy:1"),
        ({**A, "X.fsproj": "", "lib/T.fs": 'let [<When>] ``I pay (.*) coins`` (n: int) = ()\n'}, (), "lib/T.fs:1"),
        ({**A, "X.fsproj": "", "lib/T.fs": '[<When("""I pay (\\d+) coins""")>]\n'}, (), "lib/T.fs:1"),
        ({**CS, "T.vb": BASIC % 'Print(Texts.PAY)', "S.cs": CONSTANT}, (), "Texts.PAY, which T.vb:4 uses"),
        ({**CS, "features/a.feature.cs": 'class X { void M() { t.Given("I pay 5 coins"); } }'}, (), None),
        ({**CS, "T.cs": CALL.encode("utf-16")}, (), "change it by hand: T.cs:2"),
        ({**CS, "T.cs": CALL.encode("utf-8-sig")}, (), "one call from code is renamed too"),
        ({**CS, "T.cs": "class T { string x = Texts.PAY; }".encode("utf-16"), "S.cs": CONSTANT}, (), "T.cs:1 uses"),
        ({**CS, "S.cs": PLAIN.encode("utf-16")}, (), "S.cs is not UTF-8"),
        ({**CS, "S.cs": PLAIN.encode("utf-8-sig")}, (), None),
    ],
)  # fmt: skip
def test_what_is_not_read_is_told(files, options, message, tmp_path, monkeypatch, run):
    for path, text in {**files, ".git/HEAD": ""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.chdir(tmp_path)
    outcome = run("rename", "--from", "I pay 5 coins", "--to", "I give {1} coins", "--no-cache", *options)
    if message is None:
        assert (outcome.code, "warning" in outcome.err) == (0, False), outcome.err
    else:
        assert message in outcome.err
        assert outcome.code or "by hand" in message or "renamed too" in message


def test_a_pattern_that_would_take_for_ever_is_none(tmp_path, monkeypatch, run):
    step = f"I pay {'5' * 40} coins"
    files = {
        "a.feature": FEATURE.replace("I pay 5 coins", step),
        "S.cs": PLAIN.replace("(\\d+)", "(.+)"),
        "X.csproj": "",
    }
    for path, text in {**files, "T.vb": BASIC % 'X("I pay (5|5|55)+ notes")'}.items():
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    outcome = run("rename", "--from", step, "--to", "I give {1} coins", "--no-cache")
    assert outcome.code == 0, outcome.err


def test_a_link_to_what_is_read_hides_nothing(tmp_path, monkeypatch, run):
    for path, text in {"features/a.feature": FEATURE, "lib/s.rb": RUBY, ".git/HEAD": ""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "features" / "step_definitions").mkdir()
    (tmp_path / STEPS).symlink_to(tmp_path / "lib" / "s.rb")
    monkeypatch.chdir(tmp_path)
    outcome = run("rename", "--from", "I pay 5 coins", "--to", "I give {1} coins", "--no-cache")
    assert (outcome.code, "rewritten: lib/s.rb:1" in outcome.err) == (0, True), outcome.err


def test_a_function_that_another_language_calls_keeps_its_parameters(tmp_path, monkeypatch, run):
    sharp = SHARP.replace("int a", "int a, string b") % '@"^I pay (\\d+) to ""(.*)""$"'
    files = {"a.feature": FEATURE.replace("5 coins", '5 to "B"'), "S.cs": sharp, "T.vb": BASIC % 's.F(1, "x")'}
    for path, text in {**files, "X.csproj": ""}.items():
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    outcome = run("rename", "--from", 'I pay 5 to "B"', "--to", '"{2}" gets {1}', "--no-cache")
    assert outcome.code == 1
    assert "T.vb:4 names F" in outcome.err
