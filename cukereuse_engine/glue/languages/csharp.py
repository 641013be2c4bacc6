"""C#: Reqnroll's and SpecFlow's attributes.

`[StepDefinition]` is one definition for all keywords. A project's own attributes, derived from Reqnroll's or aliases of
them, are known in all of its files.
"""

import re
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from cukereuse_engine.glue import built_in_types
from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, Limit
from cukereuse_engine.glue.expressions import ExpressionDialect
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, Value
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.csharp_attributes import KEYWORDS, StandIn, plain_name, stand_ins
from cukereuse_engine.glue.languages.csharp_kinds import is_cucumber_expression, kind_reason
from cukereuse_engine.glue.languages.csharp_method_names import method_name_regex, method_name_sentence
from cukereuse_engine.glue.languages.csharp_values import STRINGS, constants_of, parts_of
from cukereuse_engine.glue.languages.evaluation import Evaluator, close_strings
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects
from cukereuse_engine.prose import listed

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPRESSION_NAMES = ("expression", "Expression", "regex", "Regex")
_CLASSES = ("class_declaration", "record_declaration")
_PARTIAL = "partial"
"""The owner of values from other parts of a class begins with this."""
_DERIVED_ELSEWHERE = f"{_PARTIAL} derived"
"""The owner of values from other sources about the classes that inherit from a class."""
_BASES = re.compile(r"\b(?:class|record)\s+\w+[^:{;]*:([^{]*)\{")
_BINDING = re.compile(r"[\[,.]\s*Binding(?:Attribute)?\s*[(\],]")
_KNOWN = frozenset(
    {
        *KEYWORDS,
        *("Binding", "Scope", "StepScope", "StepArgumentTransformation", "Obsolete", "SuppressMessage", "Conditional"),
        *(f"{when}{what}" for when in ("Before", "After") for what in ("", "Step", "StepDefinitionBlock")),
        *(
            f"{when}{what}"
            for when in ("Before", "After")
            for what in ("Scenario", "ScenarioBlock", "Feature", "TestRun")
        ),
        *("Test", "TestCase", "SetUp", "TearDown", "Fact", "Theory", "InlineData", "TestMethod", "TestInitialize"),
    }
)
"""Attributes of methods that are not looked up in other sources."""
_TYPE_NAMES = {
    **{"byte": "Byte", "short": "Int16", "int": "Int32", "long": "Int64"},
    **{"float": "Single", "double": "Double", "decimal": "Decimal"},
    **{"bool": "Boolean", "char": "Char", "string": "String", "object": "Object"},
}
"""Maps C#'s names of types to those of .NET, by which an expression names a transformation."""
_SHORT_NAMES = {_TYPE_NAMES[name]: name for name in ("byte", "int", "long", "float", "double", "decimal")}
"""Maps names of .NET to further names of the same types (CucumberExpressionParameterTypeRegistry.cs)."""


