"""Steps that lost something without a replacement: an effect, a check, or an argument."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from cukereuse_engine.functions.checks import may_check
from cukereuse_engine.functions.tokens import MEMBER, NAME, OPEN, OWN, PARAMETER, words
from cukereuse_engine.history.definitions import SEPARATOR, DefinitionState
from cukereuse_engine.history.drift import Drift, DriftKind, DriftSides, Uses, by_function, much
from cukereuse_engine.history.likeness import is_part, lost_tokens
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage, Past
from cukereuse_engine.history.sources import parked, says_pending
from cukereuse_engine.text.template import SLOT, template
from cukereuse_engine.text.words import detect_languages, words_of

_ASSERTING = frozenset(
    (
        *("assert", "asserts", "expect", "expects", "should", "must", "verify", "verifies"),
        *("ensure", "ensures", "validate", "validates"),
    )
)
"""Words that say that something is checked, in names and in wordings."""
_CHECKING = _ASSERTING | {"check", "checks", "confirm", "confirms", "see", "sees"}
"""Words in names that check; in a wording, one may check a box. `may_check` knows more, which may check."""
_NAMING = frozenset((NAME, MEMBER, OWN, OPEN))
_WAITING = frozenset(("wait", "waits", "until"))
Versions = tuple[DefinitionVersion, DefinitionVersion]
"""One, and the later one with which something came."""


def lost(past: Past, side: DriftSides) -> Iterator[Drift]:
    languages = detect_languages(template(lineage.now.state.wording).masked for lineage in past.lineages)
    for group in by_function(past.lineages):
        drift = _hollow(group, side, languages) or _ignored(group[0], side)
        if drift is not None:
            yield drift


def _hollow(group: list[Lineage], side: DriftSides, languages: tuple[str, ...]) -> Drift | None:
    lineage = group[0]
    versions = _reduced(lineage)
    if versions is None:
        return None
    before, after = versions
    now, *also = (side(member) for member in group)
    steps = sum(member.uses.steps for member in (now, *also))
    if not steps:
        return None
    is_outcome = _is_outcome([member.now for member in group], now.uses)
    is_parked = parked(side.code(before), side.code(lineage.now)) > 0
    worth = _emptiness(before, lineage.now, side, languages, is_outcome=is_outcome, is_parked=is_parked)
    if not worth or (not is_parked and side.gained_neighbours(after)):
        return None
    return Drift(DriftKind.HOLLOW, (side(lineage, before), now), after, tuple(also), worth + much(steps))


def _is_outcome(versions: Iterable[DefinitionVersion], uses: Uses) -> bool:
    """By what a wording or the keywords of the definitions say, or by the steps' keywords where these leave it open."""
    states = [version.state for version in versions]
    if any(not _ASSERTING.isdisjoint(words(state.wording)) for state in states):
        return True
    if any(state.is_outcome or state.is_action for state in states):
        return any(state.is_outcome for state in states)
    return 2 * uses.outcomes > uses.steps


def _reduced(lineage: Lineage) -> Versions | None:
    """The version before things were taken out and none put in, the last that happened to it, and the version with
    which that came; with which the last check went, where one did."""
    reduced: Versions | None = None
    for before, after in reversed(list(pairwise(lineage.versions))):
        if before.state.wording.lower() != after.state.wording.lower():
            break  # another wording asks for another thing
        if before.state.form == after.state.form:
            continue
        loses_check = before.state.may_check and not after.state.may_check
        loses_names = before.state.weight > after.state.weight  # an `assert` is no name
        if not is_part(after.state, before.state) or not (loses_check or loses_names):
            break
        reduced = (before, after if reduced is None or loses_check else reduced[1])
    return reduced


def _emptiness(
    before: DefinitionVersion,
    now: DefinitionVersion,
    side: DriftSides,
    languages: tuple[str, ...],
    *,
    is_outcome: bool,
    is_parked: bool,
) -> float:
    """The probability that a step misses what it lost; 0: it need not. `is_parked`: it waits in a comment."""
    if not now.state.form or (now.state.only_pauses and not before.state.only_pauses):
        if says_pending(side.code(now)) or not (is_outcome or is_parked):
            return 0.0  # the runner tells; what an action did is done elsewhere, unless it waits in a comment
        return 0.85
    if not is_outcome:
        return 0.0
    lost = _lost_names(before.state, now.state)
    if not now.state.may_check:
        said = _WAITING.intersection(words(now.state.wording))  # other waits are how it is done
        asked = 0.75 * _asked_for(before.state, now.state, languages)
        return 0.8 if lost & (_CHECKING | said) else asked
    return 0.6 if lost & _CHECKING and is_parked else 0.0


def _asked_for(before: DefinitionState, now: DefinitionState, languages: tuple[str, ...]) -> bool:
    """True if a name is gone that may check, and says what the wording says and nothing else does: `is_ringing`."""
    left = {word for token in now.form.split(SEPARATOR) if token[:1] in _NAMING for word in words(token[1:])}
    said = set(words(now.wording)) - left - words_of(languages, "function_words", "light_words")
    return any(may_check((token,)) and said.intersection(words(token[1:])) for token in lost_tokens(before, now))


def _lost_names(before: DefinitionState, now: DefinitionState) -> set[str]:
    """The words of names that are gone, without those of constants: `CONFIRM_BUTTON` confirms nothing."""
    named = (token[1:] for token in lost_tokens(before, now) if token[:1] in _NAMING)
    return {word for name in named if not name.isupper() for word in words(name)}


# -- arguments


def _ignored(lineage: Lineage, side: DriftSides) -> Drift | None:
    """The last change with which a function ceased to use an argument that its wording takes still."""
    now = lineage.now
    if SLOT not in template(now.state.wording).masked or not now.state.form:
        return None
    for before, after in reversed(list(pairwise(lineage.versions))):
        if before.state.wording.lower() != now.state.wording.lower():
            return None
        if before.state.form == after.state.form:
            continue
        if _arguments(before.state) > max(_arguments(after.state), _arguments(now.state)):
            given_up = _given_up(side.arguments(before), side.arguments(now))
            if not given_up:
                return None
            shown = side(lineage)
            name = next((name for place, name in given_up if _misleads((place, name), now, shown.uses)), "")
            if not name or not shown.uses.steps:
                return None
            sides = (side(lineage, before), shown)
            return Drift(DriftKind.IGNORED, sides, after, (), 0.7 + much(shown.uses.steps), name)
    return None


def _given_up(before: list[tuple[str, bool]], now: list[tuple[str, bool]]) -> list[tuple[int, str]]:
    """The places and names of the arguments that are ignored since, without those whose names say so, as `_name` does;
    none if there are others now."""
    if len(before) != len(now):
        return []
    places = enumerate(zip(before, now, strict=True))
    return [(place, name) for place, ((_, early), (name, late)) in places if late and not early and name[0] != "_"]


def _misleads(argument: tuple[int, str], now: DefinitionVersion, uses: Uses) -> bool:
    """True if a step may say what its function does not do. What all steps say is part of the wording, and an action
    may name what its scenario is about, which other steps get: "Bob" sends the offer. A check names what it is to
    find."""
    if not uses.constant.isdisjoint(argument):
        return False
    return _is_outcome([now], uses) or uses.repeated.isdisjoint(argument)


def _arguments(state: DefinitionState) -> int:
    """The number of arguments that a function uses."""
    return len({token for token in state.form.split(SEPARATOR) if token[:1] == PARAMETER})
