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
"""A local name, its module or namespace, and its name there; an empty name there is the module itself. The local name
`*`: all names of the module."""


class SharedFolder(Enum):
    """The files whose functions a file can call without an import."""

    NONE = auto()
    FOLDER = auto()
    """The files of its folder, which is one package (Go)."""
    BELOW = auto()
    """The files of its World, a folder and everything below it (Ruby)."""


@dataclass(frozen=True, slots=True)
class Grammar:
    module: str
    """The module of the tree-sitter wheel."""
    functions: frozenset[str]
    """All nodes with parameters and a body."""
    blocks: frozenset[str]
    """Nodes whose children are statements."""
    strings: frozenset[str]
    contents: frozenset[str]
    """The plain text inside a string."""
    values: frozenset[str]
    """Literals that are no strings."""
    names: frozenset[str]
    """Leaves that are looked up."""
    members: Mapping[str, tuple[str, str]]
    """Maps the node type of a member access to its fields for the object and the member's name."""
    declares: Mapping[str, str]
    """Maps a node type that declares local names to their field; "" for the first child, "*" for all."""
    classes: frozenset[str] = frozenset()
    containers: frozenset[str] = frozenset()
    """Nodes that may contain classes and functions of a file."""
    this: frozenset[str] = frozenset()
    """How a method names its own object."""
    implicit_this: bool = False
    """True if a bare name may be a member of the class around it."""
    capitalised: bool = False
    """True if methods begin with a capital letter, as types do."""
    typed: bool = False
    """True if parameter types decide which values a function gets."""
    tail_is_result: bool = False
    """True if the result of a step function has no meaning beyond waiting: `return` and `await` before its last
    expression do not count."""
    dropped: frozenset[str] = frozenset()
    """Syntax that changes nothing when it runs: types, modifiers, labels."""
    transparent: frozenset[str] = frozenset()
    """Further wrappers around nodes that count."""
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Maps the node type of a call to its fields for the function and the arguments."""
    types: frozenset[str] = frozenset()
    """Leaves that name types only."""
    entry: str = "language"
    """The function of the wheel that returns the grammar."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """Maps a file's suffix to the function for it, if it differs."""
    imports: "Callable[[Source, Node], Iterable[Import]] | None" = None
    """The imports of a node."""
    bare_imports: bool = False
    """True if an import tells that a name is from elsewhere, but not from which file."""
    modules: Callable[[str, str], Iterator[str]] | None = None
    """Maps (module, path of the importing file) to paths where its file may be, likeliest first."""
    submodules: bool = False
    """True if a name that is imported from a module may be a module."""
    functions_begin: re.Pattern[bytes] | None = None
    """Where a function begins that other files may name: tells which files to parse, and what an edit changed."""
    sharing: SharedFolder = SharedFolder.NONE
    separator: str = "."
    """The separator between a package and a name in it."""
    package_types: bool = False
    """True if a type that no import names belongs to the file's package."""
    package_classes: bool = False
    """True if a class that no import names belongs to the file's package, or to one that it imports whole."""
    receivers: bool = False
    """True if a method names its receiver, and is outside its type."""
    builtins: frozenset[str] = frozenset()
    """Names, also inside types, that no file declares."""
    methods: frozenset[str] = frozenset()
    """Functions that are methods of the class around them; empty: all are."""
    bases: frozenset[str] = frozenset()
    """Lists of superclasses, if calls have lists of the same type."""
    first_is_self: bool = False
    """True if a method's first parameter is its object, `self`."""
    undeclared_fields: bool = False
    """True if an assignment to a member of `this` declares a field."""
    configured: bool = False
    """True if a configuration may set the arguments of a constructor by name."""
    calls_with_this: str = ""
    """The member that calls a function with another `this` as its first argument."""
    sigils: bool = False
    """True if variables have a sign, so that a bare name is a class, a function or a constant."""
    dollars: bool = False
    """True if `$name` in a text is a value, though the grammar takes it for text."""
    plain_quote: str = ""
    """The quote inside which only itself and backslashes are escaped."""
    assigned_locals: bool = False
    """True if the first assignment declares a local."""
    discards: bool = False
    """True if `_ = name` does nothing, but to say that a name is not used."""
    docstrings: bool = False
    """True if a text alone is a statement that does nothing."""
    result: str = ""
    """The field of the return type, if later steps get the result."""
    vague_types: frozenset[str] = frozenset()
    """Parameter types without meaning."""
    parts_by_place: bool = False
    """True if a parameter's name, type and default have no fields."""
    default_is_last: bool = False
    """True if a parameter's default has no field but is last."""
    naming: "Callable[[Node, Node], Naming] | None" = None
    """Maps (identifier, node around it) to what the identifier names."""
    step_calls: frozenset[str] = frozenset()
    """Functions that run steps by their texts."""
    step_members: bool = False
    """True if these functions are called on an object."""
    step_takes_this: bool = False
    """True if these functions take `this` first."""
    placeholders: re.Pattern[str] | None = None
    """The places for values in a format."""
    copies: bool = False
    """True if classes in two modules of one build may be copies of each other."""
    top_level: re.Pattern[str] | None = None
    """The declarations outside of classes; None if a file can't have any."""


TRANSPARENT = frozenset(
    (
        *("expression_statement", "parenthesized_expression", "parenthesized_statements", "argument", "value_argument"),
        *("statement_list", "expression_list"),
        *("block_body", "body_statement", "then", "block", "statement_block", "compound_statement", "annotated_lambda"),
        *("function_body", "arrow_expression_clause", "named_argument_list", "type", "primary_expression"),
    )
)
"""Wrappers in any language whose type adds nothing to their children."""
_NOISE = frozenset(
    (
        *("async", "function", "def", "do", "end", "then", "fn", "func", "let", "var", "val", "const", "mut", "lambda"),
        *("final", "fun", "begin", "public", "private", "protected", "static", "as", "=>", "->", "=", ":=", "{", "}"),
    )
)
"""Keywords and operators that the node types already imply."""


def is_noise(text: str) -> bool:
    return text in _NOISE or not any(char not in "()[]{},;.:\"'`|@$&" for char in text)
