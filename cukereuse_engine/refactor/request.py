"""From what a person asks for ("this step should read so") to a request: members, target, arguments.

The command line and the editors share it. It only looks at the given suites.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gherkin.dialect import DIALECTS

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.refactor.arguments import MemberArgument, UnmappableError, masked_arguments
from cukereuse_engine.refactor.members import Arguments, RenamedStep, member_of
from cukereuse_engine.refactor.phrasing import matches
from cukereuse_engine.refactor.rename_plan import ReadSuites, RenameRequest
from cukereuse_engine.refactor.slot_names import by_their_names
from cukereuse_engine.refactor.target import Slot, Target, TargetError, in_order_of, parse_target, target_of
from cukereuse_engine.spelling import nearest
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask


def request_for(
    suites: ReadSuites,
    source: str,
    target: str,
    *,
    clusters: Iterable[Sequence[str]] = (),
    remove_unused: bool = False,
    move: bool = False,
    within: frozenset[str] | None = None,
) -> RenameRequest:
    """A request from texts as a user writes them.

    `source`: a step, which represents all that differ from it only in the arguments of its step definition; the
    expression of a step definition, which represents its steps; or a phrasing with slots. `target`: a phrasing with
    slots, a text with the source's arguments in it, or a step.
    `clusters`: texts that belong together; those in the step's cluster join in. `within`: the feature files that count,
    None: all. Raises `CukereuseError` if no step has the source's text, and `TargetError`.
    """
    texts = _TextsWithin(suites, within)
    phrasing = _phrasing(suites, source)
    members = texts.meant_by(source, phrasing)
    if not members:
        close = nearest(source, texts.texts)
        hint = f"Did you mean {close!r}? " if close else ""
        message = f"no step has the text {source!r}"
        raise CukereuseError(message, f"{hint}Copy a step's text, or write slots: {{1}} or {{name}}.")
    reference = normalise(source) if suites.steps.get(identity(source)) else members[0]
    goal = target_for(suites, reference, target)
    if phrasing is not None:
        goal = in_order_of(phrasing, goal)
    if phrasing is None or any(slot.name.isdigit() for slot in phrasing.slots):
        goal = _by_names(suites, reference, goal)
    _question(suites, reference, target)
    together = [*members, *texts.grouped(members, reference, clusters)]
    request = RenameRequest(
        members=tuple(together),
        target=goal,
        source=phrasing,
        reference=reference if len(together) > len(members) else "",
        remove_unused=remove_unused,
        numeric=_numeric(suites, reference, goal),
        move=move,
        within=within,
    )
    if phrasing is None:
        request = replace(request, named=reference, definitions=texts.definitions(reference))
    return request


def _numeric(suites: ReadSuites, reference: str, goal: Target) -> tuple[bool | None, ...]:
    """For each of the step's arguments, True if it is a number; empty if the target takes another number of them."""
    groups = arguments_of(suites, reference)
    fitting = next((group for group in groups if len(group) == len(goal.order)), ())
    return tuple(argument.is_number for argument in fitting)


def _by_names(suites: ReadSuites, reference: str, goal: Target) -> Target:
    """The target with its named slots as the step's definitions name their arguments."""
    member = _bound(suites, reference)
    if member is None:
        return by_their_names(goal, (), [], suites.read)
    there = [at for at, piece in enumerate(member.pieces or ()) if piece.arguments]
    return by_their_names(goal, member.definitions, there, suites.read)


def _question(suites: ReadSuites, reference: str, target: str) -> None:
    """Raises `TargetError` for a target that begins with a keyword, which the step already has."""
    step = next(iter(suites.steps.get(identity(reference), ())), None)
    file = suites.files.get(step.path) if step is not None else None
    spec = DIALECTS.get(file.language if file is not None else "en") or DIALECTS["en"]
    keywords = [*spec["given"], *spec["when"], *spec["then"], *spec["and"], *spec["but"]]
    for keyword in sorted(set(keywords), key=len, reverse=True):
        if reference.startswith(keyword.rstrip()):
            continue
        apart = r"(?:\s*:)?\s*" if keyword.endswith("'") else r"(?:\s*:)?\s+"  # French: `Étant donné qu'il pleut`
        begun = re.match(rf"{re.escape(keyword.rstrip())}{apart}(?=\S)", target)
        if begun is not None:
            rest = target[begun.end() :]
            message = f"the target begins with the keyword {keyword.strip()}, which the step already has"
            raise TargetError(message, f"Write {rest!r}.")


