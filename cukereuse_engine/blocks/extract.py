"""One step in place of a block: the plan.

The places say the new step, and its definition, written like the others of the suite, runs the steps that stood there.
The plan holds only if every scenario of the files calls the same functions with the same arguments before and after,
told by reading both again.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import cast

from cukereuse_engine.blocks.composite import WRITERS, Line, Piece
from cukereuse_engine.blocks.model import Block, Place
from cukereuse_engine.blocks.unfolded import unfolded
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType, Step
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.refactor.creation.phrase import Phrase
from cukereuse_engine.refactor.creation.plan import NoCreationError, model_for, plan_creation
from cukereuse_engine.refactor.edits import edited_bytes, source_text, span_edit
from cukereuse_engine.refactor.model import Bindings, FileEdits, TextEdit, Workspace
from cukereuse_engine.refactor.outline import said_name
from cukereuse_engine.refactor.target import Slot, TargetError, parse_target
from cukereuse_engine.text import template

_DIALECT = {KeywordType.CONTEXT: "given", KeywordType.ACTION: "when", KeywordType.OUTCOME: "then"}


class NoExtractionError(CukereuseError):
    """The block can't be taken out; the message says why."""


@dataclass(frozen=True, slots=True)
class LeftOutPlace:
    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class ExtractionPlan:
    wording: str
    """Of the new step, with a slot `{name}` for each parameter."""
    files: tuple[FileEdits, ...]
    """Feature files by path, and the source with the new definition."""
    places: tuple[Place, ...]
    left_out: tuple[LeftOutPlace, ...]
    model: StepDefinition
    """The definition that the new one is written like and stands below."""

    @property
    def steps_saved(self) -> int:
        return sum(place.length - 1 for place in self.places)


@dataclass(frozen=True, slots=True)
class _Said:
    """A place, with its steps cut at what their definitions capture."""

    place: Place
    frames: tuple[tuple[str, ...], ...]
    """Of each step, what stands around the arguments; quotes belong to it."""
    values: tuple[tuple[str, ...], ...]
    """Of each step, the arguments."""
    definitions: tuple[StepDefinition, ...]

    @property
    def key(self) -> tuple[object, ...]:
        functions = tuple(one.function_id for one in self.definitions)
        return self.frames, functions, self.place.steps[0].resolved_type


def plan_extraction(block: Block, workspace: Workspace, wording: str | None = None) -> ExtractionPlan:
    """Raises `NoExtractionError` with the reason where it can't be done, `ChangedFileError`, `OSError`.

    `wording`: of the new step, with a slot `{name}` for each of the block's parameters; None: one is proposed.
    """
    glue = workspace.glue
    if glue is None or not glue.definitions:
        raise NoExtractionError("no step definitions are known, so nobody can say what the new step would run")
    said, left_out = _usable(block, workspace, glue)
    model = model_for(said[0].definitions, glue.definitions)
    if model is None:
        raise NoExtractionError("no step definition of the suite can be copied for the new one")
    if model.framework not in WRITERS:
        known = ", ".join(sorted(WRITERS))
        raise NoExtractionError(f"steps can't be run from a step definition of {model.framework} (known: {known})")
    parameters = _Parameters.of(said)
    wordings = [wording] if wording is not None else parameters.proposed(said[0])
    for number, one in enumerate(wordings):
        try:
            plan = _planned(said, tuple(left_out), parameters, parameters.target(one), model, workspace)
            _check(plan, workspace, glue)
        except NoExtractionError:
            if number == len(wordings) - 1:
                raise
        else:
            return plan
    raise AssertionError("at least one wording is tried")


def _planned(
    said: Sequence[_Said],
    left_out: tuple[LeftOutPlace, ...],
    parameters: "_Parameters",
    target: "Target",
    model: StepDefinition,
    workspace: Workspace,
) -> ExtractionPlan:
    first = said[0]
    lines = _lines(first, parameters, workspace.files[first.place.path].language)
    step = replace(first.place.steps[0], text=parameters.in_names(target), examples=(), argument=None)
    written = [one.text for one in template.arguments(step.text)]
    slots = {slot.name: _quoted(slot, f"<{slot.name}>") for slot in target if isinstance(slot, Slot)}
    if any(slot not in written for slot in slots.values()):
        raise NoExtractionError("the parameters must be words of their own; choose other words with --as")

    def body(phrase: Phrase) -> Sequence[str]:
        """A constant in quotes is an argument of the new definition too, which nothing uses."""
        names = [phrase.parameters[written.index(slots[name])].name for name in parameters.names]
        return WRITERS[model.framework](lines, names)

    try:
        definition = plan_creation(step, model, workspace.read, body)
    except NoCreationError as error:
        raise NoExtractionError(str(error)) from None
    wording = "".join(one if isinstance(one, str) else f"{{{one.name}}}" for one in target)
    features = _feature_edits(said, parameters, target, workspace)
    return ExtractionPlan(wording, (*features, definition), tuple(one.place for one in said), left_out, model)


