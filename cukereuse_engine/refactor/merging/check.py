"""Checks merges: the usual readers read the edited sources again.

Every step must bind to the expression that it had, or to what replaces it, with the same arguments; every expression
must run the same code as before. It knows what a plan changes in expressions, not how its edits came about.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import replace

from cukereuse_engine.functions.breakage import breaks
from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.helpers import substitute
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.functions.tokens import OWN, PARAMETER
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor import check as renames
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.loading import unloadable
from cukereuse_engine.refactor.merging.merge_plan import ExpressionChange, MergePlan, combined
from cukereuse_engine.refactor.rename_plan import Bindings, ReadSuites
from cukereuse_engine.refactor.unmergeable import UnmergeableError

_PLACE = re.compile(r"(?<=@)\d+(?=\0)")
_Label = tuple[object, ...]
"""The identity of a definition that moves: runner, kind, expression, keywords."""
_Codes = dict[_Label, list[Form | str]]
"""The functions that run for a label; only the name of an unknown one."""


class Checker:
    """Checks merges in some suites. For one thread."""

    def __init__(self, suites: ReadSuites) -> None:
        self._suites = suites
        self._functions: Functions | None = None

    def check(self, plans: Sequence[MergePlan]) -> None:
        """Raises `UnmergeableError` if, after all of the plans, a step would bind differently or an expression would
        run other code. Leaves the suites as they were."""
        glue = self._suites.glue
        if glue is None or not plans:
            return
        if any(plan.moves for plan in plans):
            breakages = renames.check(self._suites, combined(plans), move=True).breakages
            if breakages:
                raise UnmergeableError(f"{breakages[0].step.path}:{breakages[0].step.line}: {breakages[0].reason}")
            return
        self._check_bindings(glue, plans)

    def _check_bindings(self, glue: Bindings, plans: Sequence[MergePlan]) -> None:
        gone = {_label(definition) for plan in plans if plan.keep is None for definition in plan.others}
        changes = {_label(change.definition): change for plan in plans for change in plan.changes}
        plain = self._plain(glue)
        before = _codes(plain, glue)
        files = combined(plans)
        paths = {file.path for file in files}
        unloadable_before = _unloadable(glue, paths)
        changed = _texts_of(glue, paths)
        with ExitStack() as undo:
            for file in files:
                data = self._suites.read(file.path)
                edited = edited_bytes(file, data)
                undo.callback(self._put, glue, file.path, data)
                if breaks(file.path, data, edited):
                    raise UnmergeableError(f"{file.path} would no longer parse")
                changed |= self._put(glue, file.path, edited)
            changed |= _texts_of(glue, paths)
            steps = list(self._suites.saying(changed))
            bound = [_bound(glue.bind(step), {}) for step in steps]
            after = _codes(plain, glue)
            unloadable_after = _unloadable(glue, paths)
        for wrong in unloadable_after - unloadable_before:
            raise UnmergeableError(f"a step definition would not be loaded: {wrong}")
        for step, new in zip(steps, bound, strict=True):
            if any(map(_differ, _bound(glue.bind(step), changes), new)):
                raise UnmergeableError(f"{step.path}:{step.line} would bind differently: {step.text}")
        _compare(before, after, gone, changes, moves=any(plan.keep is not None for plan in plans))

    def _plain(self, glue: Bindings) -> Functions:
        """The functions' own code, without what called steps do: that must not change."""
        if self._functions is None:
            self._functions = Functions(self._read)
            self._functions.load(glue.definitions)
        return self._functions

    def _read(self, path: str) -> bytes | None:
        try:
            return self._suites.read(path)
        except OSError:
            return None

    def _put(self, glue: Bindings, path: str, data: bytes) -> set[str]:
        changed = glue.update_file(path, data)
        self._plain(glue).update(path, data, glue.extracted(path, data).definitions)
        return changed


def _texts_of(glue: Bindings, paths: Set[str]) -> set[str]:
    """The texts that definitions of these files match now; texts that nobody asked for are not bound."""
    return {
        text for definition in glue.definitions if definition.path in paths for text in glue.texts_of(definition.id)
    }


