"""A document quotes a step if it has its words, with any arguments."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.quotes import quotes

GREETED = 'I greet "Ann" 3 times'
SAME = '"a" <b> "c" are the same here'


@pytest.mark.parametrize(
    ("step", "document", "lines"),
    [
        (GREETED, 'Given I greet "Bob Low" 12 times', [1]),
        (GREETED, "\n`I greet {string} <n> times`", [2]),
        (GREETED, 'I greet "Ann" 3 times, I greet "Bob" 1 times', [1]),
        (GREETED, 'I greet the guest, who is "Ann", 3 times', []),
        (GREETED, 'Didi greet "Ann" 3 times', []),
        (SAME, "'x' 'y y' <z> are the same here", [1]),
        (SAME, "There are the same here", []),
        ("I say it ", "I say it to all", [1]),
        ("I sit", "I sit", []),
    ],
)
def test_a_quotation_is_told(tmp_path: Path, step: str, document: str, lines: list[int]) -> None:
    path = tmp_path / "README.md"
    path.write_text(document, "utf-8")
    assert [*quotes(str(tmp_path), [step], lambda each: Path(each).read_bytes())] == [(str(path), at) for at in lines]