class _File:
    def __init__(self, path: str, source: bytes, names: ConstantNames | None = None) -> None:
        self.source = close_strings(path, source, "tree_sitter_c_sharp", frozenset({"string_literal"}), names)
        self.collector = Collector(self.source, LANGUAGE.id)
        self.framework = "reqnroll" if b"Reqnroll" in source else "specflow" if b"SpecFlow" in source else ""
        self.evaluator = Evaluator(self.source, literals=STRINGS, parts=parts_of, constants=constants_of)
        text = source.decode("utf-8", "replace")
        self.stand_ins = {name.removesuffix("Attribute"): stand_in for name, stand_in in stand_ins(text).items()}
        """`using Angenommen = Reqnroll.GivenAttribute;`, `class AngenommenAttribute : GivenAttribute`."""
        self.is_binding = _BINDING.search(text) is not None

    def _text(self, node: "Node | None") -> str:
        return self.source.text(node) if node is not None else ""

    def _stands_for(self, attribute: "Node") -> StandIn:
        """The attribute of Reqnroll that this attribute is or is derived from, if the source tells."""
        written = plain_name(self._text(attribute.child_by_field_name("name")))
        stand_in = self.stand_ins.get(written)
        if stand_in is not None and stand_in.name in self.stand_ins:  # derived from an attribute of the project
            return self.stand_ins[stand_in.name]
        return stand_in or StandIn(written)

    def read(self, attribute: "Node") -> None:
        stand_in = self._stands_for(attribute)
        method = _attributed_method(attribute)
        if stand_in.name not in _KNOWN and method is not None:
            stand_in = self._derived(attribute) or stand_in
        if stand_in.name == "StepArgumentTransformation":
            self._read_transformation(attribute, method)
        elif stand_in.name in KEYWORDS:
            complaint = self._complaint(method)
            if complaint:
                self.collector.error(attribute, complaint)
            else:
                self._read_definition(attribute, stand_in, method)
                self._say_heirs(attribute, method)

    def _complaint(self, method: "Node | None") -> str:
        """Why Reqnroll does not load the definitions on a method (BindingSourceProcessor.cs); empty if it does."""
        if method is None or method.type != "method_declaration":
            return ""
        modifiers = {self._text(child) for child in method.children if child.type == "modifier"}
        if "async" in modifiers and self._text(method.child_by_field_name("returns")) == "void":
            return "is not loaded: an async step definition must return a Task"
        holder = _class_around(method)
        if holder is None or "static" in modifiers:
            return ""
        is_binding = any(self._stands_for(attribute).name == "Binding" for attribute in self._attributes_of(holder))
        complaint = self._unloadable(holder) if is_binding else self._orphaned(holder)
        return "" if complaint and self._is_derived(holder) else complaint

    def _unloadable(self, holder: "Node") -> str:
        if any(child.type == "type_parameter_list" for child in holder.children):
            return "is not loaded: a binding class may not be generic"
        if any(self._text(child) == "abstract" for child in holder.children):
            return "is not loaded: an abstract binding class may only have static step definitions"
        return ""

    def _orphaned(self, holder: "Node") -> str:
        """The complaint about a class without `[Binding]` that no base class, other part or attribute may bring."""
        bases = next((child for child in holder.children if child.type == "base_list"), None)
        inherits = any(not re.match(r"I[A-Z]", self._text(base)) for base in (children(bases) if bases else ()))
        may_be = inherits or _is_partial(self.source, holder) or any(True for _ in self._attributes_of(holder))
        return "" if may_be or not self.framework else "is not loaded: its class has no [Binding]"

    def _is_derived(self, holder: "Node") -> bool:
        """True if another class inherits from this class and its step definitions, in this file or another."""
        name = self._text(holder.child_by_field_name("name"))
        return self._is_derived_here(name) or bool(self.source.names.parts(name, _DERIVED_ELSEWHERE))

    def _is_derived_here(self, name: str) -> bool:
        return any(True for _ in self._derived_here(name))

    def _derived_here(self, name: str) -> "Iterator[Node]":
        """The classes of this file that inherit from a class."""
        for bases in self.source.nodes("base_list"):
            plain = (self._text(base).split("<")[0].split("(")[0] for base in children(bases))
            if bases.parent is not None and any(base == name or base.endswith(f".{name}") for base in plain):
                yield bases.parent

    def _say_heirs(self, attribute: "Node", method: "Node | None") -> None:
        """Add an error if several binding classes inherit a step definition (RuntimeBindingRegistryBuilder.cs)."""
        holder = _class_around(method) if method is not None else None
        if holder is None or method is None or any(self._text(child) == "static" for child in method.children):
            return
        loading = [holder, *self._derived_here(self._text(holder.child_by_field_name("name")))]
        names = sorted(
            {
                self._text(class_.child_by_field_name("name"))
                for class_ in loading
                if any(self._stands_for(attribute).name == "Binding" for attribute in self._attributes_of(class_))
                and not any(self._text(child) == "abstract" for child in class_.children)
            }
        )
        if len(names) > 1:
            self.collector.error(attribute, f"each of {listed(names)} has this step definition: it is ambiguous")

    def _attributes_of(self, declaration: "Node") -> "Iterator[Node]":
        for attributes in children(declaration):
            if attributes.type == "attribute_list":
                yield from children(attributes)

    def _derived(self, attribute: "Node") -> StandIn | None:
        """The meaning of an attribute that another file of the project defines, by a class or a global alias."""
        if not self.is_binding:
            return None
        written = re.split(r"\.|::", self._text(attribute.child_by_field_name("name")))[-1]
        for name in dict.fromkeys((written, f"{written.removesuffix('Attribute')}Attribute")):
            given = self.source.names.get(name)
            if given is not None:
                with suppress(msgspec.MsgspecError):  # it is another thing of that name, such as a constant
                    return msgspec.json.decode(given.text, type=StandIn)
        return None

    def _arguments(self, attribute: "Node") -> "dict[str, Node]":
        """Arguments by name; the first one without a name is "expression"."""
        arguments_by_name: dict[str, Node] = {}
        arguments = next((child for child in children(attribute) if child.type == "attribute_argument_list"), None)
        for argument in children(arguments) if arguments is not None else ():
            parts = list(children(argument))
            if argument.type == "attribute_argument" and parts:
                name = argument.child_by_field_name("name")
                arguments_by_name.setdefault(self._text(name) or "expression", parts[-1])
        return arguments_by_name

    def _read_definition(self, attribute: "Node", stand_in: StandIn, method: "Node | None") -> None:
        name = stand_in.name
        arguments = self._arguments(attribute) if stand_in.takes_expression else {}
        argument = next((arguments[key] for key in _EXPRESSION_NAMES if key in arguments), None)
        method_name = self._text(method.child_by_field_name("name")) if method is not None else ""
        regex, flags, sentence = True, "", ""
        if not stand_in.takes_expression:
            argument = attribute
        if argument is not None:
            value = self._value(argument, stand_in)
            if value is None:
                self.collector.computed(argument)
                return
            stated = self._text(arguments.get("ExpressionType"))
            regex = stated.endswith("RegularExpression") or (
                not stated.endswith("CucumberExpression") and not is_cucumber_expression(value.text, self.framework)
            )
        elif method is not None and (method_node := method.child_by_field_name("name")) is not None:
            parameters = self._parameter_names(method)
            text = method_name_regex(name, method_name, parameters)
            sentence = method_name_sentence(name, method_name, parameters)
            value, flags = Value(text, method_node, rewritable=False), "i"
        else:
            return
        self.collector.add(
            value,
            ExpressionKind.REGEX if regex else ExpressionKind.CUCUMBER,
            framework=self.framework or "reqnroll",
            keyword=name,
            keyword_types=stand_in.keyword_types,
            function=method,
            function_name=method_name,
            flags=flags,
            anchoring=Anchoring.FULL,
            sentence=sentence,
            limits=self._scopes(method),
            parameters=self._parameter_types(method) if method is not None else None,
        )

    def _value(self, argument: "Node", stand_in: StandIn) -> Value | None:
        """The expression, with the text that the attribute puts around it."""
        if not stand_in.takes_expression:
            return Value(stand_in.before, argument, rewritable=False)
        value = self.evaluator.value(argument) if not stand_in.is_computed else None
        if value is None or not (stand_in.before or stand_in.after):
            return value
        return replace(value, text=f"{stand_in.before}{value.text}{stand_in.after}", rewritable=False)

    def _scopes(self, method: "Node | None") -> tuple[Limit, ...]:
        """The `[Scope(Tag = …, Feature = …, Scenario = …)]` attributes of a method and of its class; meeting any of
        them is enough (BindingSourceProcessor.cs). A scope whose values the source does not contain limits nothing."""
        limits: list[Limit] = []
        node = method
        while node is not None:
            if node.type in ("method_declaration", *_CLASSES):
                limits.extend(self._scopes_on(node))
            if node.type in _CLASSES:
                limits.extend(self._scopes_on_other_parts(node))
                break
            node = node.parent
        return () if Limit() in limits else tuple(dict.fromkeys(limits))

    def _scopes_on_other_parts(self, declaration: "Node") -> Iterator[Limit]:
        """The scopes on the other parts of a partial class, in this file and in others."""
        if not _is_partial(self.source, declaration):
            return
        name, owner = self._text(declaration.child_by_field_name("name")), _part_owner(self.source, declaration)
        for other in self.source.nodes(*_CLASSES):
            same = self._text(other.child_by_field_name("name")) == name and _part_owner(self.source, other) == owner
            if same and other != declaration:
                yield from self._scopes_on(other)
        for part in self.source.names.parts(name, owner):
            if part.path != self.source.path:
                yield msgspec.json.decode(part.text, type=Limit)

    def parts(self, names: Set[str]) -> Iterator[Constant]:
        """The scopes on the parts of classes with these names."""
        for declaration in self.source.nodes(*_CLASSES):
            name = self._text(declaration.child_by_field_name("name"))
            if name in names and _is_partial(self.source, declaration):
                for limit in self._scopes_on(declaration):
                    owner = _part_owner(self.source, declaration)
                    yield Constant(name, owner, self.source.path, msgspec.json.encode(limit).decode())

    def _scopes_on(self, declaration: "Node") -> Iterator[Limit]:
        for attributes in children(declaration):
            for attribute in children(attributes) if attributes.type == "attribute_list" else ():
                if self._stands_for(attribute).name in ("Scope", "StepScope"):
                    arguments = self._arguments(attribute)
                    tag, feature, scenario = (
                        self._scope_value(arguments, key) for key in ("Tag", "Feature", "Scenario")
                    )
                    yield Limit(tags=f"@{tag.lstrip('@')}" if tag else "", feature=feature, scenario=scenario)

    def _scope_value(self, arguments: "dict[str, Node]", key: str) -> str:
        value = self.evaluator.value(arguments[key]) if key in arguments else None
        return value.text if value is not None else ""

    def _parameter_names(self, method: "Node") -> list[str]:
        parameters = method.child_by_field_name("parameters")
        return [
            self._text(parameter.child_by_field_name("name"))
            for parameter in (children(parameters) if parameters is not None else ())
            if parameter.type == "parameter"
        ]

    def _parameter_types(self, method: "Node") -> tuple[str, ...] | None:
        parameters = method.child_by_field_name("parameters")
        declared = list(children(parameters)) if parameters is not None else []
        if any(parameter.type != "parameter" for parameter in declared):
            return None
        return tuple(self._text(parameter.child_by_field_name("type")) for parameter in declared)

    def _read_transformation(self, attribute: "Node", method: "Node | None") -> None:
        arguments = self._arguments(attribute)
        argument = next((arguments[key] for key in _EXPRESSION_NAMES if key in arguments), None)
        value = self.evaluator.value(argument) if argument is not None else None
        named = self.evaluator.value(arguments["Name"]) if "Name" in arguments else None
        returned = self._text(method.child_by_field_name("returns")) if method is not None else ""
        task = re.fullmatch(r"(?:[\w.]+\.)?(?:Value)?Task<(.*)>", returned, re.DOTALL)
        type_name = (task[1] if task else returned).split(".")[-1].rstrip("?")
        type_name = _TYPE_NAMES.get(type_name, type_name)
        name = named.text if named is not None else type_name
        for spelling in dict.fromkeys((name, _SHORT_NAMES.get(type_name, name))) if re.fullmatch(r"\w+", name) else ():
            self.collector.add_parameter_type(spelling, (value.text,) if value is not None else (), attribute)