def reads(suites: ReadSuites, source: str) -> bool:
    """True if a step has the template of the request's source, or matches its phrasing."""
    phrasing = _phrasing(suites, source)
    if phrasing is not None:
        return any(matches(phrasing, text.text) for text in suites.texts)
    key = mask(source).lower()
    return any(text.template.key == key for text in suites.texts)


class _TextsWithin:
    """The texts of the feature files that count, and their bindings."""

    def __init__(self, suites: ReadSuites, within: frozenset[str] | None) -> None:
        self._suites = suites
        self._within = within

    @property
    def texts(self) -> list[str]:
        return [text.text for text in self._suites.texts if any(self._steps(text.text))]

    def _steps(self, text: str) -> Iterable[Step]:
        steps = self._suites.steps.get(identity(text), ())
        return steps if self._within is None else (step for step in steps if step.path in self._within)

    def same(self, text: str) -> list[str]:
        """The texts that differ from `text` only in arguments, and share a step definition with it: a quoted text or a
        number that a step definition spells out is a word of the step. If `text` has no definition, the texts without
        one."""
        key = mask(text).lower()
        texts = [text.text for text in self._suites.texts if text.template.key == key and any(self._steps(text.text))]
        if len(texts) < 2 or self._suites.glue is None:
            return texts
        chosen = normalise(text)
        if chosen not in texts:
            chosen = texts[0]
        own = self.definitions(chosen)
        if not own:
            return [text for text in texts if text == chosen or not self.definitions(text)]
        return [text for text in texts if text == chosen or not own.isdisjoint(self.definitions(text))]

    def meant_by(self, source: str, phrasing: Target | None) -> list[str]:
        """The texts that a step, an expression, or else a phrasing represents."""
        if phrasing is None:
            return self.same(source) or self.served_by(source)
        return self.served_by(source) or [text for text in self.texts if matches(phrasing, text)]

    def served_by(self, expression: str) -> list[str]:
        """The texts that bind to a definition with this expression. As a phrasing, one would match more words than
        `{string}` does, and fewer than `(s)`."""
        glue = self._suites.glue
        named = {each.id for each in glue.definitions if expression in (each.expression, each.shown)} if glue else set()
        return [text for text in self.texts if not named.isdisjoint(self.definitions(text))] if named else []

    def definitions(self, text: str) -> frozenset[str]:
        """Ids of all definitions that a step with this text binds to."""
        glue = self._suites.glue
        if glue is None:
            return frozenset()
        return frozenset(definition.id for step in self._steps(text) for definition in glue.bind(step).definitions)

    def grouped(self, members: Sequence[str], reference: str, clusters: Iterable[Sequence[str]]) -> list[str]:
        """The other wordings in each cluster that contains `reference`, each with all texts of its template."""
        own = {mask(text).lower() for text in members}
        alike = {reference, *members}
        joined = {mask(text).lower() for cluster in clusters if not alike.isdisjoint(cluster) for text in cluster}
        added = joined - own
        return [text.text for text in self._suites.texts if text.template.key in added and any(self._steps(text.text))]


def arguments_of(suites: ReadSuites, text: str) -> list[Arguments]:
    """The possible arguments of a step of the suite: what its definition captures, what it always captures, both if
    known, and what the mask finds."""
    member = _bound(suites, text)
    ways = (member.captured, member.sure) if member is not None else ()
    return list(dict.fromkeys([*(way for way in ways if way is not None), masked_arguments(text)]))


def _bound(suites: ReadSuites, text: str) -> RenamedStep | None:
    """A step of the suite with this text, if it is known what its definition captures."""
    steps = suites.steps.get(identity(text), ())
    glue = suites.glue
    if not steps or glue is None or not glue.definitions:
        return None
    try:
        member = member_of(_spoken(steps, text), glue.bind)
    except UnmappableError:
        return None
    return member if member.step.text == text else None


