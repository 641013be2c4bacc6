"""Where a DocString ends in a file that the official parser refuses: perhaps it was never closed.

Reads lines only; makes no steps.
"""

from bisect import bisect_right
from collections.abc import Callable

FENCES = ('"""', "```")


def fence_of(line: str, *, markdown: bool = False) -> str:
    """The DocString separator that a line begins with, or ""."""
    text = line.lstrip()
    if markdown and text.startswith("````"):
        return "````"
    return next((fence for fence in FENCES if text.startswith(fence)), "")


class DocStrings:
    """`is_title` tells whether a line begins a feature, rule, background, scenario or examples table; `may_follow`
    whether it may stand after a closed DocString."""

    def __init__(self, lines: list[str], is_title: Callable[[int], bool], may_follow: Callable[[int], bool]) -> None:
        self._lines = lines
        self._is_title = is_title
        self._may_follow = may_follow
        self._separators: dict[str, list[int]] = {}

    def end(self, opener: int, fence: str, title_indent: int) -> tuple[int, bool]:
        """Index of the closing line and True; or, unclosed, of the first line that is no part of it, and False.

        `opener` and the result are indices of lines. A DocString may hold Gherkin, so a title inside one proves
        nothing where it stands deeper than the scenario's own title, at `title_indent`.
        """
        found = self._of(fence)
        at = bisect_right(found, opener)
        closer = found[at] if at < len(found) else None
        barrier = self._next_title(opener, closer if closer is not None else len(self._lines), title_indent)
        if closer is None:
            return barrier if barrier is not None else len(self._lines), False
        if barrier is None or self._closes(closer, fence, remaining=len(found) - at):
            return closer, True
        return barrier, False

    def _closes(self, closer: int, fence: str, *, remaining: int) -> bool:
        """Whether a separator below a title closes the DocString all the same."""
        if self._lines[closer].strip() != fence:
            return False  # it opens another one: """json
        following = next((i for i in range(closer + 1, len(self._lines)) if self._lines[i].strip()), None)
        return remaining % 2 == 1 and (following is None or self._may_follow(following))

    def _of(self, fence: str) -> list[int]:
        if fence not in self._separators:
            self._separators[fence] = [i for i, line in enumerate(self._lines) if line.lstrip().startswith(fence)]
        return self._separators[fence]

    def _next_title(self, after: int, before: int, title_indent: int) -> int | None:
        """The next title that is not indented deeper than `title_indent`, or the tags and comments above it."""
        for i in range(after + 1, before):
            line = self._lines[i]
            if len(line) - len(line.lstrip()) <= title_indent and self._is_title(i):
                while i - 1 > after and self._lines[i - 1].lstrip()[:1] in ("", "@", "#"):
                    i -= 1
                return i
        return None
