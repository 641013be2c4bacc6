"""The diff of a plan: as git and `patch` read it, and as the standard library would write it."""

import difflib
import re
import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.diff import unified_diff
from cukereuse_engine.refactor.edits import edited, span_edit
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit

LINES = st.sampled_from(["Given a\n", "When b\r\n", "\n", "  x\n", "é\u2028z\n", "y"])
TEXTS = st.lists(LINES, max_size=40).map("".join)


def planned(text: str, edits: list[TextEdit], path: str = "features/a.feature") -> FileEdits:
    return FileEdits(path, content_hash(text.encode()), tuple(edits), True, "utf-8")


def diff(text: str, edits: list[TextEdit]) -> list[str]:
    return list(unified_diff([planned(text, edits)], lambda _: text.encode()))


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(TEXTS)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = [(places[at], places[at + 1]) for at in range(0, len(places) - 1, 2)]
    news = [draw(st.sampled_from(["", "new", "new\n", "two\nlines\n", "Given a\n"])) for _ in pairs]
    return text, [span_edit(text, start, end, new) for (start, end), new in zip(pairs, news, strict=True)]


def test_one_line() -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    edits = [span_edit(text, text.index("7"), text.index("7") + 1, "seven")]
    assert "".join(diff(text, edits)) == (
        "--- a/features/a.feature\n+++ b/features/a.feature\n@@ -5,7 +5,7 @@\n"
        " line 4\n line 5\n line 6\n-line 7\n+line seven\n line 8\n line 9\n line 10\n"
    )


@given(st.sets(st.integers(0, 59), max_size=12), st.booleans())
def test_lines_that_change_are_shown_as_the_standard_library_shows_them(changed: set[int], ends: bool) -> None:
    lines = [f"  When {number} is said\n" for number in range(60)]
    text = "".join(lines) if ends else "".join(lines).removesuffix("\n")
    places = [(text.index(f" {number} "), number) for number in sorted(changed)]
    edits = [span_edit(text, at, at + len(str(number)) + 1, f" other{number}") for at, number in places]
    after = edited(text, edits)
    pieces = [re.findall(r"[^\n]*\n|[^\n]+\Z", content) for content in (text, after)]
    wanted = difflib.unified_diff(*pieces, "a/features/a.feature", "b/features/a.feature")
    assert diff(text, edits) == [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in wanted
    ]


def test_git_applies_a_diff_to_what_the_edits_give(tmp_path: Path) -> None:

    @settings(max_examples=40)  # each starts git
    @given(edited_texts())
    def patches(case: tuple[str, list[TextEdit]]) -> None:
        text, edits = case
        after = edited(text, edits)
        lines = diff(text, edits)
        assert bool(lines) == (after != text)
        if not lines:
            return
        (tmp_path / "features").mkdir(exist_ok=True)
        (tmp_path / "features/a.feature").write_bytes(text.encode())
        command = ["git", "apply", "--unsafe-paths", f"--directory={tmp_path}", "-"]
        subprocess.run(command, input="".join(lines).encode(), check=True, cwd="/", capture_output=True)
        assert (tmp_path / "features/a.feature").read_bytes() == after.encode()

    patches()
