"""Makes one definition with a parameter out of several that differ in a constant which their wordings contain.

“I click the JSON link” and “I click the CSV link” become “I click the (JSON|CSV) link”: no step changes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cukereuse_engine.functions.tokens import TEXT
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources
from cukereuse_engine.refactor.expressions.literal_place import literal_place
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import parameters
from cukereuse_engine.refactor.merging.free_names import free_parameter
from cukereuse_engine.refactor.merging.merge_plan import ExpressionChange
from cukereuse_engine.refactor.merging.parametrised import Function
from cukereuse_engine.refactor.reordering import parameters_taking
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of

_PIECES = re.compile(r"\w+|\W", re.DOTALL)
_SAID = re.compile(r"\w(?:[\w '-]*\w)?")
"""Text that means itself in an expression of any kind."""
_QUOTES = "\"'"
_GRASPING = frozenset("?*+{(/")
"""Characters that change the meaning of the letters before them in some kind of expression."""


@dataclass(frozen=True, slots=True)
class ExpressionDifference:
    """Where expressions differ: their common beginning and end, and what each has in between."""

    before: str
    words: tuple[str, ...]
    after: str


def said_apart(left: StepDefinition, right: StepDefinition) -> ExpressionDifference | None:
    """The difference; None if they differ in anything but some words between common ones."""
    same = ("kind", "framework", "flags", "anchoring", "keyword_types", "limits")
    if any(getattr(left, name) != getattr(right, name) for name in same):
        return None
    mine, theirs = _PIECES.findall(left.expression), _PIECES.findall(right.expression)
    begin = end = 0
    while begin < min(len(mine), len(theirs)) and mine[begin] == theirs[begin]:
        begin += 1
    while end < min(len(mine), len(theirs)) - begin and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    words = ["".join(pieces[begin : len(pieces) - end]) for pieces in (mine, theirs)]
    before, after = "".join(mine[:begin]), "".join(mine[len(mine) - end :])
    plain = all(_SAID.fullmatch(each) for each in words)
    if not plain or after[:1] in _GRASPING or before[-1:] in "\\:/" or _is_inside(before):
        return None
    return ExpressionDifference(before, (words[0], words[1]), after)


def _is_inside(before: str) -> bool:
    """True if a group, a set or a parameter is open after the text."""
    bare = re.sub(r"\\.", "", before, flags=re.DOTALL)
    return any(bare.count(opening) != bare.count(closing) for opening, closing in ("()", "[]", "{}", "<>"))


class _Parameter(NamedTuple):
    text: str
    """The parameter as an expression has it."""
    takes_quotes: bool = False
    """True if it also replaces the quotes around the words."""


class _Words(NamedTuple):
    """The words in which expressions differ."""

    difference: ExpressionDifference
    are_text: bool
    """True if their functions have a text for them."""

    @property
    def are_quoted(self) -> bool:
        before, after = self.difference.before, self.difference.after
        return before[-1:] == after[:1] and before[-1:] in _QUOTES and before != ""

    @property
    def are_numbers(self) -> bool:
        return all(re.fullmatch(r"\d+", value) for value in self.difference.words)

    @property
    def are_single(self) -> bool:
        return all(re.fullmatch(r"\w+", value) for value in self.difference.words)

    def in_cucumber(self) -> _Parameter | None:
        if not self.are_text:
            return _Parameter("{int}") if self.are_numbers else None
        if self.are_quoted:
            return _Parameter("{string}", takes_quotes=True)
        return _Parameter("{word}" if all(" " not in value for value in self.difference.words) else "{}")

    def in_parse(self, name: str) -> _Parameter | None:
        if not self.are_text:
            return _Parameter(f"{{{name}:d}}") if self.are_numbers else None
        return _Parameter(f"{{{name}:w}}" if self.are_single and not self.are_quoted else f"{{{name}}}")


class Parametrising:
    """Makes one definition with one more parameter out of `keep` and `others`."""

    def __init__(
        self, sources: EditedSources, keep: StepDefinition, others: Sequence[StepDefinition], wanted: str
    ) -> None:
        """`wanted`: a name to prefer for the parameter. Raises `UnmergeableError`."""
        self.sources, self.keep, self.others = sources, keep, tuple(others)
        self.ours, *self.theirs = (Function(definition, *sources.read(definition)) for definition in (keep, *others))
        self.constant = self.ours.constant(self.theirs)
        self.name = free_parameter(keep.language, wanted, self.ours.text)
        self.changes: tuple[ExpressionChange, ...] = ()

    def extract(self) -> None:
        """Edit the remaining definition. Raises `UnmergeableError` if the wordings do not contain the constant."""
        difference = self._difference()
        expression, place = self._expression(difference)
        text = self.ours.data.decode("utf-8")
        try:
            where = literal_place(self.keep, text)
            literal = where.write(expression)
        except UnwritableError as error:
            raise UnmergeableError(f"{self.keep.place}: {error}") from None
        start, end = (len(text[:at].encode("utf-8")) for at in (where.start, where.end))
        parameter, before = self._parameter(place)
        declaration = self.ours.declared(self.name, self.constant)
        edits = [(start, end, literal), self.ours.declaring(declaration, before)]
        edits += [(*at, self.ours.said(self.name)) for at in self.constant.places]
        for edit in edits:
            self.sources.edit(self.keep.path, *edit)
        tokens = self.constant.tokens
        self.changes = tuple(
            ExpressionChange(definition, expression, place, value, parameter, token)
            for definition, value, token in zip((self.keep, *self.others), difference.words, tokens, strict=True)
        )

    def _difference(self) -> ExpressionDifference:
        values = tuple(token[1:] for token in self.constant.tokens)
        differing = []
        for other, value in zip(self.others, values[1:], strict=True):
            difference = said_apart(self.keep, other)
            if difference is None or difference.words != (values[0], value):
                message = f"its wording does not say “{value}” as its code does"
                raise UnmergeableError(f"{other.place}: {message}")
            differing.append(difference)
        if len({(difference.before, difference.after) for difference in differing}) > 1:
            raise UnmergeableError(f"{self.keep.place}: the wordings differ in several places")
        return ExpressionDifference(differing[0].before, values, differing[0].after)

    def _expression(self, difference: ExpressionDifference) -> tuple[str, int]:
        """The expression with a parameter for the difference, and the index of that among its arguments."""
        try:
            place = sum(
                parameter.captures for parameter in parameters(replace(self.keep, expression=difference.before)).found
            )
        except UnwritableError as error:
            raise UnmergeableError(f"{self.keep.place}: {error}") from None
        written = self._for(_Words(difference, self.constant.tokens[0][:1] == TEXT))
        if written is None:
            raise UnmergeableError(f"{self.keep.place}: no parameter type of its expression matches these words")
        before, after = difference.before, difference.after
        if written.takes_quotes:
            before, after = before[:-1], after[1:]
        return f"{before}{written.text}{after}", place

    def _for(self, words: _Words) -> _Parameter | None:
        """How this kind of expression writes a parameter for such words; None if it can't."""
        match self.keep.kind:
            case ExpressionKind.REGEX:
                if words.are_text or (words.are_numbers and writing_of(self.keep.language).converts_groups):
                    named = f"?P<{self.name}>" if self._names_groups() else ""
                    return _Parameter(f"({named}{'|'.join(dict.fromkeys(words.difference.words))})")
            case ExpressionKind.CUCUMBER:
                return words.in_cucumber()
            case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
                return words.in_parse(self.name)
            case ExpressionKind.TURNIP if words.are_text and (words.are_quoted or words.are_single):
                return _Parameter(f":{self.name}", takes_quotes=words.are_quoted)
        return None

    def _names_groups(self) -> bool:
        """True if the runner passes groups by their names here."""
        return self.keep.framework == "pytest-bdd" or "(?P<" in self.keep.expression

    def _parameter(self, place: int) -> tuple[int, tuple[int, int] | None]:
        """The number of the function's parameter for the argument, and the span of the one there now; None: nothing."""
        if writing_of(self.keep.language).unknown_parameters:
            raise UnmergeableError(f"{self.keep.place}: the type of that function parameter is unknown")
        names = [parameter.name for parameter in self.ours.parameters if parameter.pattern is None]
        taking = parameters_taking(self.keep, self.ours.data)
        if taking is None and self.ours.parameters:
            raise UnmergeableError(f"{self.keep.place}: its parameters can't be told apart")
        spans = taking.spans if taking is not None else ()
        if taking is not None and any(group >= 0 for group in taking.groups):
            raise UnmergeableError(f"{self.keep.place}: it declares several parameters in one declaration")
        if place > len(spans):
            raise UnmergeableError(f"{self.keep.place}: its function does not take every argument")
        first = len(names) - len(spans)
        return first + place, spans[place] if place < len(spans) else None
