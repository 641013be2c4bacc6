"""C#: Reqnroll's and SpecFlow's attributes.

`[StepDefinition]` is one definition for all keywords. Attributes that a project derives from Reqnroll's are known in
the file that derives them.
"""

import re
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, Limit
from cukereuse_engine.glue.languages.base import (
    Collector,
    Language,
    Names,
    Source,
    Value,
    children,
    keyword_methods,
    unescape,
)
from cukereuse_engine.glue.languages.evaluation import Evaluator, Parts, close_strings, name_of
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_STRINGS = frozenset({"string_literal", "verbatim_string_literal", "raw_string_literal"})
_KEYWORDS = {
    "Given": frozenset({"given"}),
    "When": frozenset({"when"}),
    "Then": frozenset({"then"}),
    "StepDefinition": frozenset[str](),
}
_EXPRESSION_NAMES = ("expression", "Expression", "regex", "Regex")
_ANCHOR = re.compile(r"\^|.*\$\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\w*\}")
_NAMED_PLACEHOLDER = re.compile(r"(?<![\\\w\])])\{(?:[A-Za-z_]\w*)?\}")
"""What no regex holds: a quantifier has digits, and follows something."""
_REGEX_SIGNS = re.compile(r"\([^)]+[*+]\)|\.\*|\\\.|\\d\+")
_QUANTIFIED = re.compile(r"[\w\])]\{\d+(?:,\d*)?\}|\[[^\]]+\]")
"""A repetition, a set of characters."""
_NO_EXPRESSION = re.compile(r"\([^()]*\||\\[^{}()\\/\s]")
"""Alternatives in parentheses, and escapes of what needs none."""
_WORD_CONNECTOR = r"[^\w\p{Sc}]*(?!(?<=-)\d)"
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*(?:global::)?([\w.]+)\s*;")
_DERIVED = re.compile(
    r"\bclass\s+(\w+)\s*(?:\([^)]*\)\s*)?:\s*((?:\w+\.)*(?:Given|When|Then|StepDefinition)(?:Attribute)?)\b"
)
_TYPE_NAMES = {
    "int": "Int32",
    "long": "Int64",
    "float": "Single",
    "double": "Double",
    "decimal": "Decimal",
    "byte": "Byte",
    "bool": "Boolean",
}
"""C#'s names of types to those of .NET, by either of which an expression may call a transformation."""


def is_cucumber_expression(text: str, framework: str) -> bool:
    """Reqnroll's rule (CucumberExpressionDetector.cs). SpecFlow took every pattern for a regex, but for its last
    preview: there, only what no regex holds tells. Where a file names neither (`framework` is empty), what makes no
    sense in a Cucumber Expression is a regex too.
    """
    if _ANCHOR.match(text):
        return False
    if framework == "reqnroll" and _PLACEHOLDER.search(text):
        return True
    if framework == "specflow" or not framework:
        if _QUANTIFIED.search(text):
            return False
        if _NAMED_PLACEHOLDER.search(text) and not _REGEX_SIGNS.search(text):
            return True
    if framework == "specflow" or _REGEX_SIGNS.search(text):
        return False
    return bool(framework) or not _NO_EXPRESSION.search(text)


def method_name_regex(keyword: str, method_name: str, parameters: list[str]) -> str:
    """The regex that a method's name stands for where its attribute holds no expression, to be read ignoring case
    (Reqnroll, StepDefinitionRegexCalculator.cs): words may be joined by anything that is no word character, and
    parameters in capitals, or `P0`, are arguments, quoted or not.
    """
    name, local = without_keyword(keyword, method_name)
    places = _places(name, parameters)
    regex = [f"(?:{_words(local)}{_WORD_CONNECTOR})?"] if local else []
    done = 0
    for start, end, parameter in places:
        if start > done:
            regex += [_words(name[done:start]), _WORD_CONNECTOR]
        group = f"(?<{parameter}>"
        regex += [f"(?:\"{group}[^\"]*)\"|'{group}[^']*)'|{group}.*?))", _WORD_CONNECTOR]
        done = end
    return "".join([*regex, _words(name[done:]), _WORD_CONNECTOR])


def method_name_sentence(keyword: str, method_name: str, parameters: list[str]) -> str:
    """The same for people: "the basket holds {n} apples"."""
    name, _ = without_keyword(keyword, method_name)
    pieces: list[str] = []
    done = 0
    for start, end, parameter in _places(name, parameters):
        pieces += [_parted(name[done:start]), f"{{{parameter}}}"]
        done = end
    words = " ".join([*pieces, _parted(name[done:])]).split()
    return " ".join(word.lower() if word[1:].islower() or len(word) == 1 else word for word in words)


