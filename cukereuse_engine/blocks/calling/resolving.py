"""Finds the place of a called function from what the caller's file imports, declares and contains."""

from pathlib import PurePath

from cukereuse_engine.blocks.calling.elsewhere.objects import held_by
from cukereuse_engine.blocks.calling.elsewhere.scripts import exported
from cukereuse_engine.blocks.calling.functions import SourceFunctions, StepFunction, SuiteFunctions, style_of
from cukereuse_engine.refactor.call_style import Way

Place = tuple[SourceFunctions, str, int]
"""The source, the function's name there, and its class there."""


def stands_at(member: str, name: str, caller: StepFunction, suite: SuiteFunctions) -> Place | None:
    """The place of a called function; None if unknown. `member`: the text before its name, without `this`."""
    source, language = suite.of(caller.definition.path), caller.definition.language
    way = style_of(caller.definition).way
    if not member:
        own = source.by_place.get((name, caller.owner))
        return (source, name, caller.owner) if own else _imported(name, "", source, suite, way)
    if way is Way.RUST_MODULES:
        return _of_rust(member.split("."), name, source, suite)
    if caller.owner < 0:
        return _imported(member, name, source, suite, way)
    around = source.class_at(caller.owner)
    types = {type_name for held, type_name in held_by(around, source) if held == member} if around is not None else ()
    classes = [class_ for type_name in types for class_ in suite.classes(type_name, language)]
    if len(classes) != 1:
        return None
    ((theirs, owner),) = classes
    return theirs, name, owner


def _imported(local: str, inside: str, source: SourceFunctions, suite: SuiteFunctions, way: Way) -> Place | None:
    """The place of an imported function. `inside`: its name in the module `local`; empty if `local` is the function."""
    if source.names is None or local not in source.names.imports:
        return None
    module, name = source.names.imports[local]
    target = suite.module(module, source.path)
    if inside and name not in ("", "default"):
        return None
    name = inside or name
    if target is None or not name or (way is Way.SCRIPT_MODULES and name not in exported(target)):
        return None
    return target, name, -1


def _of_rust(path: list[str], name: str, source: SourceFunctions, suite: SuiteFunctions) -> Place | None:
    """The place of `super::login::open`, `login::open` or `super::open`."""
    own = PurePath(source.path)
    candidates = {
        ("super",): [candidate for candidate in suite.beside(source.path) if candidate.path != source.path],
        ("super", path[-1]): [
            candidate for candidate in suite.beside(source.path) if PurePath(candidate.path).stem == path[-1]
        ],
        (path[0],): [candidate for candidate in suite.beside(source.path) if PurePath(candidate.path).stem == path[0]],
    }.get(tuple(path), [])
    if tuple(path) == ("super",):
        candidates = [candidate for candidate in candidates if f"mod {own.stem};" in candidate.text]
    return (candidates[0], name, -1) if len(candidates) == 1 else None
