"""How the functions of step definitions relate, found by joining on their forms, whatever the wordings.

`Functions` is kept up to date by file: an edit reads that file again and joins its functions anew.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from cukereuse_engine.functions.linking import BindText, Classes, bound_step, called_step, linked
from cukereuse_engine.functions.model import FileForms, Form
from cukereuse_engine.functions.outcomes import silent_outcomes
from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.functions.rereading import Read, forms_after
from cukereuse_engine.functions.tokens import (
    CLOSE,
    INJECTED,
    MEMBER,
    NAME,
    OPEN,
    OWN,
    PARAMETER,
    SIGN,
    TEXT,
    is_literal,
    loosened,
    renumbered,
    without_literals,
    words,
)
from cukereuse_engine.glue.definition import StepDefinition

MIN_CONTAINED = 2
"""Statements that a function must have to count as contained in another one."""


class Relation(StrEnum):
    SAME = "same"
    """Equal forms: the same is done to the same things."""
    PASSES_ON = "passes on"
    """One only calls the other."""
    CONSTANT = "same but for a constant"
    """One function with one more parameter would serve both."""
    CONTAINS = "contains"
    """One does all that the other does, and more."""
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    """A function is not known, still to be written, or does not parse."""


@dataclass(frozen=True, slots=True)
class Related:
    """How two functions relate."""

    relation: Relation
    parameter: str = ""
    """CONSTANT: a name for what differs."""
    values: tuple[str, str] = ("", "")
    """CONSTANT: what stands in its place in each."""
    loosely: bool = False
    """SAME: if fields of one type hold the same in both classes, or with their parameters in another order."""
    reversed: bool = False
    """PASSES_ON and CONTAINS: it is the second that calls, or contains, the first."""


def read_source(path: str) -> bytes | None:
    """What the disk holds; None for what can't be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


