"""Plans the replacement of a block by one step.

The places get the new step. Its definition, written like the others of the suite, runs the steps that were there. The
plan is valid only if every scenario of the files calls the same functions with the same arguments before and after;
both are read again to compare them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from cukereuse_engine.blocks.argument_names import At
from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.calling.functions import NotCallableError, SuiteFunctions
from cukereuse_engine.blocks.calling.write import BlockCalls
from cukereuse_engine.blocks.composite import WRITERS, Line, Piece, why_not
from cukereuse_engine.blocks.cut_places import CutPlace, LeftOutPlace, NoExtractionError, UnfitWordingError, usable
from cukereuse_engine.blocks.extraction_plan import ExtractionPlan
from cukereuse_engine.blocks.karate.extract import plan_karate_extraction
from cukereuse_engine.blocks.replacing import keyword_of, replaced
from cukereuse_engine.blocks.slots import BlockParameters, Target, Use
from cukereuse_engine.blocks.unfolded import Unfolding, difference
from cukereuse_engine.functions.breakage import breaks
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import Examples
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import listed
from cukereuse_engine.refactor.code_parts.snippet import Body, Phrase
from cukereuse_engine.refactor.creation.planning import NoCreationError, model_for, plan_creation
from cukereuse_engine.refactor.edits import edited_bytes, whole_source
from cukereuse_engine.refactor.rename_plan import Bindings, FileEdits, ReadSuites, TextEdit
from cukereuse_engine.refactor.target import Slot
from cukereuse_engine.text import template


class _Way(Protocol):
    """How the new definition's code runs what the steps did."""

    model: StepDefinition

    def use(self, at: At, /) -> Use:
        """How the code uses an argument."""

    def body(self, parameters: BlockParameters, names: Sequence[str], order: Sequence[int], /) -> Body:
        """`names`: the names of the parameters in the definition's expression; `order`: their order there. Raises
        `NoExtractionError`."""

    def moved(self) -> Mapping[str, Sequence[TextEdit]]:
        """The edits that the new definition needs, by file."""


def plan_extraction(block: Block, suites: ReadSuites, wording: str | None = None) -> ExtractionPlan:
    """Plan to replace a block. Raises `NoExtractionError` with the reason, `ChangedFileError`, `OSError`.

    `wording`: of the new step, with a slot `{name}` for each of the block's parameters, or the name of Karate's new
    scenario; None: one is proposed.
    """
    if block.places[0].scenario.is_karate:
        return plan_karate_extraction(block, suites, wording)
    glue = suites.glue
    if glue is None or not glue.definitions:
        raise NoExtractionError("no step definitions are known, so the new step would have nothing to run")
    places, left_out = usable(block, suites, glue)
    reasons: list[NoExtractionError] = []
    ways: list[type[_Calling | _Running]] = [_Calling]
    if any(definition.framework in WRITERS for definition in places[0].definitions):
        ways.append(_Running)
    for way_of in ways:
        try:
            way = way_of(places[0], suites, glue)
        except _NoWayError as error:
            reasons.append(error)
            continue
        parameters = BlockParameters.of(places, way.use, suites.read)
        language = suites.files[places[0].place.path].language
        wordings = [wording] if wording is not None else parameters.proposed(places[0], language)
        for tried in wordings:
            try:
                plan = _planned(places, tuple(left_out), parameters, parameters.target(tried), way, suites)
                _check(plan, suites, glue)
            except NoExtractionError as error:
                reasons.append(error)
            else:
                return plan
    # the reason why another way failed says more than that there is no way of this kind
    tried_in_vain = [reason for reason in reasons if not isinstance(reason, _NoWayError)]
    if tried_in_vain:
        raise tried_in_vain[-1]
    raise NoExtractionError("; and ".join(dict.fromkeys(map(str, reasons))))


class _NoWayError(NoExtractionError):
    """The block's steps can't be run in this way."""


