"""The rules suspect-definition and unused-definition: findings for which one step definition is enough."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cukereuse_engine.definitions.claims import says_that_it_logs
from cukereuse_engine.definitions.code import SUSPECT
from cukereuse_engine.definitions.used_functions import UsedFunction, at_most, named, said_so, used_functions
from cukereuse_engine.detection.context import Context
from cukereuse_engine.findings.finding import Finding, Place, Reason, Subject
from cukereuse_engine.findings.messages import quoted
from cukereuse_engine.functions.checks import may_check
from cukereuse_engine.functions.outcomes import is_unclear
from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.words import vocabulary

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

UNUSED = "unused-definition"
_NO_NAME = re.compile(r"_.*|(?:arg|p|param|x)?_?\d*|foo|bar|dummy|ignored?|unused|plurals?", re.IGNORECASE)
"""Names of arguments that a person ignores on purpose; many languages mark those by a leading underscore."""


def find(context: Context) -> Iterable[Finding]:
    if context.functions is None or context.bindings is None:
        return
    search = _Search(context, context.functions)
    yield from search.ignoring()
    yield from search.silent()
    yield from search.telling()
    yield from search.unused()


class _Search:
    def __init__(self, context: Context, functions: "Functions") -> None:
        self.context = context
        self.functions = functions
        self.used = context.made(used_functions)

    def ignoring(self) -> Iterator[Finding]:
        """Definitions that capture what their function never uses."""
        for function in self.used.values():
            for definition in function.definitions:
                captured = function.captured[definition.id]
                ignored = self.functions.ignored_arguments(definition, captured)
                names = [name for name in ignored if not _NO_NAME.fullmatch(name)]
                sure = self._is_number_of_outcome(function, definition, names)
                if sure or any(len(name) > 1 for name in names):  # `n` says something where it is a number
                    yield self._ignoring(function, names, sure=sure)
                    break

    def _is_number_of_outcome(self, function: UsedFunction, definition: StepDefinition, names: Sequence[str]) -> bool:
        """True if an outcome ignores a number that it should check. Other values often only tell people what the state
        already holds."""
        captured = function.captured[definition.id]
        form = self.functions.form_of(function.id)
        taking = form.parameters[-len(captured) :] if form is not None and captured else ()
        numbers = dict(zip(taking, function.numbers[definition.id], strict=False))
        return function.checks and any(numbers.get(name, False) for name in names)

    def _ignoring(self, function: UsedFunction, names: Sequence[str], *, sure: bool) -> Finding:
        subject = function.subject()
        arguments = " and ".join(said_so(name) for name in names)
        return Finding(
            rule=SUSPECT,
            severity=at_most(self.context.options.severity(SUSPECT), Severity.WARNING if sure else Severity.HINT),
            message=f"{named(subject)} captures {arguments}, which its function never uses.",
            others=(subject,),
            confidence=0.8 if sure else 0.5,
            worth=subject.occurrences,
            reasons=(Reason("unused-argument", f"its function never uses {arguments}"),),
        )

    def silent(self) -> Iterator[Finding]:
        """Outcomes whose functions check nothing: their suite's style or an action with the same function shows it."""
        phrases = _phrases(self.context.detection.options.languages)
        by_style = (
            Reason("no-check", "its function only uses what functions of Given and When steps use"),
            Reason("style", "nearly all other Then steps of this suite check something"),
        )
        acting = self._acting()
        for key in sorted({*self.functions.silent_outcomes(), *acting}):
            function = self.used.get(key)
            if function is None or any(step.resolved_type is not KeywordType.OUTCOME for step in function.steps):
                continue
            if any(phrases.search(text.text.lower()) for text in function.texts):
                reasons = (Reason("no-check", acting[key]),) if key in acting else by_style
                subject = function.subject()
                says = f"{named(subject)} checks nothing: its function only does what other steps do."
                yield self._without_work(subject, says, *reasons)

    def _acting(self) -> dict[str, str]:
        """Functions of outcomes that check nothing since an action has the same: function's id to the reason."""
        acting: dict[str, str] = {}
        for group in self.functions.equal():
            functions = [self.used[key] for key in group if key in self.used and not self.used[key].has_any_role]
            action = next((function for function in functions if function.roles == {"when"}), None)
            form = self.functions.whole_of(group[0])
            if action is None or form is None or is_unclear(form) or may_check(form.tokens, comparing=False):
                continue
            outcomes = (function.id for function in functions if function.roles == {"then"})
            acting |= dict.fromkeys(outcomes, f"its function is the same as that of {quoted(action.shown.text)}")
        return acting

    def telling(self) -> Iterator[Finding]:
        """Actions and outcomes whose functions only log although their wordings do not say so. A Given may only state
        what is so."""
        languages = self.context.detection.options.languages
        for key in sorted(self.functions.telling()):
            function = self.used.get(key)
            if function is None or all(says_that_it_logs(text.template.masked, languages) for text in function.texts):
                continue
            if any(step.resolved_type is not KeywordType.CONTEXT for step in function.steps):
                subject = function.subject()
                reason = Reason("only-logs", "all that its function does is to log a text")
                yield self._without_work(subject, f"{named(subject)} does nothing: its function only logs.", reason)

    def _without_work(self, subject: Subject, message: str, *reasons: Reason) -> Finding:
        return Finding(
            rule=SUSPECT,
            severity=at_most(self.context.options.severity(SUSPECT), Severity.HINT),
            message=message,
            others=(subject,),
            confidence=0.5,
            worth=subject.occurrences,
            reasons=reasons,
        )

    def unused(self) -> Iterator[Finding]:
        if self.context.options.severity(UNUSED) is Severity.OFF:
            return
        called = self.functions.called
        for definition in self.functions.own_definitions:
            if definition.function_id in self.used or definition.function_id in called:
                continue
            if self.context.may_serve(definition):
                continue  # nobody knows which definition its steps run
            yield unused_definition(definition, self.context.options.severity(UNUSED))


def unused_definition(definition: StepDefinition, severity: Severity) -> Finding:
    """The finding that no step uses a definition and no code calls it."""
    expression = definition.expression
    return Finding(
        rule=UNUSED,
        severity=severity,
        message=f"No step uses {quoted(expression)}.",
        others=(Subject(expression, expression, 0, (Place.of_definition(definition),), (definition,)),),
        reasons=(Reason("fact", "no step uses it"),),
    )


@cache
def _phrases(languages: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the phrases that make a step claim an outcome: "should", "I see"."""
    vocabularies = [vocabulary(language) for language in languages]
    phrases = sorted(
        {phrase for words in vocabularies for phrase in (*words.assertion, *words.observation)}, key=len, reverse=True
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")
