"""The body of a step function that calls the functions of others, one after another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cukereuse_engine.blocks.calling.functions import SourceFunctions, StepFunction, kind_of, taken_by
from cukereuse_engine.blocks.calling.styles import STYLES, CallStyle, Kind, Others, fits
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.refactor.creation.code import Body, camel
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.model import TextEdit

_GIVES_UP = re.compile(r"\breturn\s+[\"'`](?:pending|skipped)\b")
_ALWAYS_WAITS = ("cucumber-js", "playwright-bdd")
_SCRIPT = ("javascript", "typescript")
_QUOTES = "\"'"


class NotCallableError(CukereuseError):
    """The functions can't be called; the message says why."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a step function gets in one place."""

    value: str
    """Of the text, as the runner passes it on."""
    kind: Kind
    type: str
    at: int
    """Position among the function's `taken`."""
    is_whole: bool
    """The value is what stands in the step, no quotes in it."""

    @property
    def can_be_said(self) -> bool:
        return fits(self.kind, self.value)


class Calls:
    """The functions that the steps of a block run, in the order of the steps."""

    def __init__(self, matches: Sequence[Match], source: SourceFunctions) -> None:
        """Raises `NotCallableError`."""
        definitions = [match.definition for match in matches]
        first = definitions[0]
        style = STYLES.get(first.language)
        if style is None or first.framework not in style.frameworks:
            raise NotCallableError(f"functions of {first.framework} step definitions can't be called from code")
        elsewhere = next((definition for definition in definitions if definition.path != first.path), None)
        if elsewhere is not None:
            raise NotCallableError(f"the functions of the steps are in several files: {first.path}, {elsewhere.path}")
        self.style: CallStyle = style
        self.language = first.language
        self.framework = first.framework
        self.source = source
        self.functions = [_callable(match, source, style) for match in matches]
        if len({function.place for function in self.functions}) > 1:
            raise NotCallableError("the functions of the steps belong to several classes")
        self._arguments = [_arguments(match, function) for match, function in zip(matches, self.functions, strict=True)]
        self._names = self._named()
        self._model = definitions[0]

    def model(self, candidates: Sequence[StepDefinition]) -> StepDefinition:
        """The definition that the new one is written like and stands below: one of the block's own where one can be
        copied. Raises `NotCallableError`."""
        own = {function.definition.id for function in self.functions}
        place = self.functions[0].place
        copyable = []
        for definition in candidates:
            if definition.path == self.source.path and definition.function is not None and definition.rewritable:
                its = self.source.of(definition)
                if its is not None and its.place == place and its.node.type != "method_definition":
                    copyable.append(definition)
        if not copyable:
            raise NotCallableError("no step definition of the block can serve as the model for the new one")

        converts = any(argument.kind is Kind.OTHER for its in self._arguments for argument in its)

        def suits(definition: StepDefinition) -> tuple[bool, bool, int]:
            """Plain text takes no argument; pytest-bdd's is written otherwise where there are some. And a parameter of
            a Cucumber Expression says its type."""
            takes = definition.kind is not ExpressionKind.LITERAL or definition.language == "python"
            takes = takes and not (converts and definition.kind is ExpressionKind.CUCUMBER)
            return takes, definition.id in own, definition.literal.start_byte

        self._model = max(copyable, key=suits)
        return self._model

    def argument(self, at: tuple[int, int]) -> Argument:
        """By step and position among those of its arguments that stand in its text."""
        step, number = at
        return self._arguments[step][number]

    def body(self, varying: Mapping[tuple[int, int], int], names: Sequence[str], order: Sequence[int]) -> Body:
        """`varying`: step and argument to the parameter that stands there; `names`: of the parameters in the step's
        expression; `order`: in which they stand there. Raises `NotCallableError`."""
        said = [
            [varying.get((step, number), argument.value) for number, argument in enumerate(its)]
            for step, its in enumerate(self._arguments)
        ]
        for at in varying:
            self._check(self.argument(at))
        style, others = self.style, self.style.frameworks[self.framework]
        named = [name if self.language in ("python", "rust") else camel(name) for name in names]
        uses = [part for step in said for part in step if isinstance(part, int)]
        leading, passed = self._others(others)
        clash = next((name for name in named if name in passed), None)
        if clash is not None:
            raise NotCallableError(
                f"the parameter name {clash} is already used by something else that the functions receive; choose "
                f"another name"
            )
        waits = [function.is_async or self.framework in _ALWAYS_WAITS for function in self.functions]
        result, question = self._result()
        lines = []
        for function, step, its, name, wait in zip(
            self.functions, said, self._arguments, self._names, waits, strict=True
        ):
            values: dict[int, str] = {}
            for part, argument in zip(step, its, strict=True):
                number = function.numbers[argument.at]
                if isinstance(part, int):
                    uses.remove(part)
                    copied = self.language == "rust" and part in uses and argument.kind is Kind.TEXT
                    values[number] = style.variable.format(name=named[part]) + (".clone()" if copied else "")
                else:
                    values[number] = self._literal(argument, part)
            total = len(function.others) + len(function.taken)
            rest = iter(self._passed(function, others, leading))
            listed = [values[number] if number in values else next(rest) for number in range(total)]
            called = style.call.format(name=name, arguments=", ".join(listed))
            if function.on_this:
                called = f"{name}.call({', '.join(['this', *listed])})"
            called = style.wait.format(call=called) if wait else called
            lines.append(f"{called}{'?' if question and function.result not in style.void else ''}{self._end}")
        if question:
            lines.append("Ok(())")
        types = self._types(said)
        return Body(
            lines=lines,
            parameters=[*leading, *(self._declared(named[number], types.get(number, "")) for number in order)],
            is_async=any(waits),
            result=result,
            is_arrow=not any(function.on_this for function in self.functions),
            throws=self._throws(),
        )

    def moved(self) -> list[TextEdit]:
        """Functions that stand in place get a name, so that they can be called; by place."""
        data, text = self.source.data, self.source.text
        edits = []
        for function, name in dict(zip(self.functions, self._names, strict=True)).items():
            if function.name:
                continue
            node = function.node
            statement = node
            while statement.type != "expression_statement" and statement.parent is not None:
                statement = statement.parent
            begin = data.rfind(b"\n", 0, statement.start_byte) + 1
            indent = data[begin : statement.start_byte].decode("utf-8")
            if indent.strip():
                raise NotCallableError(f"the line of “{function.definition.shown}” begins with other code")
            if self.framework == "playwright-bdd":
                edits.append(byte_edit(text, statement.start_byte, statement.start_byte, f"const {name} = "))
                continue
            ending = "\r\n" if "\r\n" in text else "\n"
            written = data[node.start_byte : node.end_byte].decode("utf-8")
            if function.on_this:
                declared = re.sub(r"\bfunction\b\s*\w*\s*", f"function {name}", written, count=1)
            else:
                declared = f"const {name} = {written}{self._end}"
            edits.append(byte_edit(text, begin, begin, f"{indent}{declared}{ending}{ending}"))
            edits.append(byte_edit(text, node.start_byte, node.end_byte, name))
        return sorted(edits, key=lambda edit: edit.start)

    @property
    def _end(self) -> str:
        return self.style.end if self.language not in _SCRIPT or ";" in self.source.text else ""

    def _named(self) -> list[str]:
        """What each function is called by; those without a name get one of their expression's words."""
        names: dict[int, str] = {}
        for function in self.functions:
            at = function.node.start_byte
            if function.name:
                names[at] = function.name
            elif at not in names:
                words = re.findall(
                    r"[A-Za-z0-9]+", re.sub(r"\{[^}]*\}|\([^)]*\)|\\.", " ", function.definition.expression)
                )
                name = camel("_".join(words[:8]).lower() or "step")
                base = f"step{name}" if name[0].isdigit() else name
                number, name = 1, base
                while name in names.values() or re.search(rf"\b{name}\b", self.source.text):
                    number += 1
                    name = f"{base}{number}"
                names[at] = name
        return [names[function.node.start_byte] for function in self.functions]

    def _check(self, argument: Argument) -> None:
        """Whether a parameter can stand there."""
        if not argument.is_whole:
            raise NotCallableError(f"the quotes around {argument.value} are part of the value")
        if argument.kind is Kind.OTHER and (not self.style.any_type or self._model.kind is not ExpressionKind.REGEX):
            raise NotCallableError(
                f"only the test runner can convert “{argument.value}” to the type that the function takes"
            )

    def _literal(self, argument: Argument, value: str) -> str:
        if not fits(argument.kind, value):
            raise NotCallableError(f"“{value}” can't be written in code as {argument.type or 'what its function gets'}")
        if argument.kind is Kind.TEXT:
            return self.style.text(value, self.source.text)
        if argument.kind is Kind.FLOAT and "." not in value and self.language not in _SCRIPT:
            return f"{value}.0"
        if argument.kind is Kind.BOOL:
            return self.style.true if value == "true" else self.style.false
        return value

    def _types(self, said: Sequence[Sequence[str | int]]) -> Mapping[int, str]:
        """Of each parameter, as its functions have it."""
        types: dict[int, str] = {}
        for step, its in zip(said, self._arguments, strict=True):
            for part, argument in zip(step, its, strict=True):
                if isinstance(part, int) and types.setdefault(part, argument.type) != argument.type:
                    raise NotCallableError(f"one parameter would need two types: {types[part]} and {argument.type}")
        return types

    def _declared(self, name: str, type_: str) -> str:
        variable = self.style.variable.format(name=name)
        if not type_ or self.language in ("python", "javascript"):
            return variable
        if self.language in ("kotlin", "typescript", "rust"):
            return f"{variable}: {type_}"
        return f"{type_} {variable}"

    def _others(self, others: Others) -> tuple[list[str], frozenset[str]]:
        """The parameters of the new function that take nothing of its step, as written, and their names."""
        if others is Others.FIXTURES:
            names = list(dict.fromkeys(other.name for function in self.functions for other in function.others))
            return names, frozenset(names)
        if others is Others.NONE:
            declared = "this: " if self.language == "typescript" else ""
            worlds = {_this_of(function) for function in self.functions if function.on_this} if declared else set()
            if len(worlds) > 1:
                raise NotCallableError("the functions of the steps use several World types")
            return [world for world in worlds if world], frozenset()
        if self.framework == "playwright-bdd":
            names = list(dict.fromkeys(name for function in self.functions for name in _fixtures(function)))
            return [f"{{ {', '.join(names)} }}" if names else "{}"], frozenset(names)
        if self.framework == "behave":
            return ["context"], frozenset(["context"])
        first = {function.others[0].type for function in self.functions}
        if len(first) > 1:
            raise NotCallableError("the functions of the steps use several World types")
        name = self.functions[0].others[0].name
        return [f"{name}: {first.pop()}"], frozenset([name])

    def _passed(self, function: StepFunction, others: Others, leading: Sequence[str]) -> list[str]:
        if others is Others.NONE:
            return []
        if others is Others.FIXTURES:
            return [other.name for other in function.others]
        if self.framework == "playwright-bdd":
            names = _fixtures(function)
            return [f"{{ {', '.join(names)} }}" if names else "{}"] if function.others else []
        return [leading[0].partition(":")[0]] * len(function.others)

    def _result(self) -> tuple[str, bool]:
        """Type of what the new function gives back; and whether an error of a function is its own."""
        if self.language != "rust":
            return "", False
        results = {function.result for function in self.functions} - set(self.style.void)
        if not results:
            return "", False
        (result, *more) = results
        if more or not re.match(r"(?:\w+::)*Result<\s*\(\)", result):
            raise NotCallableError(f"the functions of the steps return different types: {', '.join(sorted(results))}")
        return result, True

    def _throws(self) -> str:
        if self.language != "java":
            return ""
        assert self.source.source is not None
        written = [
            self.source.source.text(child)
            for function in self.functions
            for child in function.node.children
            if child.type == "throws"
        ]
        names = dict.fromkeys(name.strip() for text in written for name in text.removeprefix("throws").split(","))
        return f" throws {', '.join(names)}" if names else ""