def _usable(block: Block, workspace: Workspace, glue: Bindings) -> tuple[list[_Said], list[LeftOutPlace]]:
    """Places that say the same but for their arguments; the most that do."""
    found: list[_Said] = []
    left_out: list[LeftOutPlace] = []
    for place in block.places:
        said = _said(place, workspace, glue)
        if isinstance(said, str):
            left_out.append(LeftOutPlace(place, said))
        else:
            found.append(said)
    if not found:
        raise NoExtractionError(left_out[0].reason)
    usual, _ = Counter(one.key for one in found).most_common(1)[0]
    left_out += [LeftOutPlace(one.place, "it has other words, or another keyword") for one in found if one.key != usual]
    kept = [one for one in found if one.key == usual]
    if len(kept) < 2:
        raise NoExtractionError("only one place could say the new step")
    return kept, left_out


def _said(place: Place, workspace: Workspace, glue: Bindings) -> _Said | str:
    """The place; or why it can't be taken."""
    if workspace.files[place.path].steps and place.steps[0].recovered:
        return "its file is not valid Gherkin"
    frames, values, definitions = [], [], []
    for step in place.steps:
        if step.argument is not None:
            return f"a {step.argument} is attached to “{step.text}”"
        matches = [match for bound in glue.bind(replace(step, examples=())).texts for match in bound.matches]
        if len(matches) != 1:
            return f"“{step.text}” binds to {len(matches) or 'no'} step definitions"
        spans = sorted((one.start, one.end) for one in matches[0].arguments if one.start >= 0)
        if any(end > start for (_, end), (start, _) in itertools.pairwise(spans)):
            return f"the arguments of “{step.text}” stand in each other"
        around, inside, at = [], [], 0
        for start, end in spans:
            written = step.text[start:end]
            quoted = len(written) > 1 and written[0] in "\"'" and written[-1] == written[0]
            begin, stop = (start + 1, end - 1) if quoted else (start, end)
            around.append(step.text[at:begin])
            inside.append(step.text[begin:stop])
            at = stop
        frames.append((*around, step.text[at:]))
        values.append(tuple(inside))
        definitions.append(matches[0].definition)
    lines = {step.line for step in place.steps}
    comments = {comment.line for comment in workspace.files[place.path].comments}
    if any(place.line < line < place.last_line and line not in lines for line in comments):
        return "a comment stands among its steps"
    return _Said(place, tuple(frames), tuple(values), tuple(definitions))


Target = Sequence[str | Slot]


@dataclass(frozen=True, slots=True)
class _Parameters:
    names: tuple[str, ...]
    places: Mapping[tuple[int, int], int]
    """Step and argument to the parameter that stands there."""

    @classmethod
    def of(cls, said: Sequence[_Said]) -> "_Parameters":
        columns: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for step, row in enumerate(said[0].values):
            for argument in range(len(row)):
                column = tuple(one.values[step][argument] for one in said)
                if len(set(column)) > 1:
                    columns.setdefault(column, []).append((step, argument))
        names: list[str] = []
        for at in columns.values():
            step, argument = at[0]
            text = said[0].place.steps[step].text
            masked = masked_arguments(text)
            base = said_name(text, masked[argument]) if argument < len(masked) else "value"
            base = "".join(one if one.isalnum() and one.isascii() else "_" for one in base).strip("_") or "value"
            base = f"a_{base}" if base[0].isdigit() else base
            tries = (base, *(f"{base}{number}" for number in range(2, len(columns) + 2)))
            names.append(next(name for name in tries if name not in names))
        return cls(tuple(names), {at: number for number, places in enumerate(columns.values()) for at in places})

    def values(self, said: _Said) -> dict[str, str]:
        return {self.names[number]: said.values[step][argument] for (step, argument), number in self.places.items()}

    def target(self, wording: str) -> Target:
        """What the new step says. Raises `NoExtractionError` for a wording without the parameters."""
        try:
            parts = parse_target(wording).parts
        except TargetError as error:
            raise NoExtractionError(str(error)) from None
        slots = [one.name for one in parts if isinstance(one, Slot)]
        if sorted(slots) != sorted(self.names):
            wanted = ", ".join(f"{{{name}}}" for name in self.names) or "none"
            raise NoExtractionError(f"the new step needs these parameters, each once: {wanted}")
        return parts

    def proposed(self, first: _Said) -> list[str]:
        """Wordings to try: the first step's words, then the parameters that it has not; and the same behind words that
        no pattern which takes any text begins with."""
        text = ""
        rest = list(range(len(self.names)))
        for argument, words in enumerate(first.frames[0]):
            text += words.replace("{", "{{").replace("}", "}}")
            if argument < len(first.values[0]):
                number = self.places.get((0, argument))
                value = first.values[0][argument].replace("{", "{{").replace("}", "}}")
                text += value if number is None else f"{{{self.names[number]}}}"
                if number in rest:
                    rest.remove(number)
        slots = " and ".join(f"{self.names[number]} {{{self.names[number]}}}" for number in rest)
        usual = f"{text}, with {slots}" if rest else f"{text}, in {first.place.length} steps"
        return [usual, f"all {first.place.length} steps from: {text}{f', with {slots}' if rest else ''}"]

    def in_names(self, target: Target) -> str:
        """The step as its definition is made from: `"<name>"` for each slot."""
        return "".join(one if isinstance(one, str) else _quoted(one, f"<{one.name}>") for one in target)

    def at(self, said: _Said, target: Target) -> str:
        """The step at one place."""
        values = self.values(said)
        return "".join(one if isinstance(one, str) else _quoted(one, values[one.name]) for one in target)


