"""Definitions that were equal, or should be, and are not any more: copies that were not changed together, and one
wording that several places define. Functions are compared by their normal forms, if these are known."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, pairwise
from operator import itemgetter

from cukereuse_engine.definitions.claims import compare as claims
from cukereuse_engine.functions.checks import may_check
from cukereuse_engine.functions.tokens import LOGS, STEP
from cukereuse_engine.history.definitions import SEPARATOR, DefinitionState
from cukereuse_engine.history.drift import Drift, DriftKind, DriftSide, DriftSides, SurveyedSuites, much
from cukereuse_engine.history.likeness import (
    MIN_NEAR,
    MIN_WEIGHT,
    MOST_COPIES,
    Shapes,
    are_copies,
    does_more,
    likeness,
    other_texts,
    shape_of,
    surplus,
    telling,
    told_by,
)
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage, Past
from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT, template

MIN_SIMILARITY = 0.5
"""Share of what two functions say that both must say still, to count as copies."""
MIN_ONE_INTENT = 0.3
"""The least probability that people would make two wordings one, so that a change of the one concerns the other. Of
twelve copies of other wordings that two people read, it keeps eight of the nine that they acted on, and one of the
three that they did not."""


def copied(past: Past, side: DriftSides) -> Iterator[Drift]:
    """The last change of each definition in which its copies took no part."""
    index = Shapes(past.lineages)
    intents = _Intents(lineage.now.state.wording for lineage in past.lineages)
    for lineage in past.lineages:
        if not lineage.now.state.is_known:
            continue
        for before, after in reversed(list(pairwise(lineage.versions))):
            if before.state.form == after.state.form or not before.state.is_known or before.state.weight < MIN_WEIGHT:
                continue
            copies = [
                (alike, other)
                for alike, other in index.near(before)
                if _stayed(lineage, before, after, other, alike)
                and intents.are_one(lineage.now.state.wording, other.now.state.wording)
            ]
            if copies:
                yield from _reported(lineage, after, copies, side, intents)
                break


def _stayed(
    lineage: Lineage, before: DefinitionVersion, after: DefinitionVersion, other: Lineage, alike: float
) -> bool:
    """True if `other` was a copy when `lineage` changed from `before` to `after`, and has nothing of that change."""
    now, then = other.now.state, other.at(after.since)
    if other is lineage or then is None or _is_one(lineage, other) or not are_copies(before.state, then.state):
        return False
    lost, gained = _changed(before.state, after.state)
    if not lost and not gained:  # a constant
        return before.state.form == then.state.form == now.form and other_texts(now, lineage.now.state)
    if _logs_only(lost | gained) or not does_more(before.state, after.state):
        return False  # another way to do it, maybe
    mine, theirs = shape_of(lineage.now.state), shape_of(now)
    if any(SEPARATOR + STEP in statement for statement in gained - theirs):
        return False  # it calls steps now, the other one maybe
    if (told_by(gained) - told_by(lost)) & (telling(lineage.now.state.wording) - telling(now.wording)):
        return False  # it names what only its own wording says
    if not (_has_only(mine, gained, lost) and _has_only(theirs, lost, gained)):
        return False
    return likeness(lineage.now.state, now) < alike


def _logs_only(statements: Iterable[str]) -> bool:
    return all(statement.startswith(LOGS) for statement in statements)


def _has_only(shape: "Counter[str]", some: "Counter[str]", others: "Counter[str]") -> bool:
    """True if a shape has all of some statements, and none of others."""
    return some <= shape and not others & shape


def _reported(
    lineage: Lineage,
    after: DefinitionVersion,
    copies: list[tuple[float, Lineage]],
    side: DriftSides,
    intents: "_Intents",
) -> Iterator[Drift]:
    """The change beside the copy that is most like it. Steps tell what expressions leave open: `(this product)`."""
    ranked = sorted(copies, key=lambda entry: (-_same_wording(entry[1], lineage), -entry[0], _where(entry[1])))
    alike, other = ranked[0]
    sides = (side(other), side(lineage))
    if not _is_shared(sides):
        return
    is_one_expression = lineage.now.state.expression == other.now.state.expression
    if not is_one_expression and not intents.are_one(*(side.uses.text for side in sides)):
        return
    also = {_where(copy): side(copy) for _, copy in ranked[1:] if _where(copy) != _where(other)}
    worth = (0.5 if _same_wording(lineage, other) else 0.3) + 0.3 * alike + much(min(side.uses.steps for side in sides))
    yield Drift(DriftKind.COPY, sides, after, tuple(also.values()), worth)


def _is_one(left: Lineage, right: Lineage) -> bool:
    """True if two definitions are on one function."""
    return _where(left) == _where(right)


def _changed(before: DefinitionState, after: DefinitionState) -> tuple[Counter[str], Counter[str]]:
    """Statements that a change took out and put in, whatever their constants are."""
    mine, theirs = shape_of(before), shape_of(after)
    return mine - theirs, theirs - mine


class _Intents:
    """Tells if two wordings, or steps, have the same intent and the same arguments, so that a change to one suits the
    other."""

    def __init__(self, wordings: Iterable[str]) -> None:
        self._judge = TextJudge.for_suite(list(map(_as_text, dict.fromkeys(wordings))))

    def are_one(self, one: str, other: str) -> bool:
        left, right = _as_text(one), _as_text(other)
        if left.template.masked.count(SLOT) != right.template.masked.count(SLOT):
            return False
        languages = self._judge.templates.languages
        if claims(left.template.masked, right.template.masked, languages).differing is not None:
            return False
        if left.template.key == right.template.key:
            return True
        judgement = self._judge.explain(left, right)
        if judgement.difference is Difference.STATE_AND_ACTION:
            return False  # each has its own way: "I try to pay" goes on where "I pay" fails
        return judgement.p_one_intent >= MIN_ONE_INTENT


def _as_text(wording: str) -> StepText:
    return StepText(wording, identity(wording), template(wording), 1, 0)


def _where(lineage: Lineage) -> tuple[str, int]:
    return lineage.now.path, lineage.now.state.start


def _same_wording(left: Lineage, right: Lineage) -> bool:
    return left.now.state.wording.lower() == right.now.state.wording.lower()


# -- one expression in several places


def places(
    pasts: Mapping[str, Past], suites: SurveyedSuites, reported: set[frozenset[tuple[str, str, str]]]
) -> Iterator[Drift]:
    """Definitions of one wording in several repositories that are nearly the same, but one checks, or waits for,
    something that the other does not: copies, if their histories tell which one was changed alone. In one repository
    its history tells whether they were ever meant to be one."""
    forks = _forks(pasts)
    by_expression: dict[tuple[str, str], list[_Named]] = defaultdict(list)
    for name, past in pasts.items():
        for lineage in past.lineages:
            state = lineage.now.state
            if state.is_known and state.weight >= MIN_NEAR:
                by_expression[state.language, state.expression.strip("^$ ").lower()].append((name, lineage))
    for group in by_expression.values():
        similarity, sides = _closest(group[:MOST_COPIES], forks)
        if similarity < MIN_SIMILARITY:
            continue
        sides, change = _changed_alone(sides)
        kind = DriftKind.PLACES if change is None else DriftKind.COPY
        first, other = (DriftSides(name, suites)(lineage) for name, lineage in sides)
        drift = Drift(kind, (first, other), change, (), 0.4 + 0.2 * similarity)
        if _is_shared(drift.sides) and pair(drift) not in reported:
            yield drift


_Named = tuple[str, Lineage]
"""A lineage with the name of its repository."""


def _closest(group: Sequence[_Named], forks: Set[frozenset[str]]) -> tuple[float, Sequence[_Named]]:
    """The most similar two of different repositories, but no `forks`, of which one may check something more than the
    other, with their likeness; -1 without any."""
    best: tuple[float, Sequence[_Named]] = (-1.0, ())
    for first, other in combinations(group, 2):
        here, there = first[1].now.state, other[1].now.state
        # those of one repository are copies, if its history tells that they were
        names = frozenset((first[0], other[0]))
        if len(names) == 2 and names not in forks and may_check(surplus(here, there)):
            best = max(best, (likeness(here, there), (first, other)), key=itemgetter(0))
    return best


def _forks(pasts: Mapping[str, Past]) -> set[frozenset[str]]:
    """The pairs of repositories with a common history: versions of one suite, each for its own version of what it
    tests. Of seven differences between such two that two people read, one of them acted on one."""
    commits = {name: {commit.id for commit in past.commits} for name, past in pasts.items()}
    return {frozenset(both) for both in combinations(commits, 2) if not commits[both[0]].isdisjoint(commits[both[1]])}


def _changed_alone(sides: Sequence[_Named]) -> tuple[Sequence[_Named], DefinitionVersion | None]:
    """The side that stayed and the one that was changed, with the version that brought the change; `sides` and None if
    neither did at any time what the other does now."""
    for stayed, changed in (sides, sides[::-1]):
        form = stayed[1].now.state.form
        since = next(version.commit.time for version in stayed[1].versions if version.state.form == form)
        for before, after in reversed(list(pairwise(changed[1].versions))):
            if before.state.form == form != after.state.form and since <= after.commit.time:
                return (stayed, changed), after
    return sides, None


def _is_shared(sides: tuple[DriftSide, DriftSide]) -> bool:
    """True if steps use two copies. Those of one wording are of two suites: in one suite each is a feature's own, and
    made to differ."""
    left, right = sides
    is_one_suite = left.repository == right.repository and not left.uses.suites.isdisjoint(right.uses.suites)
    is_one_wording = left.version.state.expression == right.version.state.expression
    return bool(left.uses.steps and right.uses.steps) and not (is_one_wording and is_one_suite)


def pair(drift: Drift) -> frozenset[tuple[str, str, str]]:
    """The two definitions of a drift."""
    return frozenset((side.repository, side.version.path, side.version.state.wording.lower()) for side in drift.sides)