def without_keyword(keyword: str, method_name: str) -> tuple[str, str]:
    """A method's name without the keyword before it, and that keyword where it is of another dialect than English:
    bindings may be written in the language of the features (StepDefinitionRegexCalculator.cs, GetPrefixesToRemove),
    which their source does not tell; so it may as well be a word of the name."""
    prefix = "Given|When|Then" if keyword == "StepDefinition" else keyword
    name = re.sub(rf"\A(?:{prefix})_*", "", method_name, count=1, flags=re.IGNORECASE)
    if name != method_name:
        return name, ""
    types = {keyword.lower()} if keyword != "StepDefinition" else {"given", "when", "then"}
    words = [word for word, of in keyword_methods().items() if of & types]
    for word in sorted(words, key=len, reverse=True):
        rest = method_name[len(word) :]
        if method_name.startswith(word) and rest and (rest[0] == "_" or (rest[0].isupper() and len(word) > 1)):
            return rest.lstrip("_"), word
    return method_name, ""


def _places(name: str, parameters: list[str]) -> list[tuple[int, int, str]]:
    """Where parameters stand in a name: in capitals, or as `P0`."""
    places: list[tuple[int, int, str]] = []
    for index, parameter in enumerate(parameters):
        match = re.search(rf"_?{re.escape(parameter.upper())}_?|_?P{index}_?", name)
        if match:
            places.append((match.start(), match.end(), parameter))
    places.sort()
    return [place for at, place in enumerate(places) if all(place[0] >= other[1] for other in places[:at])]


def _words(part: str) -> str:
    return _parted(part).replace(" ", _WORD_CONNECTOR)


def _parted(part: str) -> str:
    """Words of a name, parted at underscores, capitals and numbers."""
    text = re.sub(r"_+", " ", part.strip("_"))
    return "".join(
        f" {char}" if _begins_word(before, char) else char for before, char in zip(f" {text}", text, strict=False)
    )


def _begins_word(before: str, char: str) -> bool:
    return (before.isalnum() and char.isupper()) or (before.isalpha() and char.isdigit())


def _string(source: Source, node: "Node") -> str | None:
    text = source.text(node)
    if node.type == "verbatim_string_literal":
        return text[2:-1].replace('""', '"')
    if node.type == "string_literal":
        return unescape(text[1:-1], simple="0ntrbfvae", octal=False)
    quotes = len(text) - len(text.lstrip('"'))
    return _raw_string(text[quotes:-quotes])


def _raw_string(body: str) -> str:
    """The value of a raw string: over several lines, the last line's blanks are removed from each."""
    lines = body.splitlines()
    if len(lines) < 2 or lines[0].strip():
        return body
    return "\n".join(line.removeprefix(lines[-1]) for line in lines[1:-1])


def _parts(source: Source, node: "Node") -> "Parts | None":
    if node.type in _STRINGS:
        text = _string(source, node)
        return None if text is None else [text]
    if node.type == "parenthesized_expression":
        return list(children(node))
    if node.type == "interpolated_string_expression":
        return _interpolated(source, node)
    if node.type == "invocation_expression":
        match = re.fullmatch(r"nameof\s*\(\s*(?:\w+\s*\.\s*)*(\w+)\s*\)", source.text(node))
        return [match[1]] if match else None
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and operator is not None and operator.type == "+" and left and right:
        return [left, right]
    name = name_of(source, node) if node.type in ("member_access_expression", "identifier") else None
    return [name] if name is not None else None


def _interpolated(source: Source, node: "Node") -> "Parts | None":
    start = source.text(node).split('"')[0]
    if node.text is not None and node.text.count(b'"""'):
        return None
    parts: Parts = []
    for child in children(node):
        text = source.text(child)
        if child.type == "interpolation":
            inner = [part for part in children(child) if part.type != "interpolation_brace"]
            if len(inner) != 1:
                return None
            parts.append(inner[0])
        elif child.type == "escape_sequence":
            parts.append(unescape(text, simple="0ntrbfvae", octal=False))
        elif child.type == "string_content":
            parts.append((text.replace('""', '"') if "@" in start else text).replace("{{", "{").replace("}}", "}"))
    return parts


def _constants(source: Source) -> "Iterator[tuple[str, Node]]":
    for declaration in source.nodes("field_declaration", "local_declaration_statement"):
        if not any(source.text(child) == "const" for child in declaration.children if child.type == "modifier"):
            continue
        for declarator in source.nodes("variable_declarator", within=declaration):
            name = declarator.child_by_field_name("name")
            value = declarator.named_children[-1]
            if name is not None and value != name:
                yield source.text(name), value


