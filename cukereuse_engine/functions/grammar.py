"""The fields of a row of `languages`: the meaning of a glue language's syntax, in node types of its tree-sitter
grammar."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from cukereuse_engine.functions.field_names import Naming

if TYPE_CHECKING:
    from tree_sitter import Node

    from cukereuse_engine.glue.languages.source import Source

Import = tuple[str, str, str]
"""A local name, the module or namespace that it is of, and its name there; an empty name there is the module itself.
The local name `*`: all names of the module."""


class SharedFolder(Enum):
    """The files whose functions a file can call without an import."""

    NONE = auto()
    FOLDER = auto()
    """Those of its folder, which is one package (Go)."""
    BELOW = auto()
    """Those of its World, a folder and all below it (Ruby)."""


@dataclass(frozen=True, slots=True)
class Grammar:
    module: str
    """Of the tree-sitter wheel."""
    functions: frozenset[str]
    """Whatever has parameters and a body."""
    blocks: frozenset[str]
    """Whose children are statements."""
    strings: frozenset[str]
    contents: frozenset[str]
    """Inside a string: what it says as it is."""
    values: frozenset[str]
    """Literals that are no strings."""
    names: frozenset[str]
    """Leaves that are looked up."""
    members: Mapping[str, tuple[str, str]]
    """Node type of an access to a member, to its fields of the thing and of the member's name."""
    declares: Mapping[str, str]
    """Node type that gives local names, to the field where they are; "" for the first child, "*" for all."""
    classes: frozenset[str] = frozenset()
    containers: frozenset[str] = frozenset()
    """What may be around classes and functions of a file."""
    this: frozenset[str] = frozenset()
    """How a method says the object that it belongs to."""
    implicit_this: bool = False
    """A bare name may be a member of the class around."""
    capitalised: bool = False
    """Methods begin with a capital, as types do."""
    typed: bool = False
    """Types of parameters decide what is handed to the function."""
    tail_is_result: bool = False
    """What a step function gives back is waited for or nothing: `return` and `await` before its last expression say no
    more."""
    dropped: frozenset[str] = frozenset()
    """Syntax that changes nothing when it runs: types, modifiers, labels."""
    transparent: frozenset[str] = frozenset()
    """Wrappers around what counts, beyond the common ones."""
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Node type of a call, to the fields of what is called and of the arguments."""
    types: frozenset[str] = frozenset()
    """Leaves that name types only."""
    entry: str = "language"
    """The function of the wheel that gives the grammar."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """Suffix of a file to the function that reads it, where it differs."""
    imports: "Callable[[Source, Node], Iterable[Import]] | None" = None
    """What an import says."""
    bare_imports: bool = False
    """An import says that a name is of elsewhere, and no file."""
    modules: Callable[[str, str], Iterator[str]] | None = None
    """(module, path of the file that imports it) to paths where its file may be, the likeliest first."""
    submodules: bool = False
    """What is imported from a module may be a module."""
    functions_begin: re.Pattern[bytes] | None = None
    """Where a function begins that other files may name: tells which files to parse, and what an edit changed."""
    sharing: SharedFolder = SharedFolder.NONE
    separator: str = "."
    """Between a package and a name in it."""
    package_types: bool = False
    """A type that no import names is of the package of the file."""
    package_classes: bool = False
    """A class that no import names is of the package of the file, or of one that it imports whole."""
    receivers: bool = False
    """A method names its receiver, and is outside of its type."""
    builtins: frozenset[str] = frozenset()
    """Names, words of types among them, that no file declares."""
    methods: frozenset[str] = frozenset()
    """Functions that are methods of the class around; empty: all are."""
    bases: frozenset[str] = frozenset()
    """Lists of superclasses, where a call has lists of the same type."""
    first_is_self: bool = False
    """A method takes its object as the first parameter, `self`."""
    undeclared_fields: bool = False
    """To assign to a member of `this` declares a field."""
    configured: bool = False
    """The arguments of a constructor may come from a configuration, by name."""
    calls_with_this: str = ""
    """The member that calls a function with another `this`, which it is handed first."""
    sigils: bool = False
    """Variables have a sign: a bare name is that of a class, a function or a constant."""
    dollars: bool = False
    """`$name` in a text is a value, though the grammar says that it is text."""
    plain_quote: str = ""
    """Between it only itself and backslashes are escaped."""
    assigned_locals: bool = False
    """A local is declared by the first assignment."""
    docstrings: bool = False
    """A text alone is a statement that does nothing."""
    result: str = ""
    """The field of the type that a function gives back, where steps that follow are handed it."""
    vague_types: frozenset[str] = frozenset()
    """Types of parameters that decide nothing."""
    parts_by_place: bool = False
    """Name, type and default of a parameter have no fields."""
    default_is_last: bool = False
    """A parameter's default has no field; it is last."""
    naming: "Callable[[Node, Node], Naming] | None" = None
    """(identifier, node around it) to what it names."""
    step_calls: frozenset[str] = frozenset()
    """Functions that run steps by their texts."""
    step_members: bool = False
    """Those are asked of an object."""
    step_takes_this: bool = False
    """Those take `this` first."""
    placeholders: re.Pattern[str] | None = None
    """What a format puts values in for."""
    copies: bool = False
    """Classes of two modules of one build may be copies of each other."""
    top_level: re.Pattern[str] | None = None
    """What a file declares outside of classes; empty where it can't."""


TRANSPARENT = frozenset(
    (
        *("expression_statement", "parenthesized_expression", "parenthesized_statements", "argument", "value_argument"),
        *("statement_list", "expression_list"),
        *("block_body", "body_statement", "then", "block", "statement_block", "compound_statement", "annotated_lambda"),
        *("function_body", "arrow_expression_clause", "named_argument_list", "type", "primary_expression"),
    )
)
"""Wrappers in any language whose type says nothing that their children do not say."""
_NOISE = frozenset(
    (
        *("async", "function", "def", "do", "end", "then", "fn", "func", "let", "var", "val", "const", "mut", "lambda"),
        *("final", "fun", "begin", "public", "private", "protected", "static", "as", "=>", "->", "=", ":=", "{", "}"),
    )
)
"""Keywords and signs that the types of the nodes say already."""


def is_noise(text: str) -> bool:
    return text in _NOISE or not any(char not in "()[]{},;.:\"'`|@$&" for char in text)
