"""One definition and one text: every kind of expression, every language's regexes."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.glue import built_in_types, expressions, regexes
from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, ParameterType, StepDefinition
from cukereuse_engine.glue.fragments import fold, requirement, words
from cukereuse_engine.glue.languages.java import LANGUAGE as JAVA
from cukereuse_engine.glue.matchers import MAX_TIMEOUTS, Matcher, compile_definition
from cukereuse_engine.glue.regexes import dialects

Make = Callable[..., StepDefinition]
TYPES = {
    "colour": ParameterType("colour", ("red|blue", "(dark|light) green"), "java", "types", 1),
    "Colour": ParameterType("Colour", ("red|(dark|light) green",), "python", "types", 1),
    "untold": ParameterType("untold", (), "java", "types", 2),
}

MATCHES = [
    ("cucumber", "java", "I have {int} cucumber(s)", "I have 1 cucumber", ["1"]),
    ("cucumber", "java", "I have {int} cucumber(s)", "I have -10 cucumbers", ["-10"]),
    ("cucumber", "java", "a {colour} door/gate", "a dark green gate", ["dark green"]),
    ("cucumber", "java", "a {colour} door", "a blue door", ["blue"]),
    ("cucumber", "java", "a {untold} door", "a 12 (x) door", ["12 (x)"]),
    ("cucumber", "java", "a {nowhere} door", "a big door", ["big"]),
    ("cucumber", "java", "{string} and {word}{}", '"a \\" b" and \'x\' y', ['"a \\" b"', "'x'", " y"]),
    ("cucumber", "java", "pay {float} \\(net) \\{x} a\\/b", "pay 1.5 (net) {x} a/b", ["1.5"]),
    ("cucumber", "csharp", "a {Guid} b", "a 0-1 b", ["0-1"]),
    ("parse", "python", "a {x} b {n:d} {y:w}", "a u v b 12 z", ["u v", "12", "z"]),
    ("parse", "python", "{:d} (x) {{y}}", "5 (x) {y}", ["5"]),
    ("parse", "python", "a {c:Colour} b", "a light green b", ["light green"]),
    ("parse", "python", "a {c:Nowhere} b", "a x y b", ["x y"]),
    ("cfparse", "python", "a {c:Colour+} b", "a red, dark green b", ["red, dark green"]),
    ("literal", "python", "a (b) {c}", "a (b) {c}", []),
    ("turnip", "php", "I have :count apple(s)", "I have 5 apples", ["5"]),
    ("turnip", "php", "i HAVE :count apple(s)", 'I have "five small" apple', ["five small"]),
    ("turnip", "php", "I press/push the :name (big )button", "I push the 'OK' button", ["OK"]),
    ("turnip", "php", "a :x, b", "a -1.5, b", ["-1.5"]),
    ("regex", "java", r"^(?<n>\d++) \Qa.b\E \p{Alpha}+\z", "12 a.b x", ["12"]),
    ("regex", "java", r"^a ((b)|c) d$", "a b d", ["b"]),
    ("regex", "go", r"^a ((b)|c) d$", "a b d", ["b", "b"]),
    ("regex", "ruby", r"\Aa \h+ (?<x>\w+)\Z", "a f0 yz", ["yz"]),
    ("regex", "javascript", r"^a[^]b\/(\d+)$", "a\tb/1", ["1"]),
    ("regex", "javascript", r"^{a} {e}$", "{a} {e}", []),
    ("regex", "php", r"^(?P<x>\w+)\h\x{e9}$", "ab é", ["ab"]),
    ("regex", "go", r"^(?i)A [[:alpha:]]+ (\pL)$", "a b c", ["c"]),
    ("regex", "csharp", r"(?'x'a+) (?<y>b)", "aa b", ["aa", "b"]),
    ("regex", "rust", r"^(?x) a \s (\d{2,}) # comment$", "a 12", ["12"]),
    ("regex", "python", r"a(?P<x>b)?(?P=x)", "abb", ["b"]),
]
MISSES = [
    ("cucumber", "java", "I have {int} cucumber(s)", "I have one cucumber"),
    ("cucumber", "java", "I start a test", "I start a test with TestId 1"),
    ("cucumber", "java", "a {colour} door", "a green door"),
    ("parse", "python", "Upper", "upper"),
    ("parse", "python", "a {n:d}", "a b"),
    ("literal", "python", "a {x}", "a b"),
    ("turnip", "php", "I have :count apple(s)", "I have five small apples"),
    ("regex", "javascript", r"^{e}$", "x"),
    ("regex", "go", r"^\w+$", "café"),
    ("regex", "javascript", r"^\d$", "٣"),
]


def compiled(definition: StepDefinition) -> Matcher:
    result = compile_definition(definition, TYPES)
    assert result.matcher is not None, result.errors
    return result.matcher


@pytest.mark.parametrize(("kind", "language", "expression", "text", "arguments"), MATCHES)
def test_matches(definition: Make, kind: str, language: str, expression: str, text: str, arguments: list[str]) -> None:
    matcher = compiled(definition(expression, kind, language))
    match = matcher.match(text)
    assert match is not None
    assert [argument.value for argument in match.arguments] == arguments
    assert all(text[a.start : a.end] == a.value for a in match.arguments)
    assert matcher.requirement.allows(fold(text))
    assert matcher.requirement.words <= words(fold(text))


@pytest.mark.parametrize(("kind", "language", "expression", "text"), MISSES)
def test_misses(definition: Make, kind: str, language: str, expression: str, text: str) -> None:
    assert compiled(definition(expression, kind, language)).match(text) is None


def test_a_match_that_fails_costs_its_definition_alone(definition: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = compiled(definition("a (b)", "regex", "python"))

    def fail(_: str) -> object:
        raise IndexError("no such group")

    monkeypatch.setattr(matcher, "_find", fail)
    assert matcher.match("a b") is None
    assert matcher.error is not None
    assert "no such group" in matcher.error.message


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from(r"()[]{}?<>'=!:|P&R+-*^$\.1gkncQEab,#x&~ "), max_size=14), st.data())
def test_no_pattern_raises(pattern: str, data: st.DataObject) -> None:
    language = data.draw(st.sampled_from(["java", "javascript", "ruby", "csharp", "php", "python", "go", "rust"]))
    kind = data.draw(st.sampled_from(list(ExpressionKind)))
    from tests.glue.conftest import make_definition

    made = make_definition(pattern, kind, language, flags=data.draw(st.sampled_from(["", "x", "i", "v"])))
    matcher = compile_definition(made, {"a": ParameterType("a", (pattern,), language, "types", 1)}).matcher
    if matcher is not None:
        matcher.match('ab (1) "x"')
        assert not matcher.failure


@pytest.mark.parametrize(
    ("anchoring", "text", "matches"),
    [
        (Anchoring.FULL, "a test", True),
        (Anchoring.FULL, "a test with more", False),
        (Anchoring.MATCH, "a test with more", True),
        (Anchoring.MATCH, "not a test", False),
        (Anchoring.SEARCH, "not a test at all", True),
    ],
)
def test_anchoring(definition: Make, anchoring: Anchoring, text: str, matches: bool) -> None:
    matcher = compiled(definition("a test", "regex", "python", anchoring=anchoring))
    assert (matcher.match(text) is not None) is matches


@pytest.mark.parametrize(
    ("language", "flags", "pattern", "text", "matches"),
    [
        ("javascript", "i", "^A É$", "a é", True),
        ("java", "", "^A$", "a", False),
        ("java", "x", "^a b # c$", "a b", False),
        ("java", "x", "^a \\ b # c\n$", "a b", True),
        ("php", "u", r"^\w+$", "café", True),
        ("php", "", r"^\w+$", "café", False),
    ],
)
def test_flags(definition: Make, language: str, flags: str, pattern: str, text: str, matches: bool) -> None:
    matcher = compiled(definition(pattern, "regex", language, flags=flags, anchoring=Anchoring.SEARCH))
    assert (matcher.match(text) is not None) is matches


def test_pytest_bdd_parse_ignores_case(definition: Make) -> None:
    assert compiled(definition("Hello {x}", "parse", "python", framework="pytest-bdd")).match("hello you")


@pytest.mark.parametrize(
    ("kind", "expression"),
    [
        ("regex", "a (b"),
        ("regex", "[z-a]"),
        ("regex", "*"),
        ("cucumber", "a {int"),
        ("cucumber", "a ({int})"),
        ("cucumber", "a ()"),
        ("cucumber", "a/"),
    ],
)
def test_a_broken_expression_is_an_error_of_its_definition(definition: Make, kind: str, expression: str) -> None:
    result = compile_definition(definition(expression, kind, line=7), TYPES)
    assert result.matcher is None
    (error,) = result.errors
    assert (error.line, error.message.startswith("broken expression: ")) == (7, True)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("a {int", "unbalanced brace"),
        ("a ({int})", "An optional may not contain a parameter"),
        ("a/", "Alternative may not be empty."),
    ],
)
def test_what_the_library_complains_of_is_shown(definition: Make, expression: str, complaint: str) -> None:
    (error,) = compile_definition(definition(expression), TYPES).errors
    assert complaint in error.message
    assert "\n" not in error.message


def test_an_unknown_parameter_type_is_named(definition: Make) -> None:
    result = compile_definition(definition("a {nowhere} b"), TYPES)
    assert result.matcher is not None
    assert "{nowhere}" in result.errors[0].message


def test_a_catastrophic_pattern_gives_up(definition: Make) -> None:
    matcher = compiled(definition(r"^(a|a|aa)+(\1|b)+c$", "regex", "javascript", anchoring=Anchoring.SEARCH))
    text = "a" * 5_000 + "!c"
    start = time.process_time()
    for _ in range(50):
        assert matcher.match(text) is None
    assert matcher.timeouts == MAX_TIMEOUTS
    assert time.process_time() - start < 10


LITERALS = st.text(st.sampled_from('ab c.1é"?*/_-ſK'), min_size=1, max_size=6)


@given(st.lists(st.one_of(LITERALS, st.sampled_from(["{int}", "{string}", "{word}", "{colour}", "{}"])), max_size=6))
def test_short_cut_gives_what_the_library_gives(pieces: list[str]) -> None:
    expression = "".join(pieces).replace("/", "")
    known = {"colour": ("red", "blue")}
    short = expressions.to_regex(expression, ExpressionKind.CUCUMBER, known, frozenset(), JAVA.expressions).pattern
    regexps = {**built_in_types.JVM.built_in, **known}
    long, _ = expressions._by_library(expression, regexps)
    assert re.sub(r"\\(.)", r"\1", long) == "^" + re.sub(r"\\(.)", r"\1", short) + "$"


def patterns() -> st.SearchStrategy[str]:
    """Patterns that Python's `re` and `regex` read alike."""
    atom = st.one_of(
        st.sampled_from(list("abAB 1é")),
        st.sampled_from([r"\d", r"\w", r"\.", ".", "[ab]", "[^a]", "a b", "ab ", " ba", r"\b", "K", "s"]),
    )
    quantified = st.tuples(atom, st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{0,1}", "??"])).map(
        lambda pair: pair[0] if pair[0] == r"\b" else "".join(pair)
    )
    sequence = st.lists(quantified, min_size=1, max_size=5).map("".join)

    def wrap(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        group = st.tuples(
            st.sampled_from(["(", "(?:", "(?P<x>", "(?=", "(?!"]), inner, st.sampled_from([")", ")?", ")*", ")"])
        ).map(lambda parts: "".join(parts) if parts[0] not in ("(?=", "(?!") else f"{parts[0]}{parts[1]})")
        return st.one_of(
            group,
            st.tuples(inner, inner).map("|".join),
            st.tuples(inner, inner).map("".join),
            inner.map(lambda regex: f"^{regex}$"),
        )

    return st.recursive(sequence, wrap, max_leaves=5)


@settings(max_examples=120, deadline=None)
@given(patterns(), st.booleans(), st.sampled_from([re.fullmatch, re.match, re.search]), st.data())
def test_requirement_never_loses_a_match(
    pattern: str, ignore_case: bool, find: Callable[..., object], data: st.DataObject
) -> None:
    try:
        flags = re.IGNORECASE if ignore_case else 0
        expression = re.compile(pattern, flags)
    except re.error:
        return
    text = data.draw(
        st.one_of(
            st.from_regex(expression, fullmatch=find is re.fullmatch),
            st.text(st.sampled_from("abAB 1éÉſsSKk."), max_size=12),
        )
    )
    needed = requirement(
        regexes.translate(pattern, dialects.PYTHON).tokens,
        ignore_case=ignore_case,
        starts=find is not re.search,
        ends=find is re.fullmatch,
    )
    if find(expression, text):
        assert needed.allows(fold(text))
        assert needed.words <= words(fold(text))


@pytest.mark.parametrize(
    ("pattern", "fragments", "whole"),
    [
        (r"^I have (\d+) apples?$", {"i have ", " apple"}, {"i", "have"}),
        (r"^the (?:big )?cat sat$", {"the ", "cat sat"}, {"the", "sat"}),
        (r"^(?:a|b) c$", {" c"}, {"c"}),
        (r"a|b", set(), set()),
        (r"^x(?: yes) z$", {"x", " yes", " z"}, {"z"}),
    ],
)
def test_requirement(pattern: str, fragments: set[str], whole: set[str]) -> None:
    needed = requirement(
        regexes.translate(pattern, dialects.PYTHON).tokens, ignore_case=False, starts=False, ends=False
    )
    assert set(needed.fragments) == fragments
    assert needed.words == whole
