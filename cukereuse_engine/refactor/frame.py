"""Places the parts that stay and have no slot among the words of a target: `(?:(\\d+) )?`, `(?:st|nd|rd|th)`.

The renamed steps tell the place: a part that stays keeps the words before it, or after it, or the argument beside it.
Nothing is guessed: a target without any of these is refused. If the target has a slot for the argument of such a part,
the part keeps its words, or takes those that steps do not have around it: `(?: inside of "(.*)")?`.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, product

from cukereuse_engine.refactor.expressions.parameters import ExpressionParameter, UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import ParameterPart, Word
from cukereuse_engine.refactor.members import RenamedStep
from cukereuse_engine.refactor.target import Slot, Target


def framed(
    target: Target, places: Sequence[int], parameters: Sequence[ExpressionParameter], members: Iterable[RenamedStep]
) -> tuple[Word, ...]:
    """The target's words, with the parameters `places` in its slots and those that stay between them.

    `members`: steps of the definition that has the `parameters`. Raises `UnwritableError` if the target does not tell
    the place of a parameter with an argument.
    """
    words = _in_places(target, places, parameters)
    mapped = [member for member in members if member.pieces is not None]
    if any(parameters[place].stays and not parameters[place].is_group for place in places):
        words = _worded(words, places, parameters, mapped)
    staying = [parameter for place, parameter in enumerate(parameters) if parameter.stays and place not in places]
    if list(places) == sorted(places):
        return tuple(_with_staying(words, places, parameters, mapped) if staying else words)
    if any(parameter.captures for parameter in staying):
        shown = ", ".join(parameter.source for parameter in staying)
        raise UnwritableError(f"the target changes the order of the arguments, but {shown} is optional; keep the order")
    return tuple(words)


def _in_places(target: Target, places: Sequence[int], parameters: Sequence[ExpressionParameter]) -> list[Word]:
    following = iter(places)
    return [part if isinstance(part, str) else _part(next(following), part, parameters) for part in target.parts]


def _with_staying(
    words: Sequence[Word],
    places: Sequence[int],
    parameters: Sequence[ExpressionParameter],
    members: Sequence[RenamedStep],
) -> Iterator[Word]:
    """Insert the parameters that stay between the slots, where the members have them."""
    parts = {word.place: word for word in words if isinstance(word, ParameterPart)}
    for literal, (before, after) in zip(_literals(words), pairwise([-1, *places, len(parameters)]), strict=True):
        inside = range(before + 1, after)
        yield from filter(None, _gap(literal, before, inside, parameters, members) if inside else [literal])
        if after in parts:
            yield parts[after]


def _part(place: int, slot: Slot, parameters: Sequence[ExpressionParameter]) -> ParameterPart:
    alone = parameters[place].stays and parameters[place].is_group
    return ParameterPart(place, slot, ("", "") if alone else None)


def _worded(
    words: Sequence[Word],
    places: Sequence[int],
    parameters: Sequence[ExpressionParameter],
    members: Sequence[RenamedStep],
) -> list[Word]:
    """Divide the words beside the slots of optional parts: words that steps have without the part stay outside it.
    Raises `UnwritableError` if that is ambiguous."""
    literals = _literals(words)
    parts = [word for word in words if isinstance(word, ParameterPart)]
    for number, part in enumerate(parts):
        parameter = parameters[part.place]
        if not parameter.stays or parameter.is_group:
            continue
        before, after = literals[number], literals[number + 1]
        fitting = _outside(before, after, part, members)
        if len(fitting) != 1 or list(places) != sorted(places) or _stays_beside(part.place, parameters):
            raise UnwritableError(
                f"{parameter.source} is optional, and the target does not say which words belong to it; keep the words "
                f"inside it or around it"
            )
        outside, rest = fitting.pop()
        literals[number], literals[number + 1] = outside, rest
        around = before[len(outside) :], after[: len(after) - len(rest)]
        parts[number] = ParameterPart(part.place, part.slot, around)
    shared: list[Word] = [literals[0]]
    for part, literal in zip(parts, literals[1:], strict=True):
        shared += [part, literal]
    return [word for word in shared if word != ""]


def _outside(before: str, after: str, part: ParameterPart, members: Sequence[RenamedStep]) -> set[tuple[str, str]]:
    """The words before and after an optional part that can be outside it, in each possible way: the part keeps its own
    words, or else members keep the words around it."""
    surroundings = [_around(member, part.place) for member in members if (member.pieces or ())[part.place].arguments]
    kept = {
        (before[: len(before) - len(prefix)], after[len(suffix) :])
        for _, prefix, suffix, _ in surroundings
        if before.endswith(prefix) and after.startswith(suffix)
    }
    return kept or {
        (outside, rest)
        for outside, _, _, rest in surroundings
        if before.startswith(outside) and after.endswith(rest) and not _inside_word(before, len(outside))
    }


def _around(member: RenamedStep, place: int) -> tuple[str, str, str, str]:
    """A step's words before a part, in it before and after its argument, and after it, up to the next parameters."""
    text, pieces = member.step.text, member.pieces or ()
    piece = pieces[place]
    start = pieces[place - 1].argument_end if place else 0
    end = pieces[place + 1].argument_start if place + 1 < len(pieces) else len(text)
    inside = text[piece.start : piece.argument_start], text[piece.argument_end : piece.end]
    return text[start : piece.start], *inside, text[piece.end : end]


