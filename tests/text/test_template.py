import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import SLOT, SlotType, arguments, mask, measured_mask, template


@pytest.mark.parametrize(
    ("text", "masked", "expected"),
    [
        ('I log in as "anna"', "I log in as ▣", [('"anna"', SlotType.IDENTIFIER)]),
        ("I have 5 of <n> items", "I have ▣ of ▣ items", [("5", SlotType.NUMBER), ("<n>", SlotType.PLACEHOLDER)]),
        ('go to "https://x.example/a"', "go to ▣", [('"https://x.example/a"', SlotType.URL)]),
        ('mail "a@b.example"', "mail ▣", [('"a@b.example"', SlotType.EMAIL)]),
        ("open 'docs/a.txt'", "open ▣", [("'docs/a.txt'", SlotType.PATH)]),
        ("don't mask it's", "don't mask it's", []),
        (r'say "a \"b\" c" now', "say ▣ now", [(r'"a \"b\" c"', SlotType.STRING)]),
        ("at 10:30 or -1,5", "at ▣ or ▣", [("10:30", SlotType.NUMBER), ("-1,5", SlotType.NUMBER)]),
        ("v2 and 3rd stay", "v2 and 3rd stay", []),
        ("  two \t blanks ", "two blanks", []),
        ('the body is {"a": [1, {"b": "}"}]}', "the body is ▣", [('{"a": [1, {"b": "}"}]}', SlotType.JSON)]),
        ('the list [{"a": 1}, {"b": 2}] is sent', "the list ▣ is sent", [('[{"a": 1}, {"b": 2}]', SlotType.JSON)]),
        ('the list is ["a", "b"]', "the list is ▣", [('["a", "b"]', SlotType.JSON)]),
        ("the body is {}", "the body is ▣", [("{}", SlotType.JSON)]),
        ("I wait for {{ delay }} seconds", "I wait for ▣ seconds", [("{{ delay }}", SlotType.PLACEHOLDER)]),
        ("I use ${{ name }}", "I use ▣", [("${{ name }}", SlotType.PLACEHOLDER)]),
        ('a "quoted {{ x }}" text', "a ▣ text", [('"quoted {{ x }}"', SlotType.STRING)]),
        ('an open brace { and "this"', "an open brace { and ▣", [('"this"', SlotType.IDENTIFIER)]),
        ('never closed {"a": "b"', "never closed {▣: ▣", [('"a"', SlotType.STRING), ('"b"', SlotType.STRING)]),
        ("closed } and {again}", "closed } and {again}", []),
        ("items[0] stay", "items[▣] stay", [("0", SlotType.NUMBER)]),
        ("don't send {'a': 'b'} twice", "don't send ▣ twice", [("{'a': 'b'}", SlotType.JSON)]),
        ('never closed {{ but ["a"] is', "never closed {{ but ▣ is", [('["a"]', SlotType.JSON)]),
        ("I open “my page” now", "I open ▣ now", [("“my page”", SlotType.STRING)]),
        ("ich öffne „Übersicht“", "ich öffne ▣", [("„Übersicht“", SlotType.STRING)]),
        ("ich öffne „die Übersicht”", "ich öffne ▣", [("„die Übersicht”", SlotType.STRING)]),
        ("я вижу «12» и «a»", "я вижу ▣ и ▣", [("«12»", SlotType.NUMBER), ("«a»", SlotType.STRING)]),
        ("jeg ser »en side« nu", "jeg ser ▣ nu", [("»en side«", SlotType.STRING)]),
        (
            "jag ser ”en sida” och ”b” nu",
            "jag ser ▣ och ▣ nu",
            [("”en sida”", SlotType.STRING), ("”b”", SlotType.STRING)],
        ),
        ("näen »iso sivu» nyt", "näen ▣ nyt", [("»iso sivu»", SlotType.STRING)]),
        (
            "a screen of 5” and a tube of 3” fits",
            "a screen of ▣” and a tube of ▣” fits",
            [("5", SlotType.NUMBER), ("3", SlotType.NUMBER)],
        ),
        ("Start » Settings « stays", "Start » Settings « stays", []),
        ("「名前」を押す", "▣を押す", [("「名前」", SlotType.STRING)]),
        ("I see ‘it’s “done”’ here", "I see ▣ here", [("‘it’s “done”’", SlotType.STRING)]),
        ("the user’s page isn’t open", "the user’s page isn’t open", []),
        ("«never closed", "«never closed", []),
        ("the status is 404 Not Found", "the status is ▣", [("404 Not Found", SlotType.NUMBER)]),
        ('200 OK, not "200 OK"', "▣, not ▣", [("200 OK", SlotType.NUMBER), ('"200 OK"', SlotType.NUMBER)]),
        ("I see 404 not found", "I see ▣ not found", [("404", SlotType.NUMBER)]),
        ("200 Accepted or 404 Found", "▣ Accepted or ▣ Found", [("200", SlotType.NUMBER), ("404", SlotType.NUMBER)]),
        ("1,200 OK and 200 OKs", "▣ OK and ▣ OKs", [("1,200", SlotType.NUMBER), ("200", SlotType.NUMBER)]),
        (
            "я запоминаю $Имя$ и $$All$$",
            "я запоминаю ▣ и ▣",
            [("$Имя$", SlotType.PLACEHOLDER), ("$$All$$", SlotType.PLACEHOLDER)],
        ),
        ("pay $5 and 3$ or US$ x$", "pay $▣ and ▣$ or US$ x$", [("5", SlotType.NUMBER), ("3", SlotType.NUMBER)]),
        ('«a {"b": 1}» and "c"', "▣ and ▣", [('«a {"b": 1}»', SlotType.STRING), ('"c"', SlotType.STRING)]),
    ],
)
def test_arguments(text: str, masked: str, expected: list[tuple[str, SlotType]]) -> None:
    form = template(text)
    assert form.masked == masked.replace("▣", SLOT)
    assert [(argument.text, argument.type) for argument in form.arguments] == expected
    assert form.key == form.masked.lower()


@given(st.text(alphabet="ab1 \"'`<>{}[]$\\,.:\n“”„«»‘’", max_size=60))
def test_arguments_are_slices_and_the_rest_is_kept(text: str) -> None:
    slots = arguments(text)
    assert all(one.end <= other.start for one, other in itertools.pairwise(slots))
    assert all(argument.text == text[argument.start : argument.end] for argument in slots)
    rest, at = "", 0
    for argument in slots:
        rest += text[at : argument.start] + SLOT
        at = argument.end
    assert normalise(rest + text[at:]) == mask(text)


@given(st.text(alphabet="ab1 \"'`<>\\,.:\n", max_size=60))
def test_without_braces_the_mask_is_the_measured_one(text: str) -> None:
    assert mask(text) == measured_mask(text)


@pytest.mark.parametrize("many", ["{" * 50_000, '{"' * 50_000, "[[" * 50_000 + "]]" * 50_000, '[""]' * 50_000])
def test_many_braces_take_linear_time(many: str) -> None:
    assert mask(many + " end").endswith("end")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("I  wait ", "I wait", True),
        ("I wait", "i wait", False),
        ('I see "a"', 'I see "b"', False),
        ("a\u00a0b", "a b", True),
    ],
)
def test_identity(one: str, other: str, equal: bool) -> None:
    assert (identity(one) == identity(other)) is equal
    assert len(identity(one)) == 32


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert identity(text) == identity(normalise(text))


@given(st.text(max_size=40))
def test_white_space_is_that_of_regular_expressions(text: str) -> None:
    assert normalise(text) == re.sub(r"\s+", " ", text).strip()
