"""same-code, suspect-definition: what two functions of step definitions say of one another.

Findings are about definitions, with all their steps, and are in the glue code.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from cukereuse_engine.definitions.claims import NOTHING
from cukereuse_engine.definitions.twins import Agreed, Agreement, Twins, share_a_role
from cukereuse_engine.definitions.used_functions import (
    UsedFunction,
    at_most,
    importance,
    named,
    said_so,
    used_functions,
)
from cukereuse_engine.detection.context import Context
from cukereuse_engine.findings.finding import FUNCTIONS, Finding, Reason, Subject
from cukereuse_engine.functions.comparing import Related, Relation
from cukereuse_engine.judging.reasons import as_written
from cukereuse_engine.prose import listed
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.words import tokens

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

SAME, SUSPECT = "same-code", "suspect-definition"
_SAID = (Agreed.PASSES_ON, Agreed.COPIED)
"""Kinds of agreement that the message states, not only the reasons."""
_MOST_MEMBERS = 12
"""Of a larger group, only this many functions, the most used ones, are compared."""


def find(context: Context) -> Iterable[Finding]:
    if context.functions is None or context.bindings is None:
        return
    search = _Search(context, context.functions)
    yield from search.same()
    yield from search.constants()


class _Search:
    def __init__(self, context: Context, functions: "Functions") -> None:
        self.context = context
        self.functions = functions
        self.languages = context.detection.options.languages
        self.used = context.made(used_functions)

    # -- the same code

    def same(self) -> Iterator[Finding]:
        for group, loosely in self._groups():
            functions = self._apart(self.used[key] for key in group if key in self.used and self._is_here(key))
            if len(functions) > 1:
                yield from self._of_group(sorted(functions, key=importance)[:_MOST_MEMBERS], loosely)

    def _groups(self) -> Iterator[tuple[list[str], bool]]:
        for group in self.functions.equal():
            yield group, False
        for group in self.functions.loosely_equal():
            yield group, True
        for group, loosely in self.functions.copied():
            yield group, loosely
        for caller, called in self.functions.passing():
            if self.functions.hands_on(caller):
                yield [caller, called], False

    def _apart(self, functions: Iterable[UsedFunction]) -> list[UsedFunction]:
        """One of each function: several definitions may name the same one."""
        by_place: dict[tuple[str, int], UsedFunction] = {}
        for function in sorted(functions, key=importance):
            form = self.functions.form_of(function.id)
            by_place.setdefault((function.path, form.at if form is not None else -1), function)
        return list(by_place.values())

    def _is_here(self, function: str) -> bool:
        """True if the function itself was read. If it is elsewhere, it is no fault that definitions share it."""
        return any(definition.function is not None for definition in self.functions.definitions_of(function))

    def _of_group(self, functions: Sequence[UsedFunction], loosely: bool) -> Iterator[Finding]:
        """One finding for the suspect functions, and one per severity for those that should become the most used."""
        suspects: dict[str, str] = {}
        severities: list[Severity] = []
        for left, right in combinations(functions, 2) if not loosely else ():
            suspicion = self._twins(left, right).suspicion()
            if suspicion is not None:
                severities.append(suspicion.severity)
                suspects.setdefault(left.id, suspicion.words[0])
                suspects.setdefault(right.id, suspicion.words[1])
        if suspects:
            suspect = [function for function in functions if function.id in suspects]
            severity = max(severities, key=lambda level: level.rank)
            yield self._suspect(suspect, [suspects[function.id] for function in suspect], severity)
        preferred = functions[0]
        together: dict[tuple[Severity, Agreed], list[tuple[UsedFunction, Agreement]]] = defaultdict(list)
        for other in functions[1:]:
            if other.id in suspects and preferred.id in suspects:
                continue
            agreement = self._twins(preferred, other, loosely).agreement()
            if agreement is not None:
                together[agreement.severity, agreement.agreed].append((other, agreement))
        for (severity, agreed), members in together.items():
            yield self._same(severity, agreed, preferred, members)

    def _twins(self, left: UsedFunction, right: UsedFunction, loosely: bool = False) -> Twins:
        return Twins(left, right, self.functions, self.languages, self.context.judge, loosely)

    def _same(
        self,
        severity: Severity,
        agreed: Agreed,
        preferred: UsedFunction,
        members: Sequence[tuple[UsedFunction, Agreement]],
    ) -> Finding:
        others = tuple(function.subject() for function, _ in members)
        said = f": {agreed}" if agreed in _SAID else ""
        return Finding(
            rule=SAME,
            severity=at_most(self.context.options.severity(SAME), severity),
            message=f"{_all_named((preferred.subject(), *others))} run the same code{said}.",
            others=others,
            preferred=preferred.subject(),
            confidence=min(agreement.confidence for _, agreement in members),
            worth=sum(other.occurrences for other in others) + len(others),
            reasons=(Reason(FUNCTIONS, agreed.value, 1.0),),
        )

    def _suspect(self, functions: Sequence[UsedFunction], words: Sequence[str], severity: Severity) -> Finding:
        """`words`: words that only one of them claims. None is preferred: it is unknown which one is wrong."""
        subjects = tuple(function.subject() for function in functions)
        written = [
            as_written([function.shown.template.masked], self.languages)(word)
            for function, word in zip(functions, words, strict=True)
        ]
        texts = [" ".join(tokens(function.shown.template.masked)) for function in functions]
        quotes = [  # words that stand apart are quoted apart
            quote
            for word in written
            for quote in ([word] if any(word.lower() in text for text in texts) else word.split())
        ]
        claims = listed([said_so(quote) for quote in dict.fromkeys(quotes) if quote not in ("", NOTHING)])
        shown = _all_named(subjects)
        return Finding(
            rule=SUSPECT,
            severity=at_most(self.context.options.severity(SUSPECT), severity),
            message=(
                f"{shown} claim different things ({claims}) and run the same code."
                if all(words)
                else f"{shown} run the same code, which does not mention {claims}."
            ),
            others=subjects,
            confidence={Severity.WARNING: 0.9, Severity.INFORMATION: 0.8}.get(severity, 0.5),
            worth=sum(len(function.steps) for function in functions),
            reasons=(
                Reason("claims", f"{self._what_differs(functions, words)} {claims}"),
                Reason(FUNCTIONS, "their functions are the same", 1.0),
            ),
        )

    def _what_differs(self, functions: Sequence[UsedFunction], words: Sequence[str]) -> str:
        """The beginning of a reason: what one claims may be an argument that only its own wording has."""
        pairs = zip(functions, words, strict=True)
        ignored = all(not word or word in function.ignored(self.functions) for function, word in pairs)
        return "their functions never use" if ignored else "their wordings differ in"

    # -- the same except for a constant

    def constants(self) -> Iterator[Finding]:
        """Wordings that differ by the constant that their functions differ in: one definition with a parameter."""
        for group in self.functions.alike():
            functions = sorted((self.used[key] for key in group if key in self.used), key=importance)[:_MOST_MEMBERS]
            reported: set[str] = set()
            for at, function in enumerate(functions):
                served: dict[tuple[str, str], list[tuple[UsedFunction, Related]]] = defaultdict(list)
                for other in functions[at + 1 :] if function.id not in reported else ():
                    related = self._for_a_constant(function, other) if other.id not in reported else None
                    if related is not None:
                        served[related.parameter, related.values[0]].append((other, related))
                for members in served.values():
                    reported.update(other.id for other, _ in members)
                    yield self._constant(function, members)

    def _for_a_constant(self, left: UsedFunction, right: UsedFunction) -> Related | None:
        """The relation of two functions of one file that differ in a constant of their wordings; otherwise None."""
        if left.path != right.path or not share_a_role(left, right):
            return None
        related = self.functions.relation(left.definitions[0], right.definitions[0])
        if related.relation is not Relation.CONSTANT:
            return None
        claims = self._twins(left, right).claims
        if claims.differing is None or not _say_their_constants(claims.differing, related):
            return None
        if self.functions.share_a_call(left.definitions[0], right.definitions[0]):  # already one function
            return related if claims.differing == related.values else None
        return related

    def _constant(self, function: UsedFunction, members: Sequence[tuple[UsedFunction, Related]]) -> Finding:
        """None is preferred: what remains is a third, with a parameter."""
        subjects = (function.subject(), *(other.subject() for other, _ in members))
        related = members[0][1]
        distinct = dict.fromkeys((related.values[0], *(each.values[1] for _, each in members)))
        values = listed([said_so(value) for value in distinct])
        return Finding(
            rule=SAME,
            severity=at_most(self.context.options.severity(SAME), Severity.HINT),
            message=(
                f"{_all_named(subjects)} run the same code except for {values}. If these can be values of a "
                f"parameter “{related.parameter}”, one definition can serve {'both' if len(subjects) == 2 else 'all'}."
            ),
            others=subjects,
            confidence=0.5,
            worth=len(members),
            reasons=(Reason(FUNCTIONS, f"their functions are the same except for {values}"),),
        )


def _all_named(subjects: Sequence[Subject]) -> str:
    """The first three, each with a comma of its own at its end."""
    rest = f" and {len(subjects) - 3} more" if len(subjects) > 3 else ""
    return " and ".join(named(subject, subjects) for subject in subjects[:3]) + rest


def _say_their_constants(differing: tuple[str, str], related: Related) -> bool:
    """True if each wording says the constant that is in its function."""
    pairs = zip(differing, related.values, strict=True)
    return all(_letters(word) and _letters(word) in _letters(value) for word, value in pairs)


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
