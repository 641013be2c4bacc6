"""Silent drift: step definitions whose wording says one thing and whose functions have come to do another.

Copies: definitions that did the same at some commit, or all but the same, until one of them was changed alone. Hollow
steps: what a step did, or checked, was taken out and nothing put in its place. Other things: the wording still names
what the function named once and names no more. Places: one wording is defined in several places whose functions are
nearly the same, and no history tells that they ever were. Functions are compared by their normal forms; what could not
be read counts for neither side.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from cukereuse_engine.definitions.claims import compare as claims
from cukereuse_engine.functions.tokens import STEP, TEXT, words
from cukereuse_engine.git import Commit
from cukereuse_engine.history.definitions import SEPARATOR, DefinitionState
from cukereuse_engine.history.likeness import (
    MIN_NEAR,
    MIN_WEIGHT,
    MOST_COPIES,
    TELLING,
    Shapes,
    are_copies,
    bare,
    does_more,
    likeness,
    other_texts,
    shape_of,
    telling,
    told_by,
)
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage, Past
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT, template

MIN_SIMILARITY = 0.5
"""Share of what two functions say that both must say still, to count as copies."""
MIN_ONE_INTENT = 0.1
"""How likely people would make two wordings one, for a change of the one to concern the other. Of 15 findings that two
people read it takes away three of the eight idle ones and none of the others; it was not measured on others."""
_SELECTOR = re.compile(r"""(?:^|[\s"'(,>])(?:[\w-]*[#.][A-Za-z][\w-]*(?=$|[\s"'),>:\[])|\[|[<>]|//)""")
"""In a text: says where something stands in a page, not what it is."""


class DriftKind(StrEnum):
    COPY = "diverged-copy"
    HOLLOW = "hollow-step"
    OTHER = "other-thing"
    PLACES = "defined-differently"


@dataclass(frozen=True, slots=True)
class Uses:
    """The steps of the features that a definition serves."""

    steps: int = 0
    files: int = 0
    outcomes: int = 0
    """Steps after a Then."""
    text: str = ""
    """One of them."""


@dataclass(frozen=True, slots=True)
class DriftSide:
    """A step definition at one time."""

    repository: str
    version: DefinitionVersion
    uses: Uses
    """As of now."""


@dataclass(frozen=True, slots=True)
class Drift:
    kind: DriftKind
    sides: tuple[DriftSide, DriftSide]
    """Before and after, or the one that stayed and the one that was changed."""
    change: DefinitionVersion | None
    """The version with which it came, where one repository's history tells."""
    also: tuple[DriftSide, ...]
    """Other definitions that stayed with the first side."""
    worth: float
    """How much it asks to be looked at, 0 to 1."""

    @property
    def commit(self) -> Commit | None:
        return self.change.commit if self.change is not None else None

    @property
    def id(self) -> str:
        wordings = sorted(f"{side.version.path}\0{side.version.state.wording}" for side in self.sides)
        return hashlib.blake2b(
            "\0".join((self.kind, *wordings)).encode("utf-8", "surrogatepass"), digest_size=6
        ).hexdigest()


UsesOf = Callable[[str, DefinitionVersion], Uses]
"""(repository, a definition as it stands now) to its uses."""


def drifted(pasts: Mapping[str, Past], uses: UsesOf) -> list[Drift]:
    """What drifted in repositories, by name; the most worth looking at first."""
    drifts: list[Drift] = []
    for name, past in pasts.items():
        side = _sides(name, uses)
        drifts += _hollow(past, side)
        drifts += _copies(past, side)
        drifts += _others(past, side)
    drifts += _places(pasts, uses, {_pair(each) for each in drifts})
    return sorted(drifts, key=lambda each: (-each.worth, each.kind, each.id))


def _sides(name: str, uses: UsesOf) -> Callable[[Lineage, DefinitionVersion], DriftSide]:
    return lambda lineage, version: DriftSide(name, version, uses(name, lineage.now))


def _pair(drift: Drift) -> frozenset[tuple[str, str, str]]:
    return frozenset((side.repository, side.version.path, side.version.state.wording.lower()) for side in drift.sides)


# -- hollow steps


def _hollow(past: Past, side: Callable[[Lineage, DefinitionVersion], DriftSide]) -> Iterator[Drift]:
    for group in _by_function(past.lineages):
        lineage = group[0]
        versions = _hollowed(lineage)
        if versions is None:
            continue
        before, after = versions
        now = side(lineage, lineage.now)
        is_outcome = any(member.now.state.is_outcome for member in group) or 2 * now.uses.outcomes > now.uses.steps
        loses_check = before.state.may_check and not lineage.now.state.may_check
        if lineage.now.state.form and not (loses_check and is_outcome):
            continue
        also = tuple(side(member, member.now) for member in group[1:])
        steps = now.uses.steps + sum(copy.uses.steps for copy in also)
        if not steps:
            continue
        worth = 0.9 if is_outcome else 0.8
        yield Drift(
            DriftKind.HOLLOW, (DriftSide(now.repository, before, now.uses), now), after, also, worth + _much(steps)
        )


def _hollowed(lineage: Lineage) -> tuple[DefinitionVersion, DefinitionVersion] | None:
    """The version before statements were taken out and none put in, the last thing that happened to it, and the version
    with which that came; with which the last check went, where one did."""
    emptied: tuple[DefinitionVersion, DefinitionVersion] | None = None
    for before, after in reversed(list(pairwise(lineage.versions))):
        if before.state.form == after.state.form:
            continue
        lost = bare(before.state) - bare(after.state)
        if not lost or bare(after.state) - bare(before.state) or before.state.weight <= after.state.weight:
            break
        loses_check = before.state.may_check and not after.state.may_check
        emptied = (before, after if emptied is None or loses_check else emptied[1])
    return emptied


# -- copies


def _copies(past: Past, side: Callable[[Lineage, DefinitionVersion], DriftSide]) -> Iterator[Drift]:
    """Of each definition the last change that its copies did not take part in."""
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
                if _stayed(lineage, before, after, other, alike) and intents.are_one(lineage.now.state, other.now.state)
            ]
            if copies:
                yield from _reported(lineage, after, copies, side)
                break


def _stayed(
    lineage: Lineage, before: DefinitionVersion, after: DefinitionVersion, other: Lineage, alike: float
) -> bool:
    """Whether `other` was a copy when `lineage` changed from `before` to `after`, and has nothing of that change."""
    now, then = other.now.state, other.at(after.since)
    if other is lineage or then is None or _is_one(lineage, other) or not are_copies(before.state, then.state):
        return False
    lost, gained = _changed(before.state, after.state)
    mine = shape_of(lineage.now.state)
    theirs = shape_of(now)
    if not lost and not gained:  # a constant
        return before.state.form == then.state.form == now.form and other_texts(now, lineage.now.state)
    if not does_more(before.state, after.state):
        return False  # another way to do it, maybe
    if any(SEPARATOR + STEP in statement for statement in gained - theirs):
        return False  # it calls steps now, the other one maybe
    if (told_by(gained) - told_by(lost)) & (telling(lineage.now.state.wording) - telling(now.wording)):
        return False  # it names what only its own wording says
    kept = gained <= mine and not (lost & mine) and lost <= theirs and not (gained & theirs)
    return kept and likeness(lineage.now.state, now) < alike


def _reported(
    lineage: Lineage,
    after: DefinitionVersion,
    copies: list[tuple[float, Lineage]],
    side: Callable[[Lineage, DefinitionVersion], DriftSide],
) -> Iterator[Drift]:
    """The change beside the copy that is most like it."""
    ranked = sorted(copies, key=lambda entry: (-_same_wording(entry[1], lineage), -entry[0], _where(entry[1])))
    alike, other = ranked[0]
    sides = (side(other, other.now), side(lineage, lineage.now))
    if not _is_shared(sides):
        return
    also = {_where(copy): side(copy, copy.now) for _, copy in ranked[1:] if _where(copy) != _where(other)}
    worth = (
        (0.5 if _same_wording(lineage, other) else 0.3) + 0.3 * alike + _much(min(side.uses.steps for side in sides))
    )
    yield Drift(DriftKind.COPY, sides, after, tuple(also.values()), worth)


def _is_one(left: Lineage, right: Lineage) -> bool:
    """Whether two definitions stand on one function."""
    return _where(left) == _where(right)


def _changed(before: DefinitionState, after: DefinitionState) -> tuple[Counter[str], Counter[str]]:
    """Statements that a change took out and put in, whatever their constants are."""
    mine, theirs = shape_of(before), shape_of(after)
    return mine - theirs, theirs - mine


class _Intents:
    """Whether what is right for one wording is right for another: both say one thing, of the same arguments."""

    def __init__(self, wordings: Iterable[str]) -> None:
        self._texts = {
            wording: StepText(wording, identity(wording), template(wording), 1, 0) for wording in set(wordings)
        }
        self._judge = TextJudge.for_suite(list(self._texts.values()))

    def are_one(self, one: DefinitionState, other: DefinitionState) -> bool:
        left, right = (self._texts[state.wording] for state in (one, other))
        if left.template.masked.count(SLOT) != right.template.masked.count(SLOT):
            return False
        languages = self._judge.templates.languages
        if claims(left.template.masked, right.template.masked, languages).differing is not None:
            return False
        return left.template.key == right.template.key or (
            self._judge.explain(left, right).p_one_intent >= MIN_ONE_INTENT
        )


def _where(lineage: Lineage) -> tuple[str, int]:
    return lineage.now.path, lineage.now.state.start


def _same_wording(left: Lineage, right: Lineage) -> bool:
    return left.now.state.wording.lower() == right.now.state.wording.lower()


# -- other things


def _others(past: Past, side: Callable[[Lineage, DefinitionVersion], DriftSide]) -> Iterator[Drift]:
    for group in _by_function(past.lineages):
        lineage = group[0]
        versions = _renamed(lineage)
        if versions is None:
            continue
        before, after = versions
        now = side(lineage, lineage.now)
        if not now.uses.steps:
            continue
        also = tuple(side(member, member.now) for member in group[1:])
        yield Drift(
            DriftKind.OTHER,
            (DriftSide(now.repository, before, now.uses), now),
            after,
            also,
            0.5 + _much(now.uses.steps),
        )


def _renamed(lineage: Lineage) -> tuple[DefinitionVersion, DefinitionVersion] | None:
    """Where one thing that the wording names was put in another's place."""
    for before, after in reversed(list(pairwise(lineage.versions))):
        if before.state.form == after.state.form or before.state.wording.lower() != after.state.wording.lower():
            continue
        mine, theirs = before.state.form.split(SEPARATOR), after.state.form.split(SEPARATOR)
        if len(mine) != len(theirs):
            return None
        differing = {pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]}
        if len(differing) != 1:
            return None
        old, new = differing.pop()
        if old[:1] != new[:1] or old[:1] not in TELLING or any(_SELECTOR.search(text[1:]) for text in (old, new)):
            return None
        is_other = _names_another(before.state.wording, old, new, told_by(theirs))
        return (before, after) if is_other else None
    return None