class _Calling:
    """The new function calls the functions of the steps."""

    def __init__(self, first: CutPlace, suites: ReadSuites, glue: Bindings) -> None:
        suite = SuiteFunctions(lambda path: whole_source(suites.read(path), path), glue.definitions)
        try:
            self._calls = BlockCalls(first.matches, suite)
            self.model = self._calls.model
        except NotCallableError as error:
            raise _NoWayError(str(error)) from None

    def use(self, at: At) -> Use:
        argument = self._calls.argument(at)
        return Use(argument.kind, argument.type, argument.can_be_said or not self._calls.style.any_type)

    def body(self, parameters: BlockParameters, names: Sequence[str], order: Sequence[int]) -> Body:
        try:
            return self._calls.body(parameters.places, names, order)
        except NotCallableError as error:
            raise NoExtractionError(str(error)) from None

    def moved(self) -> Mapping[str, Sequence[TextEdit]]:
        try:
            return self._calls.moved()
        except NotCallableError as error:
            raise NoExtractionError(str(error)) from None


class _Running:
    """The new function asks the runner to run the steps."""

    def __init__(self, first: CutPlace, suites: ReadSuites, glue: Bindings) -> None:
        model = model_for(first.place.steps[0], first.definitions, glue.definitions)
        if model is None:
            raise _NoWayError("no step definition of the suite can serve as the model for the new one")
        if model.framework not in WRITERS:
            raise _NoWayError(f"no way is known to run steps from a step definition of {model.framework}")
        language = suites.files[first.place.path].language
        reason = why_not(model, whole_source(suites.read(model.path), model.path), language)
        if reason:
            raise _NoWayError(reason)
        self.model = model
        self._first = first
        self._language = language

    def use(self, _: At) -> Use:
        return Use()

    def body(self, parameters: BlockParameters, names: Sequence[str], _: Sequence[int]) -> Body:
        return WRITERS[self.model.framework](_lines(self._first, parameters, self._language), names)

    def moved(self) -> Mapping[str, Sequence[TextEdit]]:
        return {}


def _planned(
    places: Sequence[CutPlace],
    left_out: tuple[LeftOutPlace, ...],
    parameters: BlockParameters,
    target: Target,
    way: _Way,
    suites: ReadSuites,
) -> ExtractionPlan:
    first = places[0]
    features = _feature_edits(places, parameters, target, suites)
    rows = tuple(row for cut_place in places for row in parameters.rows(cut_place))
    examples = (Examples(0, parameters.names, rows, ()),) if parameters.names else ()
    step = structs.replace(first.place.steps[0], text=parameters.in_names(target), examples=examples, argument=None)
    written = [argument.text for argument in template.arguments(step.text)]
    slots = [parameters.say(slot, f"<{slot.name}>") for slot in _slots(target)]
    joined = [f"{{{slot.name}}}" for slot, said in zip(_slots(target), slots, strict=True) if said not in written]
    if joined:
        needed = listed([f"{{{name}}}" for name in parameters.names])
        reason = f"{listed(joined)} can't be inside quotes or a longer word"
        raise UnfitWordingError(f"{reason}; choose another wording with spaces around {needed}")

    def body(phrase: Phrase) -> Body:
        own = {slot.name: parameter.name for slot, parameter in zip(_slots(target), phrase.parameters, strict=True)}
        order = [parameters.names.index(name) for name in own]
        return way.body(parameters, [own[name] for name in parameters.names], order)

    try:
        definition = plan_creation(step, way.model, suites.read, body, slots)
    except NoCreationError as error:
        raise NoExtractionError(str(error)) from None
    moved = dict(way.moved())
    beside = moved.pop(definition.path, ())
    definition = replace(definition, edits=tuple(sorted((*beside, *definition.edits), key=lambda edit: edit.start)))
    others = [
        FileEdits(path, content_hash(suites.read(path)), tuple(edits), is_glue=True, encoding="utf-8")
        for path, edits in sorted(moved.items())
    ]
    wording = "".join(part if isinstance(part, str) else f"{{{part.name}}}" for part in target)
    return ExtractionPlan(
        wording, (*features, *others, definition), tuple(cut_place.place for cut_place in places), left_out, way.model
    )


def _slots(target: Target) -> list[Slot]:
    return [part for part in target if isinstance(part, Slot)]


