"""Lines as editors count them."""

from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.lines import line_at, split_lines

PIECES = st.lists(st.sampled_from(["a", "é" * 300, "\n", "\r\n", "\r", "\u2028", "\n" * 300]), max_size=8).map("".join)


@given(PIECES, st.booleans())
def test_one_line_is_where_all_lines_have_it(text: str, lone: bool) -> None:
    text = text if lone else text.replace("\r\n", "\n").replace("\r", "\r\n")
    lines, starts = split_lines(text)
    for number in {0, 1, 2, len(lines) // 2, len(lines) - 1} & set(range(len(lines))):
        assert line_at(text, number) == (starts[number], starts[number] + len(lines[number]))
    assert line_at(text, len(lines)) is None
    assert line_at(text, len(lines) + 1000) is None
