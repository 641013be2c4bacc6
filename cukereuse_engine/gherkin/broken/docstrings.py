"""Which lines are DocStrings in a file that the official parser rejects: a fence may be missing, or there may be one
too many.

One missing fence turns everything after it inside out, and a misspelt title turns the DocStrings below it into prose.
Of all readings, the best one leaves the fewest things without a place. For a text that the official parser accepts,
that is the parser's own, which leaves none. Reads lines only; makes no steps.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cukereuse_engine.gherkin.broken.places import DESCRIBED, TITLES, LinePlace

FENCES = ('"""', "```")
MARKDOWN_FENCES = ("````", *FENCES)
BEHAVE_FENCES = (*FENCES, "'''")
_TAGGED = ("FeatureLine", "RuleLine", "ScenarioLine", "ExamplesLine")
_DOUBT = 1
"""The cost that decides between readings that are otherwise equal."""
_MISPLACED = 1_000_000
"""The cost of a line without a place, with the lines directly below that have none either."""
_ODD_FENCE = 3 * _MISPLACED
"""Fences are mistaken more seldom than steps: a pair of odd ones must not explain away a few misspelt steps."""
_SECOND_FEATURE = 4 * _MISPLACED
"""DocStrings that hold features are commoner than files with two."""
_SWALLOWED_TITLE = 6 * _MISPLACED
"""A title in a DocString, indented less than the fence and no more than the step: none of 18,000 DocStrings in real
suites holds one. Dearer than two odd fences, which else would take the scenarios between them for one DocString."""
_HOPELESS = 12 * _MISPLACED
"""A reading that costs so much more than the best so far is given up."""


_BELOW_ROW = {
    LinePlace.EXAMPLES: LinePlace.ROWS,
    **{place: place for place in (LinePlace.STEPS, LinePlace.ROWS)},
}
"""Where a row leads, from a place that takes one."""


def fence_of(line: str, fences: tuple[str, ...] = FENCES) -> str:
    """The DocString separator at the beginning of a line, or ""."""
    text = line.lstrip()
    return next((fence for fence in fences if text.startswith(fence)), "")


def indent_of(line: str) -> int:
    """Columns before a line's text; a tab goes to the next multiple of four, as most editors show it."""
    return len(line[: len(line) - len(line.lstrip())].expandtabs(4))


@dataclass(frozen=True, slots=True)
class DocString:
    end: int
    """Index of the closing line; of the first line that is no part of it where it is never closed."""
    closed: bool


@dataclass(frozen=True, slots=True)
class LineKind:
    """The kind of a line outside DocStrings."""

    token: str
    """The type of its token; "" for prose."""
    misspelt: bool = False
    """True if it is prose, and would be that token if it were spelt right."""


class _Outside(NamedTuple):
    """The state of a reading outside DocStrings."""

    place: LinePlace
    in_background: bool
    step_indent: int = 0
    """Indentation of the last step."""
    documented: bool = False
    """The step has its DocString."""
    skipping: bool = False
    """The line before had no place."""


class _Inside(NamedTuple):
    """The state of a reading inside a DocString."""

    in_background: bool
    step_indent: int
    fence: str
    indent: int
    """Indentation of the fence."""

    @property
    def margin(self) -> int:
        """A title that is indented deeper belongs to the DocString, if nothing else speaks against it."""
        return max(self.indent, self.step_indent)


_State = _Outside | _Inside
_Found = tuple["_Found", int, DocString | None] | None
"""What was found, the last first: what was found before it, the index of its line, and the DocString that opens there;
None for a misspelt title."""


class _Way(NamedTuple):
    """The best reading up to a state."""

    lawful: bool
    """The official parser reads so, and has found nothing to refuse."""
    cost: int
    found: _Found = None
    opener: int = 0
    """Index of the line that opened the DocString it is in."""

    def plus(self, cost: int) -> "_Way":
        return _Way(self.lawful and cost < _MISPLACED, self.cost + cost, self.found, self.opener)

    def doubted(self, cost: int) -> "_Way":
        """The reading at a cost that the official parser does not have."""
        return _Way(self.lawful, self.cost + cost, self.found, self.opener)

    def ended(self, end: int, *, closed: bool) -> "_Way":
        way = _Way(self.lawful, self.cost, (self.found, self.opener, DocString(end, closed)))
        return way if closed else way.plus(_ODD_FENCE)

    @property
    def rank(self) -> tuple[bool, int]:
        """The smaller, the better."""
        return not self.lawful, self.cost


def best_reading(
    lines: list[str],
    begin: int,
    place: LinePlace,
    *,
    in_background: bool,
    kind_of: Callable[[int], LineKind],
    markdown: bool,
    fences: tuple[str, ...],
) -> dict[int, DocString | None]:
    """Maps the index of each DocString's opening line to the DocString, and that of each misspelt title below another
    title to None. `place` is that above the line `begin`. Fences below steps outside DocStrings open nothing.
    """
    reading = _Reading(lines, begin, kind_of, markdown=markdown, fences=fences)
    ways: dict[_State, _Way] = {_Outside(place, in_background): _Way(lawful=True, cost=0)}
    for at in range(begin, len(lines)):
        if not lines[at].strip():
            continue
        following: dict[_State, _Way] = {}
        for state, way in ways.items():
            for new, reached in reading.after(at, state, way):
                if new not in following or reached.rank < following[new].rank:
                    following[new] = reached
        limit = min(way.cost for way in following.values()) + _HOPELESS
        ways = {new: way for new, way in following.items() if way.cost < limit or way.lawful}
    finished = [
        way.ended(len(lines), closed=False) if isinstance(state, _Inside) else way for state, way in ways.items()
    ]
    link = min(finished, key=lambda way: way.rank).found
    result = {}
    while link is not None:
        link, at, doc_string = link
        result[at] = doc_string
    return result


