"""The functions of step definitions as written in their sources: names, parameters, places."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.calling.trees import SourceTree, SyntaxTrees
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.functions.classes import Class
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.names import Names
from cukereuse_engine.functions.parameters import Parameter, holder_of, parameters_of
from cukereuse_engine.functions.reading import function_of
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.refactor.call_style import CallStyle, Others
from cukereuse_engine.refactor.expressions import parameters as expressions
from cukereuse_engine.refactor.expressions.rewrite import by_name
from cukereuse_engine.refactor.writing import writing_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SEVERAL = re.compile(r"=|\.\.\.|\bparams\b|\bvararg\b")
"""Parameters that may be left out, or take several arguments."""


class NotCallableError(CukereuseError):
    """The functions can't be called; the message says why."""


@dataclass(frozen=True, slots=True)
class StepFunction:
    definition: StepDefinition
    tree: SourceTree
    start_byte: int
    end_byte: int
    type: str
    """Type of its node, whose bytes are given."""
    name: str
    """The name by which other code of the file can call it; empty if it has none."""
    owner: int
    """Byte at which the class around it begins; -1: there is none."""
    around: int
    """Byte at which the function around it begins; -1: there is none."""
    others: tuple[Parameter, ...]
    """Parameters that take nothing of the step's text, by position."""
    taken: tuple[Parameter, ...]
    """Parameters that take arguments, by position."""
    numbers: tuple[int, ...]
    """The position of each taken parameter among all parameters."""
    is_async: bool
    result: str
    """Type of its result, as written; empty if none is written."""
    on_this: bool
    """True if it is called on the World (`function`, no arrow)."""
    code: str
    """Parameters and body, as written."""

    @property
    def node(self) -> "Node":
        """Its node in the source's tree, which may be read again for it: a kept function does not keep the tree."""
        return self.tree.node_at(self.start_byte, self.end_byte, self.type)

    @property
    def place(self) -> tuple[str, int, int]:
        """The file, class and function around it. Functions of one place can call each other."""
        return self.definition.path, self.owner, self.around


