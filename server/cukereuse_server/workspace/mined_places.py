"""The present places of mined blocks and findings, moved along with what people type."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import attrgetter

from cukereuse_engine.blocks.block import Block, BlockPlace
from cukereuse_engine.blocks.symbols import scenarios_of
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_server.workspace.moved import parts_of
from cukereuse_server.workspace.texts import Texts


class MinedPlaces:
    """The files as they were mined. A place whose steps have changed has no present place."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._mined: Mapping[str, FeatureFile] = {}
        self._lines: dict[str, _MinedLines] = {}
        """The mined and the present lines of each file, by path."""

    def use(self, files: Mapping[str, FeatureFile]) -> None:
        """Use these files, by path, as they were mined."""
        self._mined = files
        self._lines.clear()

    def follow(self, path: str, file: FeatureFile) -> None:
        """Take the present state of a file."""
        if path in self._lines:
            self._lines[path].follow(file)

    def finding(self, finding: Finding) -> Finding:
        """The finding with the places that are unchanged; there may be none."""
        others = tuple(self._subject(other) for other in finding.others)
        preferred = self._subject(finding.preferred) if finding.preferred is not None else None
        return replace(finding, others=others, preferred=preferred)

    def step(self, place: Place) -> Step | None:
        """The present step at the place of a mined one."""
        now = self._lines_of(place.path)
        return now.get(place.line) if now is not None else None

    def losses(self, path: str) -> int | None:
        """Number of changes of a file's set of unchanged steps; None if the file is gone, or was not mined."""
        now = self._lines_of(path)
        return now.losses if now is not None else None

    def block(self, block: Block) -> Block | None:
        """The block at its unchanged places; None if there are fewer than two."""
        places = [now for place in block.places if (now := self.block_place(place)) is not None]
        return replace(block, places=tuple(places)) if len(places) > 1 else None

    def block_place(self, place: BlockPlace) -> BlockPlace | None:
        """The present place of a block; None if its steps have changed."""
        now = self._lines_of(place.path)
        steps = [now.get(step.line) for step in place.steps] if now is not None else [None]
        first = steps[0]
        entry = self._texts.files.get(place.path)
        if first is None or entry is None:
            return None
        own = _scenario_of(entry.file.steps, first)
        for scenario in scenarios_of(own, (place.path,) if entry.is_karate else ()):
            start = next((at for at, step in enumerate(scenario.steps) if step is first), None)
            if start is not None and list(scenario.steps[start : start + place.length]) == steps:
                return BlockPlace(scenario, start, place.length)
        return None

    def _subject(self, subject: Subject) -> Subject:
        now = (self._place(place) for place in subject.places)
        return replace(subject, places=tuple(place for place in now if place is not None))

    def _place(self, place: Place) -> Place | None:
        step = self.step(place)
        return Place.of_step(step) if step is not None else None

    def _lines_of(self, path: str) -> "_MinedLines | None":
        """Maps the line of each mined step of a file to the present step, as far as the steps are the same from its
        beginning or to its end."""
        entry, mined = self._texts.files.get(path), self._mined.get(path)
        if entry is None or mined is None:
            return None
        cached = self._lines.get(path)
        if cached is None:
            cached = self._lines[path] = _MinedLines(mined)
        if cached.now is not entry.file:
            cached.follow(entry.file)
        return cached


def _scenario_of(steps: Sequence[Step], step: Step) -> list[Step]:
    """The steps of a step's scenario."""
    begin = bisect_left(steps, step.line, key=attrgetter("line"))
    while begin and steps[begin - 1].scenario_line == step.scenario_line:
        begin -= 1
    behind = (steps[at] for at in range(begin, len(steps)))
    return list(takewhile(lambda other: other.scenario_line == step.scenario_line, behind))


class _MinedLines:
    """The present steps of a mined file, as far as they are the same from its beginning or to its end. After an edit,
    only what this and earlier edits changed is compared."""

    def __init__(self, mined: FeatureFile) -> None:
        self._before, self.now = mined.steps, mined
        self._begin, self._end = len(self._before), 0
        self._positions: dict[int, int | None] = {}
        self.losses = 0
        """Number of changes of the set of unchanged steps."""

    def follow(self, now: FeatureFile) -> None:
        before, after, shared = self._before, now.steps, (self._begin, self._end)
        then, parts = parts_of(self.now), parts_of(now)
        first, last = then.shared(parts)
        above, below = parts.steps_in(0, first), parts.steps_in(len(parts) - last, len(parts))
        least = min(len(before), len(after))
        is_whole = self._begin == len(before) == then.steps_in(0, len(then))
        begin, end = min(self._begin, above), min(len(before) if is_whole else self._end, below)
        until = least - end if len(before) == len(after) else least  # the rest is the same
        self._begin = next((at for at in range(begin, until) if not _says(before[at], after[at])), least)
        most = least - self._begin
        end = min(end, most)
        self._end = next((at for at in range(end, most) if not _says(before[-1 - at], after[-1 - at])), most)
        self.losses += shared != (self._begin, self._end)
        self.now = now

    def get(self, line: int) -> Step | None:
        """The step that was on a line."""
        at, after = self._position(line), self.now.steps
        if at is None:
            return None
        if at < self._begin:
            return after[at]
        behind = len(self._before) - at
        return after[-behind] if behind <= self._end else None

    def _position(self, line: int) -> int | None:
        """The position of the step that was on a line; each keystroke asks for the places of findings."""
        if line not in self._positions:
            at = bisect_left(self._before, line, key=attrgetter("line"))
            stood = at < len(self._before) and self._before[at].line == line
            self._positions[line] = at if stood else None
        return self._positions[line]


def _says(before: Step, after: Step) -> bool:
    return before is after or (
        before.text == after.text and before.scenario == after.scenario and before.argument == after.argument
    )
