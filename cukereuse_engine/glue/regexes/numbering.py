"""Numbers the groups of a lexed pattern as the dialect does, and resolves its references by these numbers.

Each capturing group gets the engine name `g<number>`; groups with the same number share the name and so are one group
to `regex`. The result does not depend on how `regex` numbers groups itself.
"""

import re
from dataclasses import replace

from cukereuse_engine.glue.regexes.dialects import Dialect, NameReuse
from cukereuse_engine.glue.regexes.lexer import GroupReference, Lexed
from cukereuse_engine.glue.regexes.pattern import Group, Pattern, Token, TokenKind, engine_name

_OPENS = (TokenKind.OPEN, TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN)


def numbered(lexed: Lexed, dialect: Dialect) -> Pattern:
    tokens = list(lexed.tokens)
    opens = _capturing(tokens, dialect)
    numbers = _last_numbers(tokens, opens) if dialect.named_last else _numbers(tokens, lexed.resets)
    names, reused = _named(tokens, opens, numbers, dialect)
    for at in opens:
        tokens[at] = replace(tokens[at], text=f"(?P<{engine_name(numbers[at])}>")
    missing = ""
    for at, reference in lexed.references.items():
        targets = _targets(reference, names, set(numbers.values()))
        instead = _without_group(tokens[at], reference, dialect) if not targets else None
        if instead is None and not targets:
            missing = missing or f"a reference to the group {reference.target}, which does not exist"
        tokens[at] = instead or replace(tokens[at], text=_spelled(reference, targets, dialect))
    if dialect.named_only:
        _keep_last_capture(tokens, lexed.references, names)
    problem = lexed.problem or reused or missing
    return Pattern(tuple(tokens), _groups(tokens, numbers), problem, lexed.is_unsupported)


def _capturing(tokens: list[Token], dialect: Dialect) -> list[int]:
    """Indices of the tokens that open a capturing group. In dialects where only named groups capture once there is one,
    all others become plain groups."""
    opens = [at for at, token in enumerate(tokens) if token.kind is TokenKind.OPEN]
    if not dialect.named_only or not any(tokens[at].literal for at in opens):
        return opens
    for at in opens:
        if not tokens[at].literal:
            tokens[at] = Token(TokenKind.PLAIN_OPEN, "(?:")
    return [at for at in opens if tokens[at].literal]


def _named(
    tokens: list[Token], opens: list[int], numbers: dict[int, int], dialect: Dialect
) -> tuple[dict[str, list[int]], str]:
    """Maps each name to the numbers of its groups, with the problem of a name that is used twice. Groups that share a
    number get it in `numbers`."""
    names: dict[str, list[int]] = {}
    problem = ""
    for at in opens:
        name = tokens[at].literal
        if not name:
            continue
        of_name = names.setdefault(name, [])
        if of_name and dialect.names is NameReuse.SHARED:
            numbers[at] = of_name[0]
        elif of_name and dialect.names is NameReuse.REFUSED and numbers[at] not in of_name:
            problem = problem or f"two groups are named {name}"
        if numbers[at] not in of_name:
            of_name.append(numbers[at])
    return names, problem


def _without_group(token: Token, reference: GroupReference, dialect: Dialect) -> Token | None:
    """The token that a dialect reads if there is no such group; None if that is an error."""
    if dialect.named_last and reference.prefix == "(?(" and not reference.target.isdecimal():
        return replace(token, text=f"(?(?={reference.target})")  # .NET looks ahead for a name that is no group
    if dialect.empty_back_reference and not dialect.strict and reference.target.isdecimal():
        return Token(TokenKind.OTHER, _octal(reference.target))
    return None


def _octal(digits: str) -> str:
    """Digits that are no reference, as ECMAScript without `u` reads them: an octal character, and text."""
    number = re.match(r"[0-3]?[0-7]{1,2}", digits)
    character, rest = (chr(int(number[0], 8)), digits[number.end() :]) if number else ("", digits)
    return re.escape(character) + rest


