"""What only several files together show: the class of a member, the service in a field, the work of a called step.

Behat hands out services by their names: if one type is handed out under several names, these are several services, and
a field of that type counts together with its class.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from cukereuse_engine.functions.form import ClassFacts, Form, with_statements
from cukereuse_engine.functions.helpers import substitute
from cukereuse_engine.functions.tokens import CLOSE, INJECTED, OPEN, OWN, PARAMETER, STEP, TEXT, own, parts_of
from cukereuse_engine.glue.definition import StepDefinition

MAX_DEPTH = 3
"""The depth to which called steps are followed."""
_FILLERS = (("98761{:02}", "54329{:02}"), ("zq{:02}x", "qz{:02}w"))
"""Values for an argument of a called step: numbers, then words; of each kind, one that the step does not contain."""
_OWNED = frozenset((OWN, INJECTED))
_KEYWORD = re.compile(r"^(?:Given|When|Then|And|But|\*)\s+", re.IGNORECASE)

BindText = Callable[[str, str], Sequence[tuple[StepDefinition, tuple[str | None, ...]]]]
"""Maps (a step's text, the calling file) to its definitions, each with its arguments."""


class Classes:
    """The classes of all files, and which class declares which member."""

    def __init__(self, facts: Iterable[ClassFacts]) -> None:
        self._parents: dict[str, tuple[str, ...]] = {}
        self._members: dict[str, set[str]] = {}
        self._sets: dict[str, set[str]] = {}
        self._traits: set[str] = set()
        self._users: dict[str, list[str]] = defaultdict(list)
        self._names: dict[str, set[str]] = defaultdict(set)
        for fact in facts:
            self._parents[fact.id] = (*self._parents.get(fact.id, ()), *fact.parents)
            self._members.setdefault(fact.id, set()).update(fact.members)
            self._sets.setdefault(fact.id, set()).update(fact.sets)
            if fact.is_trait:
                self._traits.add(fact.id)
            for parent in fact.parents:
                self._users[parent].append(fact.id)
            for type_name, name in fact.handed:
                self._names[type_name].add(name.lower().lstrip("_"))
        self._name_parents()

    def _name_parents(self) -> None:
        """Set the parents' ids, if a file names them without the namespace that it uses (C#)."""
        by_name: dict[str, list[str]] = defaultdict(list)
        for class_ in self._parents:
            by_name[class_.rpartition(".")[2]].append(class_)
        for class_, parents in self._parents.items():
            candidates = [[other for other in by_name.get(parent, ()) if other != class_] for parent in parents]
            self._parents[class_] = tuple(
                other[0] if parent not in self._parents and len(other) == 1 else parent
                for parent, other in zip(parents, candidates, strict=True)
            )

    def declaring(self, owner: str, name: str) -> str:
        """The class that declares a member of `owner`, as far as the sources tell. For an inherited member, the nearest
        class that sets a field of its parents, because the member may depend on it."""
        if owner not in self._parents:
            return owner
        lineage = self._lineage(owner)
        declarer = self._above(owner, name)
        if declarer is None and owner in self._traits and len(self._users[owner]) == 1:
            return self.declaring(self._users[owner][0], name)
        if declarer is None:
            declarer = next((ancestor for ancestor in lineage if ancestor not in self._parents), owner)
        below = lineage[: lineage.index(declarer)]
        return next((class_ for class_ in below if self._sets_up(class_, lineage)), declarer)

    def _lineage(self, owner: str) -> list[str]:
        """The class and its ancestors, nearest first."""
        ancestors = {owner: None}
        waiting = [owner]
        while waiting:
            for parent in self._parents.get(waiting.pop(0), ()):
                if parent not in ancestors:
                    ancestors[parent] = None
                    waiting.append(parent)
        return list(ancestors)

    def _above(self, owner: str, name: str) -> str | None:
        return next((ancestor for ancestor in self._lineage(owner) if name in self._members.get(ancestor, ())), None)

    def _sets_up(self, class_: str, lineage: Sequence[str]) -> bool:
        """True if its constructor sets a field of its parents, which may not have been read."""
        above = lineage[lineage.index(class_) + 1 :]
        sets = self._sets.get(class_, set())
        return bool(sets) and any(
            parent not in self._parents or not sets.isdisjoint(self._members.get(parent, ())) for parent in above
        )

    def set_any(self, members: frozenset[str]) -> bool:
        """True if a constructor sets one of these without declaring it: what is inherited may depend on whose it is."""
        return any(not members.isdisjoint(names) for names in self._sets.values())

    def is_one_service(self, type_name: str) -> bool:
        return len(self._names.get(type_name, ())) < 2


def members_that_differ(before: Sequence[ClassFacts], after: Sequence[ClassFacts]) -> frozenset[str] | None:
    """Names of members that the classes of a file lost or gained; None if they differ in more."""
    if [replace(fact, members=()) for fact in before] != [replace(fact, members=()) for fact in after]:
        return None
    pairs = zip(before, after, strict=True)
    return frozenset[str]().union(*({*mine.members} ^ {*theirs.members} for mine, theirs in pairs))


def linked(
    form: Form,
    path: str,
    classes: Classes,
    forms: Mapping[str, Form],
    bind: BindText | None = None,
    bound_texts: "dict[str, Bound | None] | None" = None,
) -> Form:
    """A form with everything that other files say about its names. `forms`: the forms of all files, by function id.
    `bound_texts` collects the definitions that followed steps bind to, by their texts."""
    statements: list[tuple[str, ...]] = []
    follow = _Follow(path, forms, bind, bound_texts if bound_texts is not None else {}) if bind is not None else None
    for statement, given in _with_arguments(form):
        followed = follow.followed(statement, given, 0) if form.steps and follow is not None else None
        statements += followed if followed is not None else (statement,)
    calls = _linked(form.calls, classes) if form.calls else ""
    return with_statements(form, tuple(_with_owners(statement, classes) for statement in statements), calls)


def _with_owners(statement: tuple[str, ...], classes: Classes) -> tuple[str, ...]:
    """The statement with the owners of its names; the statement itself if other files tell nothing about them."""
    if _OWNED.isdisjoint({token[:1] for token in statement}):
        return statement
    return tuple(_linked(token, classes) if token[:1] in _OWNED else token for token in statement)


def _linked(token: str, classes: Classes) -> str:
    kind = token[:1]
    if kind == OWN:
        owner, name = parts_of(token)
        declaring = classes.declaring(owner, name)
        return (
            token
            if declaring == owner
            else own(declaring, name, token[1:].split("\0")[2] if token.count("\0") > 1 else "")
        )
    if kind == INJECTED:
        type_name, name, owner = token[1:].split("\0")
        if not classes.is_one_service(type_name):
            return own(owner, name)
        return f"{INJECTED}{type_name}\0{name}"
    return token


def called_step(form: Form, path: str, bind: BindText) -> StepDefinition | None:
    """The definition of the step whose call is the whole function, or None."""
    if len(form.steps) != 1 or len(form.statements) != 1 or form.statements[0][0] != f"{OPEN}step":
        return None
    return bound_step(form.steps[0], path, bind)


def bound_step(text: str, path: str, bind: BindText) -> StepDefinition | None:
    """The definition that a called step binds to, if it is a single one."""
    match = bound(text, path, bind)
    return match.definition if match is not None else None


@dataclass(frozen=True, slots=True)
class Bound:
    """The binding of a called step."""

    definition: StepDefinition
    arguments: tuple[tuple[str | int, ...], ...]
    """Each in pieces: texts, and the numbers of the step's own arguments."""


@cache
def _any_keyword() -> re.Pattern[str]:
    """A keyword of any language, with the space after it."""
    from gherkin.dialect import DIALECTS

    dialects = [cast("Mapping[str, list[str]]", dialect) for dialect in DIALECTS.values()]
    words = {word for dialect in dialects for kind in ("given", "when", "then", "and", "but") for word in dialect[kind]}
    return re.compile(f"^(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})\\s*")


def bound(text: str, path: str, bind: BindText) -> Bound | None:
    """The only definition of a step that the source at `path` calls; `\0` in its text is an argument. A keyword before
    the text is removed: an English one, else one of any language, else none."""
    for spelling in dict.fromkeys((_KEYWORD.sub("", text), _any_keyword().sub("", text), text)):
        if (match := _bound_as(spelling, path, bind)) is not None:
            return match
    return None


def _bound_as(text: str, path: str, bind: BindText) -> Bound | None:
    pieces = text.split("\0")
    for kind in _FILLERS:
        filler = next((expression for expression in kind if expression.partition("{")[0] not in text), kind[0])
        fillers = [filler.format(index) for index in range(len(pieces) - 1)]
        filled = "".join(piece + each for piece, each in zip(pieces, [*fillers, ""], strict=True))
        match = bind(filled, path)
        if len(match) == 1:
            definition, arguments = match[0]
            return Bound(definition, tuple(_in_pieces(argument or "", fillers) for argument in arguments))
    return None


def _in_pieces(argument: str, fillers: Sequence[str]) -> tuple[str | int, ...]:
    if not fillers:
        return (argument,)
    parts = re.split(f"({'|'.join(map(re.escape, fillers))})", argument)
    pieces = tuple(fillers.index(part) if place % 2 else part for place, part in enumerate(parts) if part)
    return pieces or ("",)


def _with_arguments(form: Form) -> Iterator[tuple[tuple[str, ...], Sequence[tuple[str, ...]]]]:
    """The statements of a form, each with the expressions in the places of the steps that it calls."""
    holes = [sum(token.count("\0") for token in statement if token[:1] == STEP) for statement in form.statements]
    all_here = sum(holes) == len(form.step_arguments)  # otherwise some belong to a helper
    start = 0
    for statement, count in zip(form.statements, holes, strict=True):
        yield statement, form.step_arguments[start : start + count] if all_here else ()
        start += count


@dataclass(frozen=True, slots=True)
class _Follow:
    """Follows the steps that a function of a file calls."""

    path: str
    forms: Mapping[str, Form]
    bind: BindText
    bound_texts: dict[str, Bound | None]
    """The bindings of the steps looked up so far, by their texts."""

    def followed(
        self, statement: tuple[str, ...], given: Sequence[tuple[str, ...]], depth: int
    ) -> list[tuple[str, ...]] | None:
        """The statements of the steps that a statement calls, with arguments in their places; None if they are unknown.
        `given`: the expressions in the places of their texts."""
        if depth >= MAX_DEPTH or statement[0] != f"{OPEN}step" or statement[-1] != CLOSE:
            return None
        texts = [token[1:] for token in statement if token[:1] == STEP]
        carried = len(statement) - 2 - len(texts) - sum(map(len, given))  # a table or a DocString
        if carried or sum(text.count("\0") for text in texts) != len(given):
            return None
        statements: list[tuple[str, ...]] = []
        waiting = iter(given)
        for text in texts:
            handed_on = [next(waiting) for _ in range(text.count("\0"))]
            inner = self._inside(text, handed_on, depth)
            if inner is None:
                return None
            statements += inner
        return statements or None

    def _inside(self, text: str, handed_on: Sequence[tuple[str, ...]], depth: int) -> list[tuple[str, ...]] | None:
        """The statements of a step's function."""
        if text not in self.bound_texts:
            self.bound_texts[text] = bound(text, self.path, self.bind)
        step = self.bound_texts[text]
        inner = self.forms.get(step.definition.function_id) if step is not None else None
        if step is None or inner is None or inner.parameters is None:
            return None
        offset = 1 if step.definition.framework == "behave" else 0
        handed = {f"{PARAMETER}{at + offset}": _handed(pieces, handed_on) for at, pieces in enumerate(step.arguments)}
        statements: list[tuple[str, ...]] = []
        for statement, given in _with_arguments(inner):
            deeper = self.followed(statement, given, depth + 1) if inner.steps else None
            statements += [
                substitute(inner_statement, handed)
                for inner_statement in (deeper if deeper is not None else [statement])
            ]
        return statements


def _handed(pieces: Sequence[str | int], given: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """An argument of a called step: a text, the expression at its place in the call, or a text with that expression in
    it."""
    written = [(f"{TEXT}{piece}",) if isinstance(piece, str) else given[piece] for piece in pieces]
    if len(written) == 1:
        return written[0]
    return (f"{OPEN}text", *(token for argument in written for token in argument), CLOSE)
