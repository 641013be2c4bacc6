"""What several commands share: settings for the given paths, suites, glue. Every heavy part of the engine is imported
inside the function that needs it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import config_text, load
from cukereuse_engine.cli.outputs import check_writable, give_back_paths
from cukereuse_engine.cli.progress import progress_for_terminal
from cukereuse_engine.cli.targets import Targets, find_targets
from cukereuse_engine.embedding_models.table import built_in
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import Progress
from cukereuse_engine.prose import listed
from cukereuse_engine.settings import LoadedSettings, Settings
from cukereuse_engine.strategies.table import STRATEGIES, VectorUse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.gherkin.listings import Listings
    from cukereuse_engine.history.compare import Scan
    from cukereuse_engine.scanning.result import ScanResult
    from cukereuse_engine.scanning.suite import Suite
    from cukereuse_engine.suppression.baseline import Baseline


@dataclass(frozen=True, slots=True)
class Work:
    """A parsed command line."""

    targets: Targets
    loaded: LoadedSettings
    """Settings of the first path."""
    options: Mapping[str, Any]
    """The command's options, settings included."""

    @property
    def settings(self) -> Settings:
        """The settings of the whole run. Raises `CukereuseError` naming every bad value."""
        return self.loaded.checked()

    def settings_of(self, root: str) -> Settings:
        """The settings of the suite at `root`, which may have a file of its own; globs of `glue` are expanded. Raises
        `CukereuseError` naming every bad value, and a path of `glue` that does not exist."""
        from cukereuse_engine.settings.paths import existing

        loaded = load(Path(root), self.options)
        settings = loaded.checked()
        return replace(settings, glue=existing(settings.glue, f"{loaded.sources['glue']}: glue"))


@dataclass(frozen=True, slots=True)
class PreparedWork:
    """The input of a command that writes reports."""

    work: Work
    reports: Mapping[str, str]
    """Maps a report to its file; all files can be written."""
    paths: Sequence[str]


def begin(paths: Sequence[str], options: Mapping[str, Any]) -> PreparedWork | None:
    """The input of a command; None if only the settings were to be printed. Raises `CukereuseError` for paths that do
    not exist, and for a report that can't be written."""
    reports, given = give_back_paths({"json": options["json_file"]}, paths)
    given = given or ["."]
    work = prepare(given, options)
    if options["print_config"]:
        print_config(work)
        return None
    for destination in reports.values():
        check_writable(destination)
    return PreparedWork(work, reports, given)


def prepare(paths: Sequence[str], options: Mapping[str, Any], since: str | None = None) -> Work:
    """The parsed command line. Raises `CukereuseError` for paths that do not exist."""
    targets = find_targets(paths, since)
    for path in targets.left_out:
        click.echo(f"note: {path} is left out: no feature file, and no source of step definitions", err=True)
    return Work(targets, load(Path(paths[0]), options), options)


def print_config(work: Work) -> None:
    """Print the settings with their sources. Raises `CukereuseError` after that if some are invalid."""
    click.echo(config_text(work.loaded))
    work.loaded.checked()


def read(work: Work, *, use_cache: bool, listings: "Listings | None" = None) -> "list[Suite]":
    """The suites of the given paths, read and not compared. `listings` caches the contents of folders."""
    from cukereuse_engine.scanning.suite import read_suites

    settings = work.settings
    return read_suites(
        work.targets.compared,
        include=settings.include,
        exclude=settings.exclude,
        jobs=settings.jobs or None,
        use_cache=use_cache,
        listings=listings,
        progress=progress_for_terminal(),
    )


def read_features(work: Work, *, use_cache: bool) -> "list[Suite]":
    """As `read`. Raises `CukereuseError` if there is no feature file."""
    suites = read(work, use_cache=use_cache)
    if not any(suite.files for suite in suites):
        raise no_features(work)
    return suites


def keyword_notes(lines: Iterable[str], texts: Iterable[str]) -> list[str]:
    """A note for each line whose step's text, as `Suite.without_keyword` gives it, is another."""
    from cukereuse_engine.text.identity import normalise

    copied = (line for line, text in zip(lines, texts, strict=True) if normalise(line) != normalise(text))
    return [f"the keyword of {line!r} is left out: it is no part of the step's text" for line in copied]


def no_features(work: Work) -> CukereuseError:
    """The error if there is nothing to work on: a suite that moved must not leave a check in CI green."""
    places = listed([str(path) for path in work.targets.compared])
    return CukereuseError(f"no feature files below {places}", "Point cukereuse at a folder that holds .feature files.")