def _callable(match: Match, source: SourceFunctions, style: CallStyle) -> StepFunction:
    definition = match.definition
    function, shown = source.of(definition), definition.shown
    if function is None:
        raise NotCallableError(f"the function of “{shown}” can't be read here")
    reason = _reason(function, source, style, match)
    if reason:
        raise NotCallableError(f"the function of “{shown}” {reason}")
    return function


def _reason(function: StepFunction, source: SourceFunctions, style: CallStyle, match: Match) -> str:
    """Why a function can't be called; empty where it can."""
    language, framework = function.definition.language, function.definition.framework
    if not function.name and language not in _SCRIPT:
        return "has no name"
    if function.name and not source.is_alone(function):
        return f"has the same name as another function: {function.name}"
    if style.in_class and function.owner < 0:
        return "does not belong to a class"
    if function.node.type.startswith("generator") or function.node.type == "method_definition":
        return "is a generator or a method and can't be called directly"
    if taken_by(function, match) is None:
        return "has parameters that do not match the arguments of its step"
    if language in _SCRIPT and _GIVES_UP.search(function.code):
        return "marks the step as pending or skipped"
    if (
        language == "typescript"
        and function.on_this
        and re.search(r"\bthis\b", function.code)
        and not _this_of(function)
    ):
        return "does not declare the type of its World"
    if language == "csharp" and re.search(r"\basync\s+void\b", _before(function, source)):
        return "is async void, so it can't be awaited"
    if framework == "pytest-bdd":
        before = _before(function, source)
        for word, reason in (
            ("target_fixture", "provides a fixture for later steps"),
            ("converters", "has converters"),
        ):
            if word in before:
                return reason
    if framework in ("behave", "cucumber-rs", "playwright-bdd") and len(function.others) > 1:
        return "has parameters that do not match the arguments of its step"
    if framework == "playwright-bdd" and function.others and _fixtures(function) is None:
        return "destructures its fixtures in an unusual way"
    return ""


