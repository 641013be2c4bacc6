"""The tokens of a normal form: strings whose first character is their type."""

import re
from collections.abc import Iterable, Sequence

OPEN = "("
"""Begins a group of tokens; the rest is the syntax node's type. `CLOSE` ends it."""
CLOSE = ")"
TEXT = "'"
"""A string literal's value."""
VALUE = "#"
"""A number, a truth value, nothing."""
PARAMETER = "$"
"""A parameter of the function, by its position from 0."""
LOCAL = "%"
"""A local name, numbered in order of declaration."""
NAME = "n"
"""A name with one meaning in the whole suite: of a library, the World, an import (`module`, NUL, name)."""
MEMBER = "."
"""A member of the expression before it."""
SIGN = "="
"""An operator, or a keyword that changes what is done."""
OWN = "o"
"""A name of one owner, a class or a file: `o`, owner, NUL, name, and NUL and its type if that is known. In other owners
the name means something else."""
INJECTED = "f"
"""A value that a class gets injected: `f`, type, NUL, the field's name."""
LOGS = f"{OPEN}log"
"""Begins a log, unless the function that it names is the suite's own and does more."""
STEP = "!"
"""A step that is called by its text; its arguments are groups."""

HOLE = "\0"
"""Replaces a literal if literals do not count."""


def is_literal(token: str) -> bool:
    return token[:1] in (TEXT, VALUE)


def own(owner: str, name: str, type_name: str = "") -> str:
    return f"{OWN}{owner}\0{name}\0{type_name}" if type_name else f"{OWN}{owner}\0{name}"


def parts_of(token: str) -> tuple[str, str]:
    """The owner (or type, or module) and the name in an `OWN`, `INJECTED` or imported token."""
    owner, _, rest = token[1:].partition("\0")
    return owner, rest.partition("\0")[0]


def portable(token: str) -> str:
    """The token without its owner, type's package or module: comparable wherever the source is."""
    kind = token[:1]
    if kind == OWN:
        return OWN + parts_of(token)[1]
    if kind == INJECTED:
        return INJECTED + parts_of(token)[0].rpartition("\\")[2].rpartition(".")[2]
    if kind == NAME and "\0" in token:
        return NAME + token.rpartition("\0")[2]
    return token


def without_literals(tokens: Sequence[str]) -> Sequence[str]:
    return [HOLE if token[:1] in (TEXT, VALUE) else token for token in tokens]


_LOOSE = frozenset((PARAMETER, OWN, INJECTED))


def loosened(tokens: Sequence[str], *, fields: bool = True) -> Sequence[str]:
    """The tokens in which parameters count by their order of use and, with `fields`, those of one type as one thing,
    unless they are set."""
    if _LOOSE.isdisjoint({token[:1] for token in tokens}):
        return tokens
    numbers: dict[str, str] = {}
    loosened: list[str] = []
    before = ""
    for token in tokens:
        kind = token[:1]
        if kind not in _LOOSE:
            loosened.append(token)
        elif kind == PARAMETER:
            loosened.append(numbers.setdefault(token, f"{PARAMETER}{len(numbers)}"))
        elif fields and not before.startswith(f"{OPEN}assign") and (type_name := _type_of(token)):
            loosened.append(f"{INJECTED}{type_name}")
        else:
            loosened.append(token)
        before = token
    return loosened


def _type_of(token: str) -> str:
    parts = token[1:].split("\0")
    return parts[0] if token[:1] == INJECTED else parts[2] if len(parts) > 2 else ""


def renumbered(tokens: Iterable[str]) -> tuple[str, ...]:
    """The tokens with local names numbered in their order."""
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(token, f"{LOCAL}{len(numbers)}") if token[:1] == LOCAL else token for token in tokens
    )


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words(token: str) -> list[str]:
    """The words of a name or text, in lower case."""
    return [word.lower() for word in _WORD.findall(token)]