class Functions:
    """The functions of a suite's step definitions and how they relate. Not for several threads at once."""

    def __init__(
        self,
        read: Callable[[str], bytes | None] = read_source,
        bind: BindText | None = None,
        boundary: Callable[[str], str] = lambda _: "",
    ) -> None:
        """`bind` follows steps that call steps. `boundary`: what a file belongs to; functions of two are not compared,
        as their names mean other things."""
        self._boundary = boundary
        self.own_definitions: tuple[StepDefinition, ...] = ()
        self._read = read
        self._bind = bind
        self._files: dict[str, FileForms] = {}
        self._sources: dict[str, Read] = {}
        """Sources that were edited, with what was read of them."""
        self._forms: dict[str, Form] = {}
        """By function id, as read."""
        self._linked: dict[str, Form] = {}
        self._path_of: dict[str, str] = {}
        self._definitions: dict[str, list[StepDefinition]] = {}
        self._owners: dict[str, str] = {}
        self._classes = Classes(())
        self._equal: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._shapes: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._loose: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._tables = (self._equal, self._shapes, self._loose)
        self._keys: dict[str, tuple[bytes, bytes, bytes]] = {}

    # -- keeping up to date

    def load(
        self,
        definitions: Iterable[StepDefinition],
        read_forms: Mapping[str, FileForms] | None = None,
        own: Iterable[StepDefinition] = (),
    ) -> None:
        """All definitions that a suite may use, in place of what was known; `own` are those that are its own.
        `read_forms`: what is read already, by path."""
        self.own_definitions = tuple(own)
        self._files, self._forms, self._path_of, self._definitions = {}, {}, {}, {}
        self._sources.clear()
        for path, group in by_path(definitions).items():
            known = (read_forms or {}).get(path)
            self._add(path, group, known if known is not None else self._forms_at(path, None, group))
        self._link_all()

    def update(
        self,
        path: str,
        source: bytes | None,
        definitions: Sequence[StepDefinition],
        own: Iterable[StepDefinition] | None = None,
    ) -> None:
        """A source is new, changed or gone (no definitions). `source` None: what `read` gives; `own`: see `load`."""
        if own is not None:
            self.own_definitions = tuple(own)
        before = self._files.get(path)
        read = self._sources.get(path)
        data = source if source is not None else self._read(path)
        gone = [key for key, where in self._path_of.items() if where == path]
        joined = {
            id(self._forms[key].statements): (self._linked[key], self._keys[key]) for key in gone if key in self._keys
        }
        for key in gone:
            self._forget(key)
        self._files.pop(path, None)
        if definitions:
            known = forms_after(read, path, data, definitions) if read is not None and data is not None else None
            self._add(path, definitions, known if known is not None else self._forms_at(path, data, definitions))
            if data is not None:
                self._sources[path] = Read(data, tuple(definitions), self._files[path])
        else:
            self._sources.pop(path, None)
        after = self._files.get(path)
        facts = [file.classes if file is not None else () for file in (before, after)]
        if facts[0] != facts[1]:
            self._link_all()
            return
        self._read_owners()
        calling = [key for key, form in self._forms.items() if form.steps and self._path_of[key] != path]
        here = [key for key, where in self._path_of.items() if where == path and key in self._forms]
        for key in (*calling, *here):
            form = self._forms[key]
            known_already = joined.get(id(form.statements)) if not form.steps else None
            if known_already is None:
                self._link(key)
            else:  # what was not read again
                self._join(key, replace(known_already[0], at=form.at), known_already[1])

    def _forms_at(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> FileForms:
        data = source if source is not None else self._read(path)
        return forms_of(path, data, definitions) if data is not None else FileForms({}, {})

    def _add(self, path: str, definitions: Sequence[StepDefinition], file: FileForms) -> None:
        self._files[path] = file
        for definition in definitions:
            key = definition.function_id
            self._definitions.setdefault(key, []).append(definition)
            self._path_of[key] = path
            if key in file.forms:
                self._forms[key] = file.forms[key]

    def _forget(self, key: str) -> None:
        self._unjoin(key)
        for known in (self._forms, self._linked, self._path_of, self._definitions):
            known.pop(key, None)

    def _link_all(self) -> None:
        self._classes = Classes(one for file in self._files.values() for one in file.classes)
        self._equal.clear()
        self._shapes.clear()
        self._loose.clear()
        self._keys.clear()
        self._linked = {}
        self._read_owners()
        for key in self._forms:
            self._link(key)

    def _read_owners(self) -> None:
        self._owners = {token: key for file in self._files.values() for token, key in file.owners.items()}

    def _link(self, key: str) -> None:
        self._unjoin(key)
        form = linked(self._forms[key], self._path_of[key], self._classes, self._forms, self._bind)
        language = self._definitions[key][0].language
        boundary = f"{language} {self._boundary(self._path_of[key])}"
        tokens = form.tokens
        exact, shape, loose = (_digest(boundary, each) for each in (tokens, without_literals(tokens), loosened(tokens)))
        self._join(key, form, (exact, shape, loose))

    def _join(self, key: str, form: Form, digests: tuple[bytes, bytes, bytes]) -> None:
        self._linked[key], self._keys[key] = form, digests
        for table, digest in zip(self._tables, digests, strict=True):
            table[digest][key] = None

    def _unjoin(self, key: str) -> None:
        known = self._keys.pop(key, None)
        if known is None:
            return
        for table, digest in zip(self._tables, known, strict=True):
            table[digest].pop(key, None)
            if not table[digest]:
                del table[digest]

    # -- what is known

    def form(self, definition: StepDefinition) -> Form | None:
        """The normal form of a definition's function; None where it is not known."""
        return self._linked.get(definition.function_id)

    def form_of(self, function: str) -> Form | None:
        """The normal form of a function by its id."""
        return self._linked.get(function)

    @property
    def called(self) -> frozenset[str]:
        """Functions of definitions that other functions call, themselves or by a step's text."""
        found = {self._owners.get(token) for form in self._linked.values() for token in form.mentions}
        bind = self._bind
        if bind is not None:
            for key, form in self._forms.items():
                steps = (bound_step(text, self._path_of[key], bind) for text in form.steps)
                found.update(step.function_id for step in steps if step is not None)
        return frozenset(key for key in found if key is not None)

    def ignored_arguments(self, definition: StepDefinition, captured: Sequence[str]) -> tuple[str, ...]:
        """Parameters that take what the expression captures and are never said in the function. `captured`: the names
        of what it captures, empty where they have none. One that begins with an underscore is left out on purpose."""
        form = self._linked.get(definition.function_id)
        if form is None or form.is_partial or not form.unused:
            return ()
        names = form.parameters
        if any(captured) and definition.framework in _BY_NAME:
            taking = [name for name in names if name in captured]
        else:
            first = 1 if definition.framework in _WITH_CONTEXT else 0
            taking = list(names[first : first + len(captured)])
        return tuple(name for name in taking if name in form.unused and not name.startswith("_"))

    def definitions_of(self, function: str) -> list[StepDefinition]:
        """The definitions on a function."""
        return self._definitions.get(function, [])

    def equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form, by id."""
        return (list(group) for group in self._equal.values() if len(group) > 1)

    def loosely_equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form where fields count by their types and parameters by their use, not all of
        which are equal."""
        for group in self._loose.values():
            if len(group) > 1 and len({self._keys[key][0] for key in group}) > 1:
                yield list(group)

    def notable(self) -> frozenset[str]:
        """Functions, by id, that relate to another one, never use a parameter of theirs, or check nothing."""
        groups = (*self.equal(), *self.loosely_equal(), *self.alike(), *self.passing())
        unused = (key for key, form in self._linked.items() if form.unused)
        return frozenset({key for group in groups for key in group}.union(unused, self.silent_outcomes()))

    def silent_outcomes(self) -> frozenset[str]:
        """Functions of outcome steps, by id, that check nothing, as far as the suite's own style tells."""
        return silent_outcomes(self._linked, self._definitions)

    def equal_to(self, definition: StepDefinition) -> list[str]:
        """Other functions of equal form."""
        known = self._keys.get(definition.function_id)
        return [one for one in self._equal[known[0]] if one != definition.function_id] if known is not None else []

    def alike_to(self, definition: StepDefinition) -> list[str]:
        """Other functions that are equal when literals do not count, but not when they do."""
        known = self._keys.get(definition.function_id)
        alike = self._shapes[known[1]] if known is not None else ()
        return [one for one in alike if known is not None and self._keys[one][0] != known[0]]

    def passing(self) -> Iterator[tuple[str, str]]:
        """Functions that only call the function of another definition: (the one that calls, the called)."""
        for key in self._linked:
            target = self.passes_to(key)
            if target is not None:
                yield key, target

    def passes_to(self, function: str) -> str | None:
        """The other definition's function that is all this one calls."""
        form = self._linked.get(function)
        if form is None:
            return None
        target = self._owners.get(form.calls) if form.calls else None
        if target is None and self._bind is not None and function in self._forms:
            step = called_step(self._forms[function], self._path_of[function], self._bind)
            target = step.function_id if step is not None else None
        return target if target != function else None

    def calling(self, function: str) -> list[str]:
        """Functions all of which is a call of this one, by its name."""
        return [key for key, form in self._linked.items() if form.calls and self._owners.get(form.calls) == function]

    def share_a_call(self, one: StepDefinition, other: StepDefinition) -> bool:
        """Whether all that both functions do is to call the same one: what they differ in is its argument."""
        forms = [self._forms.get(each.function_id) for each in (one, other)]
        return forms[0] is not None and forms[1] is not None and forms[0].calls == forms[1].calls != ""

    def alike(self) -> Iterator[list[str]]:
        """Groups of functions that are equal when literals do not count, but not when they do."""
        for group in self._shapes.values():
            if len(group) > 1 and len({self._keys[key][0] for key in group}) > 1:
                yield list(group)

    def similarity(self, one: StepDefinition, other: StepDefinition) -> float | None:
        """How much of what the two functions name both name, 0 to 1: the Jaccard similarity of the names and texts in
        their forms, each weighted by its words; 1 where one passes on to the other. None where that is not known: in
        two languages, without a source, or where both are still to be written.

        Names tell better than the shape of the code what people would merge, as most functions are one call: over 400
        pairs of definitions from 60 suites, judged blind, AUC .67 against .58 for sequences of tokens.
        """
        if one.language != other.language:
            return None
        mine, theirs = self._terms(one), self._terms(other)
        if mine is None or theirs is None or not (mine or theirs):
            return None
        if self.relation(one, other).relation in (Relation.SAME, Relation.PASSES_ON):
            return 1.0
        return _weight(mine & theirs) / _weight(mine | theirs)

    def _terms(self, definition: StepDefinition) -> frozenset[str] | None:
        """What a function names; nothing where it is still to be written, None where it is not known."""
        key = definition.function_id
        form = self._linked.get(key)
        if form is not None:
            return frozenset(token for token in form.tokens if token[:1] in _TERMS and words(token[1:]))
        file = self._files.get(definition.path)
        return frozenset() if file is not None and key in file.unwritten else None

    def relation(self, one: StepDefinition, other: StepDefinition) -> Related:
        """How two definitions' functions relate."""
        a, b = one.function_id, other.function_id
        if a == b:
            return Related(Relation.SAME)
        mine, theirs = self._linked.get(a), self._linked.get(b)
        if mine is None or theirs is None or one.language != other.language:
            return Related(Relation.UNKNOWN)
        if self.passes_to(a) == b:
            return Related(Relation.PASSES_ON)
        if self.passes_to(b) == a:
            return Related(Relation.PASSES_ON, reversed=True)
        if self._keys[a][0] == self._keys[b][0]:
            return Related(Relation.SAME)
        if self._keys[a][2] == self._keys[b][2]:
            return Related(Relation.SAME, loosely=True)
        if mine.is_partial or theirs.is_partial:
            return Related(Relation.UNKNOWN)
        if self._keys[a][1] == self._keys[b][1]:
            return differing_constant(mine, theirs) or Related(Relation.DIFFERENT)
        if contains(mine, theirs):
            return Related(Relation.CONTAINS)
        if contains(theirs, mine):
            return Related(Relation.CONTAINS, reversed=True)
        return Related(Relation.DIFFERENT)


_TERMS = (NAME, MEMBER, OWN, INJECTED, TEXT)
_BY_NAME = frozenset(("behave", "pytest-bdd", "behat"))
"""Runners that hand named arguments over by name."""
_WITH_CONTEXT = frozenset(("behave", "cucumber-rs"))
"""Runners that hand the context over first."""
_MOST_WORDS = 4
"""A name or text counts as much as it has words, up to these: `click` is everywhere, `resendVerificationMail` isn't.
On the pairs above as good as how rare a name is in its suite, which would change with every edit of any function."""


def _weight(terms: Iterable[str]) -> int:
    return sum(min(len(words(token.rpartition("\0")[2] or token[1:])), _MOST_WORDS) for token in terms)


def by_path(definitions: Iterable[StepDefinition]) -> dict[str, list[StepDefinition]]:
    found: dict[str, list[StepDefinition]] = {}
    for definition in definitions:
        found.setdefault(definition.path, []).append(definition)
    return found


def _digest(language: str, tokens: Sequence[str]) -> bytes:
    text = "\x1f".join((language, *tokens))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def differing_constant(one: Form, other: Form) -> Related | None:
    """The one constant that two functions of one shape differ in, wherever it stands; None where it is more."""
    mine, theirs = one.tokens, other.tokens
    differing = [at for at, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1]]
    pairs = {(mine[at], theirs[at]) for at in differing}
    if len(pairs) != 1 or not all(is_literal(mine[at]) for at in differing):
        return None
    values = pairs.pop()
    if len({value[:1] for value in values}) > 1:
        return None
    shown = tuple(value[1:] for value in values)
    return Related(Relation.CONSTANT, _name_for(mine, differing[0]), (shown[0], shown[1]))


