"""Finds lines of a description that were probably meant as steps or titles.

The official parser takes them for prose and says nothing: `Given: a`, a keyword followed by a tab, `Givn a`, a step
above the first scenario. This module only warns; such a line does not become a step.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cukereuse_engine.gherkin.broken.titles import BadTitle, bad_title, one_edit
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.records import Note

_SHOWN = 60
"""Longest part of a line (code points) that a message repeats."""
_HEADING, _BULLET = re.compile(r"\s*#+\s+"), re.compile(r"\s*[*-]\s+")
"""The beginnings of Markdown's headings and list items."""
_CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_ORDINARY = frozenset(
    [
        "them",
        "they",
        "than",
        "thin",
        "these",
        "there",
        "their",
        "theme",
        "thee",
        "give",
        "gives",
        "giver",
        "even",
        "where",
        "what",
        "whom",
        "while",
        "whenever",
        "open",
        "oven",
        "seven",
        "liver",
        "live",
        "river",
        "wheel",
        "hence",
        "dozen",
        "want",
        "went",
        "adds",
        "hand",
        "land",
        "band",
        "sand",
        "andy",
        "buts",
        "butt",
    ]
)
"""English words that are nearly spelled like a keyword."""
_SLIPS = {
    "and": frozenset(["adn", "nad", "ans", "amd", "andd", "aand", "anf", "abd", "nd"]),
    "but": frozenset(["bt", "btu", "butt", "bbut"]),
}
"""Usual misspellings of keywords that are too short to compare by distance."""


_Judged = tuple[int, str, tuple[str, str] | None]
"""The number of a line, the line, and what `_judge` says of it."""


@dataclass(slots=True)
class Prose:
    """The description below one title."""

    kind: str
    """"start" (above any feature), "feature", "rule", "background", "scenario" or "examples"."""
    title_line: int
    lines: list[tuple[int, str]] = field(default_factory=list)
    """Line number and raw line."""
    ended_by: str = "end"
    """"step", "title" or "end"."""


def suspects(prose: Prose, language: str) -> list[Note]:
    """Warnings for one description."""
    lines = _judged(prose, language)
    in_block = prose.kind in ("scenario", "background")
    notes: list[Note] = []
    for at, (number, line, judged) in enumerate(lines):
        if judged is None:
            continue
        kind, better = judged
        if kind == "sure" or (kind == "near" and in_block and all(other[2] for other in lines[at:])):
            notes.append(_note(number, line, f'Not a step. Write "{shorten(better)}".' if in_block else _OUTSIDE))
        elif kind in ("conflict", "title"):
            notes.append(_note(number, line, better))
    titles = list(_misspelt_titles(prose, language))
    if not in_block and not titles:
        notes += _steps_outside(prose, language)
    notes += titles
    return sorted({note.line: note for note in notes}.values(), key=lambda note: note.line)


def _judged(prose: Prose, language: str) -> "list[_Judged]":
    lines: list[_Judged] = []
    for number, line in prose.lines:
        judged = _judge(line, language) if line.strip() else None
        if judged is not None and judged[0] == "near" and _continues(number, line, judged[1], lines, language):
            judged = None
        if line.strip():
            lines.append((number, line, judged))
    return lines


def _continues(number: int, line: str, better: str, above: "list[_Judged]", language: str) -> bool:
    """True if a line in small letters goes on with a sentence: with the prose above it, or, as no step comes before it,
    with the title."""
    if line.strip()[:1].isupper():
        return False
    if not above:
        return any(better.startswith(word) for word in keywords(language).conjunctions)
    return above[-1][0] == number - 1 and above[-1][2] is None


_OUTSIDE = 'Not a step: it is outside any scenario. Write "Scenario:" above it.'


def _note(number: int, line: str, message: str) -> Note:
    return Note(number, len(line) - len(line.lstrip()) + 1, message)


def shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _judge(line: str, language: str) -> tuple[str, str] | None:
    """The likely meaning of a line: ("sure" | "near", the right step), or ("conflict" | "title", message)."""
    if _CONFLICT.match(line):
        return "conflict", "Merge-conflict marker: both sides are read. Resolve the conflict."
    better = correction(line, language)
    if better is not None:
        return ("sure" if _is_marked(line, language) else "near"), better
    text = line.strip()
    for title, kind in keywords(language).titles:
        if kind == "feature" and text.startswith(f"{title}:"):
            return "title", f'A second "{title}:" is read as description. Move it to a file of its own.'
    return None


def _is_marked(line: str, language: str) -> bool:
    """True if a line begins with a keyword that is followed by something else than a space: a colon, a tab."""
    text = line.strip()
    return any(text.startswith(word) and text[len(word) : len(word) + 1] != " " for word in keywords(language).words)


def correction(line: str, language: str) -> str | None:
    """The step that a line was probably meant to be, or None."""
    text = line.strip()
    dialect_words = keywords(language)
    for word in dialect_words.words:
        rest = text[len(word) :]
        if rest[:1] and text.startswith(word) and (rest[0] == ":" or (rest[0].isspace() and rest[0] != " ")):
            return f"{word} {rest[1:].strip()}" if rest[1:].strip() else None
    if text.startswith("*\t"):
        return f"* {text[1:].strip()}"
    match = re.match(r"(\w+)\s+(\S.*)", text)
    if match is None:
        return None
    first, rest = match.groups()
    near = _nearest_word(first, language)
    return f"{near} {rest}" if near else None


