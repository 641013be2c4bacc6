"""One function with all that steps say of it: what rules about step definitions compare."""

import re
from collections import defaultdict
from dataclasses import dataclass

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.context import Context
from cukereuse_engine.findings.finding import Place, Subject, Wording
from cukereuse_engine.findings.messages import defined_at, quoted
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.roles import roles_of
from cukereuse_engine.prose import counted
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT

_MOST_WORDINGS = 4
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*%?")


@dataclass(frozen=True, slots=True)
class Side:
    """One function with all that is said of it."""

    function: str
    definitions: tuple[StepDefinition, ...]
    texts: tuple[StepText, ...]
    steps: tuple[Step, ...]
    captured: dict[str, tuple[str, ...]]
    """Names of what each definition, by id, captures; empty ones where they have none."""
    values: dict[str, tuple[str, ...]]
    """What each definition, by id, captures of one of its steps."""
    numbers: dict[str, tuple[bool, ...]]
    """Whether all that it captures there are numbers, by the id of each definition."""
    said: dict[str, str]
    """Identity of each text to the text without its arguments."""

    @property
    def path(self) -> str:
        return self.definitions[0].path

    @property
    def masks(self) -> list[str]:
        """Its wordings without what its expressions capture, the most used first, and no more than tell: what stands in
        quotes there and is no argument is said as well."""
        most = sorted(self.texts, key=lambda text: -text.occurrences)
        return list(dict.fromkeys(self.said[text.identity] for text in most))[:_MOST_WORDINGS]

    @property
    def shown(self) -> StepText:
        return canonical(self.texts)

    @property
    def roles(self) -> frozenset[str]:
        """Those that the keywords of its definitions name; see `roles_of`."""
        return frozenset[str]().union(*(roles_of(definition.keyword) for definition in self.definitions))

    @property
    def has_any_role(self) -> bool:
        """Whether one of its definitions is whatever stands before its steps."""
        return not all(roles_of(definition.keyword) for definition in self.definitions)

    @property
    def checks(self) -> bool:
        """Whether it is to check something: by its keyword; where that names no role, as all its steps are outcomes."""
        if self.roles:
            return "then" in self.roles
        return all(step.resolved_type is KeywordType.OUTCOME for step in self.steps)

    @property
    def takes_more(self) -> bool:
        """Whether a DocString or a table goes with its steps."""
        return any(step.argument is not None for step in self.steps)

    def ignored(self, functions: Functions) -> list[str]:
        """What its steps say as arguments that its function ignores, on purpose or not."""
        return [
            self.values[definition.id][place]
            for definition in self.definitions
            for place in functions.ignored_arguments(definition, self.captured[definition.id]).values()
        ]

    def subject(self) -> Subject:
        by_template: dict[str, list[StepText]] = defaultdict(list)
        for text in self.texts:
            by_template[text.template.key].append(text)
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


def sides_of(context: Context) -> dict[str, Side]:
    """Functions that steps run, by id; `Context.made` keeps them."""
    definitions: dict[str, dict[str, StepDefinition]] = defaultdict(dict)
    steps: dict[str, list[Step]] = defaultdict(list)
    texts: dict[str, dict[str, StepText]] = defaultdict(dict)
    captured: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    values: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    numbers: dict[str, dict[str, tuple[bool, ...]]] = defaultdict(dict)
    expressions: dict[str, dict[str, str]] = defaultdict(dict)
    for key, group in context.steps.items():
        text = context.texts.get(key)
        if text is None:
            continue
        of_one_place: dict[object, list[Step]] = defaultdict(list)
        for step in group:  # suites, files and projects may have definitions of their own
            of_one_place[step.resolved_type, step.path, step.tags].append(step)
        bound_alike: dict[tuple[str, ...], tuple[list[tuple[str, Match]], list[Step]]] = {}
        for steps_there in of_one_place.values():
            matches = _matches(context, steps_there[0])
            ids = tuple(match.definition.id for _, match in matches)
            bound_alike.setdefault(ids, (matches, []))[1].extend(steps_there)
        for matches, alike in bound_alike.values():
            for bound, match in matches:
                definition = match.definition
                expressions[definition.function_id].setdefault(key, _without_arguments(bound, match))
                captured[definition.function_id][definition.id] = tuple(argument.name for argument in match.arguments)
                arguments = tuple(argument.value or "" for argument in match.arguments)
                values[definition.function_id].setdefault(definition.id, arguments)
                number = numbers[definition.function_id].get(definition.id)
                counts = [_NUMBER.fullmatch(argument.value or "") is not None for argument in match.arguments]
                numbers[definition.function_id][definition.id] = tuple(
                    all(pair) for pair in zip(number or [True] * len(counts), counts, strict=False)
                )
                if not definition.is_translation:
                    definitions[definition.function_id][definition.id] = definition
                definitions[definition.function_id].setdefault(definition.id, definition)
                steps[definition.function_id] += alike
                texts[definition.function_id][key] = text
    return {
        function: Side(
            function,
            tuple(
                sorted(definition_of.values(), key=lambda definition: (definition.path, definition.line, definition.id))
            ),
            tuple(texts[function].values()),
            tuple(steps[function]),
            captured[function],
            values[function],
            numbers[function],
            expressions[function],
        )
        for function, definition_of in definitions.items()
    }


def _matches(context: Context, step: Step) -> list[tuple[str, Match]]:
    """What a step binds to, with the text that was matched: one of an outline is filled in from its first row."""
    bindings = context.bindings
    if bindings is None:
        return []
    return [(bound.text, match) for bound in bindings(step).texts[:1] for match in bound.matches]


def _without_arguments(text: str, match: Match) -> str:
    """A step's text with a slot for each argument, quotes around it included."""
    for argument in sorted(match.arguments, key=lambda argument: -argument.start):
        if argument.start >= 0 and SLOT not in text[argument.start : argument.end]:
            text = f"{text[: argument.start]}{SLOT}{text[argument.end :]}"
    return _QUOTED_SLOT.sub(SLOT, text)


_QUOTED_SLOT = re.compile(rf"([\"'`]){SLOT}\1")


def importance(side: Side) -> tuple[int, str, int]:
    """Sort key: the most used first."""
    return (-len(side.steps), side.path, side.definitions[0].line)


def named(subject: Subject) -> str:
    uses, places = counted(subject.occurrences, "step"), defined_at(subject.definitions)
    return f"{quoted(subject.text)} ({uses}), defined at {places},"


def said_so(words: str) -> str:
    return f"“{words}”"


def at_most(left: Severity, right: Severity) -> Severity:
    return min(left, right, key=lambda severity: severity.rank)