def _lines(first: CutPlace, parameters: BlockParameters, language: str) -> list[Line]:
    lines: list[Line] = []
    for number, step in enumerate(first.place.steps):
        pieces: list[Piece] = []
        for argument, words in enumerate(first.frames[number]):
            pieces.append(words)
            if argument < len(first.values[number]):
                parameter = parameters.places.get((number, argument))
                pieces.append(first.values[number][argument] if parameter is None else parameter)
        keyword = keyword_of(step, language) if number == 0 else step.keyword
        lines.append((keyword, pieces))
    return lines


def _feature_edits(
    places: Sequence[CutPlace], parameters: BlockParameters, target: Target, suites: ReadSuites
) -> list[FileEdits]:
    by_path: dict[str, list[CutPlace]] = {}
    for cut_place in places:
        by_path.setdefault(cut_place.place.path, []).append(cut_place)
    files = []
    for path, group in sorted(by_path.items()):
        file = suites.files[path]
        text = decode(suites.read(path)).text
        edits = [
            edit
            for cut_place in group
            for edit in replaced(cut_place.place, parameters.at(cut_place, target), text, file)
        ]
        ordered = tuple(sorted(edits, key=lambda edit: edit.start))
        files.append(FileEdits(path, file.content_hash, ordered, False, file.encoding))
    return files


def _named(definition: StepDefinition) -> tuple[object, ...]:
    """A key of a definition that does not depend on its place in the file."""
    return definition.path, definition.expression, definition.keyword_types, definition.limits


def _check(plan: ExtractionPlan, suites: ReadSuites, glue: Bindings) -> None:
    """Check that every scenario of the files calls what it called, and that no other step binds differently. Raises
    `NoExtractionError`."""
    features = [file for file in plan.files if not file.is_glue]
    sources = [file.path for file in plan.files if file.is_glue]
    data = {file.path: suites.read(file.path) for file in plan.files}
    edited = {file.path: edited_bytes(file, data[file.path]) for file in plan.files}
    for path in sources:
        if breaks(path, data[path], edited[path]):
            raise NoExtractionError(f"{path} would no longer parse")
    was = _unfolding(glue, data, suites)
    scenarios = {file.path: was.scenarios(suites.files[file.path]) for file in features}
    before_all = Counter(map(_named, glue.definitions))
    with ExitStack() as undo:
        for path in sources:
            undo.callback(glue.update_file, path, data[path])
            glue.update_file(path, edited[path])
        _check_new(suites, glue, before_all)
        now = _unfolding(glue, {path: edited[path] for path in sources}, suites)
        for file in features:
            read = read_bytes(file.path, edited[file.path])
            undo.callback(glue.update_feature, file.path, suites.files[file.path].steps)
            glue.update_feature(file.path, read.steps)
            if len(read.errors) != len(suites.files[file.path].errors):
                raise NoExtractionError(f"{file.path} would not be recognised; choose another wording")
            differs = difference(scenarios[file.path], now.scenarios(read))
            if differs:
                raise NoExtractionError(f"{file.path}: {differs}")


def _unfolding(glue: Bindings, sources: Mapping[str, bytes], suites: ReadSuites) -> Unfolding:
    """Unfolds scenarios by the contents in `sources`; other sources are read."""

    def source(path: str) -> str:
        return whole_source(sources[path] if path in sources else suites.read(path), path)

    return Unfolding(glue, source)


def _check_new(suites: ReadSuites, glue: Bindings, before: Counter[tuple[object, ...]]) -> None:
    """One definition is new, and no step has it yet. Raises `NoExtractionError`."""
    new = Counter(map(_named, glue.definitions)) - before
    if new.total() != 1 or len(glue.definitions) != before.total() + 1:
        raise NoExtractionError("the edited source would define different steps; choose another wording")
    texts = [text for defined in glue.definitions if _named(defined) in new for text in glue.texts_of(defined.id)]
    taken = next(iter(suites.saying(texts)), None)
    if taken is not None:
        raise NoExtractionError(f"the new definition would match “{taken.text}” too; choose another wording")
