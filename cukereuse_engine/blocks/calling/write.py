"""The body of a step function that calls the functions of others, one after another."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from cukereuse_engine.blocks.calling.callable import fixtures_of, reason_against, this_of
from cukereuse_engine.blocks.calling.elsewhere.reach import FunctionReach, says
from cukereuse_engine.blocks.calling.elsewhere.ways import WAYS
from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
    taken_by,
)
from cukereuse_engine.blocks.calling.kinds import kind_of
from cukereuse_engine.blocks.calling.naming import names_of, naming
from cukereuse_engine.functions.java_packages import OF_THE_LANGUAGE
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, fits
from cukereuse_engine.refactor.code_parts.snippet import Body, camel
from cukereuse_engine.refactor.rename_plan import TextEdit
from cukereuse_engine.refactor.writing import Case, writing_of

_ALWAYS_WAITS = ("cucumber-js", "playwright-bdd")
_WRITTEN_OTHERWISE = ("behave", "pytest-bdd")
"""Runners whose definition without arguments can be the model of one with some."""
_QUOTES = "\"'"
_BUILT_IN = frozenset(
    ("number", "boolean", "bool", "str", "String", "Boolean", "object", "Object", "any", "unknown", "dynamic", "const")
)
"""Types that every file knows, beyond those that a style names."""


@dataclass(frozen=True, slots=True)
class PassedArgument:
    """An argument that a step function gets."""

    value: str
    """The value in the text, as the runner passes it."""
    kind: ValueKind
    type: str
    at: int
    """The position among the function's `taken`."""
    is_whole: bool
    """True if the value is exactly what is in the step, without quotes."""

    @property
    def can_be_said(self) -> bool:
        return fits(self.kind, self.value)


