"""Functions without content: not written yet, or with nothing but literals and their parameters."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from cukereuse_engine.functions.tokens import (
    CLOSE,
    INJECTED,
    LOCAL,
    LOGS,
    MEMBER,
    NAME,
    OPEN,
    OWN,
    PARAMETER,
    SIGN,
    TEXT,
    VALUE,
    words,
)

_NAMES = frozenset(
    (
        *("PendingException", "PendingStepException", "StepPendingException", "PendingScenarioException"),
        *("StepIsPending", "ErrPending"),
        *("NotImplementedError", "NotImplementedException", "StepNotImplementedError"),
    )
)
"""Names in a body that is not written yet."""
_CALLS = frozenset(("pending", "skip", "todo", "unimplemented", "TODO"))
"""The same if nothing, or `this`, is before the call: `page.skip()` is a real step."""
_METHOD = "Pending"
"""SpecFlow's method: `_scenarioContext.Pending()`, but not `Status.Pending`."""
_RESULTS = frozenset(("pending", "skipped"))
"""Results of a function that is not written yet: `return 'pending'`."""
_EMPTY = frozenset(("return", "pass", "Ok", "await", "return_statement", "None"))
_ASSERTS = re.compile(r"(?:.*[\0\\.])?(?:assert|expect)", re.IGNORECASE)
"""The beginnings of names and syntax that check a value."""
_COMPARES = frozenset(
    (
        *("assert", "assertion", "assertions", "expect", "that", "true", "false", "truthy", "falsy", "is", "are", "be"),
        *(
            "equal",
            "equals",
            "same",
            "not",
            "no",
            "nil",
            "null",
            "none",
            "undefined",
            "defined",
            "empty",
            "blank",
            "any",
        ),
        *(
            "contain",
            "contains",
            "include",
            "includes",
            "has",
            "have",
            "in",
            "key",
            "keys",
            "match",
            "matches",
            "regex",
        ),
        *("regexp", "string", "strings", "with", "starts", "ends", "instance", "kind", "type", "of", "size", "length"),
        *("count", "greater", "less", "than", "or", "between", "near", "almost", "approx", "delta", "deep", "strict"),
        *("list", "lists", "dict", "array", "all", "operator", "predicate", "respond", "to", "raise", "raises"),
    )
)
"""Words of names that compare their arguments; other words may name what is checked, as in `assert_flash`."""
_PARTS = re.compile(rf"{re.escape(OPEN)}(?:subscript|element|array_access|index)")
"""The beginnings of syntax that accesses a part of a value."""
_OF_ITS_OWN = frozenset((OPEN, CLOSE, TEXT, VALUE, PARAMETER, LOCAL, MEMBER, SIGN))
_ENDINGS = (*_NAMES, *_CALLS, _METHOD)
_NAMING = frozenset((NAME, MEMBER, PARAMETER, LOCAL, OWN, INJECTED))
_MOST_NAMES = 2
"""The number of names in a statement which reports that a function is not written yet: `_scenario.Pending()`."""
_BRANCHES = ("if", "unless", "conditional", "when", "case", "switch", "match")
_CHOICES = ("if", "unless")
_UNWRITTEN = [f"{NAME}pending"]
_SHOWING = frozenset((f"{OPEN}call", f"{OPEN}echo_statement"))
"""The beginnings of logged values."""
_LAST = re.compile(r"[\0\\.]")
"""The separator before the last part of a name."""


_CATCHING = ("rescue", "exceptions", "except", "catch")
"""The beginnings of syntax that names what is caught: `rescue NotImplementedError` does not mark an unwritten step."""


def _without(tokens: Iterable[str], syntax: tuple[str, ...]) -> list[str]:
    """The tokens without what begins with such `syntax`."""
    kept: list[str] = []
    depth = 0
    for token in tokens:
        if depth or (token[:1] == OPEN and token[1:].startswith(syntax)):
            depth += (token[:1] == OPEN) - (token == CLOSE)
        else:
            kept.append(token)
    return kept


def _in_any_case(tokens: Sequence[str]) -> list[str]:
    """The tokens without branches. A choice that reports "not written" in each of its cases is one such report."""
    kept: list[str] = []
    place = 0
    while place < len(tokens):
        end = place + 1
        if tokens[place][:1] == OPEN and tokens[place][1:].startswith(_BRANCHES):
            depth = 1
            while depth and end < len(tokens):
                depth += (tokens[end][:1] == OPEN) - (tokens[end] == CLOSE)
                end += 1
            kept += _UNWRITTEN if _is_unwritten_choice(tokens[place:end]) else ()
        else:
            kept.append(tokens[place])
        place = end
    return kept


def _is_unwritten_choice(choice: Sequence[str]) -> bool:
    """True if an `if` has an `else`, and reports "not written" in both and in each case between them."""
    if not choice[0][1:].startswith(_CHOICES):
        return False
    cases: list[list[str]] = [[]]
    has_else = False
    for token in _in_any_case(choice[1:]):
        if token[:1] == SIGN and token[1:].startswith("els"):  # else, elsif, elseif
            has_else = has_else or token[1:] == "else"
            cases.append([])
        elif token == f"{SIGN}elif":
            cases.append([])
        cases[-1].append(token)
    return has_else and all(_is_pending(case) or _returns_pending(case) for case in cases)


