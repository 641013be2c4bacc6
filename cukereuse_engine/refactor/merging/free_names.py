"""Unused names for what a merge writes, made of the words in the expressions."""

import re
from collections.abc import Sequence

from cukereuse_engine.functions.tokens import words
from cukereuse_engine.refactor.writing import Case, writing_of
from cukereuse_engine.text.words import vocabulary

_WORD = re.compile(r"\w+")
_NO_WORDS = re.compile(r"\{[^{}]*\}|\(\?(?:P?<\w+>)?|\\.|:\w+|\W")
"""Parameters, groups and escapes of an expression."""
_MOST_WORDS = 5
_ARTICLES = frozenset(("a", "an", "the"))
_KEYWORDS = frozenset(
    (
        *(
            "value",
            "values",
            "class",
            "type",
            "self",
            "this",
            "from",
            "in",
            "is",
            "as",
            "if",
            "for",
            "and",
            "or",
            "not",
        ),
        *(
            "with",
            "def",
            "end",
            "do",
            "then",
            "when",
            "case",
            "new",
            "default",
            "function",
            "return",
            "import",
            "object",
        ),
        *("string", "number", "int", "match", "mod", "fn", "use", "ref", "it", "name", "params", "event", "var", "val"),
    )
) - {"value", "name", "number"}


def free_name(language: str, expressions: Sequence[str], text: str) -> str:
    """A name for a function, made of the words that all expressions share, which does not occur in the text."""
    words = [
        [word.lower() for word in _WORD.findall(_NO_WORDS.sub(" ", expression)) if _is_usable(word)]
        for expression in expressions
    ]
    shared = [word for word in words[0] if all(word in others for others in words[1:])]
    name = _joined(language, _telling(shared) or ["step"])
    case = writing_of(language).case
    if case is Case.PASCAL:
        name = name[:1].upper() + name[1:]
    taken = set(_WORD.findall(text))
    candidates = [name, f"{name}_step" if case is Case.SNAKE else f"{name}Step"]
    return next((candidate for candidate in candidates if candidate not in taken), f"{name}{len(taken)}")


def _telling(shared: Sequence[str]) -> list[str]:
    """The first words, without the "I" before them and without what only leads to the constant behind them."""
    telling = [*shared[1 if len(shared) > 1 and shared[0] == "i" else 0 :]][:_MOST_WORDS]
    while len(telling) > 1 and telling[-1] in _ARTICLES | vocabulary("en").auxiliaries:
        telling.pop()
    return telling


def _is_usable(word: str) -> bool:
    return word.isascii() and not word.isdigit()


def free_parameter(language: str, wanted: str, text: str) -> str:
    """A name for a parameter that does not occur in the function, whose text is given."""
    usable = [word for word in words(wanted) if word.isascii() and not word.isdigit()] or ["value"]
    name = _joined(language, usable)
    taken = set(_WORD.findall(text)) | _KEYWORDS
    candidates = (name, *(f"{name}{suffix}" for suffix in ("_value", *range(2, 100))))
    if writing_of(language).case is not Case.SNAKE:
        candidates = (name, *(f"{name}{suffix}" for suffix in ("Value", *range(2, 100))))
    return next(candidate for candidate in candidates if candidate not in taken)


def _joined(language: str, words: list[str]) -> str:
    is_snake = writing_of(language).case is Case.SNAKE
    name = "_".join(words) if is_snake else words[0] + "".join(word.title() for word in words[1:])
    return f"step{name}" if name[:1].isdigit() else name
