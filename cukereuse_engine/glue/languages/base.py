"""The row of a language module, and which row reads which source.

A language module is one file beside this one with a module constant `LANGUAGE`; `language_for` finds it by suffix. It
reads syntax only: what a program would compute is reported as a `GlueError`, never guessed and never run.
"""

import importlib
import os
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache

from cukereuse_engine.glue import expressions
from cukereuse_engine.glue.definition import Constant, Extraction, StepDefinition
from cukereuse_engine.glue.expressions import ExpressionDialect
from cukereuse_engine.glue.languages.comments import HASH, Comments
from cukereuse_engine.glue.languages.source import ConstantNames, as_utf8
from cukereuse_engine.glue.languages.syntax_errors import around_errors, unreadable
from cukereuse_engine.glue.libraries import says_steps
from cukereuse_engine.glue.regexes import Dialect, dialects


@dataclass(frozen=True, slots=True)
class Language:
    id: str
    """Id that definitions carry: "python", "ruby", …"""
    name: str
    """The name for people."""
    suffixes: tuple[str, ...]
    """File suffixes in lower case, with their dot."""
    comments: Comments
    editor_ids: tuple[str, ...]
    """The language ids of the protocol, and so of VS Code, for such documents."""
    hint: re.Pattern[bytes]
    """Matches every source with glue. Fast, and rare in other sources, which are then never parsed."""
    regex: Dialect
    """The dialect of its runners' regular expressions."""
    extract: Callable[[str, bytes, ConstantNames], Extraction]
    """Maps (path, source, names) to the contents of the source. Raises only `SlowSourceError`, for any bytes."""
    expressions: ExpressionDialect = expressions.CUCUMBER
    """The features of expressions that its runners know."""
    lowest_first: bool = False
    """True if the lowest of several decorators on a function is registered first."""
    constants: Callable[[str, bytes, Set[str]], list[Constant]] | None = None
    """Maps (path, source, names) to the values of the names in the source. Raises as `extract`."""
    collected: Mapping[str, bytes] = field(default_factory=dict)
    """Maps names, joined by bars, to a pattern for sources that may contribute to these names."""
    gathered: str = ""
    """The beginning of the owners of names to which several sources may contribute."""
    takes_over: re.Pattern[bytes] | None = None
    """Matches an import of a whole module, with the module's name in a group."""
    brings_steps: Callable[[str], bool] = says_steps
    """True if the name of an imported module suggests step definitions from elsewhere."""
    filetypes: Mapping[str, str] = field(default_factory=dict)
    """Maps an editor id to Vim's filetype, if they differ."""
    kind_reason: Callable[[StepDefinition], str] | None = None
    """If an expression's text determines its kind: what in it does, as the end of a sentence."""
    refusal: Callable[[StepDefinition], str] | None = None
    """Why a runner does not load a definition although its expression is valid; empty if it loads it."""


@cache
def languages() -> tuple[Language, ...]:
    """All languages that have a module, by id. Loads no grammar: modules load theirs when they first parse."""
    package = importlib.import_module("cukereuse_engine.glue.languages")
    names = (info.name for info in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names if name != "base")
    rows: list[Language] = [module.LANGUAGE for module in modules if hasattr(module, "LANGUAGE")]
    return tuple(sorted(rows, key=lambda language: language.id))


@cache
def suffixes() -> tuple[str, ...]:
    """Every suffix of a glue source, sorted."""
    return tuple(sorted({suffix for language in languages() for suffix in language.suffixes}))


@cache
def _by_id() -> dict[str, Language]:
    return {language.id: language for language in languages()}


def kind_reason(definition: StepDefinition) -> str:
    """What in the text of an expression determines its kind, as the end of a sentence; empty if something else does."""
    row = _by_id().get(definition.language)
    return row.kind_reason(definition) if row is not None and row.kind_reason is not None else ""


def refusal(definition: StepDefinition) -> str:
    """Why the runner does not load a definition although its expression is valid; empty if it loads it."""
    row = _by_id().get(definition.language)
    return row.refusal(definition) if row is not None and row.refusal is not None else ""


def expression_dialect_of(language: str) -> ExpressionDialect:
    """The dialect in which a language writes Cucumber Expressions and Turnip's patterns."""
    row = _by_id().get(language)
    return row.expressions if row is not None else expressions.CUCUMBER


def registers_lowest_first(language: str) -> bool:
    """True if the lowest of several decorators on a function is registered first."""
    row = _by_id().get(language)
    return row is not None and row.lowest_first


def dialect_of(language: str) -> Dialect:
    """The dialect of a language's regular expressions; Python's for other languages."""
    row = _by_id().get(language)
    return row.regex if row is not None else dialects.PYTHON


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: language for language in languages() for suffix in language.suffixes}


def language_for(path: str) -> Language | None:
    """The language of a file by its suffix, or None."""
    return _by_suffix().get(os.path.splitext(path)[1].lower())  # noqa: PTH122 - asked of every file of a repository


def comments_of(path: str) -> Comments:
    """How a file's comments are written; as in Gherkin, where it is not in a language."""
    language = language_for(path)
    return language.comments if language is not None else HASH


def extract(path: str, source: bytes, given: Sequence[Constant] = ()) -> Extraction:
    """The contents of a source file; empty if its language is unknown, or if the language's hint is not in it. `given`:
    the values of names that it imports from other sources."""
    language = language_for(path)
    source = as_utf8(source)
    if language is None:
        return Extraction()
    libraries = libraries_in(language, source)
    if not language.hint.search(source):
        return Extraction(libraries=libraries)
    names = ConstantNames(given)
    try:
        extraction = language.extract(path, source, names)
    except Exception as error:  # too slow, or a fault of this reader: a single definition may be the cause
        extraction = unreadable(path, source, error)
    if extraction.lost:
        extraction = around_errors(path, lambda text: language.extract(path, text, names), source, extraction)
    given = tuple(given)
    return replace(extraction, references=names.references, given=given, libraries=libraries, is_broken=False)


def libraries_in(language: Language, source: bytes) -> tuple[str, ...]:
    """The names of libraries with step definitions that a source imports, even if it defines nothing itself."""
    if language.takes_over is None or not (b"tep" in source or b"/cucumber" in source):
        return ()
    matches = language.takes_over.finditer(source)
    groups = (next(group for group in match.groups() if group is not None) for match in matches)
    names = (group.decode("utf-8", "replace") for group in groups)
    return tuple(dict.fromkeys(filter(language.brings_steps, names)))
