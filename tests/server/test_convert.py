"""Conversion of positions and URIs."""

import pytest
from cukereuse_server.convert import (
    code_points,
    diagnostic_of,
    edited,
    line_column,
    lines_of,
    path_of,
    range_of,
    units,
    uri_of,
)
from cukereuse_server.protocol.diagnostics import Diagnosis, RelatedPlace
from cukereuse_server.protocol.places import Place
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

ENCODINGS = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(ENCODINGS))
def test_units_are_what_the_codec_says(text: str, encoding: str) -> None:
    codec, size = CODECS[encoding]
    assert units(text, encoding) == len(text.encode(codec)) // size


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(ENCODINGS), st.data())
def test_there_and_back(line: str, encoding: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(line)))
    assert code_points(line, units(line[:offset], encoding), encoding) == offset


@pytest.mark.parametrize(
    ("encoding", "character", "expected"),
    [("utf-16", 1, 0), ("utf-16", 2, 1), ("utf-8", 3, 0), ("utf-8", 4, 1), ("utf-32", 99, 2), ("utf-16", 99, 2)],
)
def test_inside_a_character_is_before_it(encoding: str, character: int, expected: int) -> None:
    assert code_points("😀x", character, encoding) == expected


LETTERS = st.lists(st.sampled_from(["a", "é", "😀", "日", "\n", "\r\n", "\r", "\u2028", "\ufeff"]), max_size=12).map(
    "".join
)


def position_of(text: str, offset: int, encoding: str) -> types.Position:
    """The position of an offset in code points outside line endings, counted by the codec."""
    codec, size = CODECS[encoding]
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return types.Position(len(lines) - 1, len(lines[-1].encode(codec)) // size)


@given(
    LETTERS,
    st.lists(st.tuples(LETTERS, st.integers(0, 99), st.integers(0, 99)), max_size=4),
    st.sampled_from(ENCODINGS),
)
def test_changes_are_those_of_slices(text: str, edits: list[tuple[str, int, int]], encoding: str) -> None:
    changes: list[types.TextDocumentContentChangeEvent] = []
    expected = text
    for new, first, other in edits:
        places = [at for at in range(len(expected) + 1) if expected[at - 1 : at + 1] != "\r\n" or not at]
        start, end = sorted((places[first % len(places)], places[other % len(places)]))
        where = types.Range(position_of(expected, start, encoding), position_of(expected, end, encoding))
        changes.append(types.TextDocumentContentChangePartial(range=where, text=new))
        expected = expected[:start] + new + expected[end:]
    assert edited(text, changes, encoding) == expected


def test_half_a_pair_can_be_changed() -> None:
    def change(start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
        return types.TextDocumentContentChangePartial(
            range=types.Range(types.Position(0, start), types.Position(0, end)), text=text
        )

    half = edited("a😀b", [change(2, 3, "")], "utf-16")
    assert half == "a\ud83db"
    assert edited(half, [change(2, 2, "\ude01")], "utf-16") == "a😁b"
    assert edited("😀", [change(9, 9, "x"), types.TextDocumentContentChangeWholeDocument("y")], "utf-8") == "y"


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a\r\nb\rc\nd", ["a", "b", "c", "d"]), ("a\u2028b\x0bc\x85d", ["a\u2028b\x0bc\x85d"]), ("", []), ("a\n", ["a"])],
)
def test_lines_are_the_protocols(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(("line", "character", "expected"), [(0, 1, (1, 2)), (5, 3, (6, 1)), (1, 99, (2, 3))])
def test_positions_beyond_the_text_are_clamped(line: int, character: int, expected: tuple[int, int]) -> None:
    assert line_column(["abc", "de"], types.Position(line, character), "utf-16") == expected


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%23b/100%25/with%20space/%C3%BCn%C3%AF.feature", "/a#b/100%/with space/ünï.feature"),
        ("file:///a/../b/x.feature", "/b/x.feature"),
        ("file:///a#b/x.feature", "/a#b/x.feature"),
        ("file:///a?b.feature", "/a?b.feature"),
        ("untitled:Untitled-1", None),
        ("git:/x.feature", None),
        ("no uri", None),
    ],
)
def test_paths_of_uris(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize("path", ["/a#b/x.feature", "/100%/y.feature", "/with space/ü😀.feature", "/a?b.feature"])
def test_uris_lead_back(path: str) -> None:
    assert path_of(uri_of(path)) == path


def test_a_place_in_an_unreadable_file_is_its_first_line() -> None:
    assert range_of(Place("/x", 0, 0, 0), "utf-16") == types.Range(types.Position(0, 0), types.Position(0, 0))


def test_a_diagnostic_has_what_clients_use() -> None:
    place = Place("/ü.feature", 3, 2, 4, "x😀y")
    diagnosis = Diagnosis(
        place=place,
        rule="divergent-wording",
        severity="hint",
        message="so",
        related=(RelatedPlace(Place("/b.feature", 1, 1, 3), "there"),),
        fingerprint="f",
    )
    diagnostic = diagnostic_of(diagnosis, "utf-16", uri_of, related=True)
    assert diagnostic.range == types.Range(types.Position(2, 1), types.Position(2, 4))
    assert diagnostic.severity == types.DiagnosticSeverity.Hint
    assert diagnostic.data == {"fingerprint": "f", "rule": "divergent-wording"}
    assert diagnostic.related_information[0].location.uri == "file:///b.feature"
    assert diagnostic_of(diagnosis, "utf-16", uri_of, related=False).related_information is None
