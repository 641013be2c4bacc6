"""The repositories of a corpus: what was found, what was cloned, and where it is.

`repos.csv` (discovery) and `clone_manifest.jsonl` (materialising) have the columns of the paper's release. Clones stand
in `clones/OWNER__NAME`.
"""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from corpus_tools.support.licences import licence_class
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.storage import write_atomically

REPOSITORIES = "repos.csv"
MANIFEST = "clone_manifest.jsonl"
CLONES = "clones"


@dataclass(frozen=True, slots=True)
class Repository:
    """A row of `repos.csv`."""

    full_name: str
    """"owner/name"."""
    clone_url: str
    default_branch: str
    stargazers_count: int
    last_pushed: str
    """Date, such as "2026-04-19"."""
    license_spdx: str
    """Empty: none."""
    license_class: str
    language: str
    archived: bool


@dataclass(frozen=True, slots=True)
class Clone:
    """A row of `clone_manifest.jsonl`."""

    full_name: str
    status: str
    """"ok", "gone", "timeout", "too-large", "no-features" or "failed"."""
    n_feature_files: int
    disk_kb: int
    commit_sha: str
    error: str
    """For a person; empty where there was none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A repository on this machine, with what rows of steps say about it."""

    repo: str
    folder: Path
    commit_sha: str
    license_spdx: str
    license_class: str


def slug(full_name: str) -> str:
    """Name of a repository's folder: "owner__name"."""
    return full_name.replace("/", "__")


def read_repositories(path: Path) -> list[Repository]:
    """Raises `CukereuseError` where the file is missing or broken."""
    if not path.is_file():
        raise CukereuseError(f"{path} is not there", "Run `cukereuse corpus discover` first.")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                Repository(
                    full_name=row["full_name"],
                    clone_url=row["clone_url"],
                    default_branch=row["default_branch"],
                    stargazers_count=int(row["stargazers_count"]),
                    last_pushed=row["last_pushed"],
                    license_spdx=row["license_spdx"],
                    license_class=row["license_class"],
                    language=row["language"],
                    archived=row["archived"] == "True",
                )
                for row in csv.DictReader(file)
            ]
    except (OSError, KeyError, ValueError) as error:
        raise CukereuseError(f"{path} can't be read as a list of repositories: {error!r}") from error


def write_repositories(path: Path, repositories: Iterable[Repository]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [field.name for field in fields(Repository)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(repository) for repository in repositories)
    write_atomically(path, buffer.getvalue().encode("utf-8"))


def read_manifest(path: Path) -> list[Clone]:
    """Raises `CukereuseError` where the file is missing or broken."""
    names = [field.name for field in fields(Clone)]
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [Clone(**{name: row[name] for name in names}) for row in rows]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise CukereuseError(f"{path} can't be read as a manifest of clones: {error!r}") from error


def write_manifest(path: Path, clones: Iterable[Clone]) -> None:
    lines = [json.dumps(asdict(clone), ensure_ascii=False) for clone in clones]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode("utf-8"))


def sources(corpus: Path) -> list[Source]:
    """The repositories below `corpus/clones`, by name. Without a manifest every folder is one; without `repos.csv`
    nothing is known of their licences. Raises `CukereuseError` where there are none."""
    clones = corpus / CLONES
    manifest = corpus / MANIFEST
    commits = {clone.full_name: clone for clone in read_manifest(manifest)} if manifest.is_file() else {}
    listed = corpus / REPOSITORIES
    known: dict[str, Any] = {one.full_name: one for one in read_repositories(listed)} if listed.is_file() else {}
    names = sorted({folder.name for folder in clones.iterdir() if folder.is_dir()}) if clones.is_dir() else []
    if not names:
        raise CukereuseError(f"{clones} has no repositories", "Run `cukereuse corpus materialise` first.")
    by_folder = {slug(name): name for name in [*known, *commits]}
    found = []
    for name in names:
        repo = by_folder.get(name, name.replace("__", "/", 1))
        clone = commits.get(repo)
        if name.startswith(".") or (commits and (clone is None or clone.status != "ok")):
            continue
        spdx = known[repo].license_spdx if repo in known else ""
        folder = (clones / name).resolve()  # as glue is found: a clone may be a link
        found.append(Source(repo, folder, clone.commit_sha if clone else "", spdx, licence_class(spdx)))
    return sorted(found, key=lambda source: source.repo)