def _before(function: StepFunction, source: SourceFunctions) -> str:
    """A function's head, with what stands before it: decorators, attributes, modifiers."""
    parent = (
        function.node.parent
        if function.node.parent is not None and function.node.parent.type == "decorated_definition"
        else function.node
    )
    body = function.node.child_by_field_name("body")
    return source.data[parent.start_byte : body.start_byte if body is not None else function.node.end_byte].decode(
        "utf-8", "replace"
    )


def _this_of(function: StepFunction) -> str:
    """`this: World` of TypeScript; empty without."""
    declared = re.match(r"(?:async\s+)?\(\s*(this\s*:[^,)]+)", function.code)
    return declared[1].strip() if declared is not None else ""


def _fixtures(function: StepFunction) -> list[str]:
    pattern = function.others[0].pattern if function.others else None
    if pattern is None:
        return []
    return [child.text.decode("utf-8") for child in pattern.named_children if child.text is not None]


def _arguments(match: Match, function: StepFunction) -> list[Argument]:
    places = taken_by(function, match)
    assert places is not None
    arguments = []
    for number, (argument, at) in enumerate(zip(match.arguments, places, strict=True)):
        value = argument.value
        if value is None or argument.start < 0:
            raise NotCallableError(f"an argument of “{function.definition.shown}” may be missing")
        parameter = function.taken[at]
        kind = kind_of(function.definition, parameter, number)
        quoted = len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0]
        bare = match.definition.kind is ExpressionKind.CUCUMBER and argument.name == "string"
        if bare and quoted:
            value = value[1:-1]
            if "\\" in value:
                raise NotCallableError(f"a quote in “{value}” is escaped")
        arguments.append(Argument(value, kind, parameter.type, at, bare or not quoted))
    return arguments