class BlockCalls:
    """The functions that the steps of a block run, in the order of the steps."""

    def __init__(self, matches: Sequence[Match], suite: SuiteFunctions) -> None:
        """Raises `NotCallableError`."""
        first = matches[0].definition
        self.row = writing_of(first.language)
        style = self.row.calling
        if style is None or first.framework not in style.frameworks:
            raise NotCallableError(f"functions of {first.framework} step definitions can't be called from code")
        other = next((it.definition.framework for it in matches if it.definition.framework != first.framework), None)
        if other is not None or any(it.definition.language != first.language for it in matches):
            raise NotCallableError("the functions of the steps belong to several runners or languages")
        self.style: CallStyle = style
        self.framework = first.framework
        self._suite = suite
        self.functions = [_callable(match, suite.of(match.definition.path), style) for match in matches]
        self._arguments = [_arguments(match, function) for match, function in zip(matches, self.functions, strict=True)]
        self._names = names_of(self.functions, [suite.of(it.definition.path).text for it in self.functions])
        home, self._reach, self._called = self._settled()
        self.source = suite.of(home[0])
        self.model = self._model_at(home)

    def _settled(self) -> "tuple[tuple[str, int, int], FunctionReach | None, list[str]]":
        """The first place that can call all functions, of those with most of them first; its reach to other places; and
        its name for each function."""
        places = Counter(function.place for function in self.functions)
        if len(places) == 1:
            return self.functions[0].place, None, self._names
        reasons = []
        for home, _ in places.most_common():
            reach = WAYS[self.style.way](self._suite.of(home[0]), home[1], self._suite)
            try:
                called = [
                    name if function.place == home else self._elsewhere(reach, function, name, home)
                    for function, name in zip(self.functions, self._names, strict=True)
                ]
                reach.edits()
                self._model_at(home)
            except NotCallableError as error:
                reasons.append(str(error))
            else:
                return home, reach, called
        paths = dict.fromkeys(place[0] for place in places)
        names = {PurePath(path).name for path in paths}
        shown = ", ".join(sorted(names) if len(names) == len(paths) else paths)
        where = "belong to several classes" if len(paths) == 1 else f"are in several files ({shown})"
        raise NotCallableError(f"the functions of the steps {where}: {reasons[0]}")

    def _elsewhere(self, reach: FunctionReach, function: StepFunction, name: str, home: tuple[str, int, int]) -> str:
        """The expression that calls a function. Raises `NotCallableError`, also if its types are unknown at home."""
        source = self._suite.of(home[0])
        shown = function.definition.shown
        declared = () if not self._is_typed else (*function.others, *function.taken)
        written = [this_of(function), *(it.type for it in declared)]
        for type_name in re.findall(r"[A-Za-z_]\w*", " ".join(written)):
            if type_name not in ("this", "mut", *self.style.types, *_BUILT_IN) and not says(source, type_name):
                raise NotCallableError(f"the function of “{shown}” takes a {type_name}, which {home[0]} does not know")
        return reach.called(function, name)

    @property
    def _is_typed(self) -> bool:
        return "{type}" in self.row.declaration

    def _model_at(self, home: tuple[str, int, int]) -> StepDefinition:
        """The definition to copy, below which the new one goes: if possible, one of the block's own. Raises
        `NotCallableError`."""
        source = self._suite.of(home[0])
        own = {function.definition.id for function in self.functions}
        copyable = []
        for definition in source.definitions:
            if definition.function is not None and definition.rewritable:
                its = source.of(definition)
                if its is not None and its.place == home and its.node.type != "method_definition":
                    copyable.append(definition)
        if not copyable:
            raise NotCallableError("no step definition of the block can serve as the model for the new one")

        converts = any(argument.kind is ValueKind.OTHER for its in self._arguments for argument in its)

        def suits(definition: StepDefinition) -> tuple[bool, bool, int]:
            """A rank: plain text takes no argument, except in the runners above; and a parameter of a Cucumber
            Expression states its type."""
            takes = definition.kind is not ExpressionKind.LITERAL or definition.framework in _WRITTEN_OTHERWISE
            takes = takes and not (converts and definition.kind is ExpressionKind.CUCUMBER)
            return takes, definition.id in own, definition.literal.start_byte

        return max(copyable, key=suits)

    def argument(self, at: tuple[int, int]) -> PassedArgument:
        """The argument at (step, position among the arguments in its text)."""
        step, number = at
        return self._arguments[step][number]

    def body(self, varying: Mapping[tuple[int, int], int], names: Sequence[str], order: Sequence[int]) -> Body:
        """The body of the new function. `varying` maps (step, argument) to its parameter; `names`: the parameters in
        the step's expression; `order`: their order there. Raises `NotCallableError`."""
        arguments = [
            [varying.get((step, number), argument.value) for number, argument in enumerate(its)]
            for step, its in enumerate(self._arguments)
        ]
        for at in varying:
            self._check(self.argument(at))
        others = self.style.frameworks[self.framework]
        named = [name if self.row.case is Case.SNAKE else camel(name) for name in names]
        leading = self._leading(others, named)
        waits = [function.is_async or self.framework in _ALWAYS_WAITS for function in self.functions]
        result, question = self._result()
        values = self._values(arguments, named)
        lines = []
        for function, its, name, wait in zip(self.functions, values, self._called, waits, strict=True):
            called = self._call(function, name, its, self._passed(function, others, leading), waits=wait)
            is_tried = question and function.result not in self.style.void
            lines.append(f"{called}{'?' if is_tried else ''}{self._end_in(self.source)}")
        if question:
            lines.append("Ok(())")
        types = self._types(arguments)
        return Body(
            lines=lines,
            parameters=[*leading, *(self._declared(named[number], types.get(number, "")) for number in order)],
            is_async=any(waits),
            result=result,
            is_arrow=not any(function.on_this for function in self.functions),
            throws=self._throws(),
        )

    def _leading(self, others: Others, named: Sequence[str]) -> list[str]:
        """The parameters that take nothing of the step. Raises `NotCallableError` if one of the step has their name."""
        leading, passed = self._others(others)
        passed |= self._reach.names() if self._reach is not None else frozenset()
        clash = next((name for name in named if name in passed), None)
        if clash is not None:
            raise NotCallableError(
                f"the parameter name {clash} is already used by something else that the functions receive; choose "
                f"another name"
            )
        return leading

    def _values(self, arguments: Sequence[Sequence[int | str]], named: Sequence[str]) -> list[dict[int, str]]:
        """For each function, the values of its parameters by number: a literal, or a parameter, which is copied if it
        is used again."""
        uses = [part for step in arguments for part in step if isinstance(part, int)]
        values: list[dict[int, str]] = []
        for function, step, its in zip(self.functions, arguments, self._arguments, strict=True):
            values.append({})
            for part, argument in zip(step, its, strict=True):
                written = self._literal(argument, part) if not isinstance(part, int) else ""
                if isinstance(part, int):
                    uses.remove(part)
                    written = self.style.variable.format(name=named[part])
                    if part in uses and argument.kind is ValueKind.TEXT:
                        written = self.style.copied.format(variable=written)
                values[-1][function.numbers[argument.at]] = written
        return values

    def _call(
        self, function: StepFunction, name: str, values: Mapping[int, str], others: Iterable[str], *, waits: bool
    ) -> str:
        """A call. `values`: the step's arguments by position; `others`: the arguments at other positions, in order."""
        rest = iter(others)
        total = len(function.others) + len(function.taken)
        listed = [values[number] if number in values else next(rest) for number in range(total)]
        called = self.style.call.format(name=name, arguments=", ".join(listed))
        if function.on_this:
            called = f"{name}.call({', '.join(['this', *listed])})"
        return self.style.wait.format(call=called) if waits else called

    def moved(self) -> dict[str, list[TextEdit]]:
        """Edits by file: they name functions without a name, so that they can be called, and let the model's file reach
        functions elsewhere. Raises `NotCallableError`."""
        named: dict[str, dict[StepFunction, str]] = {}
        for function, name in zip(self.functions, self._names, strict=True):
            if not function.name:
                named.setdefault(function.definition.path, {})[function] = name
        edits = {
            path: naming(names, self._suite.of(path), self._end_in(self._suite.of(path)))
            for path, names in named.items()
        }
        for path, more in (self._reach.edits() if self._reach is not None else {}).items():
            edits[path] = sorted([*edits.get(path, ()), *more], key=lambda edit: edit.start)
        return edits

    def _end_in(self, source: SourceFunctions) -> str:
        return self.style.end if not self.style.end_where_used or self.style.end in source.text else ""

    def _check(self, argument: PassedArgument) -> None:
        """Raises `NotCallableError` if no parameter can replace an argument."""
        if not argument.is_whole:
            raise NotCallableError(f"the quotes around {argument.value} are part of the value")
        if argument.kind is ValueKind.OTHER and (
            not self.style.any_type or self.model.kind is not ExpressionKind.REGEX
        ):
            raise NotCallableError(
                f"only the test runner can convert “{argument.value}” to the type that the function takes"
            )

    def _literal(self, argument: PassedArgument, value: str) -> str:
        if not fits(argument.kind, value):
            raise NotCallableError(f"“{value}” can't be written in code as {argument.type or 'what its function gets'}")
        if argument.kind is ValueKind.TEXT:
            return self.style.text(value, self.source.text)
        if argument.kind is ValueKind.FLOAT and "." not in value and not self.style.whole_floats:
            return f"{value}.0"
        if argument.kind is ValueKind.BOOL:
            return self.style.true if value == "true" else self.style.false
        return value

    def _types(self, arguments: Sequence[Sequence[str | int]]) -> Mapping[int, str]:
        """The type of each parameter, as its functions have it. Raises `NotCallableError` if these differ."""
        types: dict[int, str] = {}
        for step, its in zip(arguments, self._arguments, strict=True):
            for part, argument in zip(step, its, strict=True):
                if isinstance(part, int) and types.setdefault(part, argument.type) != argument.type:
                    raise NotCallableError(
                        f"one parameter would need different types: {types[part]} and {argument.type}"
                    )
        return types

    def _declared(self, name: str, type_: str) -> str:
        variable = self.style.variable.format(name=name)
        return self.row.declaration.format(name=variable, type=type_) if type_ and self._is_typed else variable

    def _others(self, others: Others) -> tuple[list[str], frozenset[str]]:
        """The parameters of the new function that take nothing of its step, as written, and their names."""
        if others is Others.FIXTURES:
            names = _together(other.name for function in self.functions for other in function.others)
            return names, frozenset(names)
        if others is Others.NONE:
            return [world for world in self._worlds() if world], frozenset()
        if self.framework == "playwright-bdd":
            names = _together(name for function in self.functions for name in fixtures_of(function))
            return [f"{{ {', '.join(names)} }}" if names else "{}"], frozenset(names)
        if self.framework == "behave":
            return ["context"], frozenset(["context"])
        (first,) = _alone({function.others[0].type for function in self.functions})
        name = self.functions[0].others[0].name
        return [f"{name}: {first}"], frozenset([name])

    def _worlds(self) -> set[str]:
        """The type of `this`, if it is declared."""
        if not self.style.declares_this:
            return set()
        return _alone({this_of(function) for function in self.functions if function.on_this})

    def _passed(self, function: StepFunction, others: Others, leading: Sequence[str]) -> list[str]:
        if others is Others.NONE:
            return []
        if others is Others.FIXTURES:
            return [other.name for other in function.others]
        if self.framework == "playwright-bdd":
            names = fixtures_of(function)
            return [f"{{ {', '.join(names)} }}" if names else "{}"] if function.others else []
        return [leading[0].partition(":")[0]] * len(function.others)

    def _result(self) -> tuple[str, bool]:
        """The type of the new function's result, and true if it returns the errors of the functions."""
        if not self.style.fallible:
            return "", False
        results = {function.result for function in self.functions} - set(self.style.void)
        if not results:
            return "", False
        (result, *more) = results
        if more or not re.match(r"(?:\w+::)*Result<\s*\(\)", result):
            raise NotCallableError(f"the functions of the steps return different types: {', '.join(sorted(results))}")
        return result, True

    def _throws(self) -> str:
        if not self.style.throws:
            return ""
        written = [
            (child.text or b"").decode("utf-8", "replace")
            for function in self.functions
            for child in function.node.children
            if child.type == "throws"
        ]
        names = dict.fromkeys(name.strip() for text in written for name in text.removeprefix("throws").split(","))
        thrown = [name for name in names if name in OF_THE_LANGUAGE or says(self.source, name)]
        return f" throws {', '.join(names if len(thrown) == len(names) else ['Exception'])}" if names else ""


def _callable(match: Match, source: SourceFunctions, style: CallStyle) -> StepFunction:
    definition = match.definition
    function, shown = source.of(definition), definition.shown
    if function is None:
        raise NotCallableError(f"the function of “{shown}” can't be read here")
    reason = reason_against(function, source, style, match)
    if reason:
        raise NotCallableError(f"the function of “{shown}” {reason}")
    return function


def _arguments(match: Match, function: StepFunction) -> list[PassedArgument]:
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
        arguments.append(PassedArgument(value, kind, parameter.type, at, bare or not quoted))
    return arguments


def _together(names: Iterable[str]) -> list[str]:
    """The names, each once, in order."""
    return list(dict.fromkeys(names))


def _alone(worlds: set[str]) -> set[str]:
    """The worlds. Raises `NotCallableError` if there are several."""
    if len(worlds) > 1:
        raise NotCallableError("the functions of the steps use several World types")
    return worlds
