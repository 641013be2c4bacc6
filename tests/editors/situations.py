"""Machines and folders that differ from a developer's: what each lacks or has in addition.

Each situation prepares a folder beside a copy of the web shop, and returns what the editor starts with.
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

WEBSHOP = Path(__file__).parents[1] / "suites" / "webshop"
NOWHERE = "http://127.0.0.1:9"
"""An address without a server."""


@dataclass(frozen=True)
class Situation:
    """What an editor is started with."""

    files: tuple[Path, ...]
    """Feature files to open, one after the other; each must get a finding."""
    environment: Mapping[str, str] = field(default_factory=dict)


def _file(root: Path) -> Path:
    return root / "features" / "checkout.feature"


def _plain(root: Path) -> Situation:
    return Situation((_file(root),))


def _dot_env(root: Path) -> Situation:
    """A file at the place of an environment's folder, and a link to itself."""
    (root / ".env").write_text("TOKEN=1\n", "utf-8")
    (root / "env").symlink_to(root / "env")
    return _plain(root)


def _read_only_home(root: Path) -> Situation:
    """Nothing can be written below a file, not even by root. Neovim itself needs a folder for its state: without it,
    its own `vim.lsp` can't be loaded."""
    home = root.parent / "home-is-a-file"
    home.write_text("", "utf-8")
    names = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CUKEREUSE_CACHE_DIR")
    return Situation((_file(root),), dict.fromkeys(names, str(home / "below")))


def _no_network(root: Path) -> Situation:
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    return Situation(
        (_file(root),), {**dict.fromkeys(names, NOWHERE), "CUKEREUSE_CACHE_DIR": str(root.parent / "cache")}
    )


def _no_compiler(root: Path) -> Situation:
    """hnswlib is compiled at installation: without a compiler, it is missing."""
    modules = root.parent / "modules"
    modules.mkdir()
    (modules / "hnswlib.py").write_text("raise ImportError('not compiled')\n", "utf-8")
    return Situation((_file(root),), {"PYTHONPATH": str(modules)})


def _two_folders(root: Path) -> Situation:
    other = Path(shutil.copytree(WEBSHOP, root.parent / "other shop"))
    return Situation((_file(root), _file(other)))


def _file_alone(root: Path) -> Situation:
    """A folder in which no file marks the beginning of a suite."""
    folder = root.parent / "notes"
    folder.mkdir()
    text = _file(root).read_text("utf-8")
    file = folder / "alone.feature"
    file.write_text(text, "utf-8")
    return Situation((file,))


SITUATIONS: dict[str, Callable[[Path], Situation]] = {
    "nothing special": _plain,
    "a file `.env`": _dot_env,
    "a read-only home": _read_only_home,
    "no network, no model": _no_network,
    "no compiler": _no_compiler,
    "two folders": _two_folders,
    "a feature file alone": _file_alone,
}
