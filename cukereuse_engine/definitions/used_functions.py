"""The functions that steps run, each with its step definitions and steps; rules about definitions compare them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.context import Context
from cukereuse_engine.findings.finding import Place, Subject, Wording
from cukereuse_engine.findings.messages import defined_at, definitions_of, quoted
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.roles import roles_of
from cukereuse_engine.grouped import grouped
from cukereuse_engine.prose import counted
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_MOST_WORDINGS = 4
_STEPS_AT_ONCE = 200
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*%?")


@dataclass(frozen=True, slots=True)
class UsedFunction:
    """A function, with the step definitions that run it and the steps that use these."""

    id: str
    definitions: tuple[StepDefinition, ...]
    texts: tuple[StepText, ...]
    steps: tuple[Step, ...]
    captured: dict[str, tuple[str, ...]]
    """Definition's id to the names of its parameters; a parameter without a name has an empty one."""
    values: dict[str, tuple[str, ...]]
    """Definition's id to the arguments that it takes from one of its steps."""
    numbers: dict[str, tuple[bool, ...]]
    """Definition's id to whether each of its arguments is a number in all steps."""
    said: dict[str, str]
    """Identity of a text to the text with a slot in place of each argument."""

    @property
    def path(self) -> str:
        return self.definitions[0].path

    @property
    def masks(self) -> list[str]:
        """The most used wordings, with a slot in place of each argument. A quoted text that no expression captures
        remains."""
        most = sorted(self.texts, key=lambda text: -text.occurrences)
        return list(dict.fromkeys(self.said[text.identity] for text in most))[:_MOST_WORDINGS]

    @property
    def shown(self) -> StepText:
        return canonical(self.texts)

    @property
    def roles(self) -> frozenset[str]:
        """The roles that the keywords of its definitions name; see `roles_of`."""
        return frozenset[str]().union(*(roles_of(definition.keyword) for definition in self.definitions))

    @property
    def has_any_role(self) -> bool:
        """True if one of its definitions takes steps with any keyword."""
        return not all(roles_of(definition.keyword) for definition in self.definitions)

    @property
    def checks(self) -> bool:
        """True if it should check something: its definitions have the keyword Then or, if their keywords name no role,
        all its steps are outcomes."""
        if self.roles:
            return "then" in self.roles
        return all(step.resolved_type is KeywordType.OUTCOME for step in self.steps)

    @property
    def takes_more(self) -> bool:
        """True if most of its steps have a DocString or a table."""
        return 2 * sum(step.argument is not None for step in self.steps) > len(self.steps)

    def ignored(self, functions: "Functions") -> list[str]:
        """The arguments of its steps that the function does not use, on purpose or not."""
        return [
            self.values[definition.id][place]
            for definition in self.definitions
            for place in functions.ignored_arguments(definition, self.captured[definition.id]).values()
        ]

    def subject(self) -> Subject:
        by_template = grouped((text.template.key, text) for text in self.texts)
        wordings = [
            Wording(canonical(texts).text, texts[0].template, sum(text.occurrences for text in texts))
            for texts in by_template.values()
        ]
        return Subject(
            text=self.shown.text,
            identity=self.definitions[0].expression,
            occurrences=len(self.steps),
            places=tuple(Place.of_definition(definition) for definition in self.definitions),
            definitions=self.definitions,
            wordings=tuple(sorted(wordings, key=lambda wording: (-wording.occurrences, wording.text))),
        )


def used_functions(context: Context) -> dict[str, UsedFunction]:
    """The functions that steps run, by id; `Context.made` keeps them."""
    gathered: dict[str, _Gathered] = defaultdict(_Gathered)
    for _ in _gather(context, gathered):
        pass
    return _used(gathered)


def gather_used(context: Context) -> Iterator[None]:
    """Prepare `Context.made(used_functions)` in slices of some milliseconds."""
    gathered: dict[str, _Gathered] = defaultdict(_Gathered)
    bound = 0
    for steps in _gather(context, gathered):
        bound += steps
        if bound >= _STEPS_AT_ONCE:
            bound = 0
            yield
    context.keep(used_functions, _used(gathered))


def _used(gathered: "Mapping[str, _Gathered]") -> dict[str, UsedFunction]:
    return {function: of_function.used(function) for function, of_function in gathered.items()}


