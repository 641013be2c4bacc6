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
"""What an expression may name: `command`, `Urls.LOGIN`, `Urls::LOGIN`."""
Style = Callable[[str], str | None]
"""A literal for a text, or None where the style can't hold it."""


class Case(Enum):
    """The style of function names."""

    CAMEL = auto()
    PASCAL = auto()
    SNAKE = auto()


@dataclass(frozen=True, slots=True)
class Interpolation:
    """How a literal puts the value of a name in."""

    names: re.Pattern[str]
    """With one group: the name, or the whole of what stands for it."""
    mark: str = ""
    """What marks such a literal."""
    keeps_mark: bool = False
    """The mark is part of a literal's style."""
    doubled: str = ""
    """Signs that occur twice in such a literal, to mean themselves."""


@dataclass(frozen=True, slots=True)
class StepCalls:
    """How code runs steps by their texts."""

    hint: re.Pattern[bytes]
    """A text that every source with such calls contains."""
    find: Callable[[str, str, CodePlaces], Iterable[StepCall]]
    """(path, source, what of it is code) to the calls."""


def _as_written(_before: str, _wanted: str, written: str) -> str:
    return written


def _unescaped(text: str, _definition: StepDefinition) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Writing:
    # -- rename
    literals: Callable[[StepDefinition], Iterable[Style]] | None = None
    """Styles of the literal of a definition, those that stay nearest to it first."""
    interpolation: Interpolation | None = None
    slashed_regexes: bool = False
    """A regular expression is a literal between slashes."""
    escaped_regex: Callable[[str, StepDefinition], str] = _unescaped
    """What an expression escapes beside what every engine does."""
    step_calls: StepCalls | None = None
    mixed_with: frozenset[str] = frozenset()
    """Languages of which the sources call each other, this one included."""
    all_arguments: str = ""
    """A name by which a function has all of its arguments."""
    defaults_last: bool = False
    """No parameter without a default may follow one that has one."""

    # -- where a definition is
    stacked: str = ""
    """Node type of what is stacked on a function to make it a definition."""
    comment_line: re.Pattern[bytes] | None = None
    """The line of a doc comment that makes a function a definition."""
    siblings: bool = False
    """What is stacked is before the function, not in it."""
    call: str = ""
    """Node type of a call with a function that is a definition."""
    call_end: re.Pattern[bytes] | None = None
    """What closes that call after the function."""
    registered: bool = False
    """A definition names its function, which is elsewhere."""

    # -- create
    snippet: Callable[[Snippet], NewCode] | None = None
    frame: Callable[[Asked], Frame] | None = None
    """What is around a definition in a file of its own. Raises `NoNewFileError`."""
    registrations: Callable[[StepDefinition, str, str, Callable[[str], bytes]], Iterator[FileEdits]] | None = None
    """(definition of the file, text of the file, path of the new one, what reads a file) to edits without which the
    runner would not load the new one. Raises `NoNewFileError`."""
    class_suffix: str = ""
    """A file is named after its class, whose name ends so where no other tells otherwise."""
    file_name: Callable[[Path, str], str] | None = None
    """(path beside it, words) to the name of a new file, where that is no class."""
    keyword: Callable[[str, str, str], str] = _as_written
    """(what is before it, the wanted one, the one that is written there) to a keyword that a file imports not."""
    case: Case = Case.CAMEL
    blank_lines: int = 1
    """Between two functions of a file."""

    # -- merge
    shared_call: Callable[[str, list[str], FunctionSource], str] | None = None
    """(name, arguments, function) to the body of a function that calls that function."""
    named_value: str = ""
    """A function with a name, where it was in a call: of `{name}` and `{function}`."""
    share: Callable[[EditedSources, SharedValue], None] | None = None
    """Lets both calls run one value, where that takes more than a name for a function. Raises `UnmergeableError`."""
    private: str = ""
    """Before a member function."""
    jumps: frozenset[str] = frozenset()
    """Syntax that means something else in a function of its own."""
    blocks: bool = False
    """Step functions are blocks, which see the variables around them."""
    block_parameters: str = ""
    """How a block that has none yet declares its first one: with `{parameters}`."""
    indented: bool = False
    """A body has no braces: it is indented."""
    variable: str = "{name}"
    declaration: str = "{name}"
    """Of a parameter; with `{type}` where it has one."""
    constant_types: Mapping[str, str] = field(default_factory=dict)
    """What a parameter for a constant is declared as, by what that is: text, whole, decimal, truth. A constant that has
    none here stays."""
    constant_type: Callable[[DifferingConstant, bool], str] | None = None
    """(constant, whether parameters are typed) to the type, where the rules above do not give it; empty: none."""
    plain_text: re.Pattern[str] | None = None
    """How a literal begins that is a text and nothing else: no bytes, no character."""
    keys_are_values: bool = False
    """A variable may be the key of a pair."""
    converts_groups: bool = False
    """The runner makes of a regex's group what the type of the parameter says."""
    unknown_parameters: bool = False
    """The type that a parameter needs is not known."""
    pointers: bool = False
    """`*` before a type."""
    types_from_call: bool = False
    """A function that is handed over need not declare its types."""

    calling: CallStyle | None = None


_NONE = Writing()


@cache
def writing_of(language: str) -> Writing:
    """The row of a language, by its id; a row without any ability where there is none."""
    name = f"cukereuse_engine.refactor.languages.{language}"
    if not language.isidentifier() or importlib.util.find_spec(name) is None:
        return _NONE
    row: Writing = importlib.import_module(name).WRITING
    return row