def _numbers(tokens: list[Token], resets: set[int]) -> dict[int, int]:
    """Maps the index of each capturing group's token to its number: in opening order, but each branch of a branch reset
    starts again."""
    number_of: dict[int, int] = {}
    count = 0
    stack: list[tuple[int, int] | None] = []
    """For a branch reset: the count before it, and the highest in it."""
    for at, token in enumerate(tokens):
        if token.kind in _OPENS:
            stack.append((count, count) if at in resets else None)
            if token.kind is TokenKind.OPEN:
                count += 1
                number_of[at] = count
        elif token.kind in (TokenKind.BAR, TokenKind.CLOSE) and stack:
            reset = stack[-1]
            if reset is not None:
                highest = max(reset[1], count)
                stack[-1] = (reset[0], highest)
                count = reset[0] if token.kind is TokenKind.BAR else highest
            if token.kind is TokenKind.CLOSE:
                stack.pop()
    return number_of


def _last_numbers(tokens: list[Token], opens: list[int]) -> dict[int, int]:
    """.NET numbers groups without names first, then those whose name is no number, in order of first use."""
    number_of: dict[int, int] = {}
    count = 0
    for at in opens:
        name = tokens[at].literal
        if not name:
            count += 1
            number_of[at] = count
        elif name.isdecimal():
            number_of[at] = int(name)
    number_of_name: dict[str, int] = {}
    taken = set(number_of.values())
    for at in opens:
        name = tokens[at].literal
        if at in number_of:
            continue
        if name not in number_of_name:
            number_of_name[name] = next(
                number for number in range(1, len(opens) + len(taken) + 2) if number not in taken
            )
            taken.add(number_of_name[name])
        number_of[at] = number_of_name[name]
    return number_of


def _targets(reference: GroupReference, names: dict[str, list[int]], numbers: set[int]) -> list[int]:
    target = reference.target
    if target in names:
        return names[target]
    digits = target.lstrip("+-")
    if not digits.isdecimal():
        return []
    number = int(digits)
    if target[0] == "-":
        number = reference.at + 1 - number
    elif target[0] == "+":
        number += reference.at
    return [number] if number in numbers else []


def _spelled(reference: GroupReference, targets: list[int], dialect: Dialect) -> str:
    spelled = [f"{reference.prefix}{engine_name(number)}{reference.suffix}" for number in targets]
    if not reference.back:
        return spelled[0] if spelled else reference.prefix
    if dialect.empty_back_reference:
        return "".join(f"(?({engine_name(number)}){text})" for number, text in zip(targets, spelled, strict=True))
    return spelled[0] if len(spelled) == 1 else f"(?:{'|'.join(reversed(spelled))})"


def _keep_last_capture(tokens: list[Token], references: dict[int, GroupReference], names: dict[str, list[int]]) -> None:
    """A called group captures in Onigmo, but not in `regex`: a call that is no recursion becomes the group."""
    spans = {token.text: at for at, token in enumerate(tokens) if token.kind is TokenKind.OPEN}
    for at, reference in references.items():
        start = spans.get(f"(?P<{engine_name(names.get(reference.target, [0])[0])}>")
        if start is None or reference.back or reference.prefix != "(?&":
            continue
        end = _closing(tokens, start)
        if not start < at < end and not any(other in references for other in range(start, end)):
            tokens[at] = replace(tokens[at], text="".join(token.text for token in tokens[start : end + 1]))


def _closing(tokens: list[Token], start: int) -> int:
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at].kind in _OPENS) - (tokens[at].kind is TokenKind.CLOSE)
        if depth == 0:
            return at
    return len(tokens) - 1


def _groups(tokens: list[Token], numbers: dict[int, int]) -> tuple[Group, ...]:
    group_of: dict[int, Group] = {}
    stack: list[bool] = []
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.OPEN:
            group_of.setdefault(numbers[at], Group(numbers[at], token.literal, sum(stack)))
            stack.append(True)
        elif token.kind in (TokenKind.PLAIN_OPEN, TokenKind.LOOK_OPEN):
            stack.append(False)
        elif token.kind is TokenKind.CLOSE and stack:
            stack.pop()
    return tuple(group_of[number] for number in sorted(group_of))
