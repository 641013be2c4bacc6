"""The stage `discover`: two shapes of search, filters, licences -> `repos.csv`."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from corpus_tools.stages.discover.client import API, Answer, GitHub
from corpus_tools.stages.discover.search import Search
from corpus_tools.support.checkpoint import FOLDER, Stage
from corpus_tools.support.licences import licence_class
from corpus_tools.support.repositories import REPOSITORIES, Repository, read_repositories, write_repositories
from cukereuse_engine.progress import SILENT, Progress

MINIMUM_STARS = 10
"""The paper's: fewer admits tutorial clones, which inflate duplication."""
CODE_WORDS = ('"Feature:"', '"Scenario:"', '"Background:"')
"""Three words, because each query is capped (paper, section "Discovery")."""


@dataclass(frozen=True, slots=True)
class Discovered:
    repositories: int
    gone: int
    """Found by code search, and not there when asked for."""
    beyond_cap: int
    """Results that GitHub counts and does not give."""


def discover(
    corpus: Path,
    *,
    minimum_stars: int = MINIMUM_STARS,
    archived: bool = False,
    until: date,
    code: bool = True,
    api: str = API,
    connect: Callable[[Path], GitHub],
    progress: Progress = SILENT,
) -> Discovered:
    """Search, look up what code search alone found, filter, and write `repos.csv`, most stars first.

    `connect` gives the API for a folder of kept answers. Raises `CukereuseError` where the API fails for good.
    """
    key = {"minimum_stars": minimum_stars, "archived": archived, "until": until.isoformat(), "code": code, "api": api}
    stage = Stage(corpus, "discover", key)
    output = corpus / REPOSITORIES
    if stage.complete():
        return Discovered(len(read_repositories(output)), 0, 0)
    github = connect(stage.folder / "answers")
    found: dict[str, Answer] = {}
    with progress.stage("searching", None, "pages") as pages:
        search = Search(github, pages)
        words = "language:Gherkin" + ("" if archived else " archived:false")
        for item in search.repositories(words, low_stars=minimum_stars, until=until):
            found.setdefault(str(item["full_name"]).lower(), item)
        names: dict[str, str] = {}
        for word in CODE_WORDS if code else ():
            for item in search.code(f"{word} extension:feature"):
                name = str((item.get("repository") or {}).get("full_name") or "")
                if name:
                    names.setdefault(name.lower(), name)
    gone = _look_up(github, [name for key_, name in sorted(names.items()) if key_ not in found], found, progress)
    kept = [
        repository
        for repository in {one.full_name.lower(): one for one in map(_repository, found.values())}.values()
        if repository.stargazers_count >= minimum_stars and (archived or not repository.archived)
    ]
    kept.sort(key=lambda one: (-one.stargazers_count, one.full_name.lower()))
    write_repositories(output, kept)
    stage.finish([output])
    return Discovered(len(kept), gone, search.beyond_cap)


def remembered_day(corpus: Path) -> date | None:
    """The last day of the search that was begun in this folder: on another day it goes on with the same."""
    try:
        return date.fromisoformat(json.loads((corpus / FOLDER / "discover" / "key.json").read_bytes())["until"])
    except (OSError, KeyError, TypeError, ValueError):
        return None


def _look_up(github: GitHub, names: Iterable[str], found: dict[str, Answer], progress: Progress) -> int:
    """Code search gives neither stars nor licences. Gives how many were not there."""
    missing = list(names)
    gone = 0
    with progress.stage("looking up", len(missing), "repositories") as stage:
        for name in missing:
            answer = github.get(f"/repos/{name}")
            if answer is None:
                gone += 1
            else:
                found.setdefault(str(answer["full_name"]).lower(), answer)  # a renamed one answers with its new name
            stage.advance()
    return gone


def _repository(answer: Answer) -> Repository:
    spdx = str((answer.get("license") or {}).get("spdx_id") or "")
    return Repository(
        full_name=str(answer["full_name"]),
        clone_url=str(answer.get("clone_url") or ""),
        default_branch=str(answer.get("default_branch") or ""),
        stargazers_count=int(answer.get("stargazers_count") or 0),
        last_pushed=str(answer.get("pushed_at") or "")[:10],
        license_spdx=spdx,
        license_class=licence_class(spdx),
        language=str(answer.get("language") or ""),
        archived=bool(answer.get("archived")),
    )
