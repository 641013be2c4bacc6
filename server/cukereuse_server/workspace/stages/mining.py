"""The stage that finds what repeats as a whole: a snapshot of a suite, and what is mined from it in a thread."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.beginnings import Beginnings
from cukereuse_engine.blocks.findings import Repetition, find_repetition
from cukereuse_engine.blocks.folding import folding_cache
from cukereuse_engine.blocks.options import RepetitionOptions
from cukereuse_engine.blocks.short_forms import (
    Shortenable,
    ShortForm,
    ShortForms,
    SpelledOut,
    short_forms,
    shortenable,
    unfolding_of,
)
from cukereuse_engine.blocks.symbols import Meaning, Scenario, StepMeaning, remembering, scenarios_of
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.edits import whole_source
from cukereuse_engine.scanning.bound import meaning_of
from cukereuse_server.workspace.texts import Texts

if TYPE_CHECKING:
    from cukereuse_engine.blocks.unfolded import Unfolding

_PER_SLICE = 50
"""Texts whose meaning is looked up before questions may go first."""


@dataclass(frozen=True)
class Snapshot:
    """A suite to be mined in a thread."""

    steps: Sequence[Step]
    files: Mapping[str, FeatureFile]
    """Theirs, by path."""
    said: Mapping[str, StepMeaning]
    meaning: Meaning
    """The meaning of a step whose meaning is not in `said`."""
    contents: Mapping[str, bytes]
    """Contents of open files, by path."""
    shortenable: Sequence[Shortenable]
    forms: ShortForms | None
    """Known where step definitions are."""

    def read(self, path: str) -> bytes:
        return self.contents[path] if path in self.contents else Path(path).read_bytes()


@dataclass(frozen=True)
class Mined:
    repetition: Repetition
    files: Mapping[str, FeatureFile]
    """Files by path, as they were mined."""
    beginnings: Beginnings
    forms: ShortForms | None
    seconds: float


def _meanings(steps: Sequence[Step], meaning: Meaning) -> Generator[None, None, dict[str, StepMeaning]]:
    """The meaning of each text, in slices."""
    meanings: dict[str, StepMeaning] = {}
    for step in steps:
        if step.text and step.text not in meanings:
            meanings[step.text] = meaning(step)
            if not len(meanings) % _PER_SLICE:
                yield None
    return meanings


def snapshot(
    texts: Texts, glue: Glue | None, contents: Mapping[str, bytes], options: RepetitionOptions
) -> Iterator[Snapshot | None]:
    """A suite as it is, in slices; the last one is it."""
    bound_by = glue if glue is not None else Glue("")
    meaning = meaning_of(bound_by)
    meaning_now = meaning_of(bound_by, [entry.template for entry in texts.texts.values()])
    steps: list[Step] = []
    files: dict[str, FeatureFile] = {}
    for number, (path, entry) in enumerate(list(texts.files.items())):
        files[path] = entry.file
        steps += entry.file.steps
        if not number % _PER_SLICE:
            yield None
    meanings = yield from _meanings(steps, meaning_now)
    shorter: list[Shortenable] = []
    forms: ShortForms | None = None
    like = next((step for step in steps if step.text), None)
    if glue is not None and glue.definitions and like is not None and options.wants_blocks:
        unfolding = unfolding_of(glue, partial(_source_of, contents))
        known_forms = yield from _short_forms(glue, unfolding, like)
        if known_forms:
            forms = ShortForms(known_forms, unfolding)
            shorter = yield from _shortenable(glue, forms, files.values())
    yield Snapshot(steps, files, meanings, meaning, contents, shorter, forms)


def _short_forms(glue: Glue, unfolding: "Unfolding", like: Step) -> Generator[None, None, list[ShortForm]]:
    forms: list[ShortForm] = []
    for form in short_forms(glue, unfolding, like):
        forms += [form] if form is not None else []
        yield None
    return forms


def _shortenable(
    glue: Glue, forms: ShortForms, files: Iterable[FeatureFile]
) -> Generator[None, None, list[Shortenable]]:
    scenarios: list[Scenario] = []
    spelled_out: list[SpelledOut] = []
    for file in files:
        of_file = scenarios_of(step for step in file.steps if step.text)
        scenarios += of_file
        for scenario in of_file:
            spelled_out += forms.spelled_out(scenario, file.language)
            yield None
    return shortenable(glue, spelled_out, scenarios)


def _source_of(contents: Mapping[str, bytes], path: str) -> str:
    return whole_source(contents[path] if path in contents else Path(path).read_bytes())


def mine(
    snapshot: Snapshot,
    options: RepetitionOptions,
    clock: Callable[[], float],
    progress: Progress = SILENT,
    *,
    use_cache: bool = False,
) -> Mined:
    """For a thread. `clock`: in seconds."""
    begin = clock()
    repetition = find_repetition(
        snapshot.steps,
        snapshot.read,
        meaning=lambda step: snapshot.said[step.text],
        shortenable=snapshot.shortenable,
        options=options,
        cache=folding_cache() if use_cache else None,
        progress=progress,
    )
    beginnings = Beginnings(repetition.blocks, remembering(snapshot.meaning))
    return Mined(repetition, snapshot.files, beginnings, snapshot.forms, clock() - begin)
