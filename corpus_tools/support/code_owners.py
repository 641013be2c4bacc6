"""CODEOWNERS of GitHub or GitLab: the people and teams that own a file.

GitHub: the last rule that matches a path decides (docs.github.com, "About code owners"). GitLab: the last one of each
section, unless the section excludes the path (docs.gitlab.com, "Code Owners syntax"). A file is taken for GitLab's if
it has sections or is in `.gitlab`. Lines that can't be used are ignored, as both hosts do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from wcmatch import glob

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""The first one that exists counts."""
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s.*)?)")
_SPACES = re.compile(r"(?<!\\)\s+")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.FORCEUNIX | glob.CASE


@dataclass(frozen=True, slots=True)
class _Rule:
    globs: tuple[str, ...]
    owners: tuple[str, ...]

    def matches(self, path: str) -> bool:
        return glob.globmatch(path, self.globs, flags=_FLAGS)


@dataclass(slots=True)
class _Section:
    defaults: tuple[str, ...] = ()
    rules: list[_Rule] = field(default_factory=list)
    excluded: list[_Rule] = field(default_factory=list)

    def owners(self, path: str) -> tuple[str, ...]:
        if any(rule.matches(path) for rule in self.excluded):
            return ()
        last = next((rule for rule in reversed(self.rules) if rule.matches(path)), None)
        return () if last is None else last.owners or self.defaults


class CodeOwners:
    def __init__(self, text: str = "", *, is_gitlab: bool = False) -> None:
        lines = [line for each in text.splitlines() if (line := _COMMENT.sub("", each).strip())]
        is_gitlab = is_gitlab or any(_SECTION.fullmatch(line) for line in lines)
        section = _Section()
        self._sections = {"": section}
        for line in lines:
            head = _SECTION.fullmatch(line) if is_gitlab else None
            pattern, *words = _SPACES.split(line)
            if head is not None:
                section = self._sections.setdefault(head["name"].lower(), _Section())
                section.defaults = section.defaults or _names(head["owners"].split())
            elif not pattern.startswith("!"):
                section.rules.append(_Rule(_globs(pattern, is_gitlab=is_gitlab), _names(words)))
            elif is_gitlab:
                section.excluded.append(_Rule(_globs(pattern[1:], is_gitlab=True), ()))

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file, as they are written: "@user", "@organisation/team", an address. `path`: from the
        repository's root, with `/`."""
        return tuple(dict.fromkeys(owner for section in self._sections.values() for owner in section.owners(path)))


def code_owners(folder: Path) -> CodeOwners:
    """The owners in a repository; nobody without a file that can be read."""
    for place in PLACES:
        try:
            text = (folder / place).read_text("utf-8-sig", "replace")
        except OSError:
            continue
        return CodeOwners(text, is_gitlab=place.startswith(".gitlab"))
    return CodeOwners()


def _names(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if "@" in word)


def _globs(pattern: str, *, is_gitlab: bool) -> tuple[str, ...]:
    """GitHub anchors a pattern with a slash before its end, as gitignore does, GitLab one with a slash at its start.
    The name of a folder owns what is in it on GitHub, on GitLab only with a slash at its end. GitHub has no ranges of
    characters."""
    if not is_gitlab:
        pattern = pattern.replace("[", r"\[")
    is_anchored = pattern.startswith("/") or ("/" in pattern[:-1] and not is_gitlab)
    globs = pattern.lstrip("/") if is_anchored else f"**/{pattern}"
    if pattern.endswith("/"):
        return (f"{globs}**",)
    return (globs,) if is_gitlab or pattern.endswith("/*") else (globs, f"{globs}/**")