def _label(definition: StepDefinition, expression: str | None = None) -> _Label:
    expression_after = definition.expression if expression is None else expression
    keywords = tuple(sorted(definition.keyword_types))
    return definition.framework, definition.kind, expression_after, keywords, definition.flags, definition.anchoring


def _bound(binding: StepBinding, changes: Mapping[_Label, ExpressionChange]) -> list[Counter[tuple[object, ...]]]:
    """What each text of a step binds to, or will bind to, with its arguments."""
    counts = []
    for text in binding.texts:
        count: Counter[tuple[object, ...]] = Counter()
        for match in text.matches:
            label, values = _label(match.definition), [argument.value for argument in match.arguments]
            change = changes.get(label)
            if change is not None:
                label = _label(change.definition, change.expression)
                if change.place >= 0:
                    values.insert(change.place, change.value)
            count[label, tuple(values)] += 1
        counts.append(count)
    return counts


def _differ(before: Counter[tuple[object, ...]], after: Counter[tuple[object, ...]]) -> bool:
    """True if a text binds differently. Of several matches with one expression, one may be left."""
    return before.keys() != after.keys() or not after <= before


def _unloadable(glue: Bindings, paths: Set[str]) -> set[str]:
    """The reasons why runners do not load some of the definitions."""
    here = (definition for definition in glue.definitions if definition.path in paths)
    return {f"{wrong} (“{definition.expression}”)" for definition in here if (wrong := unloadable(definition))}


def _codes(functions: Functions, glue: Bindings) -> _Codes:
    codes: _Codes = {}
    for definition in glue.definitions:
        form = functions.form(definition)
        codes.setdefault(_label(definition), []).append(form if form is not None else definition.function_name)
    return codes


def _compare(
    before: _Codes, after: _Codes, gone: set[_Label], changes: Mapping[_Label, ExpressionChange], *, moves: bool
) -> None:
    """`moves`: code may move into other functions, so the places of the functions around it count."""
    placed = tuple if moves else _without_places
    wanted: set[_Label] = set()
    for label, codes in before.items():
        if label in gone:
            continue
        change = changes.get(label)
        now = label if change is None else _label(change.definition, change.expression)
        wanted.add(now)
        runs = {placed(_tokens(code, change)) for code in after.get(now, ())}
        if runs != {placed(_tokens(code, None)) for code in codes}:
            raise UnmergeableError(f"“{label[2]}” would run different code or disappear")
    if after.keys() - wanted - gone:
        raise UnmergeableError("the step definitions would change")


def _without_places(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Without the places of enclosing functions whose variables are used: deletions above move them."""
    return tuple(_PLACE.sub("", token) if token[:1] == OWN else token for token in tokens)


def _tokens(code: Form | str, change: ExpressionChange | None) -> tuple[str, ...]:
    """The code of a function, with a removed definition's constant in place of the parameter for it."""
    if isinstance(code, str):
        return ("?", code)
    if change is None or change.parameter < 0:
        return code.tokens
    taken = change.parameter
    handed: dict[str, tuple[str, ...]] = {f"{PARAMETER}{taken}": (change.token,)}
    handed |= {f"{PARAMETER}{at}": (f"{PARAMETER}{at - 1}",) for at in range(taken + 1, taken + 20)}
    statements = tuple(substitute(statement, handed) for statement in code.statements)
    return replace(code, statements=statements, signature=_without(code.signature, taken)).tokens


def _without(signature: tuple[str, ...], taken: int) -> tuple[str, ...]:
    """A signature without the type of one parameter; the later ones are renumbered."""
    missing: list[str] = []
    skipping = False
    for token in signature:
        if token[:1] == PARAMETER and token[1:].isdigit():
            number = int(token[1:])
            skipping = number == taken
            token = f"{PARAMETER}{number - (number > taken)}"
        if not skipping:
            missing.append(token)
    return tuple(missing)
