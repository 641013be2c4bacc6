"""Progress: silent if nobody watches, and with a rate on a terminal."""

import io
import sys

import pytest

from cukereuse_engine.cli.progress import TerminalProgress, amount, progress_for_terminal
from cukereuse_engine.progress import SILENT


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_silent_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress_for_terminal() is SILENT


@pytest.mark.parametrize(("variable", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_silent_where_a_line_can_not_be_redrawn(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(progress_for_terminal(), TerminalProgress)
    monkeypatch.setenv(variable, value)
    assert progress_for_terminal() is SILENT


@pytest.mark.parametrize("total", [10, None])
def test_a_terminal_shows_label_and_count(monkeypatch: pytest.MonkeyPatch, total: int | None) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    progress = TerminalProgress()
    with progress.stage("reading [x]", total, "files") as outer:
        for _ in range(10):
            outer.advance()
        with progress.stage("inside", 2, "texts") as inner:
            inner.advance(2)
            assert progress._live is not None
            progress._live.refresh()
    shown = terminal.getvalue()
    assert "reading [x]" in shown
    assert "inside" in shown
    assert ("10/10 files" if total else "10 files") in shown
    with progress.stage("again"):
        pass
    assert "again" in terminal.getvalue()[len(shown) :]


def test_an_exception_ends_the_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    progress = TerminalProgress()
    with pytest.raises(KeyboardInterrupt), progress.stage("reading"):
        raise KeyboardInterrupt
    assert progress._live is None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((1204, 8105, 310.4, "files"), "1,204/8,105 files  310 files/s"),
        ((5, None, None, "files"), "5 files"),
        ((2, 3, None, ""), "2/3"),
        ((2, 3, 4.0, ""), "2/3  4/s"),
        ((1_500_000, 84_300_000, 2_000_000.0, "bytes"), "1.5/84.3 MB  2.0 MB/s"),
    ],
)
def test_amount(arguments: tuple[float, float | None, float | None, str], expected: str) -> None:
    assert amount(*arguments) == expected


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_wraps(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """A line that wrapped would stay when the next one is drawn."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    clock = iter(range(10_000))
    progress = TerminalProgress()
    with progress.stage("comparing scenarios with a long label", 1_204_000, "repositories") as outer:
        assert progress._live is not None
        progress._live.get_time = lambda: float(next(clock))
        for _ in range(3):
            outer.advance(400_000)
        with progress.stage("reading step definitions of a suite", 90_000, "definitions") as inner:
            for _ in range(3):
                inner.advance(20_000)
            table = progress._live.get_renderable()
            lines = progress._live.console.render_lines(table)
    assert len(lines) == 2
    shown = ["".join(segment.text for segment in line).rstrip() for line in lines]
    assert all(len(line) <= columns for line in shown)
    assert "1,200,000/1,204,000" in shown[0]
