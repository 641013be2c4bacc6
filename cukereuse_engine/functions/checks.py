"""The names in a form's tokens, and whether any of them may check something."""

import re
from collections.abc import Iterable, Sequence

from cukereuse_engine.functions.tokens import CLOSE, INJECTED, MEMBER, NAME, OPEN, OWN, SIGN

_CHECKS = re.compile(
    r"_*(?:assert|expect|should|verif|check|ensure|raise|throw|fail|must|panic|error|validat|confirm|contain|match|has_"
    r"|has[A-Z]|have|is_|is[A-Z]|be_|to[A-Z_]\w*(?:Be|be|Equal|eql?)|equal|exist|compare|see|wait|within|require)",
    re.IGNORECASE,
)
"""Names that may check something, or fail if something is missing, in any place."""
_QUERIES = re.compile(r"(?:.*\.)?_*find(?!_?(?:all$|elements))|cy\.get$|screen\.get(?:All)?By", re.IGNORECASE)
"""Queries that fail if they find nothing: of Capybara, Cypress, Selenium, Testing Library. Playwright's are lazy."""
_STOPPING = frozenset(("raise", "throw", "assert", "panic"))
"""Operators and keywords that stop a step."""
_COMPARING = frozenset(("not", "==", "!=", "===", "!==", "=~", "is", "in"))
"""Operators that compare; the result may be used for something else."""
_LEAF = re.compile(r"[\0.\\]")
_NAMING = frozenset((NAME, MEMBER, OWN, INJECTED))


def names_in(tokens: Iterable[str]) -> frozenset[str]:
    """The names in a form (functions, members, fields, things of the suite), without their owners."""
    return frozenset(_leaf(token) for token in tokens if token[:1] in _NAMING)


def _leaf(token: str) -> str:
    parts = token[1:].split("\0")
    return _LEAF.split(parts[1] if len(parts) > 1 and parts[1] else parts[0])[-1]


def may_check(tokens: Iterable[str], *, comparing: bool = True) -> bool:
    """True if a name or operator in a form may check something. `comparing`: comparisons alone count too."""
    signs = _STOPPING | _COMPARING if comparing else _STOPPING
    form = tuple(tokens)
    for at, token in enumerate(form):
        kind = token[:1]
        if kind in _NAMING:
            if _CHECKS.match(_leaf(token)) or _is_last_query(form, at):
                return True
        elif kind in (SIGN, OPEN) and (token[1:] in signs or token[1:].startswith(("assert", "throw", "raise"))):
            return True
    return False


def _is_last_query(form: Sequence[str], at: int) -> bool:
    """True if a name is a query on whose result nothing is called: `find(…).click` queries in order to act."""
    asked_of = f"{_leaf(form[at - 1])}." if at and form[at][:1] == MEMBER and form[at - 1][:1] in _NAMING else ""
    if _QUERIES.match(asked_of + _leaf(form[at])) is None:
        return False
    end = at + 1
    if form[end : end + 1] == (f"{OPEN}call",):
        depth = 1
        while depth and end + 1 < len(form):
            end += 1
            depth += (form[end][:1] == OPEN) - (form[end] == CLOSE)
        end += 1
    return form[end : end + 1] == () or form[end][:1] != MEMBER
