"""The meaning of a regex in the dialect of each language: groups, texts that do not match, refusals."""

import pytest

from cukereuse_engine.glue.definition import Anchoring, ParameterType
from cukereuse_engine.glue.fragments import fold
from cukereuse_engine.glue.matchers import compile_definition
from tests.glue.test_matchers import TYPES, Make, compiled

Q = r"""(?:"(?<n>\d+)"|'(?<n>\d+)')"""


GROUPS: list[tuple[str, str, str, list[str | None]]] = [
    # a name used twice: one group to .NET, two to Onigmo, ECMAScript and PCRE
    ("csharp", f"^{Q}$", "'3'", ["3"]),
    ("csharp", f"^{Q}$", '"3"', ["3"]),
    ("ruby", f"^{Q}$", "'3'", [None, "3"]),
    ("javascript", f"^{Q}$", "'3'", [None, "3"]),
    ("typescript", f"^{Q} (x)$", '"3" x', ["3", None, "x"]),
    ("php", f"(?J)^{Q}$", "'3'", [None, "3"]),
    ("java", r"^(?iu)(él) (\P{Alpha}+) ([^\P{Alpha}b]+)$", "ÉL 12 ac", ["ÉL", "12", "ac"]),
    ("java", r"(?U)^(\p{Alpha}+)$", "é", ["é"]),
    ("php", r"(*UTF8)(?i)^(él)$", "ÉL", ["ÉL"]),
    ("php", r"\G([[:^alpha:]x]+)$", "1x", ["1x"]),
    ("ruby", r"^((?u:\w)+)$", "é", ["é"]),
    # .NET numbers groups with names after those without
    ("csharp", r"^(?<a>\w+) (\w+) (?'b'\w+)$", "x y z", ["y", "x", "z"]),
    ("csharp", r"^(?<2>\w+) (?<1>\w+)$", "x y", ["y", "x"]),
    ("csharp", r"^(?n)(a) (?<b>b)$", "a b", ["b"]),
    ("csharp", r"^(?n:(a)) (b)$", "a b", ["b"]),
    # Onigmo captures nothing but the named ones where there are any
    ("ruby", r"^(?<a>\w+) (\w+)$", "x y", ["x"]),
    # branch reset
    ("php", r"^(?|a(\d)|b(\d)(\d))(c)$", "a1c", ["1", None, "c"]),
    ("php", r"^(?|a(\d)|b(\d)(\d))(c)$", "b12c", ["1", "2", "c"]),
    # conditionals and definitions
    ("python", r"^(a)?(?(1)b|c)$", "ab", ["a"]),
    ("python", r"^(a)?(?(1)b|c)$", "c", [None]),
    ("python", r"^(?P<x>a)?(?(x)b|c)$", "c", [None]),
    ("csharp", r"^(?<x>a)?(?(x)b|c)$", "c", [None]),
    ("csharp", r"^(?(?=a)a(.)|b(.))$", "bx", [None, "x"]),
    ("csharp", r"^(?(ab)a(.)|b(.))$", "ab", ["b", None]),
    ("ruby", r"^(?<x>a)?(?(<x>)b|c)$", "ab", ["a"]),
    ("php", r"^(?(DEFINE)(?<d>\d+))(?&d) (\w)$", "12 x", [None, "x"]),
    ("php", r"^(?<d>\d)(?P>d)(?1)(?-1)$", "1234", ["1"]),
    ("php", r"^(\((?:[^()]|(?1))*\))$", "(a(b)c)", ["(a(b)c)"]),
    # calls and references
    ("ruby", r"^(?<d>\d+) and \g<d>$", "1 and 2", ["2"]),
    ("php", r"^(?<q>['\"])x\g{q}$", "'x'", ["'"]),
    ("php", r"^(['\"])x\g1\g{-1}$", "'x''", ["'"]),
    ("php", r"^(['\"])x\k{1}$", "'x'", ["'"]),
    ("java", r"^(?<q>['\"])x\k<q>$", "'x'", ["'"]),
    ("csharp", r"^(?<q>.)x\k'q'$", "'x'", ["'"]),
    ("csharp", r"^(?<q>.)(.)\1\2$", "abba", ["b", "a"]),
    ("javascript", r"^(a)?b\1$", "b", [None]),
    ("ruby", r"^(?:(?<a>x)|(?<a>y))\k<a>$", "yy", [None, "y"]),
    # sets of sets
    ("csharp", r"^([a-z-[aeiou]]+)$", "xyz", ["xyz"]),
    ("csharp", r"^([\w-[\d-[5]]]+)$", "a5", ["a5"]),
    ("java", r"^([a-z&&[^aeiou]]+)$", "xyz", ["xyz"]),
    ("kotlin", r"^([a-c[x-z]]+)$", "ayz", ["ayz"]),
    ("java", r"^([^a-c[x-z]]+)$", "def", ["def"]),
    ("rust", r"^([\w&&[^\d]]+)$", "ab", ["ab"]),
    ("rust", r"^([a-z--[aeiou]]+) ([a-c~~b-d]+)$", "xyz ad", ["xyz", "ad"]),
    ("ruby", r"^([a-z&&[^aeiou]]+)$", "xyz", ["xyz"]),
    ("go", r"^([[]+)$", "[[", ["[["]),
    ("javascript", r"^([a&&b[]+)$", "a&[", ["a&["]),
    ("java", r"^([\D]+)$", "ab", ["ab"]),
    # single characters
    ("javascript", r"^\cA$", "\x01", []),
    ("csharp", r"^[\cI]$", "\t", []),
    ("csharp", r"^\p{IsGreekandCoptic}[\p{IsBasicLatin}-[b]]$", "λa", []),
    ("rust", r"^a++$", "aaa", []),
    ("javascript", r"^\R\X$", "RX", []),
    ("javascript", r"^a\8b\101$", "a8bA", []),
    ("javascript", r"^(x)\1\2$", "xx\x02", ["x"]),
    ("python", r"\N{DIGIT ONE}[\N{DAGGER}-\N{BULLET}]$", "1•", []),
    ("java", r"^\N{LATIN SMALL LETTER A}$", "a", []),
    ("ruby", r"^a\N$", "aN", []),
    ("javascript", r"^\a\Q\h$", "aQh", []),
    ("javascript", r"^\p{L}$", "p{L}", []),
    ("java", r"^a\hb$", "a\tb", []),
    ("csharp", r"^a{,3}$", "a{,3}", []),
    ("ruby", r"^a{,3}$", "aa", []),
    # flags amid a pattern
    ("java", r"^a(?i)b|c$", "aB", []),
    ("java", r"^a((?i)b)c$", "aBc", ["B"]),
    ("csharp", r"^a(?x) b # c", "ab", []),
    ("php", r"^a(?-i)b$", "ab", []),
    # flags that change how much a quantifier takes
    ("php", r"^(?U)a (.+) b(.*)$", "a x b y b z", ["x", " y b z"]),
    ("go", r"^(?U:(a+))(a*)$", "aaa", ["a", "aa"]),
    ("rust", r"^(?U)(a+?)(a*)$", "aaa", ["aaa", ""]),
    ("go", r"^((?U)a{1,2})(a*)$", "aaa", ["a", "aa"]),
    ("rust", r"^(?U)(a+)((?-U)a*)$", "aaa", ["a", "aa"]),
    ("rust", r"^(?iU)(a+)(A*)$", "aAa", ["a", "Aa"]),
    ("php", r"^(?U)(a++)(a*)$", "aaa", ["aaa", ""]),
    ("java", r"^(?U)(\w+)$", "é", ["é"]),
    ("java", r"^(?U:(\w))(.*)$", "éa", ["é", "a"]),
    ("ruby", r"^(a+)(a*)$", "aaa", ["aaa", ""]),
    # words of ASCII letters
    ("javascript", r"^\w+\b.x$", "aéx", []),
    ("go", r"^a\b.x$", "aéx", []),
    ("java", r"^é\b x$", "é x", []),
    ("ruby", r"^é\b x$", "é x", []),
]