def _quoted(slot: Slot, value: str) -> str:
    quote = slot.quote or '"'
    return f"{quote}{value}{quote}"


def _lines(first: _Said, parameters: _Parameters, language: str) -> list[Line]:
    lines: list[Line] = []
    for number, step in enumerate(first.place.steps):
        pieces: list[Piece] = []
        for argument, words in enumerate(first.frames[number]):
            pieces.append(words)
            if argument < len(first.values[number]):
                known = parameters.places.get((number, argument))
                pieces.append(first.values[number][argument] if known is None else known)
        keyword = _keyword(step, language) if number == 0 else step.keyword
        lines.append((keyword, pieces))
    return lines


def _keyword(step: Step, language: str) -> str:
    """One that says the step's type by itself."""
    from gherkin.dialect import DIALECTS

    if step.keyword_type is not KeywordType.CONJUNCTION or step.resolved_type not in _DIALECT:
        return step.keyword
    words = cast("Mapping[str, list[str]]", DIALECTS[language])[_DIALECT[step.resolved_type]]
    return next(word for word in words if word.strip() != "*")


def _feature_edits(
    said: Sequence[_Said], parameters: _Parameters, target: Target, workspace: Workspace
) -> list[FileEdits]:
    by_path: dict[str, list[_Said]] = {}
    quotes = {slot.name: slot.quote or '"' for slot in target if isinstance(slot, Slot)}
    for one in said:
        if any(quotes[name] in value for name, value in parameters.values(one).items()):
            raise NoExtractionError(f"a value holds a quote: {one.place.path}:{one.place.line}")
        by_path.setdefault(one.place.path, []).append(one)
    files = []
    for path, group in sorted(by_path.items()):
        file = workspace.files[path]
        text = decode(workspace.read(path)).text
        edits = [edit for one in group for edit in _edits(one, parameters.at(one, target), text, file)]
        ordered = tuple(sorted(edits, key=lambda edit: edit.start))
        files.append(FileEdits(path, file.content_hash, ordered, False, file.encoding))
    return files


def _edits(said: _Said, new: str, text: str, file: FeatureFile) -> list[TextEdit]:
    """The first step says the new words, the others go; what followed them keeps its type."""
    place = said.place
    lines, starts = split_lines(text)
    first, last = place.steps[0], place.steps[-1]
    end = starts[last.line - 1] + len(lines[last.line - 1])
    edits = [span_edit(text, first.span.start, end, new)]
    following = place.scenario.steps[place.start + place.length :][:1]
    if following and following[0].keyword_type is KeywordType.CONJUNCTION and first.resolved_type != last.resolved_type:
        step = following[0]
        start = step.span.start - len(step.keyword)
        edits.append(span_edit(text, start, step.span.start, _keyword(step, file.language)))
    return edits


def _check(plan: ExtractionPlan, workspace: Workspace, glue: Bindings) -> None:
    """Every scenario of the files calls what it called, and no other step binds otherwise. Raises
    `NoExtractionError`."""
    *features, definition = plan.files
    data = {file.path: workspace.read(file.path) for file in plan.files}
    old_source = source_text(data[definition.path])
    new_source = source_text(edited_bytes(definition, data[definition.path]))

    def before(path: str) -> str:
        return old_source if path == definition.path else source_text(workspace.read(path))

    def after(path: str) -> str:
        return new_source if path == definition.path else source_text(workspace.read(path))

    was = {path: _unfolded(workspace.files[path], glue, before) for path in (file.path for file in features)}
    known = len(glue.definitions)
    with ExitStack() as undo:
        undo.callback(glue.update_file, definition.path, data[definition.path])
        changed = glue.update_file(definition.path, edited_bytes(definition, data[definition.path]))
        if len(glue.definitions) != known + 1:
            raise NoExtractionError("the source would define other steps; choose other words")
        taken = list(workspace.saying(changed))
        if taken:
            raise NoExtractionError(
                f"the new definition would match “{taken[0].text}” too; choose other words with --as"
            )
        for file in features:
            read = read_bytes(file.path, edited_bytes(file, data[file.path]))
            undo.callback(glue.update_feature, file.path, workspace.files[file.path].steps)
            glue.update_feature(file.path, read.steps)
            if len(read.errors) != len(workspace.files[file.path].errors):
                raise NoExtractionError(f"{file.path} would not be read; choose other words with --as")
            if _unfolded(read, glue, after) != was[file.path]:
                raise NoExtractionError(
                    f"{file.path}: a scenario would not call the same functions with the same arguments"
                )


def _unfolded(file: FeatureFile, glue: Bindings, source_of: Callable[[str], str]) -> object:
    return unfolded(file.steps, glue, source_of, file.language)