def _nearest_word(word: str, language: str) -> str:
    folded = word.casefold()
    words = [keyword for keyword in keywords(language).words if keyword[:1].isalpha() and " " not in keyword]
    for keyword in words:
        if folded == keyword.casefold() and word != keyword:
            return keyword
    if language.startswith("en") and folded in _ORDINARY:
        return ""
    for keyword in words:
        target = keyword.casefold()
        if folded in _SLIPS.get(target, ()) or (len(target) > 3 and len(folded) > 3 and one_edit(folded, target)):
            return keyword
    return ""


@dataclass(slots=True)
class _Below:
    """The contents below a line of a description; the lines are read from the last one up."""

    is_step: bool
    """True if a step is directly below it."""
    has_steps: bool = False
    """True if a paragraph below it begins with a step."""
    ends_in_step: bool = False
    """True if the last line of its paragraph is a step."""
    ended_by_title: bool = False
    """True for the last line, if a title ends the description."""

    def follows(self, title: BadTitle, *, begins: bool) -> bool:
        """True if steps or, below a rule, another title follow, as a title needs. Without a colon, a title needs them
        close by. `begins`: the title is the first line of its paragraph."""
        if title.kind == "rule":
            return self.ended_by_title and (title.is_sure or begins)
        return self.is_step or (self.has_steps and title.is_sure) or (begins and self.ends_in_step)

    def add(self, *, is_step: bool, begins: bool) -> None:
        """Go on to the line above."""
        self.is_step, self.ended_by_title = is_step, False
        self.has_steps |= is_step and begins


def _misspelt_titles(prose: Prose, language: str) -> Iterator[Note]:
    """Lines that were probably meant as titles, last one first. An English title counts in another language if English
    steps follow it."""
    lines = [(number, line) for number, line in prose.lines if line.strip()]
    in_block = prose.kind in ("scenario", "background")
    below = _Below(prose.ended_by == "step", ended_by_title=prose.ended_by == "title")
    for at in range(len(lines) - 1, -1, -1):
        number, line = lines[at]
        next_number, next_line = lines[at + 1] if at + 1 < len(lines) else (number + 2, "")
        is_step = _is_step(line, language) or line.strip().startswith(("* ", "- "))
        if next_number > number + 1:
            below.ends_in_step = is_step
        begins = at == 0 or number > lines[at - 1][0] + 1
        title = bad_title(_HEADING.sub("", line), language)
        if title is not None and below.follows(title, begins=begins):
            if title.is_sure or not (in_block or _is_prose(line, next_line, language)):
                yield _note(number, line, f'Not a title. Write "{shorten(title.better)}".')
        elif next_line and (foreign := _foreign_title(line, next_line, language)):
            yield _note(number, line, foreign)
        below.add(is_step=is_step, begins=begins)


def _is_prose(line: str, next_line: str, language: str) -> bool:
    """True if a line without a colon is part of a text."""
    if _is_sentence(line) or _goes_on(next_line, language):
        return True
    return _is_sentence(next_line) and _BULLET.sub("", next_line).strip().startswith(keywords(language).steps)


def _foreign_title(line: str, below: str, language: str) -> str:
    """The message for an English title in a file of another language, with English steps below it; "" for other
    lines."""
    if language.startswith("en") or not below.strip().startswith(keywords("en").steps):
        return ""
    text = line.strip()
    kind = next((kind for title, kind in keywords("en").titles if text.startswith(f"{title}:")), "")
    own = next((title for title, own_kind in reversed(keywords(language).titles) if own_kind == kind), "")
    return f'Not a title in the language "{language}". Write "{own}:".' if own else ""


def _steps_outside(prose: Prose, language: str) -> Iterator[Note]:
    """Paragraphs that consist of steps only."""
    for paragraph in _paragraphs(prose.lines):
        if all(_is_step(line, language) for _, line in paragraph) and _reads_as_steps(paragraph, language):
            number, line = paragraph[0]
            yield _note(number, line, _OUTSIDE)


def _paragraphs(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    paragraph: list[tuple[int, str]] = []
    for number, line in lines:
        if paragraph and (not line.strip() or number != paragraph[-1][0] + 1):
            yield paragraph
            paragraph = []
        if line.strip():
            paragraph.append((number, line))
    if paragraph:
        yield paragraph


def _is_step(line: str, language: str) -> bool:
    line = _BULLET.sub("", line)
    return line.strip().startswith(keywords(language).steps) or _is_marked(line, language)


def _reads_as_steps(paragraph: list[tuple[int, str]], language: str) -> bool:
    """True if a paragraph of steps is no sentence, such as "And so on", or one line with a comma or a full stop."""
    first = _BULLET.sub("", paragraph[0][1]).strip()
    return not (len(paragraph) == 1 and _is_sentence(first)) and not first.startswith(keywords(language).conjunctions)


def _goes_on(line: str, language: str) -> bool:
    """True if a line is a sentence that begins with a conjunction; no scenario's first step does."""
    return _is_sentence(line) and line.strip().startswith(keywords(language).conjunctions)


def _is_sentence(line: str) -> bool:
    return ", " in line or line.rstrip().endswith((".", "!", "?", "。", "।"))