class _Reading:
    """The states to which each line leads, from each state."""

    def __init__(
        self,
        lines: list[str],
        begin: int,
        kind_of: Callable[[int], LineKind],
        *,
        markdown: bool,
        fences: tuple[str, ...],
    ) -> None:
        self._lines = lines
        self._markdown = markdown
        self._fences = fences
        self._kinds = {at: kind_of(at) for at in range(begin, len(lines)) if lines[at].strip()}
        self._indents = {at: indent_of(lines[at]) for at in self._kinds}
        self._owners: dict[int, str] = {}
        """The token of a line; for tags and comments, of the line that they lead to."""
        self._beginnings: set[int] = set()
        """Steps, and titles with the tags and comments above them: what may end a DocString that is never closed."""
        owner, below = "", -1
        for at, kind in reversed(self._kinds.items()):
            leads = kind.token in ("TagLine", "Comment")
            owner = owner if leads else kind.token
            self._owners[at] = owner
            if owner in TITLES or kind.token == "StepLine":
                self._beginnings.add(at)
                if leads:
                    self._beginnings.discard(below)
            below = at

    def after(self, at: int, state: _State, way: _Way) -> Iterator[tuple[_State, _Way]]:
        """The states after a line, the official parser's first."""
        if isinstance(state, _Inside):
            yield from self._inside(at, state, way)
        elif state.place is LinePlace.STEPS and (fence := fence_of(self._lines[at], self._fences)):
            second = state.documented and not state.skipping
            opened = _Inside(state.in_background, state.step_indent, fence, self._indents[at])
            yield opened, way._replace(opener=at).plus(second * _MISPLACED)
            yield state._replace(skipping=False), way.plus(_ODD_FENCE + 2 * _DOUBT)
        else:
            new, cost = self._outside(at, state)
            yield new, way.plus(cost)
            kind = self._kinds[at]
            if kind.misspelt and state.place in DESCRIBED:
                yield self._title(at, state)[0], way._replace(found=(way.found, at, None)).plus(_MISPLACED)

    def _inside(self, at: int, state: _Inside, way: _Way) -> Iterator[tuple[_State, _Way]]:
        line, indent = self._lines[at], self._indents[at]
        below = _Outside(LinePlace.STEPS, state.in_background, state.step_indent, documented=True)
        if line.lstrip().startswith(state.fence):
            doubts = (indent != state.indent) + 2 * (line.strip() != state.fence)
            yield below, way.ended(at, closed=True).doubted(doubts * _DOUBT)
            return
        yield state, way.doubted(self._swallowed(at, state))
        is_step = self._kinds[at].token == "StepLine"
        if at in self._beginnings:
            new, cost = self._outside(at, below)
            doubts = is_step + (indent >= state.indent if is_step else indent > state.margin)
            yield new, way.ended(at, closed=False).plus(cost + doubts * _DOUBT)

    def _swallowed(self, at: int, state: _Inside) -> int:
        """The cost of a line as text of a DocString."""
        indent = self._indents[at]
        kind = self._kinds[at].token
        if indent < state.indent:
            return _SWALLOWED_TITLE if kind in TITLES and indent <= state.step_indent else _DOUBT
        if kind == "StepLine":
            return _DOUBT * (indent == state.indent)
        return _DOUBT * (self._owners[at] in TITLES and indent <= state.margin)

    def _outside(self, at: int, state: _Outside) -> tuple[_Outside, int]:
        """The state after a line outside DocStrings that opens none, and its cost."""
        kind, place = self._kinds[at], state.place
        if kind.token == "Comment" or (kind.token == "TagLine" and self._owners[at] in _TAGGED):
            return state, 0
        if kind.token in TITLES and not (kind.misspelt and place in DESCRIBED):
            new, cost = self._title(at, state)
            return new, cost + kind.misspelt * _MISPLACED
        if kind.token == "StepLine" and place in (LinePlace.DESCRIPTION, LinePlace.STEPS):
            return _Outside(LinePlace.STEPS, state.in_background, self._indents[at]), 0
        if kind.token == "TableRow" and (below := _BELOW_ROW.get(place)) is not None:
            return state._replace(place=below), 0
        if place in DESCRIBED:  # prose
            return state, _MISPLACED * (kind.token == "TagLine")
        if self._markdown and not kind.token:
            return state, 0
        return state._replace(skipping=True), _DOUBT + _MISPLACED * (not state.skipping)

    def _title(self, at: int, state: _Outside) -> tuple[_Outside, int]:
        token = self._kinds[at].token
        described = state.place in DESCRIBED
        if token in ("RuleLine", "ScenarioLine"):
            return _Outside(LinePlace.HEADER if token == "RuleLine" else LinePlace.DESCRIPTION, in_background=False), 0
        if token == "FeatureLine":
            return (state, 0) if described else (_Outside(LinePlace.HEADER, in_background=False), _SECOND_FEATURE)
        if token == "BackgroundLine":
            if described and state.place is not LinePlace.HEADER:
                return state, 0
            return _Outside(LinePlace.DESCRIPTION, in_background=True), _MISPLACED * (not described)
        if state.place is LinePlace.HEADER or (described and state.in_background):
            return state, 0
        if state.in_background or state.place is LinePlace.LOST:
            return _Outside(LinePlace.LOST, state.in_background), _MISPLACED
        return _Outside(LinePlace.EXAMPLES, in_background=False), 0