BROKEN = [
    ("java", r"(?<n>a)(?<n>b)"),
    ("go", r"(?P<n>a)(?P<n>b)"),
    ("rust", r"(?P<n>a)(?P<n>b)"),
    ("python", r"(?P<n>a)(?P<n>b)"),
    ("go", r"a(?=b)"),
    ("rust", r"(a)\1"),
    ("java", r"a\y"),
    ("php", r"a\g{q}"),
    ("ruby", r"a\g<q>"),
    ("csharp", r"(?<a-b>x)"),
    ("csharp", r"\p{IsNowhere}"),
    ("csharp", r"a\R"),
    ("java", r"^I look for {string}$"),
    ("java", r"^a{,2}$"),
    ("rust", r"^a {b}$"),
    ("php", r"a(*SKIP)b"),
    ("csharp", r"a++"),
    ("go", r"a++"),
    ("javascript", r"a*+"),
    ("python", r"\p{L}"),
    ("python", r"\G"),
    ("php", r"(a)(?(R)b)"),
]


NOT_MATCHED = [
    ("csharp", r"^([a-z-[aeiou]]+)$", "a"),
    ("java", r"^([a-z&&[^aeiou]]+)$", "a"),
    ("java", r"^a((?i)b)c$", "aBC"),
    ("java", r"^a(?i:b)c$", "abC"),
    ("java", r"^([^a-c[x-z]]+)$", "x"),
    ("rust", r"^([a-c~~b-d]+)$", "b"),
    ("go", r"^\s$", "\u2003"),
    ("csharp", r"^(?n)(a)$", "b"),
    # without a flag for Unicode, classes and cases are those of ASCII
    ("java", r"^(\p{Alpha}+)$", "é"),
    ("java", r"^([\p{Alnum}_]+)$", "é"),
    ("java", r"(?i)^él$", "ÉL"),
    ("php", r"(?i)^él$", "Él"),
    ("php", r"^[[:alpha:]]+$", "é"),
    ("php", r"b\Gc", "bc"),
    ("php", r"a(*FAIL)|b", "a"),
]


