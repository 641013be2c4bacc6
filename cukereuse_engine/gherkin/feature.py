"""The result of reading a feature file."""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, chain
from typing import Protocol, overload

import msgspec


class KeywordType(StrEnum):
    """The parser's keyword types; `*` is UNKNOWN."""

    CONTEXT = "context"
    ACTION = "action"
    OUTCOME = "outcome"
    CONJUNCTION = "conjunction"
    UNKNOWN = "unknown"


class Span(msgspec.Struct, frozen=True, gc=False):
    """The place of a text in its file. Lines end with LF, CRLF or a lone CR only (never with U+2028, U+0085 or VT)."""

    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    start: int
    """Offset of the first code point in the decoded text (a BOM, if any, not counted), line endings as in the file."""
    end: int
    """Offset after the last code point."""

    @property
    def end_column(self) -> int:
        """1-based column after the last code point (spans never cross lines)."""
        return self.column + self.end - self.start


@dataclass(frozen=True, slots=True)
class Examples:
    """One Examples table of a scenario outline."""

    line: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tags: tuple[str, ...]
    """Inherited ones included."""


class Step(msgspec.Struct, frozen=True, gc=False):
    """A struct, because ten thousand are made at each keystroke in a long file; use `msgspec.structs.replace`."""

    path: str
    """The file's path as discovery gave it."""
    text: str
    """The text as in the official parser: without keyword, DocString and table, trimmed at both ends."""
    span: Span
    """Exactly `text` in the file."""
    keyword: str
    """The keyword as written, with its trailing blank: "Given ", "* ", "假如"."""
    keyword_type: KeywordType
    resolved_type: KeywordType
    """`keyword_type`, with a conjunction replaced by the type of the step that it continues (UNKNOWN if none)."""
    feature: str
    rule: str | None
    scenario: str
    """Name of the scenario or background; often empty for a background."""
    scenario_line: int
    tags: tuple[str, ...]
    """Feature's, rule's and scenario's, in this order, each with its `@`."""
    is_background: bool
    is_outline: bool
    examples: tuple[Examples, ...]
    """The tables whose rows fill this step's placeholders: the outline's own; empty elsewhere."""
    argument: str | None
    """"docstring" or "table" where one is attached, else None."""
    recovered: bool = False
    """The official parser refused the file; this step was read by recovery."""
    carried_type: KeywordType = KeywordType.UNKNOWN
    """`resolved_type` where `*` is one more conjunction, as behave, pytest-bdd and cucumber-rs hold: `*` has the type
    of the step before it, a scenario's first one is a Given."""
    run_type: KeywordType = KeywordType.UNKNOWN
    """The type in Reqnroll and SpecFlow, which look at the step that ran before: a scenario's first `*` or And
    continues its background, and is a Given if nothing ran (Reqnroll, TestExecutionEngine.cs)."""

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def column(self) -> int:
        return self.span.column


@dataclass(frozen=True, slots=True)
class ReadError:
    """A place that the reader had to skip; the rule `unread` shows it."""

    path: str
    line: int
    """1-based; 0 where no line can be named (an unreadable file)."""
    column: int
    """1-based code points; 0 where none can be named."""
    message: str
    """The error and, if that helps, the correction."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment line of a feature file; pragmas are read from these."""

    line: int
    text: str
    """From the `#` on, trimmed."""


class Part(Protocol):
    """Steps of a file that belong together: whole scenarios."""

    @property
    def line(self) -> int:
        """The number of lines of the file before it."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """Made when they are needed."""


class Parts(Sequence[Part]):
    """All steps of a file, in parts; a part is made only when it is needed."""

    def __init__(self, says: Sequence[object], counts: Iterable[int]) -> None:
        """`says`: for each part, an object that is identical in another reading of the file with the same steps,
        perhaps at other lines. `counts`: the number of steps in each part."""
        self.says = says
        self.ends = list(accumulate(counts))
        """For each part, the number of steps up to its end."""
        self._made: dict[int, Part] = {}

    @abstractmethod
    def make(self, number: int) -> Part:
        """Make one of the parts."""

    def __len__(self) -> int:
        return len(self.says)

    def __bool__(self) -> bool:
        return bool(self.says)

    @overload
    def __getitem__(self, at: int) -> Part: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Part, ...]: ...
    def __getitem__(self, at: int | slice) -> Part | tuple[Part, ...]:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(len(self.says))[at])
        number = range(len(self.says))[at]
        part = self._made.get(number)
        if part is None:
            part = self._made[number] = self.make(number)
        return part

    def shared(self, after: "Parts") -> tuple[int, int]:
        """The numbers of parts that a later reading has too: at the beginning, in the same places, and of the rest, at
        the end."""
        above = alike(self.says, after.says)
        return above, alike_behind(self.says, after.says, above)

    def steps_in(self, first: int, end: int) -> int:
        """The number of steps from one part up to another."""
        return (self.ends[end - 1] if end else 0) - (self.ends[first - 1] if first else 0)


class _NoParts(Parts):
    def make(self, number: int) -> Part:
        raise IndexError(number)


NO_PARTS: Parts = _NoParts((), ())


def alike(left: Sequence[object], right: Sequence[object]) -> int:
    """The number of equal items at the beginning; many are compared at a time."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def alike_behind(left: Sequence[object], right: Sequence[object], above: int) -> int:
    """The number of equal items at the end, without so many at the beginning."""
    low, high = 0, min(len(left), len(right)) - above
    while low < high:
        middle = (low + high + 1) // 2
        if left[len(left) - middle :] == right[len(right) - middle :]:
            low = middle
        else:
            high = middle - 1
    return low


_FEW = 64
"""Steps that are looked up one by one, so that no others are made."""


class PartedSteps(Sequence[Step]):
    """The steps of a file in parts."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return self._parts.ends[-1] if self._parts else 0

    def __iter__(self) -> Iterator[Step]:
        return chain.from_iterable(part.steps for part in self._parts)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, at: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(at, slice):
            places = range(len(self))[at]
            return tuple(map(self.__getitem__, places)) if len(places) <= _FEW else tuple(self)[at]
        at = range(len(self))[at]
        ends = self._parts.ends
        number = bisect_right(ends, at)
        return self._parts[number].steps[at - ends[number]]  # from its end on

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class FeatureFile:
    path: str
    language: str
    """The Gherkin dialect: "en", "fr", …"""
    encoding: str
    """Codec the bytes were decoded with, such as "utf-8", "utf-8-sig", "utf-16"."""
    steps: Sequence[Step]
    errors: tuple[ReadError, ...]
    comments: tuple[Comment, ...]
    content_hash: str
    """BLAKE2b (16 bytes, hex) of the file's bytes."""
    parts: Parts | None = field(default=None, compare=False, repr=False)
    """All its steps, where a later reading may have some of them again."""
