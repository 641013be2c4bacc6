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
            raise NotCallableError(f"step definitions of {first.framework} can't be called")
        elsewhere = next((one for one in definitions if one.path != first.path), None)
        if elsewhere is not None:
            raise NotCallableError(f"the functions of its steps are in several files: {first.path}, {elsewhere.path}")
        self.style: CallStyle = style
        self.language = first.language
        self.framework = first.framework
        self.source = source
        self.functions = [_callable(match, source, style) for match in matches]
        if len({one.place for one in self.functions}) > 1:
            raise NotCallableError("its steps' functions are members of several classes")
        self._arguments = [_arguments(match, one) for match, one in zip(matches, self.functions, strict=True)]
        self._names = self._named()
        self._model = definitions[0]

    def model(self, known: Sequence[StepDefinition]) -> StepDefinition:
        """The definition that the new one is written like and stands below: one of the block's own where one can be
        copied. Raises `NotCallableError`."""
        own = {one.definition.id for one in self.functions}
        place = self.functions[0].place
        found = []
        for one in known:
            if one.path == self.source.path and one.function is not None and one.rewritable:
                its = self.source.of(one)
                if its is not None and its.place == place and its.node.type != "method_definition":
                    found.append(one)
        if not found:
            raise NotCallableError("no step definition beside its own can be copied for the new one")

        converts = any(argument.kind is Kind.OTHER for its in self._arguments for argument in its)

        def suits(one: StepDefinition) -> tuple[bool, bool, int]:
            """Plain text takes no argument; pytest-bdd's is written otherwise where there are some. And a parameter of
            a Cucumber Expression says its type."""
            takes = one.kind is not ExpressionKind.LITERAL or one.language == "python"
            takes = takes and not (converts and one.kind is ExpressionKind.CUCUMBER)
            return takes, one.id in own, one.literal.start_byte

        self._model = max(found, key=suits)
        return self._model

    def argument(self, at: tuple[int, int]) -> Argument:
        """By step and position among those of its arguments that stand in its text."""
        step, number = at
        return self._arguments[step][number]

    def body(self, varying: Mapping[tuple[int, int], int], names: Sequence[str], order: Sequence[int]) -> Body:
        """`varying`: step and argument to the parameter that stands there; `names`: of the parameters in the step's
        expression; `order`: in which they stand there. Raises `NotCallableError`."""
        said = [
            [varying.get((step, number), one.value) for number, one in enumerate(its)]
            for step, its in enumerate(self._arguments)
        ]
        for at in varying:
            self._check(self.argument(at))
        style, others = self.style, self.style.frameworks[self.framework]
        named = [one if self.language in ("python", "rust") else camel(one) for one in names]
        uses = [one for step in said for one in step if isinstance(one, int)]
        leading, passed = self._others(others)
        clash = next((one for one in named if one in passed), None)
        if clash is not None:
            raise NotCallableError(
                f"a parameter would be called {clash}, like something else that the functions receive; "
                "choose another name"
            )
        waits = [one.is_async or self.framework in _ALWAYS_WAITS for one in self.functions]
        result, question = self._result()
        lines = []
        for function, step, its, name, wait in zip(
            self.functions, said, self._arguments, self._names, waits, strict=True
        ):
            values: dict[int, str] = {}
            for one, argument in zip(step, its, strict=True):
                number = function.numbers[argument.at]
                if isinstance(one, int):
                    uses.remove(one)
                    copied = self.language == "rust" and one in uses and argument.kind is Kind.TEXT
                    values[number] = style.variable.format(name=named[one]) + (".clone()" if copied else "")
                else:
                    values[number] = self._literal(argument, one)
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
            is_arrow=not any(one.on_this for one in self.functions),
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
        found: dict[int, str] = {}
        for one in self.functions:
            at = one.node.start_byte
            if one.name:
                found[at] = one.name
            elif at not in found:
                words = re.findall(r"[A-Za-z0-9]+", re.sub(r"\{[^}]*\}|\([^)]*\)|\\.", " ", one.definition.expression))
                name = camel("_".join(words[:8]).lower() or "step")
                base = f"step{name}" if name[0].isdigit() else name
                number, name = 1, base
                while name in found.values() or re.search(rf"\b{name}\b", self.source.text):
                    number += 1
                    name = f"{base}{number}"
                found[at] = name
        return [found[one.node.start_byte] for one in self.functions]

    def _check(self, argument: Argument) -> None:
        """Whether a parameter can stand there."""
        if not argument.is_whole:
            raise NotCallableError(f"the quotes around {argument.value} are part of the value")
        if argument.kind is Kind.OTHER and (not self.style.any_type or self._model.kind is not ExpressionKind.REGEX):
            raise NotCallableError(f"only the runner can convert “{argument.value}” to what its function takes")

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
        found: dict[int, str] = {}
        for step, its in zip(said, self._arguments, strict=True):
            for one, argument in zip(step, its, strict=True):
                if isinstance(one, int) and found.setdefault(one, argument.type) != argument.type:
                    raise NotCallableError(f"one parameter would need two types: {found[one]} and {argument.type}")
        return found

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
            names = list(dict.fromkeys(other.name for one in self.functions for other in one.others))
            return names, frozenset(names)
        if others is Others.NONE:
            declared = "this: " if self.language == "typescript" else ""
            worlds = {_this_of(one) for one in self.functions if one.on_this} if declared else set()
            if len(worlds) > 1:
                raise NotCallableError("its steps' functions have several Worlds")
            return [world for world in worlds if world], frozenset()
        if self.framework == "playwright-bdd":
            names = list(dict.fromkeys(name for one in self.functions for name in _fixtures(one)))
            return [f"{{ {', '.join(names)} }}" if names else "{}"], frozenset(names)
        if self.framework == "behave":
            return ["context"], frozenset(["context"])
        first = {one.others[0].type for one in self.functions}
        if len(first) > 1:
            raise NotCallableError("its steps' functions have several Worlds")
        name = self.functions[0].others[0].name
        return [f"{name}: {first.pop()}"], frozenset([name])

    def _passed(self, function: StepFunction, others: Others, leading: Sequence[str]) -> list[str]:
        if others is Others.NONE:
            return []
        if others is Others.FIXTURES:
            return [one.name for one in function.others]
        if self.framework == "playwright-bdd":
            names = _fixtures(function)
            return [f"{{ {', '.join(names)} }}" if names else "{}"] if function.others else []
        return [leading[0].partition(":")[0]] * len(function.others)

    def _result(self) -> tuple[str, bool]:
        """Type of what the new function gives back; and whether an error of a function is its own."""
        if self.language != "rust":
            return "", False
        results = {one.result for one in self.functions} - set(self.style.void)
        if not results:
            return "", False
        (result, *more) = results
        if more or not re.match(r"(?:\w+::)*Result<\s*\(\)", result):
            raise NotCallableError(f"the functions of its steps return different types: {', '.join(sorted(results))}")
        return result, True

    def _throws(self) -> str:
        if self.language != "java":
            return ""
        assert self.source.source is not None
        written = [
            self.source.source.text(child)
            for one in self.functions
            for child in one.node.children
            if child.type == "throws"
        ]
        names = dict.fromkeys(name.strip() for text in written for name in text.removeprefix("throws").split(","))
        return f" throws {', '.join(names)}" if names else ""


