"""Reads what the profiles of Cucumber for Ruby load for which features, by the words of their `cucumber.yml`.

A profile that names features and what it requires runs these features with nothing else; a profile that computes
either, or has neither, tells nothing.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

FILES = ("cucumber.yml", "cucumber.yaml", "config/cucumber.yml", ".config/cucumber.yml")
_PROFILE = re.compile(r"^([\w-]+):[ \t]*(.*(?:\n(?:[ \t]+.*)?)*)", re.MULTILINE)
_VALUED = frozenset(("-t", "--tags", "-f", "--format", "-o", "--out", "-p", "--profile", "-n", "--name", "--order"))


@dataclass(frozen=True)
class Profile:
    name: str
    features: tuple[str, ...]
    required: tuple[str, ...]

    def runs(self, feature: str) -> bool:
        return any(PurePath(feature).is_relative_to(path) for path in self.features)

    def loads(self, source: str) -> bool:
        return any(PurePath(source).is_relative_to(path) for path in self.required)


def profiles_in(files: Mapping[str, str]) -> list[Profile]:
    """The profiles. `files`: the existing ones of `FILES`, with their text."""
    profiles = (_profile(name, options) for text in files.values() for name, options in _PROFILE.findall(text))
    return [profile for profile in profiles if profile is not None]


def _profile(name: str, options: str) -> Profile | None:
    words = re.sub(r"^[ \t]*#.*$", "", options.strip().removeprefix(">").removeprefix("|"), flags=re.MULTILINE)
    if "<%" in words:
        return None
    features, required, words_left = [], [], iter(shlex.split(words.strip("\"' \n")))
    for word in words_left:
        option, _, value = word.partition("=")
        if option in ("-r", "--require"):
            required.append(value or next(words_left, ""))
        elif word in _VALUED:
            next(words_left, "")
        elif not word.startswith("-"):
            features.append(word.partition(":")[0])
    return Profile(name, tuple(features), tuple(required)) if features and required else None
