"""The keywords of a Gherkin dialect, in the forms that warnings and recovery need. Never reads a file."""

import difflib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from gherkin.dialect import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLE_KINDS = ("feature", "rule", "background", "scenario", "scenarioOutline", "examples")
STEP_KINDS = ("given", "when", "then", "and", "but")


@dataclass(frozen=True, slots=True)
class Keywords:
    steps: tuple[str, ...]
    """Keywords as the dialect has them ("Given ", "* "), longest first, without `* `."""
    words: tuple[str, ...]
    """Keywords that end with a blank, without it."""
    conjunctions: tuple[str, ...]
    """And, But."""
    titles: tuple[tuple[str, str], ...]
    """Keyword (no colon) and kind, longest first."""
    feature: str
    """The dialect's first word for "Feature"."""


@cache
def keywords(language: str) -> Keywords:
    """The keywords of `language`; those of English if there is no such dialect."""
    spec = cast("Mapping[str, list[str]]", DIALECTS.get(language) or DIALECTS["en"])
    steps = sorted({word for kind in STEP_KINDS for word in spec[kind] if word != "* "}, key=lambda w: (-len(w), w))
    pairs = {(title, kind) for kind in TITLE_KINDS for title in spec[kind]}
    titles = sorted(pairs, key=lambda pair: (-len(pair[0]), pair))
    conjunctions = tuple(word for word in spec["and"] + spec["but"] if word != "* ")
    return Keywords(
        tuple(steps),
        tuple(w.rstrip() for w in steps if w.endswith(" ")),
        conjunctions,
        tuple(titles),
        spec["feature"][0],
    )


def nearest_language(name: str) -> str:
    """The known dialect whose id is nearest to `name` (a prefix before letters: `en-US` is English), else ""."""
    folded = {dialect.casefold(): dialect for dialect in DIALECTS}
    wanted = name.casefold().replace("_", "-")
    for candidate in (wanted, wanted.split("-")[0], wanted[:2]):
        if candidate in folded:
            return folded[candidate]
    close = difflib.get_close_matches(wanted, folded, 1, 0.5)
    return folded[close[0]] if close else ""


def language_of_title(line: str, lines: list[str]) -> str:
    """The dialect that knows the title at the beginning of `line`, and most of the other lines; or ""."""
    text = line.strip()
    fitting = [
        language
        for language in DIALECTS
        if any(kind != "examples" and text.startswith(f"{word}:") for word, kind in keywords(language).titles)
    ]
    sample = [other.strip() for other in lines[:100]]
    return max(fitting, key=lambda name: sum(t.startswith(keywords(name).steps) for t in sample), default="")
