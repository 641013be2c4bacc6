"""The paper's score-free labels: rules label pairs by their words alone, never by a similarity score.

The rules that keep a pair apart (R4 to R8 of the rubric) come first, in order; then four that call it the same (P1 to
P4). Their words are data (`score_free.toml`). They follow the paper's protocol, not what maintainers decide.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from corpus_tools.stages.evaluate.baselines import jaccard, words
from cukereuse_engine.calibration.metrics import Labels

_CALL = re.compile(r"(?<!\w)call(?!\w)")
_CALL_ONCE = re.compile(r"(?<!\w)callonce(?!\w)")

Sides = tuple[str, str]


def label(text_a: str, text_b: str) -> tuple[bool, str]:
    """True if the two are the same, and the rule that decided: "R4" to "R8", "P1" to "P4", or "R10" if none did."""
    pair = text_a, text_b
    for rule, differs in _APART.items():
        if differs(pair):
            return False, rule
    left, right = (canonical_words(text) for text in pair)
    for rule, agrees in _TOGETHER.items():
        if agrees(left, right):
            return True, rule
    return False, "R10"


def labels(text_a: Sequence[str], text_b: Sequence[str]) -> tuple[Labels, tuple[str, ...]]:
    """(n,) labels, and the rule behind each."""
    judged = [label(a, b) for a, b in zip(text_a, text_b, strict=True)]
    return np.array([same for same, _ in judged], np.bool_), tuple(rule for _, rule in judged)


def canonical_words(text: str) -> list[str]:
    """The words with parameters masked, and each word replaced by the name of its synonym family."""
    family = _families()
    return [family.get(word, word) for word in words(text)]


@cache
def _protocol() -> dict[str, Any]:
    return tomllib.loads(files("corpus_tools.stages.evaluate").joinpath("score_free.toml").read_text("utf-8"))


@cache
def _families() -> dict[str, str]:
    return {word: f"/{family[0]}" for family in reversed(_protocol()["families"]) for word in family}


def _framework_keyword(pair: Sides) -> bool:
    a, b = (text.lower() for text in pair)
    once = [bool(_CALL_ONCE.search(text)) for text in (a, b)]
    plain = [bool(_CALL.search(text)) and not is_once for text, is_once in zip((a, b), once, strict=True)]
    if (plain[0] and once[1]) or (plain[1] and once[0]):
        return True
    starts = {text.strip().partition(" ")[0] for text in pair if " " in text.strip()}
    return starts == {"def", "set"}


def _http_verb(pair: Sides) -> bool:
    spans = [
        next((verb for verb in _protocol()["http_verbs"] if f'"{verb}"' in text or f" {verb} " in f" {text} "), None)
        for text in pair
    ]
    return None not in spans and spans[0] != spans[1]


def _polarity(pair: Sides) -> bool:
    rule = _protocol()["polarity"]
    left, right = (set(text.lower().split()) for text in pair)
    negated = [not side.isdisjoint(rule["negations"]) for side in (left, right)]
    return negated[0] != negated[1] and (left ^ right) <= set(rule["free"])


def _presence_or_content(pair: Sides) -> bool:
    rule = _protocol()["presence"]
    presence, content = (
        [any(phrase in text.lower() for phrase in rule[name]) for text in pair] for name in ("presence", "content")
    )
    return (presence[0] and content[1]) or (presence[1] and content[0])


def _action_or_assertion(pair: Sides) -> bool:
    rule = _protocol()["action"]
    lower = [text.lower() for text in pair]
    action = [text.startswith(tuple(rule["starts"])) for text in lower]
    check = [
        text.startswith(tuple(rule["assertion_starts"])) or any(word in text for word in rule["assertion_inside"])
        for text in lower
    ]
    return any(action[i] and check[1 - i] and not check[i] for i in (0, 1))


def _contained(inner: Sequence[str], outer: Sequence[str]) -> bool:
    rule = _protocol()["containment"]
    short, long = sorted((inner, outer), key=len)
    return len(short) >= rule["words"] and " ".join(short) in " ".join(long) and len(short) / len(long) >= rule["share"]


_APART: dict[str, Callable[[Sides], bool]] = {
    "R4": _framework_keyword,
    "R5": _http_verb,
    "R6": _polarity,
    "R7": _presence_or_content,
    "R8": _action_or_assertion,
}
_TOGETHER: dict[str, Callable[[Sequence[str], Sequence[str]], bool]] = {
    "P1": lambda left, right: left == right,
    "P2": lambda left, right: len(left) >= 3 and Counter(left) == Counter(right),
    "P3": _contained,
    "P4": lambda left, right: jaccard(left, right) >= _protocol()["overlap"]["jaccard"],
}