class _File:
    def __init__(self, path: str, source: bytes, names: Names | None = None) -> None:
        self.source = close_strings(path, source, "tree_sitter_c_sharp", frozenset({"string_literal"}), names)
        self.collector = Collector(self.source, LANGUAGE.id)
        self.framework = "reqnroll" if b"Reqnroll" in source else "specflow" if b"SpecFlow" in source else ""
        self.evaluator = Evaluator(self.source, literals=_STRINGS, parts=_parts, constants=_constants)
        text = source.decode("utf-8", "replace")
        renamed = [*_ALIAS.finditer(text), *_DERIVED.finditer(text)]
        self.aliases = {match[1].removesuffix("Attribute"): match[2] for match in renamed}
        self.aliases |= {f"{alias}Attribute": name for alias, name in self.aliases.items()}
        """`using Angenommen = Reqnroll.GivenAttribute;`, `class AngenommenAttribute : GivenAttribute`."""

    def _text(self, node: "Node | None") -> str:
        return self.source.text(node) if node is not None else ""

    def read(self, attribute: "Node") -> None:
        written = self._text(attribute.child_by_field_name("name"))
        name = self.aliases.get(written, written).split(".")[-1].removesuffix("Attribute")
        method = _attributed_method(attribute)
        if name == "StepArgumentTransformation":
            self._read_transformation(attribute, method)
        elif name in _KEYWORDS:
            self._read_definition(attribute, name, method)

    def _arguments(self, attribute: "Node") -> "dict[str, Node]":
        """Arguments by name; the first without a name as "expression"."""
        arguments_by_name: dict[str, Node] = {}
        arguments = next((child for child in children(attribute) if child.type == "attribute_argument_list"), None)
        for argument in children(arguments) if arguments is not None else ():
            parts = list(children(argument))
            if argument.type == "attribute_argument" and parts:
                name = argument.child_by_field_name("name")
                arguments_by_name.setdefault(self._text(name) or "expression", parts[-1])
        return arguments_by_name

    def _read_definition(self, attribute: "Node", name: str, method: "Node | None") -> None:
        arguments = self._arguments(attribute)
        argument = next((arguments[key] for key in _EXPRESSION_NAMES if key in arguments), None)
        method_name = self._text(method.child_by_field_name("name")) if method is not None else ""
        regex, flags, sentence = True, "", ""
        if argument is not None:
            value = self.evaluator.value(argument)
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
            keyword_types=_KEYWORDS[name],
            function=method,
            function_name=method_name,
            flags=flags,
            anchoring=Anchoring.FULL,
            sentence=sentence,
            limits=self._scopes(method),
            parameters=self._parameter_types(method) if method is not None else None,
        )

    def _scopes(self, method: "Node | None") -> tuple[Limit, ...]:
        """`[Scope(Tag = …, Feature = …, Scenario = …)]` of the method and of its class: each is enough
        (BindingSourceProcessor.cs). One whose values the source does not tell limits nothing."""
        limits: list[Limit] = []
        node = method
        while node is not None:
            if node.type in ("method_declaration", "class_declaration", "record_declaration"):
                limits.extend(self._scopes_on(node))
            if node.type in ("class_declaration", "record_declaration"):
                break
            node = node.parent
        return () if Limit() in limits else tuple(dict.fromkeys(limits))

    def _scopes_on(self, declaration: "Node") -> Iterator[Limit]:
        for attributes in children(declaration):
            for attribute in children(attributes) if attributes.type == "attribute_list" else ():
                written = self._text(attribute.child_by_field_name("name"))
                name = self.aliases.get(written, written).split(".")[-1].removesuffix("Attribute")
                if name in ("Scope", "StepScope"):
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
        found = list(children(parameters)) if parameters is not None else []
        if any(parameter.type != "parameter" for parameter in found):
            return None
        return tuple(self._text(parameter.child_by_field_name("type")) for parameter in found)

    def _read_transformation(self, attribute: "Node", method: "Node | None") -> None:
        arguments = self._arguments(attribute)
        argument = next((arguments[key] for key in _EXPRESSION_NAMES if key in arguments), None)
        value = self.evaluator.value(argument) if argument is not None else None
        named = self.evaluator.value(arguments["Name"]) if "Name" in arguments else None
        returned = self._text(method.child_by_field_name("returns")) if method is not None else ""
        task = re.fullmatch(r"(?:[\w.]+\.)?(?:Value)?Task<(.*)>", returned, re.DOTALL)
        type_name = (task[1] if task else returned).split(".")[-1].rstrip("?")
        name = named.text if named is not None else type_name
        for spelling in dict.fromkeys((name, _TYPE_NAMES.get(name, name))) if re.fullmatch(r"\w+", name) else ():
            self.collector.add_parameter_type(spelling, (value.text,) if value is not None else (), attribute)


def _attributed_method(attribute: "Node") -> "Node | None":
    attributes = attribute.parent
    method = attributes.parent if attributes is not None and attributes.type == "attribute_list" else None
    return method if method is not None and method.type in ("method_declaration", "local_function_statement") else None


def extract(path: str, source: bytes, names: Names | None = None) -> Extraction:
    file = _File(path, source, names)
    for attribute in file.source.nodes("attribute"):
        file.read(attribute)
    return file.collector.extraction()


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return _File(path, source).evaluator.constants(names)


LANGUAGE = Language(
    id="csharp",
    regex=dialects.DOTNET,
    suffixes=(".cs",),
    editor_ids=("csharp",),
    filetypes={"csharp": "cs"},
    hint=re.compile(
        rb"[=:]\s*[\w.:]*\b(?:Given|When|Then|StepDefinition)Attribute\b|"
        rb"[\[,.]\s*(?:Given|When|Then|StepDefinition|StepArgumentTransformation)(?:Attribute)?\s*[(\],]"
    ),
    extract=extract,
    constants=constants,
)