def _callable(match: Match, source: SourceFunctions, style: CallStyle) -> StepFunction:
    definition = match.definition
    one, shown = source.of(definition), definition.shown
    if one is None:
        raise NotCallableError(f"the function of “{shown}” can't be read here")
    reason = _reason(one, source, style, match)
    if reason:
        raise NotCallableError(f"the function of “{shown}” {reason}")
    return one


def _reason(one: StepFunction, source: SourceFunctions, style: CallStyle, match: Match) -> str:
    """Why a function can't be called; empty where it can."""
    language, framework = one.definition.language, one.definition.framework
    if not one.name and language not in _SCRIPT:
        return "has no name"
    if one.name and not source.is_alone(one):
        return f"is called {one.name}, as others are"
    if style.in_class and one.owner < 0:
        return "is no member of a class"
    if one.node.type.startswith("generator") or one.node.type == "method_definition":
        return "can't be called like others"
    if taken_by(one, match) is None:
        return "takes other parameters than the arguments of its step"
    if language in _SCRIPT and _GIVES_UP.search(one.code):
        return "says that it is pending or skipped"
    if language == "typescript" and one.on_this and re.search(r"\bthis\b", one.code) and not _this_of(one):
        return "does not say the type of its World"
    if language == "csharp" and re.search(r"\basync\s+void\b", _before(one, source)):
        return "is async void, and can't be waited for"
    if framework == "pytest-bdd":
        before = _before(one, source)
        for word, reason in (
            ("target_fixture", "gives a fixture to the steps after it"),
            ("converters", "has converters"),
        ):
            if word in before:
                return reason
    if framework in ("behave", "cucumber-rs", "playwright-bdd") and len(one.others) > 1:
        return "takes other parameters than the arguments of its step"
    if framework == "playwright-bdd" and one.others and _fixtures(one) is None:
        return "takes its fixtures apart in a way of its own"
    return ""


def _before(one: StepFunction, source: SourceFunctions) -> str:
    """A function's head, with what stands before it: decorators, attributes, modifiers."""
    parent = (
        one.node.parent if one.node.parent is not None and one.node.parent.type == "decorated_definition" else one.node
    )
    body = one.node.child_by_field_name("body")
    return source.data[parent.start_byte : body.start_byte if body is not None else one.node.end_byte].decode(
        "utf-8", "replace"
    )


def _this_of(one: StepFunction) -> str:
    """`this: World` of TypeScript; empty without."""
    found = re.match(r"(?:async\s+)?\(\s*(this\s*:[^,)]+)", one.code)
    return found[1].strip() if found is not None else ""


def _fixtures(one: StepFunction) -> list[str]:
    pattern = one.others[0].pattern if one.others else None
    if pattern is None:
        return []
    return [child.text.decode("utf-8") for child in pattern.named_children if child.text is not None]


def _arguments(match: Match, one: StepFunction) -> list[Argument]:
    places = taken_by(one, match)
    assert places is not None
    found = []
    for number, (argument, at) in enumerate(zip(match.arguments, places, strict=True)):
        value = argument.value
        if value is None or argument.start < 0:
            raise NotCallableError(f"an argument of “{one.definition.shown}” may be missing")
        parameter = one.taken[at]
        kind = kind_of(one.definition, parameter, number)
        quoted = len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0]
        bare = match.definition.kind is ExpressionKind.CUCUMBER and argument.name == "string"
        if bare and quoted:
            value = value[1:-1]
            if "\\" in value:
                raise NotCallableError(f"a quote in “{value}” is escaped")
        found.append(Argument(value, kind, parameter.type, at, bare or not quoted))
    return found
