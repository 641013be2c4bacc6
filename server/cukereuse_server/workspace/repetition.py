"""Repetition in a suite: blocks and scenarios, mined when nobody types, and moved along meanwhile.

A suite is mined again after changes, for at most a twentieth of the time: a keystroke only looks up the present places
of findings. Until then, places with changed steps have no findings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.options import RepetitionOptions
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.scanning.options import repetition_options
from cukereuse_engine.settings import Settings
from cukereuse_server.workspace.mined_places import MinedPlaces
from cukereuse_server.workspace.moved import Shift
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.standing import Standing
from cukereuse_server.workspace.texts import Texts

if TYPE_CHECKING:
    from cukereuse_engine.blocks.beginnings import Beginnings
    from cukereuse_engine.blocks.short_forms import Shortenable, ShortForms
    from cukereuse_server.workspace.stages.mining import Mined, Snapshot

_SHARE = 20
"""After mining, nothing is mined for this multiple of the time that it took."""


class SuiteRepetition:
    def __init__(self, texts: Texts, rules: SuiteRules, settings: Settings) -> None:
        self._texts, self._rules, self._settings = texts, rules, settings
        self._places = MinedPlaces(texts)
        self._findings: Mapping[str, Sequence[Finding]] = {}
        """Findings by path."""
        self.blocks: tuple[Block, ...] = ()
        self.shortenable: tuple[Shortenable, ...] = ()
        self.beginnings: Beginnings | None = None
        """The beginnings of blocks; None until the suite was mined."""
        self.forms: ShortForms | None = None
        self._told_beside: Mapping[str, set[str]] = {}
        """Maps a file to the findings that are shown beside a better one, with its line."""
        self._affected: set[str] = set()
        self._outdated = True
        self._not_before = 0.0
        self._alterations = 0
        """Number of changes of steps, except moves, and of pragmas."""
        self._told: dict[str, list[_Told]] = {}
        """The findings of the files that were requested, by path."""

    def due_in(self) -> float | None:
        """Seconds until it is worth mining again; None if nothing has changed."""
        return max(0.0, self._not_before - monotonic()) if self._outdated else None

    # -- what changes

    def forget(self) -> None:
        """Mine again later: texts or meanings of steps have changed."""
        self._outdated = True

    def silence_anew(self) -> None:
        """Pragmas have changed."""
        self._alterations += 1

    def move(self, path: str, file: FeatureFile | None, shift: Shift | None, *, is_realigned: bool) -> None:
        """Take the present state of a file, or (None) that it is gone. `shift`: how its steps moved, None if they moved
        in several ways. `is_realigned`: equal steps may be at other columns."""
        if file is not None:
            self._places.follow(path, file)
        if file is None or shift is None or is_realigned:
            self._alterations += 1
        if shift is None or shift.lines or is_realigned:
            self._affected |= self._told_beside.get(path, set())

    def take_affected(self) -> set[str]:
        """Files whose findings may have other places since the last call."""
        affected, self._affected = self._affected, set()
        return affected

    def snapshot(self, glue: Glue | None, contents: Mapping[str, bytes]) -> "Iterator[Snapshot | None]":
        """The present suite, in slices; the last value is it."""
        from cukereuse_server.workspace.stages.mining import snapshot

        self._outdated = False
        yield from snapshot(self._texts, glue, contents, self.options())

    def use(self, mined: "Mined") -> set[str]:
        """Use mined results. Returns the paths whose findings have changed."""
        before = set(self._findings)
        self.blocks, self.beginnings = mined.repetition.blocks, mined.beginnings
        self.shortenable, self.forms = mined.repetition.shortenable, mined.forms
        self._places.use(mined.files)
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
        """The findings at the present places of their steps, without silenced ones; each at the first of its runs."""
        return [finding for mined in self._findings.get(path, ()) for finding in self._now_in(path, mined)]

    def standing_in(self, path: str) -> Iterator[Standing]:
        """The shown findings of a file, one by one, because a keystroke only moves most of them."""
        told = self._told.get(path)
        if told is None:
            told = self._told[path] = [_Told(finding) for finding in self._findings.get(path, ())]
        for each in told:
            preferred = each.finding.preferred.places[:1] if each.finding.preferred is not None else ()
            steps = [self._places.step(place) for place in preferred]
            lines = [step.line if step is not None else None for step in steps]  # the message contains it
            state = self._alterations, lines, [self._places.losses(file) for file in each.files]
            if each.state != state:
                each.state, each.owner = state, object()
            yield Standing(each.owner, partial(self._found_of, path, each), stands_alone=True)

    def findings(self) -> list[Finding]:
        mined = {id(finding): finding for group in self._findings.values() for finding in group}
        moved = self._rules.left([self._places.finding(finding) for finding in mined.values()])
        return [finding for finding in moved if any(other.places for other in finding.others)]

    def blocks_at(self, path: str, line: int) -> list[Block]:
        """The blocks with a present place around a 1-based line, most worthwhile first."""
        blocks = []
        for block in self.blocks:
            if not any(place.path == path for place in block.places):
                continue
            current = self._places.block(block)
            places = current.places if current is not None else ()
            if current is not None and any(
                place.path == path and place.line <= line <= place.last_line for place in places
            ):
                blocks.append(current)
        return blocks

    def shortenable_at(self, path: str, line: int) -> "list[Shortenable]":
        """Short forms that are spelled out around a 1-based line, with their unchanged places."""
        forms = []
        for form in self.shortenable:
            spelled = [
                replace(each, place=now)
                for each in form.spelled
                if (now := self._places.block_place(each.place)) is not None
            ]
            if any(each.place.path == path and each.place.line <= line <= each.place.last_line for each in spelled):
                forms.append(replace(form, spelled=tuple(spelled)))
        return forms

    # -- inside

    def _found_of(self, path: str, told: "_Told") -> tuple[object, Sequence[Finding]]:
        return told.owner, self._now_in(path, told.finding)

    def _now_in(self, path: str, mined: Finding) -> list[Finding]:
        """A mined finding at its present places, if one of them is in the file."""
        left = self._rules.left([self._places.finding(mined)])
        return [
            finding for finding in left if any(place.path == path for other in finding.others for place in other.places)
        ]


class _Told:
    """A finding as it is shown in one file."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self.files = {place.path: None for subject in finding.subjects for place in subject.places}
        """The files in the finding."""
        self.state: object = None
        """Decides which places there are now, and the message."""
        self.owner = object()
        """A new object with each state."""
