"""Which feature files are Karate's.

Their steps are statements of a built-in language without step definitions, so renaming can't consolidate them. Decided
by keywords and texts alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cukereuse_engine.gherkin.feature import Step

_STATEMENT = re.compile(
    r"(?:def|match|set|replace|table|text|yaml|csv|json|xml|xmlstring|bytes|copy|configure|eval|assert|print|remove)\s"
    r"|(?:url|path|param|params|header|headers|cookie|cookies|form field|form fields|multipart \w+|request|soap action"
    r"|retry until|driver|click|input|call|callonce|karate\.\w+|if\s*\()\b"
    r"|method \w+$|status \d{3}$|responseStatus\b",
)
"""The beginning of a statement of Karate."""
_UNMISTAKABLE = re.compile(
    r"method (?:get|post|put|patch|delete|head|options|connect|trace)$"
    r"|status \d{3}$"
    r"|def [A-Za-z_]\w* ?="
    r"|match (?:each )?\S.* ?(?:==|!=|contains)"
    r"|(?:call|callonce) read ?\("
    r"|(?:def \w+ = )?(?:karate\.|read ?\(['\"])",
    re.IGNORECASE,
)
"""Text that nobody writes in a sentence."""
SHARE = 0.5
"""Least share of a Karate file's steps that are statements."""
_TEXTS = 1 << 14
"""Texts that are remembered: many files say the same, and each is asked again when its suite is mined."""


@lru_cache(_TEXTS)
def is_statement(text: str) -> bool:
    """True if a text begins like a statement; a sentence may too."""
    return _STATEMENT.match(text) is not None


@lru_cache(_TEXTS)
def is_unmistakable(text: str) -> bool:
    """True if nobody would write the text as a sentence."""
    return _UNMISTAKABLE.match(text) is not None


def karate_files(steps: Iterable[Step]) -> frozenset[str]:
    """Paths of the files that are Karate's: half of the steps are statements, and one is unmistakable."""
    texts: dict[str, list[str]] = {}
    for step in steps:
        texts.setdefault(step.path, []).append(step.text)
    return frozenset(path for path, text in texts.items() if Signs.of(text).are_karate)


class Signs(NamedTuple):
    """The evidence in one file."""

    steps: int
    statements: int
    unmistakable: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Signs":
        return cls(len(texts), sum(map(is_statement, texts)), sum(map(is_unmistakable, texts)))

    def changed(self, gone: "Signs", come: "Signs") -> "Signs":
        return Signs(*(here - old + new for here, old, new in zip(self, gone, come, strict=True)))

    @property
    def are_karate(self) -> bool:
        return self.unmistakable > 0 and self.statements >= SHARE * self.steps


def karate_statements(steps: Mapping[str, Sequence[Step]]) -> frozenset[str]:
    """The identities in `steps` whose steps are in Karate's files only."""
    files = karate_files(step for group in steps.values() for step in group)
    if not files:
        return frozenset()
    return frozenset(key for key, group in steps.items() if all(step.path in files for step in group))
