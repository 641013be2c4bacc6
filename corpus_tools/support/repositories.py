"""The repositories of a corpus: which were found, which were cloned, and where they are.

`repos.csv` (discovery) and `clone_manifest.jsonl` (materialising) have the columns of the paper's release; a user's own
list needs only names and addresses. Clones are in `clones/OWNER__NAME`, checkouts stay in place.
"""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path

from corpus_tools.support.addresses import checked, name_of
from corpus_tools.support.files import stamp
from corpus_tools.support.licences import licence_class
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.storage import write_atomically

REPOSITORIES = "repos.csv"
MANIFEST = "clone_manifest.jsonl"
CLONES = "clones"


@dataclass(frozen=True, slots=True)
class ListedRepository:
    """A row of `repos.csv`."""

    full_name: str
    """"owner/name"."""
    clone_url: str
    default_branch: str = ""
    stargazers_count: int = 0
    last_pushed: str = ""
    """Date, such as "2026-04-19"."""
    license_spdx: str = ""
    """The SPDX identifier; empty if there is none."""
    license_class: str = "unknown"
    language: str = ""
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Clone:
    """A row of `clone_manifest.jsonl`."""

    full_name: str
    status: str
    """"ok", "gone", "denied" (git has no credentials for it, or it does not exist: some hosts do not distinguish
    these), "timeout", "too-large", "no-features" or "failed"."""
    n_feature_files: int
    disk_kb: int
    commit_sha: str
    error: str
    """The error, for people; empty if there was none."""
    folder: str = ""
    """The absolute path of the user's own checkout; empty for a clone."""
    glue: bool = False
    """True if the clone has sources of step definitions."""


_OPTIONAL = ("folder", "glue")
_ADDRESSES = ("clone_url", "url", "address")
"""Columns of a list that may hold the addresses, the first one first."""


@dataclass(frozen=True)
class Checkout:
    """A repository on this machine, with the columns that it adds to rows of steps."""

    repo: str
    folder: Path
    commit_sha: str
    license_spdx: str
    license_class: str
    is_clone: bool = True
    """True if it was cloned at `commit_sha`, and not changed since; false for the user's own files."""

    @cached_property
    def version(self) -> str:
        """A digest that changes with its features."""
        return self.commit_sha if self.is_clone and self.commit_sha else self.stamp

    @cached_property
    def stamp(self) -> str:
        """A digest that changes with all files that a stage may read: a clone's glue may be added later."""
        return stamp(self.folder)

    def of_suite(self, root: str) -> "Checkout":
        """One suite as a repository of its own, `owner/name//path`; that at the repository's root keeps its name."""
        below = os.path.relpath(root, self.folder).replace(os.sep, "/")
        named = self.repo if below == "." or below.startswith("..") else encodable(f"{self.repo}//{below}")
        return replace(self, repo=named)


def slug(full_name: str) -> str:
    """The name of a repository's folder: "owner__name"."""
    return full_name.replace("/", "__")


def read_repositories(path: Path) -> list[ListedRepository]:
    """The rows of `repos.csv`, with commas, semicolons or tabs between columns. Raises `CukereuseError` if the
    file is missing or broken."""
    if not path.is_file():
        raise CukereuseError(f"{path} does not exist", "Run `cukereuse corpus discover` first.")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=next((sign for sign in ";\t" if sign in head), ","))
            names, rows = table.fieldnames or (), list(table)
    except (OSError, ValueError, csv.Error) as error:
        raise CukereuseError(f"{path} can't be read as a list of repositories: {error}") from error
    if not set(_ADDRESSES) & set(names):
        raise CukereuseError(f"{path} has no column {' or '.join(_ADDRESSES)}", "Its first line names the columns.")
    return distinct((_repository(row, f"row {number} of {path}") for number, row in enumerate(rows, 1)), str(path))


def distinct(repositories: Iterable[ListedRepository], where: str) -> list[ListedRepository]:
    """Each repository once. Raises `CukereuseError` if two share a name, or a folder, but not an address."""
    by_folder: dict[str, ListedRepository] = {}
    for repository in repositories:
        taken = by_folder.setdefault(slug(repository.full_name).lower(), repository)
        if taken.clone_url != repository.clone_url:
            raise CukereuseError(
                f"{where} has two repositories {repository.full_name}", "Give one of them another name."
            )
    return list(by_folder.values())


def _repository(row: dict[str, str | None], where: str) -> ListedRepository:
    """The repository of a row. Raises `CukereuseError` if it has no address; everything else has a default."""

    def cell(*names: str) -> str:
        return next((value.strip() for name in names if (value := row.get(name))), "")

    address = checked(cell(*_ADDRESSES), where)
    name = cell("full_name", "name") or name_of(address)
    spdx = cell("license_spdx")
    stars = cell("stargazers_count")
    if not stars.isdecimal() and stars:
        raise CukereuseError(f"{where}: stargazers_count is {stars!r}, which is not a number")
    return ListedRepository(
        full_name=safe_name(name, where),
        clone_url=address,
        default_branch=cell("default_branch"),
        stargazers_count=int(stars or 0),
        last_pushed=cell("last_pushed"),
        license_spdx=spdx,
        license_class=cell("license_class") or (licence_class(spdx) if "license_spdx" in row else "unknown"),
        language=cell("language"),
        archived=cell("archived").lower() == "true",
    )