def _stays_beside(place: int, parameters: Sequence[ExpressionParameter]) -> bool:
    """True if the next parameter on either side stays too: then the words between belong to neither."""
    near = [at for at in (place - 1, place + 1) if 0 <= at < len(parameters)]
    return any(parameters[at].stays for at in near)


def _literals(words: Sequence[Word]) -> list[str]:
    """The words before, between and after the slots."""
    literals = [""]
    for word in words:
        if isinstance(word, str):
            literals[-1] = word
        else:
            literals.append("")
    return literals


def _gap(
    literal: str, before: int, inside: range, parameters: Sequence[ExpressionParameter], members: Sequence[RenamedStep]
) -> list[Word]:
    """`literal`, which follows the slot of parameter `before`, with the parameters `inside` it.

    Tries them as the members have them, then without the optional ones, then both without parts that have no argument.
    """
    giving = tuple(place for place in inside if parameters[place].captures)
    around_each = {_words_around(member, before, inside) for member in members}
    alternatives = sorted(around_each, key=lambda words: (-len("".join(words[1])), words))
    may_miss = {place for place in giving if not parameters[place].chooses}
    for places, missing in product(dict.fromkeys((tuple(inside), giving)), (set[int](), may_miss)):
        for words, values in alternatives:
            spans = _spans(literal, *_said(words, values, inside, places, missing))
            if spans is not None:
                return list(_cut(literal, places, spans))
    shown = ", ".join(parameters[place].source for place in giving)
    beside = {word.strip() for words, _ in alternatives[:1] for word in (words[0], words[-1])} - {""}
    kept = f"; keep {' or '.join(map(repr, sorted(beside)))}" if beside else ""
    is_ = "has several wordings" if any(parameters[place].chooses for place in giving) else "is optional"
    raise UnwritableError(f"{shown} {is_}, and the target does not say where it goes{kept}")


def _said(
    words: Sequence[str], values: Sequence[str], inside: range, places: Sequence[int], missing: Collection[int]
) -> tuple[list[str], list[str]]:
    """A member's words around the parameters at `places`, and its values for these, empty for a `missing` one. Values
    of other parameters count as words."""
    around, said = [words[0]], list[str]()
    for place, value, following in zip(inside, values, words[1:], strict=True):
        if place in places:
            said.append("" if place in missing else value)
            around.append(following)
        else:
            around[-1] += value + following
    return around, said


def _words_around(member: RenamedStep, before: int, inside: range) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The member's words around the parameters `inside`, and their values."""
    text, pieces = member.step.text, member.pieces or ()
    staying = [pieces[place] for place in inside]
    ends = [0 if before < 0 else pieces[before].argument_end, *(piece.end for piece in staying)]
    last = len(text) if inside.stop == len(pieces) else pieces[inside.stop].argument_start
    starts = [*(piece.start for piece in staying), last]
    words = tuple(text[end:start] for end, start in zip(ends, starts, strict=True))
    return words, tuple(piece.text for piece in staying)


def _spans(literal: str, words: Sequence[str], values: Sequence[str]) -> list[tuple[int, int]] | None:
    """Start and end of the values in `literal`, each beside its words and never inside a word; None if one is not."""
    start, end = 0, len(literal)
    first, last = 0, len(values)
    span_of: dict[int, tuple[int, int]] = {}
    while last and literal[start:end].endswith(values[last - 1] + words[last]):
        stop = end - len(words[last])
        at = stop - len(values[last - 1])
        if _inside_word(literal, at) and not words[last - 1][-1:].isalnum():
            break
        last -= 1
        span_of[last] = at, stop
        end = at
    while first < last and literal[:end].startswith(words[first] + values[first], start):
        at = start + len(words[first])
        stop = at + len(values[first])
        if _inside_word(literal, stop) and not words[first + 1][:1].isalnum():
            break
        span_of[first] = at, stop
        first += 1
        start = stop
    return [span_of[number] for number in range(len(values))] if first == last else None


def _inside_word(text: str, at: int) -> bool:
    return text[:at][-1:].isalnum() and text[at : at + 1].isalnum()


def _cut(literal: str, places: Sequence[int], spans: Sequence[tuple[int, int]]) -> Iterator[Word]:
    at = 0
    for place, (start, end) in zip(places, spans, strict=True):
        yield literal[at:start]
        yield ParameterPart(place, None)
        at = end
    yield literal[at:]
