"""Target phrasings, and arguments in their slots."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cukereuse_engine.refactor.arguments import (
    MemberArgument,
    UnmappableError,
    in_order_of,
    masked_arguments,
    with_delimiters,
)
from cukereuse_engine.refactor.request import target_like
from cukereuse_engine.refactor.target import Target, TargetError, UnrenderableError, parse_target, target_of


@pytest.mark.parametrize(
    ("target", "text", "expected"),
    [
        ("I sign in as {1}", 'I log in as "anna"', 'I sign in as "anna"'),
        ('I sign in as "{1}"', "I log in as 'anna'", 'I sign in as "anna"'),
        ("I see {1} of {2}", 'I have 3 "teas"', 'I see 3 of "teas"'),
        ("{2} holds {1}", 'I put 3 into "bag"', '"bag" holds 3'),
        ('{who} pays "{sum}"', '"ann" gives 7', '"ann" pays "7"'),
        ("a {{brace}} and {1}", "I have <count> teas", "a {brace} and <count>"),
        ('the name is "{1}"', 'my name is "<name>"', 'the name is "<name>"'),
        ("it takes {1}", "it lasts `a b`", "it takes `a b`"),
    ],
)
def test_arguments_go_into_slots(target, text, expected):
    parsed = parse_target(target)
    names = [] if parsed.slots[0].name.isdigit() else [slot.name for slot in parsed.slots]
    chosen = in_order_of(masked_arguments(text), names, parsed.order, [None] * len(parsed.order))
    assert parsed.render(chosen) == expected


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "empty"),
        (" x", "white space"),
        ("a\nb", "one line"),
        ("a { b", "write {{"),
        ("a } b", "write }}"),
        ("a {} b", "is not a slot"),
        ("a {0} b", "is not a slot"),
        ("a {b c}", "is not a slot"),
        ("{1} and {1}", r"appears twice .*write \{2\} for the next one"),
        ("{2} and {1} and {2}", r"write \{3\} for the next one"),
        ("{a} and {a}", r"appears twice .*number the slots \{1\}, \{2\}"),
        ("{1} and {a}", r"mixes .*number them"),
        ("{2} only", r"number them \{1\}, each argument once"),
        ("{2} or {4}", r"are numbered \{2\}, \{4\}; number them \{1\}, \{2\}"),
    ],
)
def test_what_is_no_target_is_told(target, message):
    with pytest.raises(TargetError, match=message):
        parse_target(target)


def test_an_argument_that_holds_the_target_s_quote():
    target = parse_target('I say "{1}"')
    quoted = masked_arguments("I shout 'say \"hi\" now'")
    assert target.render(quoted) == "I say 'say \"hi\" now'"
    bare = MemberArgument('my "own"', 'my "own"', 0, 8)
    with pytest.raises(UnrenderableError, match="such quotes"):
        target.render([bare])


@pytest.mark.parametrize(
    ("text", "numeric", "expected"),
    [
        ('I pay 5 to "ann"', (False, True), ['"ann"', "5"]),  # of other types: the types tell
        ('"ann" gets 5', (False, True), ['"ann"', "5"]),
        ('I pay <sum> to "ann"', (True, False), ["<sum>", '"ann"']),
    ],
)
def test_types_decide_where_the_order_does_not(text, numeric, expected):
    chosen = in_order_of(masked_arguments(text), [], (0, 1), numeric)
    assert [argument.text for argument in chosen] == expected


@pytest.mark.parametrize(
    ("text", "numeric", "message"),
    [
        ("I wait", (None,), "has no argument, the target needs 1"),
        ('I give "a" to "b"', (None,), r'2 arguments \("a", "b"\), the target has 1 slot'),
        ('I give "a" to "b"', (True, False), "different types"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(text, numeric, message):
    with pytest.raises(UnmappableError, match=message):
        in_order_of(masked_arguments(text), [], range(len(numeric)), numeric)


@given(st.text("ab \"'`<>{}12", min_size=1).map(str.strip).filter(bool))
def test_a_text_is_its_own_phrasing(text):
    """A phrasing made of a text renders that text again, and a user's spelling of it means the same."""
    arguments = masked_arguments(text)
    target = target_of(text, arguments)
    quotes = [part[-1:] if isinstance(part, str) else part.quote for part in target.parts]
    assume(not any(a and a == b for a, b in zip(quotes, quotes[2:], strict=False)))  # `'{1}'` is one quoted slot
    assert target.render(arguments) == text
    again = parse_target(target.text)
    assert again.render(arguments) == text


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('I log in as "anna"', 'I sign in as "anna"', 'I sign in as "{1}"'),
        ('I pay 5 to "ann"', '"ann" gets 5', '"{2}" gets {1}'),
        ("I have 5 teas", "the 15 of us have 5 teas", "the 15 of us have {1} teas"),
        ("I have 5 teas", "I have teas", None),
    ],
)
def test_typed_over_the_old_text(old, new, expected):
    target = target_like(masked_arguments(old), old, new)
    assert (target.text if isinstance(target, Target) else None) == expected


def test_typed_arguments_may_stand_inside_of_a_word():
    old = "I mark N34"
    arguments = with_delimiters(old, 7, 8), with_delimiters(old, 8, 10)
    target = target_like(arguments, old, "Now I mark Nan N34 as 134 [34]")
    assert target is not None
    assert target.text == "Now I mark Nan {1}{2} as 134 [34]"
