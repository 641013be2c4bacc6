"""The normal forms of one file's step functions.

A form is made of what a function names and calls, in order. Names of parameters and locals do not count, nor do
layout, comments, docstrings, types that only the compiler needs, and logging. What cannot be read is left out.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import only_call
from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.form import ClassFacts, FileForms, Form
from cukereuse_engine.functions.grammars import GRAMMARS, Grammar
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.normal_form import NormalFormWriter
from cukereuse_engine.functions.tokens import LOGS, NAME, TEXT, own
from cukereuse_engine.functions.unwritten import is_idle, is_written, only_tells
from cukereuse_engine.functions.writer import File
from cukereuse_engine.glue.definition import SourceSpan, StepDefinition
from cukereuse_engine.glue.languages.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_CAPTURED = re.compile(r"(?:\{|\(\?P<|<)(\w+)")
"""The arguments that `parsers.parse`, `parsers.re` and outlines capture in an expression of pytest-bdd."""
_Statement = tuple[str, ...]
_WITH_STATE = frozenset(("behave", "cucumber-rs", "godog"))
"""Runners that pass the scenario's state as the first parameter."""


def forms_of(path: str, source: bytes, definitions: Sequence[StepDefinition]) -> FileForms:
    """The forms of the functions of `definitions`, which must be all of the file at `path`. Never raises: a function
    that can't be read has no form."""
    if not definitions or definitions[0].language not in GRAMMARS:
        return FileForms({}, {})
    language = definitions[0].language
    grammar = GRAMMARS[language]
    try:
        parsed = parse(path, source, language)
        return _Reader(parsed, grammar).read(definitions)
    except Exception:  # too slow or too deep; only this file is left out
        return FileForms({}, {})


def parse(path: str, source: bytes, language: str) -> Source:
    """The tree of a source. Raises `SlowSourceError`."""
    grammar = GRAMMARS[language]
    return Source(path, source, grammar.module, grammar.entries.get(PurePath(path).suffix.lower(), grammar.entry))


def function_of(source: Source, definition: StepDefinition, names: Names | None = None) -> "Node | None":
    """The function of a definition; None if it is in another file. `names`: the file's, for callers that need many
    functions."""
    return _Reader(source, GRAMMARS[definition.language], names).function(definition)


def form_of_one(path: str, source: bytes, definition: StepDefinition) -> Form | None:
    """The form of one definition's function; None if the function is not written yet or is in another file, or if the
    source does not parse. Never raises."""
    grammar = GRAMMARS.get(definition.language)
    try:
        parsed = parse(path, source, definition.language) if grammar is not None else None
        if grammar is None or parsed is None or parsed.root.has_error:
            return None
        return _Reader(parsed, grammar).form(definition)
    except Exception:  # as above
        return None


@dataclass(frozen=True, slots=True)
class Literal:
    """A plain text, number or truth value in a function. Offsets are bytes in its source."""

    token: str
    start: int
    end: int


def literals_of(source: Source, definition: StepDefinition) -> list[Literal]:
    """The literals in a function's source that are in its normal form, in order."""
    reader = _Reader(source, GRAMMARS[definition.language])
    function = reader.function(definition)
    if function is None:
        return []
    writer = NormalFormWriter(reader.file, function, reader.captured(definition))
    writer.literals = {}
    writer.statements()
    return [Literal(token, start, end) for (start, end), token in sorted(writer.literals.items())]


