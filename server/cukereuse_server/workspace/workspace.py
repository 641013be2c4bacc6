"""The workspace in the worker: messages change its state and start the pipeline; questions are answered from a view of
the state. Never writes into a workspace."""

import os
from collections.abc import Iterable
from functools import partial
from time import monotonic
from typing import Any

from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.gherkin.default_language import CONFIGURATIONS
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.flavour import flavour_of, forget_configurations
from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.glue.languages.base import language_for
from cukereuse_engine.glue.project_rules import is_read
from cukereuse_server.protocol.diagnostics import Diagnosis
from cukereuse_server.protocol.status import ModelState
from cukereuse_server.workspace.buffers import Buffer
from cukereuse_server.workspace.diagnostics_cache import DiagnosticsCache, Shown
from cukereuse_server.workspace.host import Host
from cukereuse_server.workspace.news import News
from cukereuse_server.workspace.pipeline import Pipeline
from cukereuse_server.workspace.stages.embedding import save_index
from cukereuse_server.workspace.stages.glue import is_configuration
from cukereuse_server.workspace.state import State
from cukereuse_server.workspace.view import WholeView


class _Changed:
    """Paths that changed on disk, by what they may be."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.named = set(paths)
        names = {path: os.path.basename(path) for path in self.named}  # noqa: PTH119
        self.glue = {path for path in self.named if language_for(path) is not None or is_configuration(path)}
        self.deciding = {path for path, name in names.items() if name in DECIDING}
        self.configurations = {path for path, name in names.items() if name in CONFIGURATIONS}
        self.rules = set(filter(is_read, self.named))
        others = self.named - self.glue - (self.rules - self.configurations)
        self.features = self.deciding | others
        """Feature files, folders, and what decides about them."""

    @property
    def may_be_folders(self) -> bool:
        return any(not path.lower().endswith(FEATURE_SUFFIXES) for path in self.features)


class Workspace(State):
    def __init__(self, host: Host, *, use_cache: bool = True) -> None:
        super().__init__()
        self._host = host
        self._news = News(host)
        self.pipeline = Pipeline(self, host, self._news, use_cache=use_cache)
        self._cache = DiagnosticsCache(enabled=use_cache)
        self._configured = False

    # -- what the editor says

    def configure(self, folders: Iterable[str], editor: dict[str, Any], workspace_diagnostics: bool) -> None:
        wanted = (tuple(os.path.normpath(folder) for folder in folders), editor)
        if workspace_diagnostics != self.workspace_diagnostics:
            self.workspace_diagnostics = workspace_diagnostics
            self._news.all_changed()
        if wanted != (self.folders, self.editor) or not self._configured:  # a client may have no folder at all
            self._configured = True
            self.folders, self.editor = wanted
            self.pipeline.restart()

    def open(self, path: str, version: int, text: str) -> None:
        """An editor has this text now; the index takes it with the next question, or when the worker is idle."""
        if path in self.buffers:
            self.typed = monotonic()
        self.buffers[path] = Buffer(version, text)

    def close(self, path: str) -> None:
        if self.buffers.pop(path, None) is not None:
            self.stamps.pop(path, None)
            if language_for(path) is not None:
                self.pipeline.glue_files.replace(path)
            self.changed_on_disk([path])

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files or folders were added, removed or changed; if none is named, look at all."""
        changed = _Changed(paths)
        is_other = bool(changed.configurations) and self._languages_changed()
        self._glue_changed(changed.glue - self.buffers.keys())
        if changed.rules:
            self.pipeline.glue_files.apply_rules()
        if not changed.named or changed.may_be_folders:
            self.pipeline.glue_files.look()
        if not changed.named or changed.features or is_other:
            self.pipeline.look(list_anew=bool(changed.deciding))

    def _languages_changed(self) -> bool:
        """Read feature files again whose language has changed; true if there are any."""
        paths = {*self.stamps, *self.buffers}
        before = {path: flavour_of(path) for path in paths}
        forget_configurations()
        changed = [path for path in paths if flavour_of(path) != before[path]]
        for path in changed:
            if path in self.buffers:
                self.buffers[path].read = False
            elif path in self.stamps:
                del self.stamps[path]
        return bool(changed)

    def allow_download(self) -> None:
        """The user agreed to download the model."""
        self.pipeline.download()

    def cancel(self, task: str) -> None:
        """Cancel what this task is doing: the user does not want to wait for it."""
        self.pipeline.activities.cancel(task)

    def settled(self) -> WholeView:
        """The view for answers, once the index has followed all messages."""
        self.pipeline.follow()
        self.announce()
        return self

    def idle(self) -> float | None:
        """Called when nothing else is to do: follow the editor, renew what is outdated, write what is worth keeping.
        Returns the seconds until the next of these is due; None if nothing is left."""
        self.settled()
        self.pipeline.renew()
        if self._cache.due_in() == 0:
            self._host.job("reading", partial(self._cache.write, self._cache.take()))
        pauses = (self._cache.due_in(), self.pipeline.renewal_in())
        return min((pause for pause in pauses if pause is not None), default=None)

    def end(self) -> None:
        """Save what is worth saving."""
        self._cache.write(self._cache.take())
        for suite in self.suites.values():
            if suite.neighbours.index is not None and suite.neighbours.has_unsaved_index:
                save_index(suite.root, suite.neighbours.index)

    # -- what is asked, beside the state

    @property
    def embedder(self) -> Embedder | None:
        return self.pipeline.model.embedding.finder

    @property
    def model_state(self) -> ModelState:
        return self.pipeline.model.state

    @property
    def complete(self) -> bool:
        return self.pipeline.announcements.complete

    @property
    def running(self) -> list[str]:
        return self.pipeline.activities.running()

    def is_settled(self, path: str) -> bool:
        suite = self.suite_of(path)
        if suite is None or path not in suite.texts.files:
            return self.complete
        return suite.settled

    def look_into(self, path: str) -> None:
        self.pipeline.announcements.look_into(path)

    def announce(self, skip: str = "") -> None:
        self.pipeline.announcements.announce(skip)

    def recall(self, path: str) -> list[Diagnosis] | None:
        shown = self._shown(path)
        return self._cache.get(shown) if shown is not None else None

    def keep(self, path: str, diagnoses: list[Diagnosis]) -> None:
        shown = self._shown(path)
        if shown is not None:
            self._cache.put(shown, diagnoses)

    # -- inside

    def _glue_changed(self, paths: set[str]) -> None:
        """These sources or configurations changed on disk. Of one that nobody knows, a walk tells whether it counts."""
        if any(is_configuration(path) for path in paths):
            self.pipeline.glue_files.reconfigure()
        sources = {path for path in paths if language_for(path) is not None}
        read = [suite.sources.files for suite in self.suites.values() if suite.sources is not None]
        loaded = sources.intersection(frozenset[str]().union(*read))
        for path in sorted(loaded):
            self.pipeline.glue_files.replace(path)
        if sources - loaded:
            self.pipeline.glue_files.look()

    def _shown(self, path: str) -> Shown | None:
        """Only open files are kept: their text is at hand."""
        buffer = self.buffers.get(path)
        return Shown(path, buffer, self.folders, self.editor) if buffer is not None else None
