"""What Karate's statements do, by their words: they set something up, send a request, or check the response.

Statements that prepare a request (`url`, `path`, `header`, …) take effect when `method` sends it, but not on a feature
called before that: Karate begins another request in a called feature (`ScenarioEngine`, `requestBuilder`).
"""

import re
from collections.abc import Iterable, Sequence

from cukereuse_engine.gherkin.feature import KeywordType, Step

_PART_OF_REQUEST = re.compile(
    r"(?:url|path|params?|headers?|cookies?|form fields?|multipart \w+|request|soap action|retry until)\b"
)
_SENDS = re.compile(r"(?:method|soap action)\s")
_ANSWERED = re.compile(r"status\b")
_CHECKS = re.compile(r"(?:match|assert)\b")
_SAYS = re.compile(r"(?:print\b|karate\.log\()")


def is_part_of_request(text: str) -> bool:
    return _PART_OF_REQUEST.match(text) is not None


def sends(text: str) -> bool:
    return _SENDS.match(text) is not None


def sets_url(text: str) -> bool:
    return re.match(r"url\b", text) is not None


def is_open(texts: Iterable[str]) -> bool:
    """True if a request has more than its address and is not sent."""
    begun = False
    for text in texts:
        if sends(text):
            begun = False
        elif is_part_of_request(text) and not sets_url(text):
            begun = True
    return begun


def is_answered_apart(texts: Sequence[str], after: Iterable[str]) -> bool:
    """True if a status would be checked in another scenario than the one that sent its request. A request's answer
    belongs to its scenario, though `response` and `responseStatus` are variables."""
    is_sent = False
    for text in texts:
        is_sent = is_sent or sends(text)
        if _ANSWERED.match(text) and not is_sent:
            return True
    answer = next((text for text in after if sends(text) or _ANSWERED.match(text)), "")
    return is_sent and _ANSWERED.match(answer) is not None


def statement_types(steps: Sequence[Step]) -> list[tuple[KeywordType, int]]:
    """The type of each step of one scenario, whatever its keyword, with the number of requests begun so far. A request
    is one action from its first part to the check of its status; a printed line belongs to the line above it."""
    types: list[tuple[KeywordType, int]] = []
    is_begun, requests = False, 0
    for step in steps:
        if sends(step.text) or _ANSWERED.match(step.text):
            is_begun = False
            kind = KeywordType.ACTION
        elif is_begun or is_part_of_request(step.text):
            requests += not is_begun
            is_begun = True
            kind = KeywordType.ACTION
        elif _SAYS.match(step.text) and types:
            kind = types[-1][0]
        else:
            kind = KeywordType.OUTCOME if _CHECKS.match(step.text) else KeywordType.CONTEXT
        types.append((kind, requests))
    return types
