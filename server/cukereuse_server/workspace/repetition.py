"""What repeats as a whole in a suite: blocks and scenarios, mined when nobody types, and moved along meanwhile.

A suite is mined again once steps are others than they were, at most a twentieth of the time: what a keystroke costs is
to tell where the steps of the findings stand now. A place whose steps are others says nothing until then.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from time import monotonic

from cukereuse_engine.blocks import block as blocks
from cukereuse_engine.blocks.beginnings import Beginnings
from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.findings import Repetition, RepetitionOptions, find_repetition
from cukereuse_engine.blocks.folding import folding_cache
from cukereuse_engine.blocks.short_forms import (
    Shortenable,
    ShortForm,
    ShortForms,
    SpelledOut,
    short_forms,
    shortenable,
)
from cukereuse_engine.blocks.symbols import Meaning, Scenario, StepMeaning, remembering, scenarios_of
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.edits import whole_source
from cukereuse_engine.scanning.bound import meaning_of
from cukereuse_engine.scanning.options import repetition_options
from cukereuse_engine.settings import Settings
from cukereuse_server.workspace.moved import Shift, parts_of
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.standing import Standing
from cukereuse_server.workspace.texts import Texts

_PER_SLICE = 50
"""Texts whose meaning is looked up before questions may go first."""
_SHARE = 20
"""After mining, so many times as long as that took nothing is mined."""


@dataclass(frozen=True)
class Snapshot:
    """A suite to be mined in a thread."""

    steps: Sequence[Step]
    files: Mapping[str, FeatureFile]
    """Theirs, by path."""
    said: Mapping[str, StepMeaning]
    meaning: Meaning
    """Of steps that are not there yet."""
    contents: Mapping[str, bytes]
    """Of open files, by path."""
    shortenable: Sequence[Shortenable]
    forms: ShortForms | None
    """Known where step definitions are."""

    def read(self, path: str) -> bytes:
        return self.contents[path] if path in self.contents else Path(path).read_bytes()


@dataclass(frozen=True)
class Mined:
    repetition: Repetition
    files: Mapping[str, FeatureFile]
    """By path, as they were mined."""
    beginnings: Beginnings
    forms: ShortForms | None
    seconds: float


class SuiteRepetition:
    def __init__(self, texts: Texts, rules: SuiteRules, settings: Settings) -> None:
        self._texts, self._rules, self._settings = texts, rules, settings
        self._mined: Mapping[str, FeatureFile] = {}
        """By path, as they were mined."""
        self._findings: Mapping[str, Sequence[Finding]] = {}
        """By path."""
        self.blocks: tuple[Block, ...] = ()
        self.shortenable: tuple[Shortenable, ...] = ()
        self.beginnings: Beginnings | None = None
        """None until the suite was mined."""
        self.forms: ShortForms | None = None
        self._told_beside: Mapping[str, set[str]] = {}
        """File to those that are told of something better in it, and on which line."""
        self._affected: set[str] = set()
        self._outdated = True
        self._not_before = 0.0
        self._now: dict[str, _LinesNow] = {}
        """By path."""
        self._alterations = 0
        """How often steps came to stand otherwise than by moving, or pragmas changed."""
        self._told: dict[str, list[_Told]] = {}
        """By path: of those that were asked for."""

    def due_in(self) -> float | None:
        """Seconds until it is worth mining again; None where nothing is other than it was."""
        return max(0.0, self._not_before - monotonic()) if self._outdated else None

    # -- what changes

    def forget(self) -> None:
        """Steps say or mean something else."""
        self._outdated = True

    def silence_anew(self) -> None:
        """Pragmas are others."""
        self._alterations += 1

    def move(self, path: str, file: FeatureFile | None, shift: Shift | None, *, is_realigned: bool) -> None:
        """A file is as `file` now, or (None) gone; its steps have moved so, None where that is not to be said so
        simply. `is_realigned`: steps that say the same may stand otherwise in their lines."""
        lines = self._now.get(path)
        if lines is not None and file is not None:
            lines.follow(file)
        if file is None or shift is None or is_realigned:
            self._alterations += 1
        if shift is None or shift.lines or is_realigned:
            self._affected |= self._told_beside.get(path, set())

    def take_affected(self) -> set[str]:
        """Files whose findings may name other places since the last call."""
        affected, self._affected = self._affected, set()
        return affected

    def snapshot(self, glue: Glue | None, contents: Mapping[str, bytes]) -> Iterator[Snapshot | None]:
        """The suite as it is, in slices; the last one is it."""
        self._outdated = False
        meaning = meaning_of(glue if glue is not None else Glue(""))
        steps: list[Step] = []
        files: dict[str, FeatureFile] = {}
        for number, (path, entry) in enumerate(list(self._texts.files.items())):
            files[path] = entry.file
            steps += entry.file.steps
            if not number % _PER_SLICE:
                yield None
        meanings: dict[str, StepMeaning] = {}
        for step in steps:
            if step.text and step.text not in meanings:
                meanings[step.text] = meaning(step)
                if not len(meanings) % _PER_SLICE:
                    yield None
        shorter: list[Shortenable] = []
        forms: ShortForms | None = None
        like = next((step for step in steps if step.text), None)
        if glue is not None and like is not None and self.options().wants_blocks:
            source_of = partial(_source_of, contents)
            known_forms: list[ShortForm] = []
            for form in short_forms(glue, source_of, like):
                known_forms += [form] if form is not None else []
                yield None
            forms = ShortForms(known_forms, glue, source_of)
            scenarios: list[Scenario] = []
            spelled_out: list[SpelledOut] = []
            for file in files.values() if known_forms else ():
                of_file = scenarios_of(step for step in file.steps if step.text)
                scenarios += of_file
                for scenario in of_file:
                    spelled_out += forms.spelled_out(scenario, file.language)
                    yield None
            shorter = shortenable(glue, spelled_out, scenarios)
        yield Snapshot(steps, files, meanings, meaning, contents, shorter, forms)

    def use(self, mined: Mined) -> set[str]:
        """Gives the paths whose findings are others now."""
        before = set(self._findings)
        self._mined, self.blocks, self.beginnings = mined.files, mined.repetition.blocks, mined.beginnings
        self.shortenable, self.forms = mined.repetition.shortenable, mined.forms
        self._now.clear()
        self._told.clear()
        by_path: dict[str, list[Finding]] = {}
        beside: dict[str, set[str]] = {}
        for finding in mined.repetition.findings:
            told_in = dict.fromkeys(place.path for other in finding.others for place in other.places)
            for path in told_in:
                by_path.setdefault(path, []).append(finding)
            for place in finding.preferred.places[:1] if finding.preferred is not None else ():
                beside.setdefault(place.path, set()).update(told_in)
        self._findings, self._told_beside = by_path, beside
        self._not_before = monotonic() + _SHARE * mined.seconds
        return before | set(by_path)

    # -- what is asked

    def options(self) -> RepetitionOptions:
        return repetition_options(self._settings)

    def findings_in(self, path: str) -> list[Finding]:
        """Where their steps stand now, without what pragmas silence there; each at the first step of its runs."""
        return [finding for mined in self._findings.get(path, ()) for finding in self._now_in(path, mined)]

    def standing_in(self, path: str) -> Iterator[Standing]:
        """What is told in a file, finding by finding: a key moves most of them, and does no more to them."""
        told = self._told.get(path)
        if told is None:
            told = self._told[path] = [_Told(finding) for finding in self._findings.get(path, ())]
        for each in told:
            preferred = each.finding.preferred.places[:1] if each.finding.preferred is not None else ()
            steps = [self._step_now(place) for place in preferred]
            lines = [step.line if step is not None else None for step in steps]  # the message names it
            state = self._alterations, lines, [self._losses(file) for file in each.files]
            if each.state != state:
                each.state, each.owner = state, object()
            yield Standing(each.owner, partial(self._found_of, path, each), stands_alone=True)

    def findings(self) -> list[Finding]:
        mined = {id(finding): finding for group in self._findings.values() for finding in group}
        moved = self._rules.left([self._moved(finding) for finding in mined.values()])
        return [finding for finding in moved if any(other.places for other in finding.others)]

    def blocks_at(self, path: str, line: int) -> list[Block]:
        """The blocks with a place around a 1-based line, as they stand now, the most worthwhile first."""
        now = self._lines_now(path)
        if now is None:
            return []
        blocks = []
        for block in self.blocks:
            if not any(place.path == path for place in block.places):
                continue
            current = self._current(block)
            places = current.places if current is not None else ()
            if current is not None and any(
                place.path == path and place.line <= line <= place.last_line for place in places
            ):
                blocks.append(current)
        return blocks

    def shortenable_at(self, path: str, line: int) -> list[Shortenable]:
        """Steps that are spelled out around a 1-based line, with the places that say the same still."""
        forms = []
        for form in self.shortenable:
            spelled = [
                replace(each, place=now) for each in form.spelled if (now := self._place_now(each.place)) is not None
            ]
            if any(each.place.path == path and each.place.line <= line <= each.place.last_line for each in spelled):
                forms.append(replace(form, spelled=tuple(spelled)))
        return forms

    # -- inside

    def _found_of(self, path: str, told: "_Told") -> tuple[object, Sequence[Finding]]:
        return told.owner, self._now_in(path, told.finding)

    def _now_in(self, path: str, mined: Finding) -> list[Finding]:
        """A finding as it is now, if it has a place in a file."""
        left = self._rules.left([self._moved(mined)])
        return [
            finding for finding in left if any(place.path == path for other in finding.others for place in other.places)
        ]

    def _moved(self, finding: Finding) -> Finding:
        others = tuple(self._subject(other) for other in finding.others)
        preferred = self._subject(finding.preferred) if finding.preferred is not None else None
        return replace(finding, others=others, preferred=preferred)

    def _subject(self, subject: Subject) -> Subject:
        now = (self._place(place) for place in subject.places)
        return replace(subject, places=tuple(place for place in now if place is not None))

    def _place(self, place: Place) -> Place | None:
        step = self._step_now(place)
        return Place.of_step(step) if step is not None else None

    def _step_now(self, place: Place) -> Step | None:
        now = self._lines_now(place.path)
        return now.get(place.line) if now is not None else None

    def _losses(self, path: str) -> int | None:
        now = self._lines_now(path)
        return now.losses if now is not None else None

    def _lines_now(self, path: str) -> "_LinesNow | None":
        """For the line of each mined step of a file the step that it is now, as far as the file's steps are the same
        from its beginning or to its end."""
        entry, mined = self._texts.files.get(path), self._mined.get(path)
        if entry is None or mined is None:
            return None
        cached = self._now.get(path)
        if cached is None:
            cached = self._now[path] = _LinesNow(mined)
        if cached.now is not entry.file:
            cached.follow(entry.file)
        return cached

    def _current(self, block: Block) -> Block | None:
        """The block at those places that still say the same; None where fewer than two do."""
        places = [now for place in block.places if (now := self._place_now(place)) is not None]
        return replace(block, places=tuple(places)) if len(places) > 1 else None

    def _place_now(self, place: blocks.BlockPlace) -> blocks.BlockPlace | None:
        """None where its steps are others by now."""
        now = self._lines_now(place.path)
        steps = [now.get(step.line) for step in place.steps] if now is not None else [None]
        first = steps[0]
        entry = self._texts.files.get(place.path)
        if first is None or entry is None:
            return None
        own = _scenario_of(entry.file.steps, first)
        for scenario in scenarios_of(own, (place.path,) if entry.is_karate else ()):
            start = next((at for at, step in enumerate(scenario.steps) if step is first), None)
            if start is not None and list(scenario.steps[start : start + place.length]) == steps:
                return blocks.BlockPlace(scenario, start, place.length)
        return None


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


def _scenario_of(steps: Sequence[Step], step: Step) -> list[Step]:
    """The steps that share a scenario with one of them."""
    begin = bisect_left(steps, step.line, key=attrgetter("line"))
    while begin and steps[begin - 1].scenario_line == step.scenario_line:
        begin -= 1
    behind = (steps[at] for at in range(begin, len(steps)))
    return list(takewhile(lambda other: other.scenario_line == step.scenario_line, behind))


class _Told:
    """A finding as it is told in one file."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self.files = {place.path: None for subject in finding.subjects for place in subject.places}
        """Those that it speaks of."""
        self.state: object = None
        """What decides which of its places there are now, and what its message says."""
        self.owner = object()
        """Another one with each state."""


