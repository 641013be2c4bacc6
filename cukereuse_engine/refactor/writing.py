"""The fields of a row of `languages`: how code of a glue language is written.

Rows are loaded when they are first used, because they import from the modules that use them.
"""

import importlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from pathlib import Path

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_style import CallStyle
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources, SharedValue
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame
from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet
from cukereuse_engine.refactor.code_parts.step_function import DifferingConstant, FunctionSource
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall

NAME = r"[A-Za-z_$][\w.$]*(?:::\w+)*"
"""A name in place of an expression: `command`, `Urls.LOGIN`, `Urls::LOGIN`."""
Style = Callable[[str], str | None]
"""Maps a text to its literal; None if the style can't hold it."""


class Case(Enum):
    """The style of function names."""

    CAMEL = auto()
    PASCAL = auto()
    SNAKE = auto()


@dataclass(frozen=True, slots=True)
class Interpolation:
    """How a literal inserts the value of a name."""

    names: re.Pattern[str]
    """Matches an insertion; its group is the name, or all of the inserted expression."""
    mark: str = ""
    """The mark of such a literal."""
    keeps_mark: bool = False
    """True if the mark is part of a literal's style."""
    doubled: str = ""
    """Signs that are doubled in such a literal to mean themselves."""


@dataclass(frozen=True, slots=True)
class StepCalls:
    """How code runs steps by their texts."""

    hint: re.Pattern[bytes]
    """Matches every source with such calls."""
    find: Callable[[str, str, CodePlaces], Iterable[StepCall]]
    """Maps (path, source, its places of code) to the calls."""


def _as_written(_before: str, _wanted: str, written: str) -> str:
    return written


def _unescaped(text: str, _definition: StepDefinition) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Writing:
    # -- rename
    literals: Callable[[StepDefinition], Iterable[Style]] | None = None
    """Styles for the literal of a definition, the most similar to the present one first."""
    interpolation: Interpolation | None = None
    slashed_regexes: bool = False
    """True if a regular expression is a literal between slashes."""
    escaped_regex: Callable[[str, StepDefinition], str] = _unescaped
    """Escapes what a definition's expression must escape beyond the signs of every engine."""
    step_calls: StepCalls | None = None
    mixed_with: frozenset[str] = frozenset()
    """Languages whose sources call each other, including this one."""
    own_step: re.Pattern[str] | None = None
    """Finds in a function what tells it the text of the step that it runs for."""
    all_arguments: str = ""
    """The name by which a function has all of its arguments."""
    defaults_last: bool = False
    """True if no parameter without a default may follow one with a default."""

    # -- where a definition is
    stacked: str = ""
    """Type of the nodes that are stacked on a function to make it a definition."""
    comment_line: re.Pattern[bytes] | None = None
    """The line of a doc comment that makes a function a definition."""
    call: str = ""
    """Node type of a call with a function that is a definition."""
    call_end: re.Pattern[bytes] | None = None
    """Matches what closes that call after the function."""
    registered: bool = False
    """True if a definition names its function, which is elsewhere."""

    # -- create
    snippet: Callable[[Snippet], NewCode] | None = None
    frame: Callable[[Asked], Frame] | None = None
    """The code around a definition in a new file. Raises `NoNewFileError`."""
    registrations: Callable[[StepDefinition, str, str, Callable[[str], bytes]], Iterator[FileEdits]] | None = None
    """Maps (a definition, its file's text, the new file's path, a reader of files) to the edits without which the
    runner would not load the new file. Raises `NoNewFileError`."""
    class_suffix: str = ""
    """The suffix of a class that gives its file the name, unless the suite has another suffix."""
    file_name: Callable[[Path, str], str] | None = None
    """Maps (a path beside it, words) to the name of a new file, if this is not named after a class."""
    keyword: Callable[[str, str, str], str] = _as_written
    """Maps (the text before it, the wanted keyword, the one written there) to a keyword that a file does not import."""
    case: Case = Case.CAMEL
    blank_lines: int = 1
    """Number of blank lines between two functions of a file."""

    # -- merge
    shared_call: Callable[[str, list[str], FunctionSource], str] | None = None
    """Maps (name, arguments, function) to a body of `function` that calls the function `name`."""
    named_value: str = ""
    """Template that names a function of a call: with `{name}` and `{function}`."""
    share: Callable[[EditedSources, SharedValue], None] | None = None
    """Lets both calls run one value, if a name for the function is not enough. Raises `UnmergeableError`."""
    private: str = ""
    """The modifier of a private member function."""
    jumps: frozenset[str] = frozenset()
    """Syntax with another meaning in a function of its own."""
    blocks: bool = False
    """True if step functions are blocks, which see the variables around them."""
    block_parameters: str = ""
    """Template for the first parameters of a block: with `{parameters}`."""
    indented: bool = False
    """True if a body is indented, without braces."""
    variable: str = "{name}"
    declaration: str = "{name}"
    """Template of a parameter's declaration, with `{type}` if it has a type."""
    constant_types: Mapping[str, str] = field(default_factory=dict)
    """The type of a parameter for a constant, by the constant's kind: text, whole, decimal, truth. Constants of other
    kinds stay."""
    constant_type: Callable[[DifferingConstant, bool], str] | None = None
    """Maps (constant, true if parameters have types) to the type, instead of the rules above; empty: no type."""
    plain_text: re.Pattern[str] | None = None
    """The beginning of a literal that is a text: no bytes, no character."""
    keys_are_values: bool = False
    """True if a variable may be the key of a pair."""
    converts_groups: bool = False
    """True if the runner converts a regex's group to the type of the parameter."""
    unknown_parameters: bool = False
    """True if the type that a parameter needs is unknown."""
    pointers: bool = False
    """`*` before a type."""
    types_from_call: bool = False
    """True if a function that is passed need not declare its types."""

    calling: CallStyle | None = None


_NONE = Writing()


@cache
def writing_of(language: str) -> Writing:
    """The row of a language, by its id; a row without any ability if it has none."""
    name = f"cukereuse_engine.refactor.languages.{language}"
    if not language.isidentifier() or importlib.util.find_spec(name) is None:
        return _NONE
    row: Writing = importlib.import_module(name).WRITING
    return row
