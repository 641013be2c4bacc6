"""A plan as a unified diff. Reads the files that the plan names; never writes one.

The plan says which lines change, so that nothing is compared.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.refactor.edits import edited, edited_bytes, source_text
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit
from cukereuse_engine.source_root import diff_root, name_below

CONTEXT = 3
"""Lines that are shown around a change."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


def unified_diff(files: Sequence[FileEdits], read: Callable[[str], bytes], root: str | None = None) -> Iterator[str]:
    """Lines of the diff, each with its line end. `root`: the folder from which files are named, by default their
    `diff_root`. Raises `ChangedFileError`, `OSError`."""
    top = diff_root(file.path for file in files) if root is None else root
    for file in files:
        data = b"" if file.is_new else read(file.path)
        edited_bytes(file, data)  # what can't be written is not shown
        before = source_text(data, file.path) if file.is_glue else decode(data).text
        name = name_below(top, file.path).lstrip("/")
        for number, line in enumerate(_diff(before, file.edits)):
            if not number:
                yield from ("--- /dev/null\n" if file.is_new else f"--- a/{name}\n", f"+++ b/{name}\n")
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


class _Change(NamedTuple):
    start: int
    """0-based number of the first removed line."""
    old: list[str]
    new: list[str]

    @property
    def end(self) -> int:
        return self.start + len(self.old)


def _diff(before: str, edits: Sequence[TextEdit]) -> Iterator[str]:
    lines = _LINE.findall(before)
    hunk: list[_Change] = []
    shift = 0
    for change in _changes(lines, edits):
        if hunk and change.start - hunk[-1].end > 2 * CONTEXT:
            yield from _hunk(hunk, lines, shift)
            shift += sum(len(change.new) - len(change.old) for change in hunk)
            hunk = []
        hunk.append(change)
    if hunk:
        yield from _hunk(hunk, lines, shift)


def _changes(lines: Sequence[str], edits: Sequence[TextEdit]) -> Iterator[_Change]:
    """Runs of changed lines, sorted."""
    starts = [0, *accumulate(map(len, lines))]
    runs: list[tuple[int, int, list[TextEdit]]] = []
    for edit in edits:
        first = min(bisect_right(starts, edit.start) - 1, len(lines) - 1)
        last = max(bisect_right(starts, edit.end) - 1, first)
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = runs[-1][0], max(last, runs[-1][1]), [*runs[-1][2], edit]
        else:
            runs.append((first, last, [edit]))
    for first, last, inside in runs:
        first = max(first, 0)
        old = list(lines[first : last + 1])
        at = starts[first]
        moved = [
            TextEdit(
                edit.start - at,
                edit.end - at,
                edit.line,
                edit.column,
                edit.end_line,
                edit.end_column,
                edit.old,
                edit.new,
            )
            for edit in inside
        ]
        new = _LINE.findall(edited("".join(old), moved))
        while old and new and old[0] == new[0]:
            first, old, new = first + 1, old[1:], new[1:]
        while old and new and old[-1] == new[-1]:
            old, new = old[:-1], new[:-1]
        if old or new:
            yield _Change(first, old, new)


def _hunk(changes: Sequence[_Change], lines: Sequence[str], shift: int) -> Iterator[str]:
    """`shift`: how many lines earlier changes added, less those that they removed."""
    start = max(changes[0].start - CONTEXT, 0)
    end = min(changes[-1].end + CONTEXT, len(lines))
    grown = sum(len(change.new) - len(change.old) for change in changes)
    yield f"@@ -{_range(start, end - start)} +{_range(start + shift, end - start + grown)} @@\n"
    yield from (f" {line}" for line in lines[start : changes[0].start])
    for change, following in pairwise([*changes, _Change(end, [], [])]):
        yield from (f"-{line}" for line in change.old)
        yield from (f"+{line}" for line in change.new)
        yield from (f" {line}" for line in lines[change.end : following.start])


def _range(start: int, length: int) -> str:
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
