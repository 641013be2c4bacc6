"""How the functions of step definitions are related, found by joining their forms, whatever the wordings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cukereuse_engine.functions.comparing import (
    Related,
    Relation,
    contains,
    differing_constant,
)
from cukereuse_engine.functions.form import FileForms, Form
from cukereuse_engine.functions.linking import BindText, bound_step, called_step
from cukereuse_engine.functions.module_files import Listing, list_folder
from cukereuse_engine.functions.outcomes import silent_outcomes
from cukereuse_engine.functions.suite_forms import SuiteForms, by_path, read_source
from cukereuse_engine.functions.tokens import PARAMETER
from cukereuse_engine.glue.definition import StepDefinition

__all__ = ["Functions", "Related", "Relation", "by_path", "read_source"]


class Functions:
    """The functions of a suite's step definitions and how they relate. Not for several threads at once."""

    def __init__(
        self,
        read: Callable[[str], bytes | None] = read_source,
        bind: BindText | None = None,
        boundary: Callable[[str], str] = lambda _: "",
        listing: Listing = list_folder,
        build: Callable[[str], tuple[str, str]] = lambda _: ("", ""),
    ) -> None:
        """`bind` follows steps that call steps. `boundary`: what a file belongs to; functions of two are not compared,
        as their names mean other things. `listing`: what is in a folder, where helpers may be. `build`: the module
        of a file and the build that holds it; of two modules what is copied is compared."""
        self._suite = SuiteForms(read, bind, boundary, listing, build)
        self.own_definitions: tuple[StepDefinition, ...] = ()

    # -- keeping up to date

    def load(
        self,
        definitions: Iterable[StepDefinition],
        read_forms: Mapping[str, FileForms] | None = None,
        own: Iterable[StepDefinition] = (),
        sources: Mapping[str, bytes] | None = None,
    ) -> None:
        """All definitions that a suite may use, in place of what was known; `own` are those that are its own.
        `read_forms`: what is read already, by path; `sources`: of what, where edits are to come."""
        self.own_definitions = tuple(own)
        self._suite.load(definitions, read_forms, sources)

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
        self._suite.update(path, source, definitions)

    def look_at_projects(self) -> bool:
        """Files of projects came or went: whether functions relate otherwise now."""
        return self._suite.look_at_projects()

    # -- what is known

    def form(self, definition: StepDefinition) -> Form | None:
        """The normal form of a definition's function; None where it is not known."""
        return self._suite.linked.get(definition.function_id)

    def form_of(self, function: str) -> Form | None:
        """The normal form of a function by its id."""
        return self._suite.linked.get(function)

    def whole_of(self, function: str) -> Form | None:
        """The same, with helpers of other files in place of their names."""
        return self._suite.whole.get(function)

    @property
    def called(self) -> frozenset[str]:
        """Functions of definitions that other functions call, themselves or by a step's text."""
        owners = {self._suite.owners.get(token) for form in self._suite.linked.values() for token in form.mentions}
        bind = self._suite.bind
        if bind is not None:
            for key, form in self._suite.forms.items():
                steps = (bound_step(text, self._suite.path_of[key], bind) for text in form.steps)
                owners.update(step.function_id for step in steps if step is not None)
        return frozenset(key for key in owners if key is not None)

    def ignored_arguments(self, definition: StepDefinition, captured: Sequence[str]) -> dict[str, int]:
        """Parameters that take what the expression captures and are never said in the function, to the place of what
        they take. `captured`: the names of what it captures, empty where they have none."""
        form = self._suite.linked.get(definition.function_id)
        if form is None or form.is_partial or not form.unused:
            return {}
        taking = parameters_of(definition, form, captured)
        return {name: place for name, place in taking.items() if name in form.unused}

    def definitions_of(self, function: str) -> list[StepDefinition]:
        """The definitions on a function."""
        return self._suite.definitions.get(function, [])

    def equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form, by id."""
        return self._suite.joins.equal()

    def loosely_equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form where fields count by their types and parameters by their use, not all of
        which are equal."""
        return self._suite.joins.loosely_equal()

    def copied(self) -> Iterator[tuple[list[str], bool]]:
        """Groups of functions of several modules of one build, one of each, that do the same as the first; and whether
        only loosely, see `Related`. What is no copy of the first may be one of another."""
        for group in self._suite.joins.unqualified():
            by_module: dict[str, str] = {}
            for key in sorted(group):
                by_module.setdefault(self._suite.module_of(self._suite.path_of[key]), key)
            left = list(by_module.values())
            while left:
                first, *others = left
                copies = {key: related for key in others if (related := self._as_copies(first, key)) is not None}
                left = [key for key in others if key not in copies]
                for loosely in (False, True):
                    same = [key for key, related in copies.items() if related.loosely is loosely]
                    if same:
                        yield [first, *same], loosely

    def _as_copies(self, left: str, right: str) -> Related | None:
        """SAME where two functions of two modules do the same."""
        suite = self._suite
        paths = suite.path_of[left], suite.path_of[right]
        if suite.module_of(paths[0]) == suite.module_of(paths[1]):
            return None
        mine, theirs = suite.whole[left].tokens, suite.whole[right].tokens
        if suite.copies.same(mine, paths[0], theirs, paths[1]):
            return Related(Relation.SAME, copied=True)
        loosely = suite.copies.loosely_same(mine, paths[0], theirs, paths[1])
        return Related(Relation.SAME, loosely=True, copied=True) if loosely else None

    def alike(self) -> Iterator[list[str]]:
        """Groups of functions that are equal when literals do not count, but not when they do."""
        return self._suite.joins.alike()

    def notable(self) -> frozenset[str]:
        """Functions, by id, that relate to another function, never use one of their parameters, check nothing, or only
        log."""
        groups = (
            *self.equal(),
            *self.loosely_equal(),
            *(group for group, _ in self.copied()),
            *self.alike(),
            *self.passing(),
        )
        unused = (key for key, form in self._suite.linked.items() if form.unused)
        return frozenset(
            {key for group in groups for key in group}.union(unused, self.silent_outcomes(), self.telling())
        )

    def silent_outcomes(self) -> frozenset[str]:
        """Functions of outcome steps, by id, that check nothing, as far as the suite's own style tells."""
        return silent_outcomes(self._suite.whole, self._suite.definitions)

    def telling(self) -> frozenset[str]:
        """Functions, by id, all of which is a log of plain texts."""
        return frozenset(self._suite.telling())

    def equal_to(self, definition: StepDefinition) -> list[str]:
        """Other functions of equal form, and copies of it in other modules."""
        key, joins = definition.function_id, self._suite.joins
        return [*joins.equal_to(key), *(other for other in joins.unqualified_to(key) if self._as_copies(key, other))]

    def alike_to(self, definition: StepDefinition) -> list[str]:
        """Other functions that are equal when literals do not count, but not when they do."""
        return self._suite.joins.alike_to(definition.function_id)

    def passing(self) -> Iterator[tuple[str, str]]:
        """Functions that only call the function of another definition: (the one that calls, the called)."""
        for key in self._suite.linked:
            target = self.passes_to(key)
            if target is not None:
                yield key, target

    def passes_to(self, function: str) -> str | None:
        """The other definition's function that is all this one calls."""
        form = self._suite.linked.get(function)
        if form is None:
            return None
        target = self._suite.owners.get(form.calls) if form.calls else None
        if target is None and self._suite.bind is not None and function in self._suite.forms:
            step = called_step(self._suite.forms[function], self._suite.path_of[function], self._suite.bind)
            target = step.function_id if step is not None else None
        return target if target != function else None

    def hands_on(self, function: str) -> bool:
        """True if all it does is to call another function with its own arguments, and nothing of its own."""
        form = self._suite.linked.get(function)
        return (
            form is not None
            and form.calls != ""
            and all(token[:1] == PARAMETER for argument in form.arguments for token in argument)
        )

    def calling(self, function: str) -> list[str]:
        """Functions all of which is a call of this one, by its name."""
        return [
            key
            for key, form in self._suite.linked.items()
            if form.calls and self._suite.owners.get(form.calls) == function
        ]

    def share_a_call(self, left: StepDefinition, right: StepDefinition) -> bool:
        """True if all that both functions do is to call the same one: what they differ in is its argument."""
        forms = [self._suite.forms.get(each.function_id) for each in (left, right)]
        return forms[0] is not None and forms[1] is not None and forms[0].calls == forms[1].calls != ""

    def relation(self, one: StepDefinition, other: StepDefinition) -> Related:
        """How two definitions' functions relate."""
        a, b = one.function_id, other.function_id
        if a == b:
            return Related(Relation.SAME)
        mine, theirs = self._suite.whole.get(a), self._suite.whole.get(b)
        own, others = self._suite.joins.keys(a), self._suite.joins.keys(b)
        if mine is None or theirs is None or own is None or others is None or one.language != other.language:
            return Related(Relation.UNKNOWN)
        equal, alike, loosely, bare = (left == right != () for left, right in zip(own, others, strict=True))
        if self.passes_to(a) == b:
            return Related(Relation.PASSES_ON, unchanged=equal or loosely or self.hands_on(a))
        if self.passes_to(b) == a:
            return Related(Relation.PASSES_ON, unchanged=equal or loosely or self.hands_on(b), reversed=True)
        if equal or loosely:
            return Related(Relation.SAME, loosely=not equal)
        copied = self._as_copies(a, b) if bare else None
        if copied is not None:
            return copied
        if mine.is_partial or theirs.is_partial:
            return Related(Relation.UNKNOWN)
        if alike:
            return differing_constant(mine, theirs) or Related(Relation.DIFFERENT)
        if contains(mine, theirs):
            return Related(Relation.CONTAINS)
        if contains(theirs, mine):
            return Related(Relation.CONTAINS, reversed=True)
        return Related(Relation.DIFFERENT)


_BY_NAME = frozenset(("behave", "pytest-bdd", "behat"))
"""Runners that hand named arguments over by name."""
_WITH_CONTEXT = frozenset(("behave", "cucumber-rs"))
"""Runners that hand the context over first."""


def parameters_of(definition: StepDefinition, form: Form, captured: Sequence[str]) -> dict[str, int]:
    """Names of the parameters that take what a definition's expression captures, to the place of what they take.
    `captured`: the names of what it captures, empty where they have none."""
    names = form.parameters
    if any(captured) and definition.framework in _BY_NAME:
        return {name: captured.index(name) for name in names if name in captured}
    first = 1 if definition.framework in _WITH_CONTEXT else 0
    return {name: place for place, name in enumerate(names[first : first + len(captured)])}
