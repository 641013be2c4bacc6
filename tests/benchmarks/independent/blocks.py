"""Finds the home of definitions of jest-cucumber and vitest-cucumber by the lines around them.

A test file names its feature by `loadFeature("path")`; of the lines above a definition, those further out open its
blocks: the feature's, and often one that names a scenario. A definition outside any feature's block is shared. Also
reads the tags of playwright-bdd's definitions, from their call and its `createBdd`, the `[Scope]` of Reqnroll and
SpecFlow, and the tag of Turnip's `steps_for`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

PLAYWRIGHT = "playwright-bdd"
VITEST = "vitest-cucumber"
TURNIP = "turnip"
FRAMEWORKS = frozenset({"jest-cucumber", VITEST})
_LOADS = re.compile(r"loadFeature\w*\(\s*([\"'`])(.+?)\1")
_FEATURE = re.compile(r"\b(?:define|describe)Feature(?:\.\w+)?\(")
_STEPS_FOR = re.compile(r"\s*steps_for[\s(]+:(\w+)")
_CLASS = re.compile(r"(?:@Fixture(?:<[^>]*>)?\(([^)]*)\)\s*)?(?:export\s+)?(?:abstract\s+)?\bclass\s+\w+")
_OPTIONS = re.compile(r"\s*,\s*\{[^{}]*?\btags:\s*([\"'`])(.*?)\1")
_NAMES = "test|it|Scenario|ScenarioOutline|Background|RuleBackground"
_BLOCK = re.compile(rf"\b({_NAMES})(?:\.\w+)?\(\s*(?:([\"'`])(.*?)\2)?")


@dataclass(frozen=True)
class Home:
    feature: str
    """The feature, as the file names it."""
    scenario: str
    """Title of the scenario; empty: the whole feature."""
    background: str
    """The background: "feature", "rule", or empty if it is none."""

    def holds(self, source: str, path: str, titles: Sequence[str], *, background: str) -> bool:
        """True if a step of the feature at `path` may use this definition; `titles`: of the scenarios that run it."""
        if not _is_named(self.feature, source, path):
            return False
        if self.background:
            return background == self.background
        return not self.scenario or any(_words(title) == _words(self.scenario) for title in titles)


def home_of(text: str, line: int) -> Home | None:
    """The home of the definition on a 1-based line; None if it is in no feature's block."""
    lines = text.splitlines()
    loads = [(text.count("\n", 0, match.start()) + 1, match.group(2)) for match in _LOADS.finditer(text)]
    if not loads:
        return None
    feature = next((path for number, path in reversed(loads) if number <= line), loads[0][1])
    indent = _indent(lines[line - 1])
    inside: re.Match[str] | None = None
    for at in range(line - 2, -1, -1):
        above = lines[at]
        if above.strip() and _indent(above) < indent:
            indent = _indent(above)
            if _FEATURE.search(above):
                name, title = (inside.group(1), inside.group(3) or "") if inside is not None else ("", "")
                return Home(feature, title, {"Background": "feature", "RuleBackground": "rule"}.get(name, ""))
            block = _BLOCK.search(" ".join(lines[at : at + 2]))
            inside = inside or (block if block is not None and block.start() < len(above) else None)
    return None


def tags_of(text: str, start: int, end: int) -> list[str]:
    """All tag expressions of a playwright-bdd definition: those of its call, of the `@Fixture` around it, and of the
    `createBdd` of its keyword. `start`, `end`: code point offsets of its expression."""
    own = _OPTIONS.match(text, end)
    tags = [own.group(2)] if own is not None else []
    classes = list(_CLASS.finditer(text, 0, start))
    around = re.search(r"tags:\s*([\"'`])(.*?)\1", classes[-1].group(1) or "") if classes else None
    tags += [around.group(2)] if around is not None else []
    keyword = re.search(r"(\w+)\(\s*\Z", text[max(start - 60, 0) : start])
    if keyword is not None:
        made = rf"\b{keyword.group(1)}\b[^;={{}}]*\}}\s*=\s*createBdd\([^;]*?tags:\s*([\"'`])(.*?)\1"
        tags += [match.group(2) for match in re.finditer(made, text)]
    return tags


_SCOPE = re.compile(r"\bScope\(([^)]*)\)")
_CRITERION = re.compile(r"\b(Tag|Feature|Scenario)\s*=\s*@?\"([^\"]*)\"")


def scopes_of(text: str, line: int) -> list[dict[str, str]]:
    """The conditions of each `[Scope]` of a C# method, whose attribute is on a 1-based line, and of its class. None:
    the definition applies everywhere."""
    lines = text.splitlines()
    first = line - 1
    while first > 0 and lines[first - 1].strip().startswith("["):
        first -= 1
    last = line - 1
    while last + 1 < len(lines) and lines[last + 1].strip().startswith("["):
        last += 1
    own = lines[first : last + 1]
    classes = [at for at in range(first) if re.match(r"\s*(?:[a-z]+ )*(?:partial )?class \w+", lines[at])]
    at = classes[-1] - 1 if classes else -1
    while at >= 0 and lines[at].strip().startswith("["):
        own.append(lines[at])
        at -= 1
    return [dict(_CRITERION.findall(scope)) for scope in _SCOPE.findall("\n".join(own))]


def _is_named(named: str, source: str, path: str) -> bool:
    """True if a path from some folder around the source, or its own, names the feature."""
    parts = [part for part in named.split("/") if part not in (".", "..")]
    here = PurePath(source).parent
    return any(PurePath(folder, *parts) == PurePath(path) for folder in (here, *here.parents))


def tag_of_turnip(text: str, line: int) -> str:
    """The tag of the block around a 1-based line; empty if it is global."""
    lines = text.splitlines()
    indent = _indent(lines[line - 1])
    for at in range(line - 2, -1, -1):
        if lines[at].strip() and _indent(lines[at]) < indent:
            indent = _indent(lines[at])
            block = _STEPS_FOR.match(lines[at])
            if block is not None:
                return block.group(1)
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _words(title: str) -> list[str]:
    return title.lower().split()
