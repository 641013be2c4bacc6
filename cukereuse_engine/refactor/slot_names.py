"""Finds the argument of a step for a slot with a name: the expression or the function calls it so.

A person who writes `{name} gets {amount}` means the arguments by their names, in any order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import by_name, parameters, slots_of
from cukereuse_engine.refactor.target import Target, TargetError, unknown_slot


def by_their_names(
    target: Target, definitions: Iterable[StepDefinition], there: Sequence[int], read: Callable[[str], bytes]
) -> Target:
    """The target with each argument in the slot of its name; unchanged if its slots are numbered.

    `definitions`: those of the step to rename. `there`: their parameters that take part in it. `read` gives a source.
    Raises `TargetError` if the definitions don't tell which argument a slot means.
    """
    slots = [slot.name for slot in target.slots]
    if not slots or any(slot.isdigit() for slot in slots):
        return target
    orders: dict[tuple[int, ...], StepDefinition] = {}
    numbered = ", ".join(f"{{{number}}}" for number in _numbers(slots))
    for definition in definitions:
        try:
            taken = slots_of(definition, len(slots), there)
        except UnwritableError:
            return target  # other errors are reported when the definition is rewritten
        orders.setdefault(_order(slots, taken, definition, read), definition)
    if len(orders) > 1:
        places = " and ".join(definition.place for definition in [*orders.values()][:2])
        raise TargetError(f"the step definitions at {places} name their arguments differently", f"Write {numbered}.")
    if not orders and len(slots) > 1:
        message = "the target names its slots, but no step definition names the arguments of the step"
        raise TargetError(message, f"Number the slots in the order of the step's arguments: {numbered}.")
    return replace(target, order=next(iter(orders))) if orders else target


def _order(
    slots: Sequence[str], taken: Sequence[int], definition: StepDefinition, read: Callable[[str], bytes]
) -> tuple[int, ...]:
    """The argument for each slot, as an index of `taken`. Raises `TargetError`."""
    own = parameters(definition).found
    named = [own[place].name for place in taken]
    if by_name(definition) and all(named.count(slot) == 1 for slot in slots):
        return tuple(map(named.index, slots))
    called = _function_names(definition, taken, read)
    where = f"the step definition at {definition.place}"
    order: list[int] = []
    unknown: list[str] = []
    for slot in slots:
        places = [at for at, pair in enumerate(zip(named, called, strict=True)) if slot in pair]
        if len(places) > 1:
            message = f"{{{slot}}} in the target may be several arguments of {where}"
            raise TargetError(message, "Number the slots: {1}.")
        order += places
        unknown += [] if places else [slot]
    if len(order) == len(slots) == len({*order}):
        return tuple(order)
    if len(slots) == 1 and (definition.kind is ExpressionKind.CUCUMBER or not named[0]):
        return (0,)  # there is only one
    first = [*unknown, slots[0]][0]
    raise TargetError(f"{unknown_slot(first, _slot_names(named, called, slots))} ({where})")


def _slot_names(named: Sequence[str], called: Sequence[str], slots: Sequence[str]) -> Sequence[str]:
    """The best names for arguments: those in the function, those in the expression, or numbers."""
    if all(called):
        return called
    return named if len({*named}) == len(named) and all(named) else [*map(str, _numbers(slots))]


def _numbers(slots: Sequence[str]) -> range:
    return range(1, len(slots) + 1)


def _function_names(definition: StepDefinition, taken: Sequence[int], read: Callable[[str], bytes]) -> list[str]:
    """For each argument, the name of the function's parameter that takes it by position; empty if unknown."""
    from cukereuse_engine.refactor.reordering import parameters_taking  # with the grammars of all languages

    unknown = [""] * len(taken)
    own = parameters(definition).found
    try:
        taking = parameters_taking(definition, read(definition.path))
    except OSError:
        return unknown
    if taking is None or (by_name(definition) and all(own[place].name for place in taken)):
        return unknown
    firsts = [sum(parameter.captures for parameter in own[:place]) for place in taken]
    return [taking.names[first] if first < len(taking.names) else "" for first in firsts]