class _LinesNow:
    """The steps of a mined file as they are now, as far as they say the same from its beginning or to its end. Follows
    an edit in what the edit, and those since mining, changed."""

    def __init__(self, mined: FeatureFile) -> None:
        self._before, self.now = mined.steps, mined
        self._begin, self._end = len(self._before), 0
        self._positions: dict[int, int | None] = {}
        self.losses = 0
        """How often other steps than before were those that say the same."""

    def follow(self, now: FeatureFile) -> None:
        before, after, shared = self._before, now.steps, (self._begin, self._end)
        then, parts = parts_of(self.now), parts_of(now)
        first, last = then.shared(parts)
        above, below = parts.steps_in(0, first), parts.steps_in(len(parts) - last, len(parts))
        least = min(len(before), len(after))
        is_whole = self._begin == len(before) == then.steps_in(0, len(then))
        begin, end = min(self._begin, above), min(len(before) if is_whole else self._end, below)
        until = least - end if len(before) == len(after) else least  # all behind says the same
        self._begin = next((at for at in range(begin, until) if not _says(before[at], after[at])), least)
        most = least - self._begin
        end = min(end, most)
        self._end = next((at for at in range(end, most) if not _says(before[-1 - at], after[-1 - at])), most)
        self.losses += shared != (self._begin, self._end)
        self.now = now

    def get(self, line: int) -> Step | None:
        """The step that stood on a line."""
        at, after = self._position(line), self.now.steps
        if at is None:
            return None
        if at < self._begin:
            return after[at]
        behind = len(self._before) - at
        return after[-behind] if behind <= self._end else None

    def _position(self, line: int) -> int | None:
        """Of the step that stood on a line; a finding's places are asked for with every key."""
        if line not in self._positions:
            at = bisect_left(self._before, line, key=attrgetter("line"))
            stood = at < len(self._before) and self._before[at].line == line
            self._positions[line] = at if stood else None
        return self._positions[line]


def _says(before: Step, after: Step) -> bool:
    return before is after or (
        before.text == after.text and before.scenario == after.scenario and before.argument == after.argument
    )
