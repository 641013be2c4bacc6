"""Two functions with the same code: what their wordings claim, if that is suspect, and if they should be merged.

Tested on 131 groups of equal code from 43 repositories that two readers labelled and no rule was made from: 40 of 46 to
be merged or suspect, 30 of 32 aliases and 4 of 46 to be left alone were reported.
Equal code with few names in two files is reported: to drop it would lose 11 groups and spare none of 79.
Of eleven findings that one function only calls the other, one was acted on: a hint, unless both wordings say the same.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.definitions.claims import Claims, compare, differ_in_aspect, says_anything
from cukereuse_engine.definitions.suspicion import NamesInCode, Suspicion, are_told_by_state, suspicion
from cukereuse_engine.definitions.used_functions import UsedFunction
from cukereuse_engine.functions.comparing import Related
from cukereuse_engine.glue.definition import Limit
from cukereuse_engine.glue.sources import project_around
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.judging.verbs import words_of_modality
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.template import SLOT

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_ONE_INTENT = 0.5
"""`p_one_intent` from which two wordings mean the same."""
_LIKE = 0.5
"""`Claims.likeness` from which wordings of one code mean the same: all of 42 labelled groups to be merged are above it,
and a third of 50 aliases."""


class Agreed(StrEnum):
    """How two functions agree, in the words of a reason."""

    SAME = "their functions are the same"
    BY_FIELDS = "their functions are the same, provided that their fields hold the same values"
    BY_PARAMETERS = "their functions are the same, but with their parameters at other places"
    PASSES_ON = "one only calls the other"
    COPIED = "they are copies in two modules of one build"


@dataclass(frozen=True, slots=True)
class Agreement:
    severity: Severity
    confidence: float
    agreed: Agreed


@dataclass(frozen=True)
class Twins:
    left: UsedFunction
    """The more used function, where that matters."""
    right: UsedFunction
    functions: "Functions"
    languages: tuple[str, ...]
    judge: Judge | None
    loosely: bool = False
    """True if the code is equal only when fields count by their types, or parameters by their order of use."""

    @cached_property
    def claims(self) -> Claims:
        """The claims of their most similar wordings: an optional part of an expression claims nothing if left out."""
        pairs = ((mine, theirs) for mine in self.left.masks for theirs in self.right.masks)
        return max((compare(*pair, self.languages) for pair in pairs), key=lambda claims: claims.likeness)

    @cached_property
    def _share_a_role(self) -> bool:
        return share_a_role(self.left, self.right)

    @cached_property
    def _apart(self) -> bool:
        return self.left.path != self.right.path

    @cached_property
    def _pass_on(self) -> bool:
        """True if one function only calls the other."""
        left, right = self.left.id, self.right.id
        return self.functions.passes_to(left) == right or self.functions.passes_to(right) == left

    @cached_property
    def _copied(self) -> bool:
        """True if they are copies in two modules of one build."""
        return self._apart and self._related.copied

    @cached_property
    def _related(self) -> Related:
        return self.functions.relation(self.left.definitions[0], self.right.definitions[0])

    @cached_property
    def _take_alike(self) -> bool:
        """True if both take a DocString or table, or neither does; otherwise they are two ways to say one thing."""
        return self.left.takes_more == self.right.takes_more

    @cached_property
    def _share_steps(self) -> bool:
        mine = set(map(id, self.left.steps))
        return any(id(step) in mine for step in self.right.steps)

    @cached_property
    def _are_of_two_worlds(self) -> bool:
        """True if no runner can load both: they share steps but belong to two projects, or each is limited to other
        scenarios, which some runners name in the code."""
        if self._share_steps and _project_of(self.left) != _project_of(self.right):
            return True
        limits = [
            [limit for definition in side.definitions for limit in definition.limits]
            for side in (self.left, self.right)
        ]
        return all(limits) and all(_are_of_two_scenarios(left, right) for left in limits[0] for right in limits[1])

    def suspicion(self) -> Suspicion | None:
        """The different claims of the two; None if they need no look, as when one calls the other on purpose."""
        if self._pass_on or not self._take_alike or self._are_of_two_worlds:
            return None
        if self._ignored:
            return Suspicion(Severity.HINT, self._ignored)
        if not self._share_a_role or self._p_one_intent >= _ONE_INTENT:
            return None
        doubt = suspicion(self.claims, self._said, acts=self._act) if not self._is_told_by_state else None
        if doubt is not None and self.left.takes_more:  # what they claim may be in the table or DocString
            doubt = Suspicion(Severity.HINT, doubt.words)
        if doubt is None or not self._apart:
            return doubt
        return self._across_files(doubt)

    @cached_property
    def _said(self) -> NamesInCode:
        return NamesInCode(self.functions.form_of(self.left.id), self.languages)

    @cached_property
    def _act(self) -> bool:
        return not (self.left.checks or self.right.checks)

    @cached_property
    def _is_told_by_state(self) -> bool:
        return self._act and are_told_by_state(self.claims, self._said)

    @cached_property
    def _ignored(self) -> tuple[str, str] | None:
        """The argument that one function ignores if the other ignores none, on the side of its wording; else None."""
        mine, theirs = (
            next((name for name in side.ignored(self.functions) if says_anything(name, self.languages)), "")
            for side in (self.left, self.right)
        )
        return (mine, theirs) if bool(mine) != bool(theirs) else None

    def _across_files(self, doubt: Suspicion) -> Suspicion | None:
        """Nearly all suspects are in one file: across files, a doubt only replaces a hint that they agree."""
        agreement = self.agreement()
        return Suspicion(Severity.HINT, doubt.words) if agreement and agreement.severity is Severity.HINT else None

    def agreement(self) -> Agreement | None:
        """How certain it is that the two should be merged; None if there is no finding."""
        if self._are_of_two_worlds:
            return None
        equal = not set(self.left.masks).isdisjoint(self.right.masks)
        if equal and self._share_a_role and not self._share_steps:  # one wording in two scopes
            return Agreement(Severity.HINT, 0.6, Agreed.COPIED if self._copied else Agreed.SAME)
        mean_one_thing = self._mean_one_thing(equal=equal)
        if self._pass_on:
            on_purpose = not mean_one_thing or self._pass_on_on_purpose
            return Agreement(Severity.HINT if on_purpose else Severity.INFORMATION, 0.8, Agreed.PASSES_ON)
        if self._is_told_by_state and not mean_one_thing:
            return None
        on_purpose = self._seem_intended or not mean_one_thing or self.claims.differing is not None
        return self._same_agreement(on_purpose=on_purpose)

    def _same_agreement(self, *, on_purpose: bool) -> Agreement:
        """The agreement of functions with the same code."""
        if self.loosely:
            on_purpose = on_purpose or self._say_in_other_order
            agreed = Agreed.BY_FIELDS if self._related.by_fields else Agreed.BY_PARAMETERS
            return Agreement(Severity.HINT if on_purpose else Severity.INFORMATION, 0.6, agreed)
        if on_purpose:
            return Agreement(Severity.HINT, 0.6, Agreed.SAME)
        return Agreement(Severity.INFORMATION, 0.9, Agreed.SAME)

    def _mean_one_thing(self, *, equal: bool) -> bool:
        if self.claims.opposed:
            return False
        return equal or self.claims.likeness >= _LIKE or self._p_one_intent >= _ONE_INTENT

    @property
    def _pass_on_on_purpose(self) -> bool:
        """True if the two seem to be separate on purpose, or differ in words, checks or aspect."""
        if self._seem_intended or any(self.claims.only) or self.left.checks != self.right.checks:
            return True
        return self._differ_by(differ_in_aspect)

    @property
    def _seem_intended(self) -> bool:
        """True if the two seem to be separate on purpose, whatever they claim."""
        if not self._take_alike or not self._share_a_role:  # one kind of argument each, or one role each
            return True
        if self._share_steps:  # a suite that runs loads only one of them
            return True
        return self._differ_by(words_of_modality)  # an attempt is not the deed

    def _differ_by(self, differ: Callable[[str, str, tuple[str, ...]], object]) -> bool:
        """True if all pairs of their wordings differ by `differ`."""
        return all(differ(mine, theirs, self.languages) for mine in self.left.masks for theirs in self.right.masks)

    @property
    def _say_in_other_order(self) -> bool:
        """True if both say the same words with as many arguments: "I enter … for …", "for … I enter …"."""
        slots = [max(mask.count(SLOT) for mask in side.masks) for side in (self.left, self.right)]
        return slots[0] == slots[1] > 1 and not any(self.claims.only)

    @cached_property
    def _p_one_intent(self) -> float:
        return self.judge.explain(self.left.shown, self.right.shown).p_one_intent if self.judge is not None else 0.0


def _project_of(side: UsedFunction) -> str:
    return project_around(os.path.dirname(side.path))  # noqa: PTH120


def _are_of_two_scenarios(left: Limit, right: Limit) -> bool:
    """True if both limits name a scenario or background, and not the same one."""
    if not all(limit.scenario or limit.background for limit in (left, right)):
        return False
    return (left.path, left.scenario, left.background) != (right.path, right.scenario, right.background)


def share_a_role(left: UsedFunction, right: UsedFunction) -> bool:
    """True if the steps of one can have a role that the other's have."""
    return bool(left.roles & right.roles) or left.has_any_role or right.has_any_role
