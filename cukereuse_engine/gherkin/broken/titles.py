"""Badly written titles: what a line was meant to be if the official parser does not accept it as a title.

A blank or a no-break space before the colon, a full-width colon, the colon at the line's end or none at all, another
case, a wrong letter. Whether such a line is a title at all depends on its surroundings.
"""

import re
from dataclasses import dataclass
from functools import cache

from cukereuse_engine.gherkin.dialects import keywords

COLONS = (":", "\uff1a", "\ufe55", "\u2236", "\ufe13")
"""The colon, the full-width and the small one, the ratio sign and the vertical form."""
_BARE_KINDS = frozenset({"feature", "rule", "scenario", "scenarioOutline", "background"})


@dataclass(frozen=True, slots=True)
class BadTitle:
    keyword: str
    kind: str
    """"feature", "rule", "background", "scenario", "scenarioOutline", "examples"."""
    name: str
    is_sure: bool
    """A colon follows the keyword: no sentence begins so."""

    @property
    def better(self) -> str:
        return f"{self.keyword}: {self.name}".rstrip()


def bad_title(line: str, language: str, *, features: bool = False) -> BadTitle | None:
    """The mistake in a title; None for a correct title, and for any other line. A feature's title is searched only with
    `features`, because there can't be a second one."""
    text = line.strip()
    titles = [(title, kind) for title, kind in keywords(language).titles if features or kind != "feature"]
    # longest first; of those that differ only in case, the one that is written
    for title, kind in sorted(titles, key=lambda pair: (-len(pair[0]), not text.startswith(pair[0]))):
        begun = _as_written(title).match(text)
        if begun is None:
            continue
        is_exact, rest = begun.group() == title, text[begun.end() :]
        if is_exact and rest.startswith(":"):
            return None
        bad = _with_colon(title, kind, rest, is_exact=is_exact)
        if bad is None and not _slip(text, titles):
            bad = _without_colon(title, kind, rest, is_exact=is_exact)
        if bad is not None:
            return bad
    return _slip(text, titles)


def _with_colon(title: str, kind: str, rest: str, *, is_exact: bool) -> BadTitle | None:
    """A title with a keyword and some colon, perhaps after a blank."""
    after = rest.lstrip()
    if not after.startswith((*COLONS, ";")):
        return None
    return BadTitle(title, kind, after[1:].strip(), is_exact and not after.startswith(";"))


def _without_colon(title: str, kind: str, rest: str, *, is_exact: bool) -> BadTitle | None:
    """A title with a keyword as a word, and a colon at the end of the line or none."""
    if rest and not rest[0].isspace():
        return None
    if kind == "examples" and is_exact and not rest:
        return BadTitle(title, kind, "", is_sure=False)
    if kind not in _BARE_KINDS or not (is_exact or " " in title):
        return None
    after = rest.lstrip()
    has_colon = after.endswith(COLONS)
    name = (after[:-1] if has_colon else after).lstrip("-–—").strip()
    return BadTitle(title, kind, name, has_colon and len(after) > 1)


def _slip(text: str, titles: list[tuple[str, str]]) -> BadTitle | None:
    """A title with one wrong letter before the first colon."""
    at = min((colon_at for colon in COLONS if (colon_at := text.find(colon)) >= 0), default=-1)
    written = text[: max(at, 0)].strip().casefold()
    near = ((t, k) for t, k in titles if at >= 0 and len(t) > 4 and one_edit(written, t.casefold()))
    title, kind = next(near, ("", ""))
    return BadTitle(title, kind, text[at + 1 :].strip(), is_sure=True) if title else None


@cache
def _as_written(title: str) -> re.Pattern[str]:
    """Matches a title's keyword in any case, with its words apart, joined or hyphenated."""
    return re.compile(r"[\s_-]*".join(map(re.escape, title.split(" "))), re.IGNORECASE)


def one_edit(a: str, b: str) -> bool:
    """True if one insertion, deletion, replacement or swap of adjacent letters turns `a` into `b`."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    return (
        rest_a[1:] == rest_b[1:]
        or rest_a[1:] == rest_b
        or rest_a == rest_b[1:]
        or (rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:])
    )
