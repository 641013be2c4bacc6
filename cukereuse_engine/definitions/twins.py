"""Two functions of one code: what their wordings claim, whether that is suspect, and how far they should be one.

Four times two readers labelled groups of equal code from public repositories that nothing was tuned on, and findings of
information or above. 84 groups each of the last three: of those that both would merge or call suspect, 24 of 27, 12 of
12 and 20 of 21 were reported, of aliases 23 of 26, 36 of 41 and 30 of 34, of those to be left alone 5 of 23, 6 of 20
and 3 of 25, nearly all as hints; of 60 findings each, both would act on 45, 39 and 48. Of 84 more from 35 repositories
in nine languages, which one person labelled in two passes (77 alike): 32 of 34, 20 of 24 and 1 of 19; of 33 findings,
24 to be acted on in both. Of 105 more from 35 repositories in ten languages by two readers (89 alike, kappa .77): 24 of
29, 37 of 43 and 1 of 17, before anything was changed for them. Of 90 more from 42 repositories in nine languages by two
readers (82 alike): 27 of 36 (30 since one wording in two scopes is told), 28 of 30 and none of 16, suspects as such 7
of 10; of 60 findings from 29 repositories of these, they would act on 52 and on 50. Of 90 more from 30 repositories in
seven languages by two readers (79 alike, kappa .83): 29 of 31, 30 of 34 and none of 14, suspects as such 8 of 12; 31,
32, none and 10 with what these labels led to. All these labels led to rules here since, and no longer test them. Of 131
more from 43 repositories, mostly Java, by two readers (72 of 78 and 52 of 53 alike), of which nothing was made: 40 of
46, 30 of 32 and 4 of 46 told as the same code, all 13 suspects as such. A rule that equal code of few names in two
files is the same by chance kept back none of 79 groups that both readers leave alone, and 11 that are to be told: there
is none. Of eleven findings that said no more than that one only calls the other one was acted on: a hint, unless their
wordings say the same.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from cukereuse_engine.definitions.claims import Claims, compare, says_anything
from cukereuse_engine.definitions.suspicion import NamesInCode, Suspicion, are_told_by_state, suspicion
from cukereuse_engine.definitions.used_functions import UsedFunction
from cukereuse_engine.glue.definition import Limit
from cukereuse_engine.glue.sources import project_around
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.judging.verbs import differ_in_aspect, differ_in_modality
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.template import SLOT

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

_ONE_INTENT = 0.5
"""`p_one_intent` from which two wordings mean one thing."""
_LIKE = 0.5
"""Share of words from which wordings of one code mean one thing: of 42 labelled groups to be merged all are above, of
50 aliases a third."""


class Agreed(StrEnum):
    """In what two functions agree, as a reason says it."""

    SAME = "their functions are the same"
    LOOSELY = "their functions are the same, provided that their fields hold the same values"
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
    """The one that is used more, where that matters."""
    right: UsedFunction
    functions: "Functions"
    languages: tuple[str, ...]
    judge: Judge | None
    loosely: bool = False
    """Equal where fields count by their types."""

    @cached_property
    def claims(self) -> Claims:
        """Of their nearest wordings: an optional part of an expression claims nothing when it is left out."""
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
        """True if one only calls the other."""
        left, right = self.left.id, self.right.id
        return self.functions.passes_to(left) == right or self.functions.passes_to(right) == left

    @cached_property
    def _copied(self) -> bool:
        """True if each module of one build has one of them."""
        return self._apart and self.functions.relation(self.left.definitions[0], self.right.definitions[0]).copied

    @cached_property
    def _take_alike(self) -> bool:
        """True if both take a DocString or a table, or none does: with one and without are two ways to say a thing."""
        return self.left.takes_more == self.right.takes_more

    @cached_property
    def _share_steps(self) -> bool:
        mine = set(map(id, self.left.steps))
        return any(id(step) in mine for step in self.right.steps)

    @cached_property
    def _are_of_two_worlds(self) -> bool:
        """True if steps run both, of two projects, which no runner does; or if each was written for scenarios of
        its own, as runners want it that name them in the code."""
        if self._share_steps and _project_of(self.left) != _project_of(self.right):
            return True
        limits = [
            [limit for definition in side.definitions for limit in definition.limits]
            for side in (self.left, self.right)
        ]
        return all(limits) and all(_are_of_two_scenarios(left, right) for left in limits[0] for right in limits[1])

    def suspicion(self) -> Suspicion | None:
        """What they claim differently; None where that is nothing to look at. Who passes on to the other means to."""
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
        """What one wording says as an argument that its function ignores, where the other ignores nothing."""
        mine, theirs = (
            next((name for name in side.ignored(self.functions) if says_anything(name, self.languages)), "")
            for side in (self.left, self.right)
        )
        return (mine, theirs) if bool(mine) != bool(theirs) else None

    def _across_files(self, doubt: Suspicion) -> Suspicion | None:
        """Nearly all suspects are in one file: elsewhere a doubt takes the place of a hint that they agree."""
        agreement = self.agreement()
        return Suspicion(Severity.HINT, doubt.words) if agreement and agreement.severity is Severity.HINT else None

    def agreement(self) -> Agreement | None:
        """How far the two should be one; None where that is no finding."""
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
        """Of functions that are the same."""
        if self.loosely:
            on_purpose = on_purpose or self._say_in_other_order
            return Agreement(Severity.HINT if on_purpose else Severity.INFORMATION, 0.6, Agreed.LOOSELY)
        if on_purpose:
            return Agreement(Severity.HINT, 0.6, Agreed.SAME)
        return Agreement(Severity.INFORMATION, 0.9, Agreed.SAME)

    def _mean_one_thing(self, *, equal: bool) -> bool:
        if self.claims.opposed:
            return False
        return equal or self.claims.likeness >= _LIKE or self._p_one_intent >= _ONE_INTENT

    @property
    def _pass_on_on_purpose(self) -> bool:
        """True if the one that passes on says something of its own."""
        if self._seem_intended or any(self.claims.only) or self.left.checks != self.right.checks:
            return True
        return self._differ_by(differ_in_aspect)

    @property
    def _seem_intended(self) -> bool:
        """True if the two seem to be apart on purpose, whatever they claim."""
        if not self._take_alike or not self._share_a_role:  # one kind of argument each, or one role each
            return True
        if self._share_steps:  # which a suite that runs loads one by one
            return True
        return self._differ_by(differ_in_modality)  # an attempt is not the deed

    def _differ_by(self, differ: Callable[[str, str, tuple[str, ...]], bool]) -> bool:
        """True if all their wordings differ in this."""
        return all(differ(mine, theirs, self.languages) for mine in self.left.masks for theirs in self.right.masks)

    @property
    def _say_in_other_order(self) -> bool:
        """True if they say the same words with the same arguments: "I enter … for …", "for … I enter …"."""
        slots = [max(mask.count(SLOT) for mask in side.masks) for side in (self.left, self.right)]
        return slots[0] == slots[1] > 1 and not any(self.claims.only)

    @cached_property
    def _p_one_intent(self) -> float:
        return self.judge.explain(self.left.shown, self.right.shown).p_one_intent if self.judge is not None else 0.0


def _project_of(side: UsedFunction) -> str:
    return project_around(os.path.dirname(side.path))  # noqa: PTH120


def _are_of_two_scenarios(left: Limit, right: Limit) -> bool:
    """True if no scenario is of both, where both name theirs."""
    if not all(limit.scenario or limit.background for limit in (left, right)):
        return False
    return (left.path, left.scenario, left.background) != (right.path, right.scenario, right.background)


def share_a_role(left: UsedFunction, right: UsedFunction) -> bool:
    """True if what one of them says can be where the other's does."""
    return bool(left.roles & right.roles) or left.has_any_role or right.has_any_role
