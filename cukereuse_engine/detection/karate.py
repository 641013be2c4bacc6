"""Which feature files are Karate's.

Their steps are statements of a built-in language without step definitions: nothing in them is consolidated by
renaming. Read from keywords and texts alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from cukereuse_engine.gherkin.feature import Step

_STATEMENT = re.compile(
    r"(?:def|match|set|replace|table|text|yaml|csv|json|xml|xmlstring|bytes|copy|configure|eval|assert|print|remove)\s"
    r"|(?:url|path|param|params|header|headers|cookie|cookies|form field|form fields|multipart \w+|request|soap action"
    r"|retry until|driver|click|input|call|callonce|karate\.\w+|if\s*\()\b"
    r"|method \w+$|status \d{3}$|responseStatus\b",
)
"""How a statement of Karate begins."""
_UNMISTAKABLE = re.compile(
    r"method (?:get|post|put|patch|delete|head|options|connect|trace)$"
    r"|status \d{3}$"
    r"|def [A-Za-z_]\w* ?="
    r"|match (?:each )?\S.* ?(?:==|!=|contains)"
    r"|(?:call|callonce) read ?\("
    r"|(?:def \w+ = )?(?:karate\.|read ?\(['\"])",
    re.IGNORECASE,
)
"""What nobody writes as a sentence."""
SHARE = 0.5
"""Least share of a Karate file's steps that are statements."""


def is_statement(text: str) -> bool:
    """Whether it begins as a statement does; so may a sentence."""
    return _STATEMENT.match(text) is not None


def is_unmistakable(text: str) -> bool:
    """Whether nobody writes it as a sentence."""
    return _UNMISTAKABLE.match(text) is not None


def karate_files(steps: Iterable[Step]) -> frozenset[str]:
    """Paths of the files that are Karate's: half of the steps are statements, and one is unmistakable."""
    total: dict[str, int] = {}
    statements: dict[str, int] = {}
    certain: set[str] = set()
    for step in steps:
        total[step.path] = total.get(step.path, 0) + 1
        if is_statement(step.text):
            statements[step.path] = statements.get(step.path, 0) + 1
        if is_unmistakable(step.text):
            certain.add(step.path)
    return frozenset(path for path in certain if statements.get(path, 0) >= SHARE * total[path])


def karate_statements(steps: Mapping[str, Sequence[Step]]) -> frozenset[str]:
    """Of `steps` by identity of their text, the identities that stand in Karate's files only."""
    files = karate_files(step for group in steps.values() for step in group)
    if not files:
        return frozenset()
    return frozenset(key for key, group in steps.items() if all(step.path in files for step in group))
