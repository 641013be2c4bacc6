import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.report.visible import encodable, is_hidden, shortened, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text", "plain text"),
        ("café 买 עברית", "café 买 עברית"),
        ("a\tb\nc\rd", r"a\tb\nc\rd"),
        ("\x1b[31m\x07\x7f", r"\u001b[31m\u0007\u007f"),
        ("\u202egnp\u2066x", r"\u202egnp\u2066x"),
        ("zero\u200b\u200d\ufeffwidth", r"zero\u200b\u200d\ufeffwidth"),
        ("no\u00a0break\u2028\u0085", r"no\u00a0break\u2028\u0085"),
        ("tag \U000e0041", r"tag \U000e0041"),
        ("\ud800", r"\ud800"),
    ],
)
def test_hidden_characters_are_written_as_escapes(text: str, expected: str) -> None:
    assert visible(text) == expected


@given(st.text())
def test_what_is_visible_hides_nothing_and_keeps_the_rest(text: str) -> None:
    result = visible(text)
    assert not any(map(is_hidden, result))
    kept = [character for character in text if not is_hidden(character)]
    rest = iter(result)
    assert all(character in rest for character in kept)  # in this order


@given(st.text(st.characters(exclude_categories=())))
def test_encodable_text_encodes_and_changes_nothing_else(text: str) -> None:
    encoded = encodable(text)
    encoded.encode("utf-8")
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert encoded == text


@given(st.text(), st.integers(min_value=1, max_value=40))
def test_shortened_keeps_to_its_limit(text: str, limit: int) -> None:
    result = shortened(text, limit)
    assert len(result) <= limit
    assert (result == text) == (len(text) <= limit) or "…" in text


def test_shortened_keeps_both_ends() -> None:
    result = shortened("the first words, a long middle, and the end", 20)
    assert result.startswith("the first")
    assert result.endswith("end")