class _Reader:
    def __init__(self, source: Source, grammar: Grammar, names: Names | None = None) -> None:
        self.source = source
        self.grammar = grammar
        self.names = Names(source, grammar) if names is None else names
        self.file = File(source, grammar, self.names)

    def read(self, definitions: Iterable[StepDefinition]) -> FileForms:
        forms: dict[str, Form] = {}
        owners: dict[str, str] = {}
        unwritten: list[str] = []
        idle: list[str] = []
        telling: dict[str, tuple[_Statement, ...]] = {}
        for definition in definitions:
            key = definition.function_id
            if key in forms:
                continue
            function = self.function(definition)
            if function is None:
                form = self._elsewhere(definition)
            else:
                owners.setdefault(self._owner(function), key)
                form = self._form(function, definition)
            if form is not None:
                forms[key] = form
            elif function is not None:
                unwritten.append(key)
                writer = NormalFormWriter(self.file, function)
                statements, logs = writer.statements(), writer.logs()
                if not function.has_error and is_idle(statements, logs):
                    idle.append(key)
                    if only_tells(statements, logs):
                        telling[key] = statements
        facts = tuple(
            ClassFacts(
                class_.id,
                class_.parents,
                class_.is_trait,
                (*class_.fields, *class_.methods),
                self._handed(class_),
                tuple(sorted(class_.sets)),
            )
            for class_ in self.names.classes
        )
        is_partial = self.source.root.has_error
        return FileForms(forms, owners, facts, tuple(unwritten), tuple(idle), telling, is_partial)

    def form(self, definition: StepDefinition) -> Form | None:
        function = self.function(definition)
        return self._form(function, definition) if function is not None else None

    def _handed(self, class_: Class) -> tuple[tuple[str, str], ...]:
        if not self.grammar.configured:
            return ()
        return tuple((field.type, name) for name, field in class_.fields.items() if field.injected and field.type)

    def _owner(self, function: "Node") -> str:
        name = function.child_by_field_name("name")
        around = self.names.class_around(function)
        written = self.source.text(name) if name is not None else str(function.start_byte)
        return own(around.id if around is not None else self.names.unit, written)

    def function(self, definition: StepDefinition) -> "Node | None":
        span = definition.function
        if span is None:
            return self._named(definition)
        node = self._widest(span)
        if node is None or (node.type in self.grammar.functions and _is_within(node, span)):
            return node
        if node.type in self.grammar.blocks and (node.start_byte, node.end_byte) == (span.start_byte, span.end_byte):
            return _handed_over(node, self.grammar.functions)
        if not _is_within(node, span) and (ending := self._ending(span)) is not None:
            return ending
        return self._inside(node, span)

    def _inside(self, node: "Node", span: SourceSpan) -> "Node | None":
        """The function that a node contains, or else the one that a call gets by name."""
        inside = self.source.nodes(*self.grammar.functions, within=node)
        if not inside and node.type == "call":
            return self._passed(node)
        behind = [function for function in inside if function.start_byte >= span.start_byte]
        return next((function for function in behind if function.end_byte == span.end_byte), next(iter(behind), None))

    def _widest(self, span: SourceSpan) -> "Node | None":
        """The first function from the innermost node outwards, or else the outermost node, within a span."""
        node = self.source.root.descendant_for_byte_range(span.start_byte, max(span.end_byte - 1, span.start_byte))
        while node is not None and _is_within(node, span) and node.type not in self.grammar.functions:
            if node.parent is None or not _is_within(node.parent, span):
                break
            node = node.parent
        return node

    def _ending(self, span: SourceSpan) -> "Node | None":
        """The widest function that ends with a span. Attributes are beside their function (Rust): what is around both
        may be the whole file, which is too long to be walked for each step."""
        node = self.source.root.descendant_for_byte_range(max(span.end_byte - 1, span.start_byte), span.end_byte)
        widest = None
        while node is not None and _is_within(node, span):
            if node.type in self.grammar.functions and node.end_byte == span.end_byte:
                widest = node
            node = node.parent
        return widest

    def _passed(self, call: "Node") -> "Node | None":
        """Ruby: the block or method of this file that a call gets as `&name` or as a symbol."""
        arguments = call.child_by_field_name("arguments")
        last = arguments.named_children[-1] if arguments is not None and arguments.named_children else None
        if last is None or last.type not in ("block_argument", "simple_symbol"):
            return None
        name = self.source.text(last).lstrip("&: ")
        value = self.names.constants.get(name)
        blocks = self.source.nodes("do_block", "block", within=value) if value is not None else []
        blocks = blocks or self.names.functions.get(name, [])
        return blocks[0] if blocks else None

    def _named(self, definition: StepDefinition) -> "Node | None":
        """The function of this file whose name a call hands over."""
        functions = self.names.functions.get(definition.function_name, []) if definition.function_name else []
        return functions[0] if len(functions) == 1 else None

    def _elsewhere(self, definition: StepDefinition) -> Form | None:
        """For a function in another file, its name is the form; for a method without its receiver."""
        name = definition.function_name
        if not re.search(r"\w", name) or self.names.grammar.implicit_this:
            return None
        first, mark, rest = name.partition(".")
        imported = self.names.imports.get(first)
        token = f"{NAME}{imported[0]}\0{imported[1]}{mark}{rest}" if imported else own(self.names.unit, name)
        return Form(((token,),), calls=token)

    def _form(self, function: "Node", definition: StepDefinition) -> Form | None:
        writer = NormalFormWriter(self.file, function, self.captured(definition))
        statements = writer.statements()
        takes_state = definition.framework in _WITH_STATE
        if not is_written([statement for statement in statements if statement[0] != LOGS], takes_state=takes_state):
            return None
        signature = (*writer.signature(), *self._decorated(function, definition))
        called = only_call(writer)
        return Form(
            statements=statements,
            signature=signature,
            parameters=writer.parameter_names,
            unused=writer.unused(),
            calls=called[0] if called else "",
            arguments=called[1] if called else (),
            steps=tuple(writer.steps),
            step_arguments=tuple(writer.step_arguments),
            at=function.start_byte,
            mentions=tuple(sorted(writer.mentions)),
            is_partial=function.has_error,
        )

    def captured(self, definition: StepDefinition) -> frozenset[str] | None:
        """Names of arguments if other parameters are fixtures; None if all are arguments."""
        if definition.framework != "pytest-bdd":
            return None
        return frozenset(_CAPTURED.findall(definition.expression))

    def _decorated(self, function: "Node", definition: StepDefinition) -> tuple[str, ...]:
        """The keyword arguments of a Python decorator beside the expression: `target_fixture`, `converters`."""
        if function.parent is None or function.parent.type != "decorated_definition":
            return ()  # a class has too many members to be looked through for each
        decorators: list[str] = []
        for decorator in function.parent.named_children:
            start, end = decorator.start_byte, decorator.end_byte
            if decorator.type != "decorator" or not start <= definition.literal.start_byte < end:
                continue
            for argument in self.source.nodes("keyword_argument", within=decorator):
                name = argument.child_by_field_name("name")
                if name is not None and self.source.text(name) in ("target_fixture", "converters"):
                    decorators.append(TEXT + re.sub(r"\s+", "", self.source.text(argument)).replace('"', "'"))
        return tuple(sorted(decorators))


def _handed_over(block: "Node", functions: Set[str]) -> "Node":
    """What runs if a call gets a block (Scala): the function with parameters in it, or else the block."""
    inside = [child for child in block.named_children if "comment" not in child.type]
    return inside[0] if len(inside) == 1 and inside[0].type in functions else block


def _is_within(node: "Node", span: SourceSpan) -> bool:
    return node.start_byte >= span.start_byte and node.end_byte <= span.end_byte