@pytest.mark.parametrize(("language", "pattern", "text", "arguments"), GROUPS)
def test_groups_are_those_of_the_dialect(
    definition: Make, language: str, pattern: str, text: str, arguments: list[str | None]
) -> None:
    matcher = compiled(definition(pattern, "regex", language, framework="any", anchoring=Anchoring.SEARCH))
    match = matcher.match(text)
    assert match is not None
    assert [argument.value for argument in match.arguments] == arguments
    assert matcher.requirement.allows(fold(text))


@pytest.mark.parametrize(("language", "pattern", "text"), NOT_MATCHED)
def test_what_the_dialect_does_not_match(definition: Make, language: str, pattern: str, text: str) -> None:
    matcher = compiled(definition(pattern, "regex", language, anchoring=Anchoring.SEARCH))
    assert matcher.match(text) is None
    assert matcher.error is None


@pytest.mark.parametrize(("language", "pattern"), BROKEN)
def test_what_the_dialect_refuses_is_said(definition: Make, language: str, pattern: str) -> None:
    result = compile_definition(definition(pattern, "regex", language), TYPES)
    assert result.matcher is None
    assert result.errors[0].message.startswith(("broken expression: ", "this expression can't be checked here: "))


@pytest.mark.parametrize("regexp", [r"(?:\"(?<n>\d+)\"|'(?<n>\d+)')", r"(['\"])\d+\1", r"(?|\"(\d+)\"|'(\d+)')"])
@pytest.mark.parametrize("language", ["csharp", "javascript", "php"])
def test_groups_in_a_parameter_type_are_no_arguments(definition: Make, regexp: str, language: str) -> None:
    types = {"quoted": ParameterType("quoted", (regexp,), language, "types", 1)}
    if "(?|" in regexp and language != "php":
        return
    matcher = compile_definition(definition("{quoted} and {quoted} {int}", language="java"), types).matcher
    assert matcher is not None
    match = matcher.match("'3' and \"4\" 5")
    assert match is not None
    assert [argument.value for argument in match.arguments] == ["'3'", '"4"', "5"]


@pytest.mark.parametrize(
    ("language", "pattern"), [("javascript", r"^(a\1)$"), ("java", r"^(a(\1)?)+$"), ("ruby", r"^a**$")]
)
def test_what_only_our_engine_refuses_is_not_called_broken(definition: Make, language: str, pattern: str) -> None:
    (error,) = compile_definition(definition(pattern, "regex", language), TYPES).errors
    assert error.untold
    assert "can't be checked" in error.message
    (error,) = compile_definition(definition(pattern, "regex", "python"), TYPES).errors
    assert not error.untold
    assert "broken expression" in error.message
