"""The engine's refactorings, applied to a suite of the workspace: only plans, nothing is written."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import overload

import msgspec

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.glue.sources import discover_glue, glue_root
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.members import member_of
from cukereuse_engine.refactor.rename_plan import ReadSuites, RenamePlan, RenameRequest, stamp_on_disk
from cukereuse_engine.refactor.repository import joined
from cukereuse_engine.refactor.request import arguments_of, request_for
from cukereuse_engine.refactor.target import TargetError, UnrenderableError, target_of
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.texts import Texts
from cukereuse_server.workspace.view import View


class _Files(Mapping[str, FeatureFile]):
    def __init__(self, texts: Texts) -> None:
        self._files = texts.files

    def __getitem__(self, path: str) -> FeatureFile:
        return self._files[path].file

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class _Steps(Mapping[str, tuple[Step, ...]]):
    """Maps the identity of a text to its steps, which are looked up when they are needed."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def __getitem__(self, identity: str) -> tuple[Step, ...]:
        return self._texts.steps(self._texts.text_of[identity])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts.text_of)

    def __len__(self) -> int:
        return len(self._texts.text_of)


class _AllTexts(Sequence[StepText]):
    """All texts, made when they are first needed."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    @cached_property
    def _all(self) -> tuple[StepText, ...]:
        return self._texts.all_texts()

    @overload
    def __getitem__(self, index: int) -> StepText: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[StepText]: ...

    def __getitem__(self, index: int | slice) -> StepText | Sequence[StepText]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)


def suite_as_read(workspace: View, suite: SuiteState) -> ReadSuites:
    """The suite as the editor sees it: open files have the editor's text."""

    def read(path: str) -> bytes:
        buffer = workspace.buffers.get(path)
        return buffer.text.encode("utf-8", "surrogatepass") if buffer is not None else Path(path).read_bytes()

    def stamp(path: str) -> Hashable:
        buffer = workspace.buffers.get(path)
        return buffer.content_hash() if buffer is not None else stamp_on_disk(path)

    return ReadSuites(
        files=_Files(suite.texts),
        texts=_AllTexts(suite.texts),
        steps=_Steps(suite.texts),
        glue=suite.glue,
        read=read,
        spoken=lambda: suite.neighbours.languages,
        stamp=stamp,
    )


def repository_as_read(workspace: View, suite: SuiteState) -> ReadSuites:
    """The suite with all others of its repository: its step definitions may serve these too."""
    suites = suites_beside(workspace, suite)
    together = joined([suite_as_read(workspace, other) for other in suites])
    return replace(
        together,
        sources=lambda: sources_of(workspace, suites),
        hidden=lambda: _hidden(workspace, together, suites),
    )


def _hidden(workspace: View, together: ReadSuites, suites: Sequence[SuiteState]) -> list[str]:
    from cukereuse_engine.refactor.hidden import hidden_beside

    glue = {definition.path for definition in together.glue.definitions} if together.glue is not None else ()
    visible = {*together.files, *sources_of(workspace, suites)}
    return hidden_beside([*together.files], glue, visible, suites[0].settings.exclude)


def suites_beside(workspace: View, suite: SuiteState) -> list[SuiteState]:
    """The suites of its repository, this one first."""
    root = glue_root(suite.root)
    others = [other for other in workspace.suites.values() if other is not suite and glue_root(other.root) == root]
    return [suite, *others]


def sources_of(workspace: View, suites: Sequence[SuiteState]) -> list[str]:
    """Every source in a glue language in the suites' repository, including those without step definitions."""
    paths = {path for each in suites if each.sources is not None for path in each.sources.walk.files}
    for root, exclude in {(glue_root(each.root), each.settings.exclude) for each in suites if each.settings.glue}:
        paths.update(discover_glue([root], exclude=exclude))  # settings name folders of definitions, not of calls
    for path in workspace.buffers:
        if any(each.sources is not None and path in each.sources for each in suites):
            paths.add(path)
    return sorted(paths)


def is_ready(workspace: View, suite: SuiteState) -> bool:
    """True if the step definitions of all suites of its repository have been read."""
    return all(other.definitions_known for other in suites_beside(workspace, suite))


def plan(workspace: View, suite: SuiteState, step: Step, target: str, *, cluster: bool, move: bool) -> RenamePlan:
    """Rename the step, and all that differ from it in arguments only. Raises `CukereuseError` with the reason,
    `OSError`."""
    from cukereuse_engine.refactor.plan import plan_rename  # messages of findings need the rest of this file alone

    everything = repository_as_read(workspace, suite)
    clusters: list[list[str]] = []
    if cluster and suite.judge is not None:
        key = suite.key_of(step.text)
        component = suite.component(key) if key is not None else None
        clusters = (
            [[text.text for text in grouped.texts] for grouped in component.clusters] if component is not None else []
        )
    within = frozenset(suite.texts.files)
    request = request_for(everything, step.text, target, clusters=clusters, move=move, within=within)
    # only the new lines are read again: enough for files that the official parser reads, in a third of the time
    return plan_rename(request, everything, thorough=False)


def phrasing_of(workspace: View, suite: SuiteState, text: str) -> str:
    """A text of the suite as a target, with a slot for each argument."""
    return target_of(text, arguments_of(suite_as_read(workspace, suite), text)[0]).text


class Rewriter:
    """Rewrites one step in the words of others, with its own arguments."""

    def __init__(self, workspace: View, suite: SuiteState, step: Step) -> None:
        self._suite = suite_as_read(workspace, suite)
        self._step = step
        glue = suite.glue
        self._bind = glue.bind if glue is not None and glue.definitions else None

    def say(self, wording: str) -> str | None:
        """The step in the words of `wording`, a text of the suite; None if its arguments do not fit."""
        try:
            target = target_of(wording, arguments_of(self._suite, wording)[0])
            request = RenameRequest(members=(self._step.text,), target=target)
            text = member_of(self._step, self._bind).moved(target, request)[0]
        except (UnmappableError, UnrenderableError, TargetError, CukereuseError):
            return None
        return text if self._is_served_alike(text, wording) else None

    def _is_served_alike(self, text: str, wording: str) -> bool:
        """True if a step with `text` binds as one with `wording` does. The expression may not accept a value: (s?) does
        not match “Jack”."""
        if self._bind is None:
            return True
        ids = [
            {
                definition.id
                for definition in self._bind(msgspec.structs.replace(self._step, text=wording_or_text)).definitions
            }
            for wording_or_text in (wording, text)
        ]
        return not ids[0] or bool(ids[0] & ids[1])