def uncapped(work: Work) -> Work:
    """The work without a limit on repetition: which findings a limit cuts off depends on the other findings."""
    return replace(work, options={**work.options, "repetition_limit": 0})


def run_scan(work: Work, *, show_shared: bool, use_cache: bool) -> "ScanResult":
    """Read and compare. Downloads the model if the strategy can use it and the user did not forbid it."""
    from cukereuse_engine.scanning.scan import ScanOptions, scan

    progress = progress_for_terminal()
    embedder, notes = embedder_for(work.settings, progress)
    options = ScanOptions(work.settings, settings_of=work.settings_of, show_shared=show_shared, use_cache=use_cache)
    return scan(work.targets.compared, options, embedder=embedder, notes=notes, progress=progress)


def compare_with(
    work: Work, result: "ScanResult", ref: str, *, known: "Baseline | None", show_shared: bool, use_cache: bool
) -> "ScanResult":
    """`result`, a scan of `work`, reduced to what `ref` did not have. Raises `CukereuseError` if git can't tell."""
    from cukereuse_engine.history.compare import compared

    progress = progress_for_terminal()
    embedder, _ = embedder_for(work.settings, progress)
    scan_there = scan_elsewhere(work, embedder, show_shared=show_shared, use_cache=use_cache)
    paths = work.targets.compared
    return compared(result, paths, ref, scan_there, work.settings_of, baseline=known, progress=progress)


def scan_elsewhere(work: Work, embedder: "Embedder | None", *, show_shared: bool, use_cache: bool) -> "Scan":
    """Scans other paths as `work` would be scanned."""
    from cukereuse_engine.scanning.scan import ScanOptions, scan

    def scan_there(paths: Sequence[Path], settings_of: Callable[[str], Settings]) -> "ScanResult":
        options = ScanOptions(work.settings, settings_of=settings_of, show_shared=show_shared, use_cache=use_cache)
        return scan(paths, options, embedder=embedder, progress=progress_for_terminal())

    return scan_there


def embedder_for(settings: Settings, progress: Progress) -> "tuple[Embedder | None, tuple[str, ...]]":
    """The model that the strategy uses, downloaded on the first run, and a note if it runs without one. Raises
    `CukereuseError` if the strategy needs a model and there is none."""
    if STRATEGIES[settings.strategy].vectors is VectorUse.UNUSED:
        return None, ()
    from cukereuse_engine.embedding_models.opening import open_embedder

    allowed = not settings.offline
    threads = settings.jobs or None
    try:
        if allowed:
            _announce_download(settings.model)
        return open_embedder(settings.model, allow_download=allowed, threads=threads, progress=progress), ()
    except CukereuseError as error:
        if STRATEGIES[settings.strategy].vectors is VectorUse.NEEDED:
            raise
        return None, (f"Only wordings are compared, so paraphrases are missed: {error.sentences}",)


def _announce_download(name: str) -> None:
    from cukereuse_engine.embedding_models.weights import locate, offline

    model = built_in(name)
    if model is not None and not offline() and locate(model) is None:
        click.echo(f"downloading {model.id} ({model.megabytes}), once; --offline prevents it …", err=True)


def vectors_at_hand(texts: Sequence[str], settings: Settings, *, use_cache: bool, coarsely: bool = False) -> "Vectors":
    """Vectors of `texts`, by the model on this machine; never downloads one. `coarsely`: by the coarse model with which
    a scan finds pairs, if there is one."""
    from cukereuse_engine.embedding_models.embedder import coarse
    from cukereuse_engine.embedding_models.opening import open_embedder
    from cukereuse_engine.scanning.scan import vectors_of

    try:
        embedder = open_embedder(settings.model, threads=settings.jobs or None)
    except CukereuseError as error:
        return Vectors(None, None, None, (f"only wordings are compared: {error.message}",))
    model = (coarse(embedder) if coarsely else None) or embedder
    embed = vectors_of(model, use_cache=use_cache, progress=progress_for_terminal())
    rows = embed(texts) if embed is not None else ()
    return Vectors(dict(zip(texts, rows, strict=True)), embedder, embedder.model_id, ())


@dataclass(frozen=True, slots=True)
class Vectors:
    of: "Mapping[str, NDArray[np.float32]] | None"
    """Vectors by text; None if there is no model on this machine."""
    embedder: "Embedder | None"
    model: str | None
    notes: tuple[str, ...]
