"""What only several files tell: which class a member is of, which service a field holds, what a called step does.

Behat hands out services by their names: one type that is handed out under several names is several services, so that
the field counts with its class there.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cukereuse_engine.functions.helpers import substitute
from cukereuse_engine.functions.model import ClassFacts, Form, with_statements
from cukereuse_engine.functions.tokens import CLOSE, INJECTED, OPEN, OWN, PARAMETER, STEP, TEXT, own, parts_of
from cukereuse_engine.glue.definition import StepDefinition

MAX_DEPTH = 3
"""Called steps that are followed, one inside the other."""
_FILLERS = ("98761{:02}", "zq{:02}x")
"""Stand for an argument of a called step: a number, then a word."""
_FILLER = re.compile(r"98761(\d\d)|zq(\d\d)x")
_OWNED = frozenset((OWN, INJECTED))
_KEYWORD = re.compile(r"^(?:Given|When|Then|And|But|\*)\s+", re.IGNORECASE)

BindText = Callable[[str, str], Sequence[tuple[StepDefinition, tuple[str | None, ...]]]]
"""(a step's text, the file that calls it) to the definitions that it binds to, each with the arguments it takes."""


class Classes:
    """The classes of all files, and who declares what."""

    def __init__(self, facts: Iterable[ClassFacts]) -> None:
        self._parents: dict[str, tuple[str, ...]] = {}
        self._members: dict[str, set[str]] = {}
        self._traits: set[str] = set()
        self._users: dict[str, list[str]] = defaultdict(list)
        self._names: dict[str, set[str]] = defaultdict(set)
        for one in facts:
            self._parents[one.id] = (*self._parents.get(one.id, ()), *one.parents)
            self._members.setdefault(one.id, set()).update(one.members)
            if one.is_trait:
                self._traits.add(one.id)
            for parent in one.parents:
                self._users[parent].append(one.id)
            for type_name, name in one.handed:
                self._names[type_name].add(name.lower().lstrip("_"))

    def declaring(self, owner: str, name: str) -> str:
        """The class that a member of `owner` is declared in, as far as the sources tell."""
        if owner not in self._parents:
            return owner
        found = self._above(owner, name)
        if found is not None:
            return found
        if owner in self._traits and len(self._users[owner]) == 1:
            return self.declaring(self._users[owner][0], name)
        unknown = [one for one in self._lineage(owner) if one not in self._parents]
        return unknown[0] if unknown else owner

    def _lineage(self, owner: str) -> list[str]:
        """The class and all above it, the nearest first."""
        found = {owner: None}
        waiting = [owner]
        while waiting:
            for parent in self._parents.get(waiting.pop(0), ()):
                if parent not in found:
                    found[parent] = None
                    waiting.append(parent)
        return list(found)

    def _above(self, owner: str, name: str) -> str | None:
        return next((one for one in self._lineage(owner) if name in self._members.get(one, ())), None)

    def is_one_service(self, type_name: str) -> bool:
        return len(self._names.get(type_name, ())) < 2


def linked(
    form: Form,
    path: str,
    classes: Classes,
    forms: Mapping[str, Form],
    bind: BindText | None = None,
    depended: set[str] | None = None,
) -> Form:
    """A form with everything told that the other files tell. `forms`: those of all files, by function id. `depended`
    takes the files of the functions whose steps are followed."""
    statements: list[tuple[str, ...]] = []
    follow = _Follow(path, forms, bind, depended if depended is not None else set()) if bind is not None else None
    for statement in form.statements:
        followed = follow.followed(form, statement, 0) if form.steps and follow is not None else None
        statements += followed if followed is not None else (statement,)
    calls = _linked(form.calls, classes) if form.calls else ""
    return with_statements(form, tuple(_with_owners(statement, classes) for statement in statements), calls)


def _with_owners(statement: tuple[str, ...], classes: Classes) -> tuple[str, ...]:
    """The statement itself where it names nothing that another file tells of."""
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
    """The definition of the one step that is all a function calls."""
    if len(form.steps) != 1 or len(form.statements) != 1 or form.statements[0][0] != f"{OPEN}step":
        return None
    found = _bound(form.steps[0], path, bind)
    return found[0] if found is not None else None


def bound_step(text: str, path: str, bind: BindText) -> StepDefinition | None:
    """The one definition that a called step binds to."""
    found = _bound(text, path, bind)
    return found[0] if found is not None else None


def _bound(text: str, path: str, bind: BindText) -> tuple[StepDefinition, dict[int, str]] | None:
    """The definition that a called step binds to, and which of the step's own arguments each of its arguments is."""
    pieces = _KEYWORD.sub("", text).split("\0")
    for filler in _FILLERS:
        fillers = [filler.format(index) for index in range(len(pieces) - 1)]
        filled = "".join(piece + each for piece, each in zip(pieces, [*fillers, ""], strict=True))
        found = bind(filled, path)
        if len(found) == 1:
            definition, arguments = found[0]
            return definition, {index: argument or "" for index, argument in enumerate(arguments)}
    return None


@dataclass(frozen=True, slots=True)
class _Follow:
    """Follows the steps that a function of a file calls."""

    path: str
    forms: Mapping[str, Form]
    bind: BindText
    depended: set[str]
    """Files of what was followed."""

    def followed(self, form: Form, statement: tuple[str, ...], depth: int) -> list[tuple[str, ...]] | None:
        """The statements of the steps that a statement calls, arguments in their places; None where that is not
        known."""
        if depth >= MAX_DEPTH or statement[0] != f"{OPEN}step" or statement[-1] != CLOSE:
            return None
        if not _carries_nothing(statement, form):
            return None
        texts = [token[1:] for token in statement if token[:1] == STEP]
        if sum(text.count("\0") for text in texts) != len(form.step_arguments):
            return None
        found: list[tuple[str, ...]] = []
        given = iter(form.step_arguments)
        for text in texts:
            handed_on = [next(given) for _ in range(text.count("\0"))]
            bound = _bound(text, self.path, self.bind)
            if bound is None:
                return None
            definition, arguments = bound
            self.depended.add(definition.path)
            inner = self.forms.get(definition.function_id)
            if inner is None or inner.parameters is None:
                return None
            offset = 1 if definition.framework == "behave" else 0
            handed = {f"{PARAMETER}{index + offset}": _handed(value, handed_on) for index, value in arguments.items()}
            for each in inner.statements:
                deeper = self.followed(inner, each, depth + 1) if inner.steps else None
                found += [substitute(one, handed) for one in (deeper if deeper is not None else [each])]
        return found or None


def _carries_nothing(statement: tuple[str, ...], form: Form) -> bool:
    """Whether no table or DocString goes with the called steps."""
    texts = sum(token[:1] == STEP for token in statement)
    return len(statement) == 2 + texts + sum(len(argument) for argument in form.step_arguments)


def _handed(value: str, given: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What an argument of a called step is: a text, what stood at its place in the call, or a text with that in it.
    `given`: what stands in the places of the step's text."""
    pieces: list[tuple[str, ...]] = []
    end = 0
    for filler in _FILLER.finditer(value):
        place = int(filler[1] or filler[2])
        if place >= len(given):
            continue  # a text that only looks like one
        if filler.start() > end:
            pieces.append((f"{TEXT}{value[end : filler.start()]}",))
        pieces.append(given[place])
        end = filler.end()
    if end < len(value) or not pieces:
        pieces.append((f"{TEXT}{value[end:]}",))
    return pieces[0] if len(pieces) == 1 else (f"{OPEN}text", *(token for piece in pieces for token in piece), CLOSE)