def safe_name(name: str, where: str) -> str:
    """ "owner/name", which becomes a folder's name. Raises `CukereuseError` for any other name."""
    parts = name.split("/")
    if not name or any(part in ("", ".", "..") for part in parts) or any(sign in name for sign in "\\:\0"):
        raise CukereuseError(f"{where}: {name!r} is not a repository name such as team/shop")
    return name if len(parts) > 1 else f"local/{name}"


def write_repositories(path: Path, repositories: Iterable[ListedRepository]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [field.name for field in fields(ListedRepository)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(repository) for repository in repositories)
    write_atomically(path, buffer.getvalue().encode("utf-8"))


def read_manifest(path: Path) -> list[Clone]:
    """The rows of the manifest. Raises `CukereuseError` if the file is missing or broken."""
    names = [field.name for field in fields(Clone) if field.name not in _OPTIONAL]
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        ours = [{name: row[name] for name in _OPTIONAL if name in row} for row in rows]
        return [Clone(**{name: row[name] for name in names}, **more) for row, more in zip(rows, ours, strict=True)]
    except KeyError as error:
        raise CukereuseError(f"{path}: a row has no {error}") from error
    except (OSError, TypeError, ValueError) as error:
        raise CukereuseError(f"{path} can't be read as a manifest of clones: {error}") from error


def write_manifest(path: Path, clones: Iterable[Clone]) -> None:
    lines = [json.dumps(as_row(clone), ensure_ascii=False) for clone in clones]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode("utf-8"))


def as_row(clone: Clone) -> dict[str, object]:
    """The paper's columns, and ours that are not empty."""
    return {name: value for name, value in asdict(clone).items() if value or name not in _OPTIONAL}


def sources(corpus: Path) -> list[Checkout]:
    """The repositories below `corpus/clones`, and the checkouts that the manifest names, by name. Without a manifest,
    every folder is a repository; without `repos.csv`, licences are unknown. Raises `CukereuseError` if there are
    none."""
    manifest = corpus / MANIFEST
    clones = {clone.full_name: clone for clone in read_manifest(manifest)} if manifest.is_file() else {}
    rows = [*_cloned(corpus, clones)]
    rows += [
        Checkout(clone.full_name, Path(clone.folder), clone.commit_sha, "", "unknown", is_clone=False)
        for clone in clones.values()
        if clone.folder and clone.status == "ok" and Path(clone.folder).is_dir()
    ]
    if not rows:
        absent = f": none of the {len(clones):,} of {manifest.name} is there" if clones else ""
        hint = "Run `cukereuse corpus materialise` first, or name checkouts with `--local`."
        failed = next((clone for clone in clones.values() if clone.error), None)
        if failed is not None:
            hint = f"{failed.full_name}: {failed.error}\n`cukereuse corpus materialise --retry` retries what failed."
        raise CukereuseError(f"{corpus / CLONES} has no repositories{absent}", hint)
    return sorted(rows, key=lambda source: source.repo)


def _cloned(corpus: Path, commits: Mapping[str, Clone]) -> Iterator[Checkout]:
    """The clones below `corpus/clones`. `commits`: the manifest."""
    listed, clones = corpus / REPOSITORIES, corpus / CLONES
    listing = {repository.full_name: repository for repository in read_repositories(listed)} if listed.is_file() else {}
    by_folder = {slug(name): name for name in [*listing, *commits]}
    for name in sorted(folder.name for folder in clones.iterdir() if folder.is_dir()) if clones.is_dir() else ():
        repo = by_folder.get(name, name.replace("__", "/", 1))
        clone = commits.get(repo)
        if name.startswith(".") or (commits and not _is_cloned(clone)):
            continue
        spdx, licence = (
            (listing[repo].license_spdx, listing[repo].license_class) if repo in listing else ("", "unknown")
        )
        folder = (clones / name).resolve()  # resolved as glue is: a clone may be a link
        yield Checkout(repo, folder, clone.commit_sha if clone else "", spdx, licence, clone is not None)


def _is_cloned(clone: Clone | None) -> bool:
    return clone is not None and clone.status == "ok" and not clone.folder


def absent(corpus: Path, present: Iterable[Checkout]) -> list[str]:
    """Names of repositories that are here according to the manifest, but not among `present`."""
    manifest = corpus / MANIFEST
    here = {source.repo for source in present}
    clones = read_manifest(manifest) if manifest.is_file() else []
    return [clone.full_name for clone in clones if clone.status == "ok" and clone.full_name not in here]