def _returns_pending(tokens: Sequence[str]) -> bool:
    return any(one == f"{SIGN}return" and two[1:] in _RESULTS for one, two in pairwise(tokens) if two[:1] == TEXT)


def is_written(statements: Sequence[tuple[str, ...]], *, takes_state: bool = False) -> bool:
    """True if a function does anything, as far as its source tells. `takes_state`: its first parameter is the
    scenario's state."""
    tokens = _without((token for statement in statements for token in statement), _CATCHING)
    if _is_pending(_in_any_case(tokens)):  # in one branch, the others are written
        return False
    if not statements:
        return False
    if len(statements) == 1 and any(TEXT + word in statements[0] for word in _RESULTS):
        return not _only_results(statements[0])
    if _checks_its_arguments(tokens, takes_state=takes_state):
        return False
    return not _says_only_results(tokens)


def is_idle(statements: Sequence[tuple[str, ...]], logs: Iterable[Sequence[str]]) -> bool:
    """True if nothing is left of an unwritten function: its first statement ends it, or it only has results and `logs`
    of plain texts."""
    if statements and (_ends(statements[0]) or (len(statements) == 1 and _only_results(statements[0]))):
        return True
    told = [*logs, *(statement[1:-1] for statement in statements if statement[0] == LOGS)]
    run = (token for statement in statements if statement[0] != LOGS for token in statement)
    return _says_only_results(run) and not any(map(_shows_value, told))


def only_tells(statements: Sequence[tuple[str, ...]], logs: Sequence[Sequence[str]]) -> bool:
    """True if an idle function only logs."""
    is_told = bool(logs) or bool(statements)
    return is_told and all(statement[0] == LOGS for statement in statements)


def _ends(statement: Sequence[str]) -> bool:
    """True if all that a statement does is report that the function is not written yet, in any case."""
    if _in_any_case(statement) == _UNWRITTEN:
        return True
    named = [token for token in statement if token[:1] in _NAMING]
    is_sure = not any(token[:1] == OPEN and token[1:].startswith(_BRANCHES) for token in statement)
    return is_sure and len(named) <= _MOST_NAMES and _is_pending(statement)


def _shows_value(log: Sequence[str]) -> bool:
    """True if a log contains more than plain texts."""
    begins = next((place for place, token in enumerate(log) if token in _SHOWING), len(log))
    return any(token[:1] in _NAMING for token in log[begins + 1 :])


def _is_pending(tokens: Sequence[str]) -> bool:
    for place, token in enumerate(tokens):
        if not token.endswith(_ENDINGS) or token[:1] not in (NAME, MEMBER):
            continue
        kind, name = token[:1], _LAST.split(token[1:])[-1]
        if name in _NAMES or (kind == NAME and name in _CALLS):
            return True
        before = tokens[place - 1] if place else ""
        if kind == MEMBER and name in _CALLS and before == "this":
            return True
        if token == MEMBER + _METHOD and tokens[place + 1 : place + 2] == [f"{OPEN}call"]:
            return True
    return False


def _says_only_results(tokens: Iterable[str]) -> bool:
    return all(
        token[:1] in (OPEN, CLOSE, VALUE, TEXT) or (token[:1] in (SIGN, NAME) and token[1:] in _EMPTY)
        for token in tokens
    )


def _only_results(statement: Sequence[str]) -> bool:
    """True if a statement only reports "not written": `return 'pending'`, `callback(null, 'pending')`."""
    tokens = [token for token in statement if token[:1] not in (OPEN, CLOSE, VALUE) and token != "=return"]
    calls_back = len(tokens) > 1 and tokens[0][:1] == PARAMETER and f"{OPEN}call" in statement
    return len(tokens) == 1 + calls_back


def _checks_its_arguments(tokens: Sequence[str], *, takes_state: bool) -> bool:
    """True if a check concerns only the function's arguments: `assert(table)`. A member or an entry of an argument may
    be the suite's state: `world.page`, `context["page"]`."""
    asserts = False
    before = ""
    for token in tokens:
        if token[:1] in (NAME, OPEN) and _ASSERTS.match(token, 1):
            if token[:1] == NAME and not _COMPARES.issuperset(words(_LAST.split(token[1:])[-1])):
                return False
            asserts = True
        elif token[:1] not in _OF_ITS_OWN or _is_of_state(token, before, takes_state=takes_state):
            return False
        before = token
    return asserts


def _is_of_state(token: str, before: str, *, takes_state: bool) -> bool:
    if token[:1] == MEMBER:
        return before[:1] == PARAMETER
    return token[:1] == PARAMETER and (_PARTS.match(before) is not None or (takes_state and token == f"{PARAMETER}0"))
