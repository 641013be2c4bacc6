"""Any position from a client, and any place from the worker, in every encoding."""

import pytest
from cukereuse_server.convert import code_points, line_column, lines_of, range_of, units
from cukereuse_server.protocol.places import Place
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

ENCODINGS = ("utf-8", "utf-16", "utf-32")
LINES = st.text(st.sampled_from("aé字😀\u2028\u0301\t \x85"), max_size=12)
encodings = pytest.mark.parametrize("encoding", ENCODINGS)


@encodings
@given(line=LINES, character=st.integers(-1, 60))
def test_any_position_is_inside_the_line(encoding: str, line: str, character: int) -> None:
    at = code_points(line, character, encoding)
    assert 0 <= at <= len(line)
    assert units(line[:at], encoding) <= max(character, 0)
    assert at == len(line) or units(line[: at + 1], encoding) > character


@encodings
@given(before=st.lists(LINES, max_size=3), line=LINES, ending=st.sampled_from(["\n", "\r\n", "\r"]), data=st.data())
def test_lines_and_ranges(encoding: str, before: list[str], line: str, ending: str, data: st.DataObject) -> None:
    lines = lines_of(ending.join([*before, line, ""]))
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    number = len(before) + 1
    place = Place("f", number, start + 1, end + 1, "" if line.isascii() else line)
    range_found = range_of(place, encoding)
    assert range_found.start == types.Position(number - 1, units(line[:start], encoding))
    assert line_column(lines, range_found.end, encoding) == (number, end + 1)
