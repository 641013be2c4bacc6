"""Lines that were meant as titles: with another colon, a wrong letter, half typed, or after a list's dash.

A repaired line keeps its indentation. `titles` knows which words make a title; this module looks at the lines around.
"""

import re

from cukereuse_engine.gherkin.broken.titles import BadTitle, bad_title
from cukereuse_engine.gherkin.dialects import keywords, language_of_title

_SHORTEST_TYPED = 3
"""Letters from which a word is taken for the beginning of a title."""


def repaired_feature(lines: list[str], at: int, language: str) -> str | None:
    """`Fonctionnalité : a`, `功能：a`, with any blank before the colon or with another colon; `Feature a` if no
    other line is a feature's title."""
    line = lines[at]
    title = bad_title(line, language, features=True)
    if title is None or title.kind != "feature" or (not title.is_sure and has_feature(lines, language)):
        return None
    return f"{line[: _indent(line)]}{title.better}"


def repaired_title(lines: list[str], at: int, language: str, *, above: int, indent: int) -> str | None:
    """The title that a half-typed or misspelt line was meant to be; only scenarios' titles may be half typed. `above`:
    the line of the last title; `indent`: its indentation in code points."""
    line = lines[at]
    text = re.sub(r"^[\W_]+", "", line).strip()  # a list's dash, a check mark
    title = bad_title(text, language)
    is_deeper = _indent(line) > indent
    is_title = title is not None and (title.is_sure or not is_deeper or _heads_table(title, lines, at, above))
    better = title.better if title is not None and is_title else None
    better = better or (None if is_deeper else _half_typed(text, language)) or _listed(text, line, language)
    return f"{line[: _indent(line)]}{better}" if better is not None else None


def has_feature(lines: list[str], language: str) -> bool:
    """True if a line is the title of a feature."""
    titles = tuple(f"{word}:" for word, kind in keywords(language).titles if kind == "feature")
    return any(line.lstrip().startswith(titles) for line in lines)


def not_a_feature(lines: list[str], at: int, language: str) -> str:
    """The message about a first line that begins no feature."""
    meant = language_of_title(lines[at], lines)
    if meant and meant != language:
        return f'Not Gherkin in the language "{language}". Write "# language: {meant}" in the first line.'
    return f'Not Gherkin: "{keywords(language).feature}:" is expected first.'


def _heads_table(title: BadTitle, lines: list[str], at: int, above: int) -> bool:
    """True for `Examples` between a step with a `<placeholder>` and a table that has this column."""
    below = next((line.strip() for line in lines[at + 1 :] if line.strip()), "")
    if title.kind != "examples" or not below.startswith("|"):
        return False
    named = {f"<{cell.strip()}>" for cell in below.strip("|").split("|")}
    return any(name in line for line in lines[above:at] for name in named)


def _half_typed(text: str, language: str) -> str | None:
    """The title of a scenario that somebody is typing: `Scen`."""
    written = text.casefold()
    if len(written) < _SHORTEST_TYPED:
        return None
    for keyword, kind in reversed(keywords(language).titles):
        if kind in ("scenario", "scenarioOutline") and keyword.casefold().startswith(written):
            return f"{keyword}: "
    return None


def _listed(text: str, line: str, language: str) -> str | None:
    """The title after a list's dash: `- Scenario: a`."""
    titles = tuple(f"{keyword}:" for keyword, kind in keywords(language).titles if kind != "feature")
    return text if text != line.strip() and text.startswith(titles) else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