class SourceFunctions:
    """The step functions of one source; none if it can't be read."""

    def __init__(self, path: str, text: str, definitions: Iterable[StepDefinition], trees: SyntaxTrees) -> None:
        self.path, self.text = path, text
        self.definitions = [definition for definition in definitions if definition.path == path]
        self.data = text.encode("utf-8", "surrogatepass")
        language = self.definitions[0].language if self.definitions else ""
        self._tree = SourceTree(path, self.data, language, trees)
        self._functions: dict[str, StepFunction | None] = {}

    @property
    def source(self) -> Source | None:
        return self._tree.source

    @property
    def names(self) -> Names | None:
        """The file's imports and classes."""
        return self._tree.names

    def text_of(self, node: "Node") -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def head(self, function: StepFunction) -> str:
        """A function's head, with the decorators, attributes and modifiers before it."""
        parent = function.node.parent
        decorated = parent if parent is not None and parent.type == "decorated_definition" else function.node
        body = function.node.child_by_field_name("body")
        end = body.start_byte if body is not None else function.node.end_byte
        return self.data[decorated.start_byte : end].decode("utf-8", "replace")

    def class_at(self, owner: int) -> Class | None:
        """The class that begins at a byte."""
        classes = self.names.classes if self.names is not None else ()
        return next((class_ for class_ in classes if class_.node.start_byte == owner), None)

    def of(self, definition: StepDefinition) -> StepFunction | None:
        if definition.id not in self._functions:
            self._functions[definition.id] = self._read(definition)
        return self._functions[definition.id]

    @cached_property
    def owners(self) -> Sequence[tuple[str, int]]:
        """Name of each class, and the byte at which it begins."""
        classes = self.names.classes if self.names is not None else ()
        return [(plain_name(class_.id), class_.node.start_byte) for class_ in classes]

    @cached_property
    def by_place(self) -> Mapping[tuple[str, int], Sequence[StepFunction]]:
        """Maps each name and owner to the functions with that name there."""
        by_name_and_owner: dict[tuple[str, int], dict[int, StepFunction]] = {}
        for definition in self.definitions:
            function = self.of(definition)
            if function is not None and function.name:
                by_name_and_owner.setdefault((function.name, function.owner), {})[function.start_byte] = function
        return {key: list(group.values()) for key, group in by_name_and_owner.items()}

    def on_one_function(self, function: StepFunction) -> Sequence[StepDefinition]:
        """All definitions of a function."""
        return self._by_function[function.start_byte]

    @cached_property
    def _by_function(self) -> Mapping[int, Sequence[StepDefinition]]:
        by_function: dict[int, list[StepDefinition]] = {}
        for definition in self.definitions:
            its = self.of(definition)
            if its is not None:
                by_function.setdefault(its.start_byte, []).append(definition)
        return by_function

    @cached_property
    def _names(self) -> Mapping[tuple[str, int], Sequence[int | None]]:
        """Maps each name and owner of the file's functions to their numbers of arguments; None for a function that
        takes several numbers."""
        assert self.source is not None
        taken: dict[tuple[str, int], list[int | None]] = {}
        language = self.definitions[0].language
        for node in self.source.nodes(*GRAMMARS[language].functions):
            name = node.child_by_field_name("name")
            if name is not None:
                parameters = parameters_of(node, GRAMMARS[language], self.source.text)
                holder = holder_of(node)
                is_fixed = holder is None or _SEVERAL.search(self.source.text(holder)) is None
                count = len(parameters) if is_fixed else None
                taken.setdefault((self.source.text(name), self._around(node)[0]), []).append(count)
        return taken

    def is_alone(self, function: StepFunction) -> bool:
        """True if a call by its name, with as many arguments as it takes, can only mean this function."""
        counts = self._names.get((function.name, function.owner), (0,))
        if len(counts) == 1:
            return True
        own = len(function.others) + len(function.taken)
        style = writing_of(self.definitions[0].language).calling
        return style is not None and style.overloads and None not in counts and counts.count(own) == 1

    def _around(self, node: "Node") -> tuple[int, int]:
        grammar = GRAMMARS[self.definitions[0].language]
        owner = around = -1
        parent = node.parent
        while parent is not None:
            if parent.type in grammar.classes and owner < 0:
                owner = parent.start_byte
            if parent.type in grammar.functions and around < 0 and owner < 0:
                around = parent.start_byte
            parent = parent.parent
        return owner, around

    def _read(self, definition: StepDefinition) -> StepFunction | None:
        source = self.source
        style = writing_of(definition.language).calling
        if source is None or style is None or definition.framework not in style.frameworks:
            return None
        node = function_of(source, definition, self.names)
        if node is None or node.has_error:
            return None
        text = source.text
        parameters = parameters_of(node, GRAMMARS[definition.language], text)
        others, taken, numbers = _shared_out(definition, style, parameters)
        name = node.child_by_field_name("name")
        if name is not None and node.type == "function_expression":  # its name is known inside of it only
            name = None
        result = _result(node, text)
        waited_for = style.waited_for
        says_async = _says_async(node, text)
        code = self.data[_code_begin(node) : node.end_byte].decode("utf-8", "replace")
        owner, around = self._around(node)
        return StepFunction(
            definition=definition,
            tree=self._tree,
            start_byte=node.start_byte,
            end_byte=node.end_byte,
            type=node.type,
            name=text(name) if name is not None else self._declared(node, definition),
            owner=owner,
            around=around,
            others=others,
            taken=taken,
            numbers=numbers,
            is_async=says_async if waited_for is None else waited_for.match(result) is not None,
            result=result,
            on_this=style.binds_this and node.type != "arrow_function",
            code=f"async {code}" if says_async else code,
        )

    def _declared(self, node: "Node", definition: StepDefinition) -> str:
        """The name in `const open = …` if the value is the function, or playwright-bdd's result for it."""
        assert self.source is not None
        parent = node.parent
        if definition.framework == "playwright-bdd" and parent is not None and parent.type == "arguments":
            parent = parent.parent.parent if parent.parent is not None else None
        if parent is None or parent.type != "variable_declarator":
            return ""
        name = parent.child_by_field_name("name")
        return self.source.text(name) if name is not None and name.type == "identifier" else ""


