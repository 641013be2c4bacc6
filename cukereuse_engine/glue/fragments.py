"""What every text that a pattern matches must contain: the prefilter between texts and step definitions.

A filter never loses a match: anything that is not understood gives no requirement. Texts and requirements are folded
character by character before they are compared, so that a text contains the same parts as before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cukereuse_engine.glue.regexes import Token, TokenKind

_OPENING = (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN)

_WORD = re.compile(r"\w+")
_FOLD: dict[int, int | str] = {
    **{code: code + 32 for code in range(ord("A"), ord("Z") + 1)},
    0x130: "i",
    0x131: "i",
    0x17F: "s",
    0x212A: "k",
}
"""ASCII to lower case, and the four other characters that case-insensitive regex engines treat as an ASCII letter
(dotted and dotless I, long s, the Kelvin sign)."""


def fold(text: str) -> str:
    """`text` for comparing: of the same length, with each character folded by itself."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def words(folded: str) -> frozenset[str]:
    """The words of a folded text."""
    return frozenset(_WORD.findall(folded))


@dataclass(frozen=True, slots=True)
class Requirement:
    fragments: tuple[str, ...] = ()
    """Folded fragments that a matching text contains anywhere."""
    words: frozenset[str] = frozenset()
    """Folded words that a matching text contains as whole words."""

    def allows(self, folded: str) -> bool:
        return all(fragment in folded for fragment in self.fragments)


@dataclass(slots=True)
class _Run:
    """A sequence of literal characters."""

    chars: list[str]
    left_bound: bool
    """True if nothing to the left of the run can belong to its first word."""
    right_bound: bool = False


class _Reader:
    def __init__(self, parts: Sequence[Token], ignore_case: bool) -> None:
        self.parts = parts
        self.ignore_case = ignore_case
        self.runs: list[_Run] = []

    def sequence(self, start: int, end: int, left_bound: bool, right_bound: bool) -> None:
        """Collect the runs of `parts[start:end]`, which must contain no bar at its own level."""
        run = _Run([], left_bound)
        at = start
        while at < end:
            part = self.parts[at]
            if part.kind is TokenKind.LITERAL and not (self.ignore_case and not part.literal.isascii()):
                run = self._literal(run, part, self._minimum(at + 1, end))
            elif part.kind is TokenKind.START and at == start:
                run.left_bound = True
            elif part.kind is TokenKind.END and at == end - 1:
                run.right_bound = True
            elif part.kind in _OPENING:
                run = self._close(run)
                at = self._group(at, end)
            elif part.kind is not TokenKind.OTHER or part.text:
                run = self._close(run)
            at += 1
        run.right_bound = run.right_bound or right_bound
        self._close(run)

    def _literal(self, run: _Run, part: Token, minimum: int | None) -> _Run:
        """The run after a literal that occurs at least `minimum` times; None: once, as written."""
        if minimum != 0:
            run.chars.append(part.literal)
        return run if minimum is None else self._close(run)

    def _group(self, at: int, end: int) -> int:
        """Collect what a group must contain. Returns the place of its end."""
        close = self._closing(at, end)
        looks = self.parts[at].kind is TokenKind.LOOK_OPEN
        if not looks and self._minimum(close + 1, end) != 0 and not self.has_bar(at + 1, close):
            self.sequence(at + 1, close, False, False)
        return close

    def _close(self, run: _Run) -> _Run:
        if run.chars:
            self.runs.append(run)
        return _Run([], False)

    def _minimum(self, at: int, end: int) -> int | None:
        """The minimum of the quantifier at `at`; None if there is none."""
        if at >= end or self.parts[at].kind is not TokenKind.QUANTIFIER:
            return None
        text = self.parts[at].text
        if text[0] == "{":
            digits = text[1:].split(",")[0].split("}")[0]
            return int(digits) if digits else 0
        return 1 if text[0] == "+" else 0

    def _closing(self, at: int, end: int) -> int:
        depth = 0
        for index in range(at, end):
            kind = self.parts[index].kind
            if kind in (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN):
                depth += 1
            elif kind is TokenKind.CLOSE:
                depth -= 1
                if depth == 0:
                    return index
        return end  # unbalanced: the pattern will not compile

    def has_bar(self, start: int, end: int) -> bool:
        depth = 0
        for part in self.parts[start:end]:
            if part.kind in (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN):
                depth += 1
            elif part.kind is TokenKind.CLOSE:
                depth -= 1
            elif part.kind is TokenKind.BAR and depth == 0:
                return True
        return False

    @property
    def balanced(self) -> bool:
        depth = 0
        for part in self.parts:
            depth += part.kind in (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN)
            depth -= part.kind is TokenKind.CLOSE
            if depth < 0:
                return False
        return depth == 0


def requirement(parts: Sequence[Token], *, ignore_case: bool, starts: bool, ends: bool) -> Requirement:
    """What a text must contain to match. `starts`, `ends`: the match begins (ends) where the text does."""
    ignore_case = ignore_case or any("i" in part.literal for part in parts if part.kind is TokenKind.OTHER)
    reader = _Reader(parts, ignore_case)
    if not reader.balanced or reader.has_bar(0, len(parts)):
        return Requirement()
    reader.sequence(0, len(parts), starts, ends)
    fragments: list[str] = []
    whole: set[str] = set()
    for run in reader.runs:
        folded = fold("".join(run.chars))
        fragments.append(folded)
        for word in _WORD.finditer(folded):
            left = word.start() > 0 or run.left_bound
            right = word.end() < len(folded) or run.right_bound
            if left and right:
                whole.add(word.group())
    return Requirement(tuple(sorted(set(fragments), key=lambda text: (-len(text), text))), frozenset(whole))


def literal_requirement(text: str) -> Requirement:
    """The requirement of an expression that is the text itself."""
    folded = fold(text)
    return Requirement((folded,), words(folded))