def _names_another(wording: str, old: str, new: str, told: set[str]) -> bool:
    """Whether the wording has a name, of two words or more, that `old` has too, and nothing in the function (`told`)
    says any more. One word alone is often a label that has changed: who clicks "Submit" may search as before."""
    before, after = telling(old[1:]), telling(new[1:])
    if "".join(words(old[1:])) == "".join(words(new[1:])):
        return False  # the spelling
    if old[:1] != TEXT and 2 * len(before & after) < len(before):
        return False  # another function, which may do the same
    claimed = telling(wording)
    lost = claimed & before - after - told
    names = set(pairwise(words(wording))) & set(pairwise(words(old[1:])))
    return any(lost.issuperset(name) for name in names) and bool(after - claimed)


# -- one expression in several places


def _places(pasts: Mapping[str, Past], uses: UsesOf, reported: set[frozenset[tuple[str, str, str]]]) -> Iterator[Drift]:
    """Definitions of one wording in several files that are nearly the same, and were never, as far as is known."""
    by_expression: dict[tuple[str, str], list[tuple[str, Lineage]]] = defaultdict(list)
    for name, past in pasts.items():
        for lineage in past.lineages:
            state = lineage.now.state
            if state.is_known and state.weight >= MIN_NEAR:
                by_expression[state.language, state.expression.strip("^$ ").lower()].append((name, lineage))
    for group in by_expression.values():
        best: tuple[float, tuple[str, Lineage], tuple[str, Lineage]] | None = None
        for place, first in enumerate(group[:MOST_COPIES]):
            for other in group[place + 1 : MOST_COPIES]:
                if (first[0], first[1].now.path) == (other[0], other[1].now.path):
                    continue
                here, there = first[1].now.state, other[1].now.state
                if not (other_texts(here, there) or does_more(here, there)):
                    continue
                similarity = likeness(here, there)
                if best is None or similarity > best[0]:
                    best = (similarity, first, other)
        if best is None or best[0] < MIN_SIMILARITY:
            continue
        sides = tuple(DriftSide(name, lineage.now, uses(name, lineage.now)) for name, lineage in best[1:])
        drift = Drift(DriftKind.PLACES, (sides[0], sides[1]), None, (), 0.4 + 0.2 * best[0])
        if _is_shared(drift.sides) and _pair(drift) not in reported:
            yield drift


def _is_shared(sides: tuple[DriftSide, DriftSide]) -> bool:
    """Whether two copies are used, and not each by one file that has a definition of its own for a common wording."""
    left, right = sides
    is_own = (
        left.repository == right.repository
        and left.version.state.wording.lower() == right.version.state.wording.lower()
        and max(left.uses.files, right.uses.files) == 1
    )
    return bool(left.uses.steps and right.uses.steps) and not is_own


def _by_function(lineages: Sequence[Lineage]) -> list[list[Lineage]]:
    """Definitions of one function together."""
    groups: dict[tuple[str, int, int], list[Lineage]] = defaultdict(list)
    for lineage in lineages:
        groups[lineage.now.path, lineage.now.state.start, lineage.now.state.end].append(lineage)
    return list(groups.values())


def _much(steps: int) -> float:
    """Up to .1 for what many steps say."""
    return 0.1 * steps / (steps + 5)
