"""The scenarios that a suite of Behat runs: its paths, and filters by tags, titles, roles and descriptions."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import regex

from cukereuse_engine.gherkin.dialects import keywords

_SECONDS = 0.2
"""The time that a filter's regex may take."""
_MOST_BYTES = 20_000
"""How much of a feature file is searched for its description."""
_LANGUAGE = re.compile(r"\A(?:\s*#.*\n)*?\s*#\s*language\s*:\s*([\w-]+)")


@dataclass(frozen=True, slots=True)
class BehatScenario:
    """The properties of a scenario that the filters of suites look at."""

    path: str
    """The absolute path of the feature file."""
    tags: tuple[str, ...] = ()
    feature: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class BehatSuite:
    """A suite as it is configured."""

    name: str
    contexts: tuple[str, ...]
    """Class names, or ids of services."""
    paths: tuple[str, ...]
    """Absolute: feature files and folders of them."""
    tags: str = ""
    """Filter that a scenario's tags must pass; empty: all do."""
    title: str = ""
    """Filter that the scenario's title or its feature's must pass."""
    role: str = ""
    """The role that the feature's description must name."""
    narrative: str = ""
    """Regex that the feature's description must match."""
    profile: str = ""
    is_implied: bool = False
    """True for Behat's own default suite beside suites that other profiles name; it exists only if its class does."""

    def takes(self, scenario: BehatScenario, narrative_of: Callable[[str], str]) -> bool:
        """True if the suite runs a scenario. `narrative_of` gives the description of the feature at a path."""
        if self.tags and not passes(scenario.tags, self.tags):
            return False
        if self.title and not any(has_title(title, self.title) for title in (scenario.feature, scenario.title)):
            return False
        return not (self.role or self.narrative) or self._is_for(narrative_of(scenario.path))

    def _is_for(self, narrative: str) -> bool:
        """True if the description passes both filters (behat/gherkin, RoleFilter.php, NarrativeFilter.php)."""
        role = re.escape(self.role).replace(r"\*", ".*").replace(r"\?", ".")
        if self.role and not re.search(rf"as an? {role}[$\n]", narrative, re.IGNORECASE):
            return False
        return not self.narrative or _matches(self.narrative, narrative)


def text_on_disk(path: str) -> str:
    """The beginning of a feature file; empty where it can't be read."""
    try:
        with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""


def description_in(text: str) -> str:
    """The lines between a feature's title and what follows the description; empty if there is no title."""
    language = _LANGUAGE.match(text)
    titles = keywords(language[1] if language else "en").titles
    feature = "|".join(re.escape(word) for word, kind in titles if kind == "feature")
    others = "|".join(re.escape(word) for word, kind in titles if kind not in ("feature", "examples"))
    title = re.search(rf"^[ \t]*(?:{feature}):.*\n", text, re.MULTILINE)
    below = text[title.end() :] if title else ""
    return re.split(rf"^[ \t]*(?:@|(?:{others}):)", below, maxsplit=1, flags=re.MULTILINE)[0]


def has_title(title: str, title_filter: str) -> bool:
    """True if the title contains the filter, or matches it if it is a regex (behat/gherkin, NameFilter.php)."""
    return _matches(title_filter, title) if title_filter.startswith("/") else title_filter in title


def _matches(pattern: str, text: str) -> bool:
    """True also for a pattern that is no valid regex here: such a filter limits nothing."""
    body, _, letters = pattern[1:].rpartition(pattern[:1])
    flags = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "x": regex.VERBOSE}
    try:
        compiled = regex.compile(body, sum({flags.get(letter, 0) for letter in letters}))
        return compiled.search(text, timeout=_SECONDS) is not None
    except (regex.error, RecursionError, TimeoutError):
        return True


def passes(tags: tuple[str, ...], tag_filter: str) -> bool:
    """True if a scenario with these tags passes a filter such as `@a,@b&&~@c` (behat/gherkin, TagFilter.php)."""
    own = bare(tags)
    return all(
        any((name in own) is not denied for name, denied in alternatives) for alternatives in _conditions(tag_filter)
    )


def needed_tag(tag_filter: str) -> str:
    """A tag that every scenario must have to pass a filter; empty if no single tag is needed, or if it is unknown."""
    sure = (alternatives[0] for alternatives in _conditions(tag_filter) if len(alternatives) == 1)
    return next((name for name, denied in sure if not denied), "") if tag_filter else ""


@lru_cache(maxsize=10_000)
def bare(tags: tuple[str, ...]) -> frozenset[str]:
    return frozenset(tag.lstrip("@") for tag in tags)


@lru_cache(maxsize=10_000)
def _conditions(tag_filter: str) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """The conditions of a filter, which must all hold: each is alternatives of a tag, and True if it must be absent."""
    return tuple(
        tuple(
            (name.removeprefix("~").strip().lstrip("@"), name.startswith("~"))
            for name in map(str.strip, alternatives.split(","))
        )
        for alternatives in tag_filter.split("&&")
    )