def _spoken(steps: Sequence[Step], text: str) -> Step:
    """A step whose text is already normalised, if there is one; otherwise the first one."""
    return next((step for step in steps if step.text == text), steps[0])


def target_for(suites: ReadSuites, reference: str, text: str) -> Target:
    """The target for a user's text. Raises `TargetError`."""
    try:
        parsed = parse_target(text)
    except TargetError:
        if not suites.steps.get(identity(text)):
            raise
        parsed = Target((text,), ())  # a step of the suite may contain single braces
    if parsed.slots:
        return parsed
    literal = "".join(part for part in parsed.parts if isinstance(part, str))
    if suites.steps.get(identity(literal)):
        return target_of(normalise(literal), arguments_of(suites, normalise(literal))[0])
    member = _bound(suites, reference)
    readings = arguments_of(suites, reference)
    if member is not None and member.sure is not None and _stay(member, literal):
        readings.insert(0, member.sure)
    for arguments in readings:
        typed_over = target_like(
            arguments, reference, literal, [argument for others in readings for argument in others]
        )
        if typed_over is not None:
            return typed_over
    return parsed


def _stay(member: RenamedStep, text: str) -> bool:
    """True if a text contains every argument of the step that other steps may lack: these need no slots."""
    sure = {argument.start for argument in member.sure or ()}
    return all(
        piece.text in text for piece in member.pieces or () if piece.arguments and piece.arguments[0].start not in sure
    )


def target_like(
    arguments: Sequence[MemberArgument], old: str, text: str, others: Iterable[MemberArgument] = ()
) -> Target | None:
    """A step's new text, typed over the `old` one, as a phrasing: its arguments become slots. None if one is gone.

    `others`: arguments of the old text that get no slot, but may have the same text.
    """
    apart = (
        other
        for other in others
        if all(other.end <= argument.start or argument.end <= other.start for argument in arguments)
    )
    places: list[tuple[int, int, int]] = []
    taken: list[tuple[int, int]] = []
    for argument in sorted(dict.fromkeys([*arguments, *apart]), key=lambda argument: argument.start):
        beside = old[max(argument.start - 1, 0) : argument.start], old[argument.end : argument.end + 1]
        at = _find(text, argument.text, taken, beside, max((end for _, end in taken), default=0))
        if at < 0:  # in another order
            at = _find(text, argument.text, taken, beside)
        place = at, at + len(argument.text)
        if at >= 0:
            taken.append(place)
        if argument in arguments:
            if at < 0:
                return None
            places.append((*place, arguments.index(argument)))
    parts: list[str | Slot] = []
    done = 0
    for start, end, number in sorted(places):
        parts += [text[done:start], Slot(str(number + 1), arguments[number].quote)]
        done = end
    parts.append(text[done:])
    order = tuple(number for _, _, number in sorted(places))
    return Target(tuple(part for part in parts if part != ""), order)


def _find(text: str, wanted: str, taken: Sequence[tuple[int, int]], beside: tuple[str, str], start: int = 0) -> int:
    """The place, from `start` on, of an argument as a word of its own, or beside the same characters as in the old text
    (`2nd`), outside the `taken` places; -1: none."""
    at = text.find(wanted, start)
    while at >= 0:
        end = at + len(wanted)
        before, after = text[max(at - 1, 0) : at], text[end : end + 1]
        joined = before.isalnum() and wanted[:1].isalnum() and before != beside[0]
        joined = joined or (after.isalnum() and wanted[-1:].isalnum() and after != beside[1])
        if wanted and not joined and not any(start < end and at < stop for start, stop in taken):
            return at
        at = text.find(wanted, at + 1)
    return -1


def _phrasing(suites: ReadSuites, source: str) -> Target | None:
    """The phrasing; None for a text without valid slots, and for a step of the suite, whose braces are plain text."""
    try:
        if suites.steps.get(identity(source)):
            return None
        parsed = parse_target(source)
    except TargetError:
        return None
    return parsed if parsed.slots else None
