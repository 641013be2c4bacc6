"""Binds the texts of a step in the scopes and situations that run it."""

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.choice import nearest_matches
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.keyword_types import GHERKIN_TYPES
from cukereuse_engine.glue.limits import AS_WRITTEN, VITEST, Situation, situation_of
from cukereuse_engine.glue.open_outlines import OpenTexts, bound_open, is_open
from cukereuse_engine.glue.readings import bound_as_read
from cukereuse_engine.glue.runners import Runners
from cukereuse_engine.glue.scopes import Scope, answers
from cukereuse_engine.glue.step_binding import StepBinding, expanded_texts
from cukereuse_engine.glue.suite_texts import SuiteTexts
from cukereuse_engine.glue.text_binding import TextBinding


class StepBinder:
    """Binds the steps of one suite. Not thread-safe."""

    def __init__(self, binder: Binder, runners: Runners, suite_texts: SuiteTexts) -> None:
        self._binder, self._runners, self._suite_texts = binder, runners, suite_texts
        self._open_texts: OpenTexts | None = None
        """None after a source changed."""
        self._bound: dict[str, dict[Hashable, TextBinding]] = {}
        """Bindings of each text, by the scopes that run it and all else that decides: hundreds of files may contain one
        text, and as many may define it."""

    def forget(self) -> None:
        """Forget all bindings: a source has changed."""
        self._open_texts = None
        self._bound.clear()

    def forget_texts(self, texts: Iterable[str]) -> None:
        """Forget the bindings of texts that no step has any more."""
        for text in texts:
            self._bound.pop(text, None)

    def bind(self, step: Step, scopes: tuple[Scope, ...]) -> StepBinding:
        """The binding of a step. `scopes`: those that run it; empty if no runner is configured."""
        situations = self._situations_of(step) if self._binder.has_limits else (None,)
        if step.examples and not self._binder.frameworks.isdisjoint(AS_WRITTEN):
            own = self._bound_text(step, step.text, scopes, situations)
            if own.matches and all(_is_as_written(match, step) for match in own.matches):
                return StepBinding(step, (own,))
        bind = partial(self._bound_text, step, scopes=scopes, situations=situations)
        if is_open(step):
            if self._open_texts is None:
                self._open_texts = OpenTexts(self._binder.definitions, self._binder.parameter_types)
            texts = [bound_open(text, bind, self._open_texts) for text in expanded_texts(step)]
        else:
            texts = [bind(text) for text in expanded_texts(step)]
        return StepBinding(step, tuple(texts))

    def _bound_text(
        self, step: Step, text: str, scopes: Sequence[Scope], situations: Sequence[Situation | None]
    ) -> TextBinding:
        """The binding of a text in all scopes and situations that run the step."""
        if situations != (None,):
            return self._bound_anew(step, text, scopes, situations)
        place = step.path if self._binder.has_registries else os.path.dirname(step.path)  # noqa: PTH120
        key = (tuple(scopes), place, step.resolved_type, step.carried_type, step.run_type, step.argument)
        bound = self._bound.setdefault(text, {})
        if key not in bound:
            bound[key] = self._bound_anew(step, text, scopes, situations)
        return bound[key]

    def _bound_anew(
        self, step: Step, text: str, scopes: Sequence[Scope], situations: Sequence[Situation | None]
    ) -> TextBinding:
        if not scopes:
            return TextBinding.over([self._bind_text(step, text, situation) for situation in situations])
        runs: dict[str, list[TextBinding]] = {}
        for scope in scopes:
            runs.setdefault(scope.run, []).extend(self._bind_in(scope, step, text, each) for each in situations)
        return TextBinding.over_runs([TextBinding.over(bindings) for bindings in runs.values()])

    def role_of(self, step: Step) -> Hashable:
        """What else than its text decides which definitions a step binds to: steps of one text and role bind alike."""
        places = step.examples if "<" in step.text else ()
        role = (step.resolved_type, step.carried_type, step.run_type, step.tags, step.argument, places)
        if self._binder.has_limits or self._runners.look_at_titles(step.path):
            return (role, step.path, step.feature, step.rule, step.scenario_line)
        is_scoped = self._runners.are_asked(self._binder.frameworks)
        if is_scoped:  # a background runs as its scenarios do
            return (role, step.path, step.is_background and (step.feature, step.rule))
        return (role, os.path.dirname(step.path))  # noqa: PTH120

    def _situations_of(self, step: Step) -> tuple[Situation, ...]:
        own = situation_of(step, self._suite_texts.times_before(step))
        if not step.is_background:
            return (own,)
        scenarios = self._suite_texts.scenarios_of(step.path)
        situations = [
            replace(own, rule=rule, scenario=scenario, tags=tags)
            for rule, scenario, tags in sorted(scenarios, key=lambda place: (place[0] or "", place[1], place[2]))
            if step.rule in (None, rule)
        ]
        return tuple(situations) or (own,)

    def _bind_text(self, step: Step, text: str, situation: Situation | None) -> TextBinding:
        return bound_as_read(step, text, partial(self._bound_as(step), situation=situation))

    def _bind_in(self, scope: Scope, step: Step, text: str, situation: Situation | None) -> TextBinding:
        bind = partial(bound_as_read, step, text)
        bound_as = partial(self._bound_as(step), situation=situation)
        kind = GHERKIN_TYPES.get(step.resolved_type) if scope.by_keyword else None
        holds = (
            scope.holds if kind is None else lambda definition: scope.holds(definition) and answers(definition, kind)
        )
        in_scope = partial(bound_as, anywhere=scope.anywhere, frameworks=scope.frameworks, nearness=scope.nearness)
        binding = bind(partial(in_scope, holds=holds))
        if _has_own(scope, binding):
            return binding
        guesses: list[Callable[[StepDefinition], bool] | None] = []
        if scope.may_hold is not None:
            may_hold = scope.may_hold
            guesses.append(lambda definition: holds(definition) or may_hold(definition))
        if scope.is_open:
            guesses.append(None if kind is None else lambda definition: answers(definition, kind))
        for may_be in guesses:
            guess = bind(partial(bound_as, holds=may_be, anywhere=False))
            matches = guess.matches if guess.scopes else tuple(nearest_matches(guess.matches, step.path))
            guess = replace(guess, matches=matches, guessed=True)
            if _has_own(scope, guess):
                return guess
        return binding if binding.matches or not scope.is_open else replace(binding, guessed=True)

    def _bound_as(self, step: Step) -> "partial[TextBinding]":
        """`Binder.bind` for a text after the keyword of a step, in its file."""
        types = partial(self._binder.bind, keyword_type=step.resolved_type, carried=step.carried_type)
        return partial(types, run_on=step.run_type, path=step.path, argument=step.argument)


def _is_as_written(match: Match, step: Step) -> bool:
    """True if a definition takes the steps of an outline with their placeholders. A definition of pytest-bdd that names
    such a placeholder (other than by a group of a regex) was written for a version before 5, and matches nothing in
    later ones."""
    definition = match.definition
    named = definition.expression.replace("(?P<", "")
    placeholders = {f"<{name}>" for table in step.examples for name in table.header}
    return definition.framework == VITEST or (
        definition.framework in AS_WRITTEN and any(placeholder in named for placeholder in placeholders)
    )


def _has_own(scope: Scope, binding: TextBinding) -> bool:
    """True if a definition of the scope's own frameworks matches; those of others do not count."""
    own = scope.frameworks
    return any(not own or match.definition.framework in own for match in binding.matches)