def _is_partial(source: Source, declaration: "Node") -> bool:
    return any(child.type == "modifier" and source.text(child) == "partial" for child in declaration.children)


def _part_owner(source: Source, declaration: "Node") -> str:
    """What the parts of one class share beside its name: its namespace and the classes around it."""
    around: list[str] = []
    node = declaration.parent
    while node is not None:
        named = node.child_by_field_name("name") if node.type in (*_CLASSES, "namespace_declaration") else None
        if named is not None:
            around.insert(0, source.text(named))
        node = node.parent
    files = [child.child_by_field_name("name") for child in source.nodes("file_scoped_namespace_declaration")]
    return ".".join([_PARTIAL, *(source.text(name) for name in files if name is not None), *around])


def _class_around(method: "Node") -> "Node | None":
    node = method.parent
    while node is not None and node.type not in _CLASSES:
        node = node.parent
    return node


def _attributed_method(attribute: "Node") -> "Node | None":
    attributes = attribute.parent
    method = attributes.parent if attributes is not None and attributes.type == "attribute_list" else None
    return method if method is not None and method.type in ("method_declaration", "local_function_statement") else None


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    file = _File(path, source, names)
    for attribute in file.source.nodes("attribute"):
        file.read(attribute)
    return file.collector.extraction()


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    """The values of constants, and the aliases of Reqnroll's attributes."""
    text = source.decode("utf-8", "replace")
    renamed = {name: stand_in for name, stand_in in stand_ins(text).items() if name in names}
    constants = [
        Constant(name, "", path, msgspec.json.encode(stand_in).decode(), is_function=True)
        for name, stand_in in renamed.items()
    ]
    derived = {name for match in _BASES.finditer(text) for name in re.findall(r"\w+", match[1])} & names
    constants += [Constant(name, _DERIVED_ELSEWHERE, path, "") for name in sorted(derived)]
    plain = names - renamed.keys()
    file = _File(path, source) if plain else None
    return constants + ([*file.evaluator.constants(plain), *file.parts(plain)] if file is not None else [])


LANGUAGE = Language(
    id="csharp",
    name="C#",
    regex=dialects.DOTNET,
    suffixes=(".cs",),
    comments=C_LIKE,
    editor_ids=("csharp",),
    filetypes={"csharp": "cs"},
    hint=re.compile(
        rb"[=:]\s*[\w.:]*\b(?:Given|When|Then|StepDefinition)Attribute\b|[\[,.]\s*Binding(?:Attribute)?\s*[(\],]|"
        rb"[\[,.]\s*(?:Given|When|Then|StepDefinition|StepArgumentTransformation)(?:Attribute)?\s*[(\],]"
    ),
    extract=extract,
    constants=constants,
    gathered=_PARTIAL,
    kind_reason=kind_reason,
    expressions=ExpressionDialect(built_in_types.DOTNET),
)