def _name_for(tokens: Sequence[str], place: int) -> str:
    """What the constant could be called: the named argument or the attribute before it, else what it is."""
    for token in reversed(tokens[:place]):
        if token[:1] == MEMBER:
            return "_".join(words(token[1:])) or _kind_of(tokens[place])
        if token == CLOSE or token == f"{OPEN}call" or token[:1] not in (SIGN, OPEN):
            break
    return _kind_of(tokens[place])


def _kind_of(token: str) -> str:
    if token[:1] == TEXT and not token[1:].isdecimal():
        return "text"
    return "number" if token[1:2].isdecimal() else "value"


def contains(one: Form, other: Form) -> bool:
    """Whether all statements of `other` stand in `one`, one after the other, among more of its own."""
    if not MIN_CONTAINED <= len(other.statements) < len(one.statements):
        return False
    parameters = {token for statement in other.statements for token in statement if token[:1] == PARAMETER}
    wanted = _renumbered(other.statements)
    size = len(other.statements)
    if parameters and other.signature and not set(other.signature) <= set(one.signature):
        return False
    return any(
        _renumbered(one.statements[start : start + size]) == wanted
        for start in range(len(one.statements) - size + 1)
        if one.statements[start][:1] == other.statements[0][:1]
    )


def _renumbered(statements: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return renumbered(token for statement in statements for token in (*statement, ";"))