def _gather(context: Context, gathered: dict[str, "_Gathered"]) -> Iterator[int]:
    """Yields the number of steps of each text, once they are gathered."""
    for key, group in context.steps.items():
        text = context.texts.get(key)
        if text is None:
            continue
        for matches, steps in _bound_alike(context, group):
            for bound_text, match in matches:
                gathered[match.definition.function_id].add(text, bound_text, match, steps)
        yield len(group)


class _Gathered:
    """Collects what is known of one function."""

    def __init__(self) -> None:
        self._definitions: dict[str, StepDefinition] = {}
        self._steps: list[Step] = []
        self._texts: dict[str, StepText] = {}
        self._captured: dict[str, tuple[str, ...]] = {}
        self._values: dict[str, tuple[str, ...]] = {}
        self._numbers: dict[str, tuple[bool, ...]] = {}
        self._said: dict[str, str] = {}

    def add(self, text: StepText, bound_text: str, match: Match, steps: Sequence[Step]) -> None:
        """Add steps with this text, which bind to a definition of the function. `bound_text`: the text that matched."""
        definition, values = match.definition, tuple(argument.value or "" for argument in match.arguments)
        is_number = [_NUMBER.fullmatch(value) is not None for value in values]
        before = self._numbers.get(definition.id) or [True] * len(values)
        self._numbers[definition.id] = tuple(all(pair) for pair in zip(before, is_number, strict=False))
        self._captured[definition.id] = tuple(argument.name for argument in match.arguments)
        self._values.setdefault(definition.id, values)
        self._said.setdefault(text.identity, _without_arguments(bound_text, match))
        if not definition.is_translation:
            self._definitions[definition.id] = definition
        self._definitions.setdefault(definition.id, definition)
        self._texts[text.identity] = text
        self._steps += steps

    def used(self, function: str) -> UsedFunction:
        definitions = sorted(self._definitions.values(), key=lambda each: (each.path, each.line, each.id))
        return UsedFunction(
            function,
            tuple(definitions),
            tuple(self._texts.values()),
            tuple(self._steps),
            self._captured,
            self._values,
            self._numbers,
            self._said,
        )


def _bound_alike(context: Context, steps: Sequence[Step]) -> Iterable[tuple[list[tuple[str, Match]], list[Step]]]:
    """Steps with one text, grouped by what they bind to: suites, files and projects may have their own definitions."""
    of_one_place: dict[object, list[Step]] = defaultdict(list)
    for step in steps:
        of_one_place[step.resolved_type, step.path, step.tags].append(step)
    alike: dict[tuple[str, ...], tuple[list[tuple[str, Match]], list[Step]]] = {}
    for steps_there in of_one_place.values():
        matches = _matches(context, steps_there[0])
        ids = tuple(match.definition.id for _, match in matches)
        alike.setdefault(ids, (matches, []))[1].extend(steps_there)
    return alike.values()


def _matches(context: Context, step: Step) -> list[tuple[str, Match]]:
    """The definitions of a step, each with the matched text; an outline's step has the values of its first row."""
    bindings = context.bindings
    if bindings is None:
        return []
    return [(bound.text, match) for bound in bindings(step).texts[:1] for match in bound.matches]


def _without_arguments(text: str, match: Match) -> str:
    """A step's text with a slot in place of each argument and its quotes."""
    for argument in sorted(match.arguments, key=lambda argument: -argument.start):
        if argument.start >= 0 and SLOT not in text[argument.start : argument.end]:
            text = f"{text[: argument.start]}{SLOT}{text[argument.end :]}"
    return _QUOTED_SLOT.sub(SLOT, text)


_QUOTED_SLOT = re.compile(rf"([\"'`]){SLOT}\1")


def importance(used: UsedFunction) -> tuple[int, str, int]:
    """Sort key: the most used first."""
    return (-len(used.steps), used.path, used.definitions[0].line)


def named(subject: Subject, beside: Iterable[Subject] = ()) -> str:
    """Its text, uses and places, with keywords if those of the subjects `beside` it are others."""
    uses, places = counted(subject.occurrences, "step"), defined_at(subject.definitions, definitions_of(beside))
    return f"{quoted(subject.text)} ({uses}), defined at {places},"


def said_so(words: str) -> str:
    return f"“{words}”"


def at_most(left: Severity, right: Severity) -> Severity:
    return min(left, right, key=lambda severity: severity.rank)