class SuiteFunctions:
    """The step functions of a suite's sources; each source is read when it is needed."""

    def __init__(self, read: Callable[[str], str], definitions: Iterable[StepDefinition]) -> None:
        """`read`: gives the text of a source; may raise `OSError` or `CukereuseError`."""
        self._read_text = read
        self._definitions: dict[str, list[StepDefinition]] = {}
        for definition in definitions:
            self._definitions.setdefault(definition.path, []).append(definition)
        self._sources: dict[str, SourceFunctions] = {}
        self._texts: dict[str, str | None] = {}
        self._classes: dict[str, dict[str, list[tuple[SourceFunctions, int]]]] = {}
        self._trees = SyntaxTrees()
        self._by_module: dict[str, str] = {}
        for path in self._definitions:
            plain = PurePath(path).with_suffix("").as_posix()
            self._by_module[plain] = self._by_module[plain.removesuffix("/index").removesuffix("/__init__")] = path

    def of(self, path: str) -> SourceFunctions:
        if path not in self._sources:
            definitions = self._definitions.get(path, ())
            self._sources[path] = SourceFunctions(path, self._read_text(path), definitions, self._trees)
        return self._sources[path]

    def read(self, path: str) -> SourceFunctions | None:
        """The functions of a file; None if it can't be read."""
        try:
            return self.of(path)
        except (OSError, CukereuseError):
            return None

    def text(self, path: str) -> str | None:
        """The text of any file; None if there is none."""
        if path not in self._texts:
            try:
                self._texts[path] = self._read_text(path)
            except (OSError, CukereuseError):
                self._texts[path] = None
        return self._texts[path]

    def beside(self, path: str) -> Iterator[SourceFunctions]:
        """Yields the other sources of step definitions in a file's folder."""
        folder = PurePath(path).parent
        near = (
            self.read(source_path)
            for source_path in self._definitions
            if source_path != path and PurePath(source_path).parent == folder
        )
        return (source for source in near if source is not None)

    def module(self, module: str, importer: str) -> SourceFunctions | None:
        """The source of a module in `Names.imports`; None if it defines no steps. `importer`: the importing file."""
        path = self._by_module.get(module.removeprefix("./"))
        if path is None and not module.startswith(("/", ".")):  # Python's: from some folder above
            above = (folder / module.replace(".", "/") for folder in PurePath(importer).parents)
            path = next((candidate for module in above if (candidate := self._by_module.get(module.as_posix()))), None)
        return self.read(path) if path is not None else None

    def classes(self, name: str, language: str) -> Sequence[tuple[SourceFunctions, int]]:
        """Classes with this name that define steps, by the byte at which each begins."""
        if language not in self._classes:
            self._classes[language] = self._classes_of(language)
        return self._classes[language].get(name, ())

    def _classes_of(self, language: str) -> dict[str, list[tuple[SourceFunctions, int]]]:
        """Classes by name, because many steps need the same few."""
        by_name: dict[str, list[tuple[SourceFunctions, int]]] = {}
        for path, definitions in self._definitions.items():
            source = self.read(path) if definitions[0].language == language else None
            for name, owner in source.owners if source is not None else ():
                assert source is not None
                by_name.setdefault(name, []).append((source, owner))
        return by_name


def plain_name(type_name: str) -> str:
    """The name of a type without its package or file, and without type arguments."""
    return re.split(r"[.:\\]", type_name.partition("<")[0].rstrip("?"))[-1]


def _says_async(node: "Node", text: "Callable[[Node], str]") -> bool:
    modifiers = next((child for child in node.children if child.type == "function_modifiers"), None)
    return any(child.type == "async" for child in node.children) or (
        modifiers is not None and "async" in text(modifiers)
    )


def _shared_out(
    definition: StepDefinition, style: CallStyle, parameters: Sequence[Parameter]
) -> tuple[tuple[Parameter, ...], tuple[Parameter, ...], tuple[int, ...]]:
    if style.declares_this and parameters and parameters[0].name == "this":
        parameters = parameters[1:]
    others = style.frameworks[definition.framework]
    if others is Others.FIXTURES:
        named = {parameter.name for parameter in expressions.parameters_of(definition, nested=True).found}
        inside = [parameter.name in named for parameter in parameters]
    else:
        inside = [number >= (others is Others.FIRST) for number in range(len(parameters))]
    numbers = tuple(number for number, is_taken in enumerate(inside) if is_taken)
    return (
        tuple(parameter for parameter, is_taken in zip(parameters, inside, strict=True) if not is_taken),
        tuple(parameters[number] for number in numbers),
        numbers,
    )


def _result(node: "Node", text: "Callable[[Node], str]") -> str:
    """The type of a function's result, as written."""
    fields = map(node.child_by_field_name, ("returns", "return_type", "type"))
    result = next(filter(None, fields), None)
    return text(result).removeprefix("->").removeprefix(":").strip() if result is not None else ""


def _code_begin(node: "Node") -> int:
    """The byte at which a function's parameters begin, or its body, or all of it."""
    begin = holder_of(node) or node.child_by_field_name("body") or node
    return begin.start_byte


def taken_by(function: StepFunction, match: Match) -> list[int] | None:
    """For each argument of a match, the number of the `taken` parameter that it reaches; None if this is unknown."""
    names = [parameter.name for parameter in function.taken]
    if len(names) != len(match.arguments) or not all(names) or any(it.default is not None for it in function.taken):
        return None
    in_order = list(range(len(names)))
    wanted = [it.name for it in match.arguments]
    is_named = by_name(function.definition) and all(wanted)
    if not is_named or match.definition.kind is ExpressionKind.CUCUMBER:
        return in_order
    if function.definition.framework == "behat":
        return _places([name.lower() for name in wanted], [name.lower() for name in names]) or in_order
    return _places(wanted, names)


def _places(wanted: Sequence[str], names: Sequence[str]) -> list[int] | None:
    return [names.index(name) for name in wanted] if sorted(wanted) == sorted(names) else None


def style_of(definition: StepDefinition) -> CallStyle:
    """The style in which functions of a language are called; the language must have one."""
    style = writing_of(definition.language).calling
    assert style is not None
    return style
