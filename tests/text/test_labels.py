"""The words of a step that are names or labels."""

import pytest

from cukereuse_engine.text.words import is_emphasised, labels, tokens


@pytest.mark.parametrize(
    ("masked", "named"),
    [
        ("I click *Save it* now", ["save", "it"]),
        ("I see *Beds*, *Lawns* and weeds", ["beds", "lawns"]),
        ("I see (*Beds*) or «*Lawns*»", ["beds", "lawns"]),
        ("I see the *...more* link", ["more"]),
        ("I see *Make this the first", ["make", "this", "the", "first"]),
        ("I list *.txt and click *Save* now", ["save"]),
        ("I click Save and hE", ["save", "he"]),
    ],
)
def test_labels(masked: str, named: list[str]) -> None:
    flags = labels(masked, tokens(masked, lower=False))
    assert [word for word, is_label in zip(tokens(masked), flags, strict=True) if is_label] == named


@pytest.mark.parametrize("masked", ["*.txt", "a.*", "a*b", "2 * 3", "SELECT * FROM beds", "", "*"])
def test_an_asterisk_alone_is_no_emphasis(masked: str) -> None:
    assert not is_emphasised(masked)
