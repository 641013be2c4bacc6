"""How the functions of step definitions are related: joins their forms, whatever their wordings."""

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
from cukereuse_engine.functions.tokens import PARAMETER, loosened
from cukereuse_engine.glue.definition import StepDefinition

__all__ = ["Functions", "Related", "Relation", "by_path", "read_source"]


class Functions:
    """The functions of a suite's step definitions, and how they are related. Not thread-safe."""

    def __init__(
        self,
        read: Callable[[str], bytes | None] = read_source,
        bind: BindText | None = None,
        boundary: Callable[[str], str] = lambda _: "",
        listing: Listing = list_folder,
        build: Callable[[str], tuple[str, str]] = lambda _: ("", ""),
    ) -> None:
        """`bind` follows steps that call steps. `boundary`: the boundary of a file; functions of two boundaries are not
        compared, because their names mean different things. `listing`: the names in a folder, where helpers may be.
        `build`: the module and the build of a file; copies in two modules of a build are compared."""
        self._suite = SuiteForms(read, bind, boundary, listing, build)
        self.own_definitions: tuple[StepDefinition, ...] = ()
        """See `load`; who edits a suite keeps them up to date."""

    # -- keeping up to date

    def load(
        self,
        definitions: Iterable[StepDefinition],
        read_forms: Mapping[str, FileForms] | None = None,
        own: Iterable[StepDefinition] = (),
        sources: Mapping[str, bytes] | None = None,
    ) -> None:
        """Replace everything by the definitions that a suite may use; `own` are its own. `read_forms`: forms that are
        already read, by path; `sources`: their sources, if edits will follow."""
        self.own_definitions = tuple(own)
        self._suite.load(definitions, read_forms, sources)

    def copy(self, bind: BindText | None, own: Iterable[StepDefinition] = ()) -> "Functions":
        """The functions of another suite with the same definitions, of which `own` are its own: only those that call
        steps are looked at. Both are kept up to date on their own."""
        other = Functions(bind=bind)
        other._suite = self._suite.copy(bind)
        other.own_definitions = tuple(own)
        return other

    def unbind(self) -> None:
        """Forget the suite by which called steps were bound: only copies will be asked."""
        self._suite.bind = None

    @property
    def are_placed(self) -> bool:
        """False if projects around sources have changed since they were loaded."""
        return self._suite.is_placed()

    def update(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> None:
        """A source is new, changed or gone (no definitions). `source` None: what `read` gives."""
        self._suite.update(path, source, definitions)

    def look_at_projects(self) -> bool:
        """Project files came or went. True if functions are related differently now."""
        return self._suite.look_at_projects()

    # -- results

    def form(self, definition: StepDefinition) -> Form | None:
        """The normal form of a definition's function; None if unknown."""
        return self._suite.linked.get(definition.function_id)

    def form_of(self, function: str) -> Form | None:
        """The normal form of a function by its id."""
        return self._suite.linked.get(function)

    def whole_of(self, function: str) -> Form | None:
        """The form of a function by its id, with helpers of other files inlined."""
        return self._suite.whole.get(function)

    @property
    def called(self) -> frozenset[str]:
        """Functions of definitions that other functions call, directly or by a step's text."""
        owners = {self._suite.owners.get(token) for form in self._suite.linked.values() for token in form.mentions}
        bind = self._suite.bind
        if bind is not None:
            for key, form in self._suite.forms.items():
                steps = (bound_step(text, self._suite.path_of[key], bind) for text in form.steps)
                owners.update(step.function_id for step in steps if step is not None)
        return frozenset(key for key in owners if key is not None)

    def ignored_arguments(self, definition: StepDefinition, captured: Sequence[str]) -> dict[str, int]:
        """The parameters that get a captured argument and are never used in the function, with that argument's place.
        `captured`: the names of the captured arguments, empty for those without one."""
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
        """Groups of functions that are equal if fields count by their types and parameters by their use, but not all of
        them are equal."""
        return self._suite.joins.loosely_equal()

    def copied(self) -> Iterator[tuple[list[str], bool]]:
        """Groups of functions of several modules of one build, one of each, that do the same as the first; and true if
        only loosely, see `Related`. A function that is no copy of the first may be in another group."""
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
        """SAME if two functions of two modules do the same."""
        suite = self._suite
        paths = suite.path_of[left], suite.path_of[right]
        if suite.module_of(paths[0]) == suite.module_of(paths[1]):
            return None
        mine, theirs = suite.whole[left].tokens, suite.whole[right].tokens
        if suite.copies.same(mine, paths[0], theirs, paths[1]):
            return Related(Relation.SAME, copied=True)
        for fields in (False, True):
            loose = (loosened(tokens, fields=fields) for tokens in (mine, theirs))
            if suite.copies.same(next(loose), paths[0], next(loose), paths[1]):
                return Related(Relation.SAME, loosely=True, by_fields=fields, copied=True)
        return None

    def alike(self) -> Iterator[list[str]]:
        """Groups of functions that are equal without their literals, but not with them."""
        return self._suite.joins.alike()

    def notable(self) -> frozenset[str]:
        """Ids of functions that are related to others, never use a parameter, check nothing, or only log."""
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
        """Ids of functions of outcome steps that check nothing, as far as the suite's own style tells."""
        return silent_outcomes(self._suite.whole, self._suite.definitions)

    def telling(self) -> frozenset[str]:
        """Ids of functions that only log plain texts."""
        return frozenset(self._suite.telling())

    def equal_to(self, definition: StepDefinition) -> list[str]:
        """Other functions of equal form, and copies of it in other modules."""
        key, joins = definition.function_id, self._suite.joins
        return [*joins.equal_to(key), *(other for other in joins.unqualified_to(key) if self._as_copies(key, other))]

    def alike_to(self, definition: StepDefinition) -> list[str]:
        """Other functions that are equal without their literals, but not with them."""
        return self._suite.joins.alike_to(definition.function_id)

    def passing(self) -> Iterator[tuple[str, str]]:
        """Pairs of a function and the function of another definition whose call is all that it does."""
        for key in self._suite.linked:
            target = self.passes_to(key)
            if target is not None:
                yield key, target

    def passes_to(self, function: str) -> str | None:
        """The function of another definition whose call is all that this function does, or None."""
        form = self._suite.linked.get(function)
        if form is None:
            return None
        target = self._suite.owners.get(form.calls) if form.calls else None
        if target is None and self._suite.bind is not None and function in self._suite.forms:
            step = called_step(self._suite.forms[function], self._suite.path_of[function], self._suite.bind)
            target = step.function_id if step is not None else None
        return target if target != function else None

    def hands_on(self, function: str) -> bool:
        """True if all that a function does is call another function with its own arguments, and nothing else."""
        form = self._suite.linked.get(function)
        return (
            form is not None
            and form.calls != ""
            and all(token[:1] == PARAMETER for argument in form.arguments for token in argument)
        )

    def calling(self, function: str) -> list[str]:
        """Functions that only call this one, by its name."""
        return [
            key
            for key, form in self._suite.linked.items()
            if form.calls and self._suite.owners.get(form.calls) == function
        ]

    def share_a_call(self, left: StepDefinition, right: StepDefinition) -> bool:
        """True if both functions only call the same function, so that they differ in its arguments."""
        forms = [self._suite.forms.get(each.function_id) for each in (left, right)]
        return forms[0] is not None and forms[1] is not None and forms[0].calls == forms[1].calls != ""

    def relation(self, first: StepDefinition, second: StepDefinition) -> Related:
        """How the functions of two definitions are related."""
        a, b = first.function_id, second.function_id
        if a == b:
            return Related(Relation.SAME)
        mine, theirs = self._suite.whole.get(a), self._suite.whole.get(b)
        own, others = self._suite.joins.keys(a), self._suite.joins.keys(b)
        if mine is None or theirs is None or own is None or others is None or first.language != second.language:
            return Related(Relation.UNKNOWN)
        equal, alike, loosely, bare = (left == right != () for left, right in zip(own, others, strict=True))
        same = equal or loosely
        for caller, called in ((a, b), (b, a)):
            if self.passes_to(caller) == called:
                return Related(Relation.PASSES_ON, unchanged=same or self.hands_on(caller), reversed=caller == b)
        if same:
            by_fields = loosened(mine.tokens, fields=False) != loosened(theirs.tokens, fields=False)
            return Related(Relation.SAME, loosely=not equal, by_fields=by_fields)
        copied = self._as_copies(a, b) if bare else None
        return copied if copied is not None else _of_others(mine, theirs, alike=alike)


_BY_NAME = frozenset(("behave", "pytest-bdd", "behat"))
"""Runners that pass named arguments by name."""
_WITH_CONTEXT = frozenset(("behave", "cucumber-rs"))
"""Runners that pass the context first."""


def passed_by_name(definition: StepDefinition, captured: Sequence[str]) -> bool:
    """True if the runner passes the captured arguments, with these names, by name."""
    return any(captured) and definition.framework in _BY_NAME


def parameters_of(definition: StepDefinition, form: Form, captured: Sequence[str]) -> dict[str, int]:
    """The parameters that get a captured argument, with that argument's place. `captured`: the names of the captured
    arguments, empty for those without one."""
    names = form.parameters
    if passed_by_name(definition, captured):
        return {name: captured.index(name) for name in names if name in captured}
    first = 1 if definition.framework in _WITH_CONTEXT else 0
    return {name: place for place, name in enumerate(names[first : first + len(captured)])}


def _of_others(mine: Form, theirs: Form, *, alike: bool) -> Related:
    """How two forms relate that are not the same. `alike`: except for a constant."""
    if mine.is_partial or theirs.is_partial:
        return Related(Relation.UNKNOWN)
    if alike:
        return differing_constant(mine, theirs) or Related(Relation.DIFFERENT)
    if contains(mine, theirs):
        return Related(Relation.CONTAINS)
    if contains(theirs, mine):
        return Related(Relation.CONTAINS, reversed=True)
    return Related(Relation.DIFFERENT)
