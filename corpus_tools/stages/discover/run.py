"""The stage `discover` -> `repos.csv`: two shapes of search, or what a person names: organisations, lists of addresses.

What is named is taken as it is; stars and the like are asked of what a search finds.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from corpus_tools.stages.discover.client import API, Answer, GitHub
from corpus_tools.stages.discover.listed import read_list
from corpus_tools.stages.discover.organisations import repositories_of
from corpus_tools.stages.discover.search import Search
from corpus_tools.support.checkpoint import FOLDER, CheckpointedStage, digest
from corpus_tools.support.licences import licence_class
from corpus_tools.support.repositories import (
    REPOSITORIES,
    ListedRepository,
    distinct,
    read_repositories,
    write_repositories,
)
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.prose import listed

MINIMUM_STARS = 10
"""The paper's: fewer admits tutorial clones, which inflate duplication."""
_FORKS, _ARCHIVED = "forks", "archived"
"""Kinds of repositories that are left out, as the options that include them are named."""
CODE_WORDS = ('"Feature:"', '"Scenario:"', '"Background:"')
"""Three words, because each query is capped (paper, section "Discovery")."""


@dataclass(frozen=True, slots=True)
class Discovered:
    repositories: int
    gone: int
    """Repositories that code search found and that no longer exist."""
    beyond_cap: int
    """Results that GitHub counts but does not give."""
    forks: int = 0
    """Forks of organisations that were left out."""
    archived: int = 0
    """Archived repositories of organisations that were left out."""
    dropped: Sequence[str] = ()
    """Names of repositories that the `repos.csv` before had."""


@dataclass(frozen=True, slots=True)
class Named:
    """The organisations and lists that a person named, in addition to or instead of a search."""

    organisations: Sequence[str] = ()
    lists: Sequence[Path] = ()
    forks: bool = False
    """True to take the organisations' forks too."""

    def __bool__(self) -> bool:
        return bool(self.organisations or self.lists)

    @property
    def key(self) -> dict[str, object]:
        """Everything that the result depends on."""
        if not self:
            return {}
        lists = [digest(path) for path in self.lists if path.is_file()]
        return {"organisations": list(self.organisations), "lists": lists, "forks": self.forks}


def discover(
    corpus: Path,
    *,
    minimum_stars: int = MINIMUM_STARS,
    archived: bool = False,
    until: date,
    code: bool = True,
    named: Named = Named(),
    search: bool = True,
    api: str = API,
    connect: Callable[[Path], GitHub],
    progress: Progress = SILENT,
) -> Discovered:
    """Search, look up repositories that only code search found, filter, add `named` ones, and write `repos.csv`: most
    stars first, then the lists in their order.

    `connect` gives the API for a folder of kept answers; lists of addresses need none. Raises `CukereuseError` if the
    API fails permanently, a list can't be read, there are no repositories, or `repos.csv` exists and was not made here.
    """
    output = corpus / REPOSITORIES
    if is_own_list(corpus):
        hint = "Start with `cukereuse corpus materialise`; or move the file away, and name it with --addresses."
        raise CukereuseError(f"{output} is your own list, and discovery would replace it", hint)
    key: dict[str, object] = {"until": until.isoformat(), "archived": archived, "api": api}
    if search:
        key |= {"minimum_stars": minimum_stars, "code": code}
    stage = CheckpointedStage(corpus, "discover", key | named.key)
    if stage.complete():
        return Discovered(len(read_repositories(output)), 0, 0)
    of_lists = [repository for path in named.lists for repository in read_list(path)]
    by_name: dict[str, Answer] = {}
    left_out: Counter[str] = Counter()
    gone = beyond = 0
    if search:
        github = connect(stage.folder / "answers")
        gone, beyond = _search(github, by_name, minimum_stars, archived, until, code, progress)
    kept = [each for each in _repositories(by_name) if each.stargazers_count >= minimum_stars]
    kept = [each for each in kept if archived or not each.archived]
    if named.organisations:
        github = connect(stage.folder / "answers")
        kept += _repositories(_of_organisations(github, named, until, archived, left_out, progress))
    kept = list({each.full_name.lower(): each for each in kept}.values())
    kept.sort(key=lambda repository: (-repository.stargazers_count, repository.full_name.lower()))
    repositories = distinct([*kept, *of_lists], "What was named")
    if not repositories:
        raise _nothing(named, left_out)
    dropped = _dropped(output, repositories)
    write_repositories(output, repositories)
    stage.finish([output])
    return Discovered(len(repositories), gone, beyond, left_out[_FORKS], left_out[_ARCHIVED], dropped)


def _dropped(before: Path, repositories: Iterable[ListedRepository]) -> tuple[str, ...]:
    """Names in the `repos.csv` of an earlier run that are no longer among `repositories`."""
    names = {repository.full_name for repository in repositories}
    earlier = read_repositories(before) if before.is_file() else []
    return tuple(repository.full_name for repository in earlier if repository.full_name not in names)


def _nothing(named: Named, left_out: Counter[str]) -> CukereuseError:
    hint = "Private repositories are only visible with a token, in GITHUB_TOKEN." if named else ""
    if left_out:
        counts = listed([f"{count:,} {kind}" for kind, count in left_out.items()])
        hint = f"Left out: {counts}. Include them with {listed([f'--{kind}' for kind in left_out])}."
    return CukereuseError(f"no repositories were found{f' of {listed(named.organisations)}' if named else ''}", hint)


def how_found(corpus: Path) -> str:
    """The sources of the repositories in a `repos.csv` that was made here, as a sentence."""
    key = _remembered(corpus)
    ways = []
    if "minimum_stars" in key:
        code = ", and code search for three words in `.feature` files" if key.get("code", True) else ""
        ways.append(f"Found by GitHub's REST search (main language Gherkin{code})")
    if key.get("organisations"):
        ways.append(f"Listed by GitHub for {', '.join(key['organisations'])}")
    if key.get("lists"):
        ways.append("Given as lists of addresses")
    return "; ".join(ways)


def _remembered(corpus: Path) -> dict[str, Any]:
    """The request of the discovery that was begun in this folder; empty if there is none."""
    try:
        key: dict[str, Any] = json.loads((corpus / FOLDER / "discover" / "key.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return key


def is_begun(corpus: Path) -> bool:
    """True if a discovery was begun in this folder."""
    return (corpus / FOLDER / "discover" / "key.json").is_file()


def is_of_named(corpus: Path) -> bool:
    """True if a discovery was begun in this folder with organisations or lists."""
    key = _remembered(corpus)
    return bool(key.get("organisations") or key.get("lists"))


def is_own_list(corpus: Path) -> bool:
    """True if `repos.csv` exists and a person wrote or changed it."""
    path = corpus / REPOSITORIES
    if not path.is_file():
        return False
    stage = corpus / FOLDER / "discover"
    try:
        made: str | None = json.loads((stage / "outputs.json").read_bytes()).get(REPOSITORIES)
    except (OSError, ValueError, AttributeError):
        made = None
    return made != digest(path) if made else not is_begun(corpus)


def _search(
    github: GitHub,
    answers: dict[str, Answer],
    minimum_stars: int,
    archived: bool,
    until: date,
    code: bool,
    progress: Progress,
) -> tuple[int, int]:
    """Add to `answers`; returns how many repositories were gone, and how many are beyond the cap."""
    with progress.stage("searching", None, "pages") as pages:
        search = Search(github, pages)
        words = "language:Gherkin" + ("" if archived else " archived:false")
        for item in search.repositories(words, low_stars=minimum_stars, until=until):
            answers.setdefault(str(item["full_name"]).lower(), item)
        names: dict[str, str] = {}
        for word in CODE_WORDS if code else ():
            for item in search.code(f"{word} extension:feature"):
                name = str((item.get("repository") or {}).get("full_name") or "")
                if name:
                    names.setdefault(name.lower(), name)
    gone = _look_up(github, [name for key, name in sorted(names.items()) if key not in answers], answers, progress)
    return gone, search.beyond_cap


def _of_organisations(
    github: GitHub, named: Named, until: date, archived: bool, left_out: Counter[str], progress: Progress
) -> dict[str, Answer]:
    """The repositories of the organisations, created until that day. Counts in `left_out` what was not requested."""
    answers: dict[str, Answer] = {}
    with progress.stage("listing", None, "pages") as pages:
        for name in named.organisations:
            for item in repositories_of(github, name, pages):
                if item.get("fork") and not named.forks:
                    left_out[_FORKS] += 1
                elif item.get("archived") and not archived:
                    left_out[_ARCHIVED] += 1
                elif str(item.get("created_at") or "")[:10] <= until.isoformat():
                    answers.setdefault(str(item["full_name"]).lower(), item)
    return answers


def _repositories(answers: dict[str, Answer]) -> list[ListedRepository]:
    return list(
        {repository.full_name.lower(): repository for repository in map(_repository, answers.values())}.values()
    )


def remembered_day(corpus: Path) -> date | None:
    """The last day of the search that was begun in this folder, with which it goes on on another day."""
    try:
        return date.fromisoformat(_remembered(corpus)["until"])
    except (KeyError, TypeError, ValueError):
        return None


def _look_up(github: GitHub, names: Iterable[str], answers: dict[str, Answer], progress: Progress) -> int:
    """Look up stars and licences, which code search does not give. Returns how many repositories were missing."""
    missing = list(names)
    gone = 0
    with progress.stage("looking up", len(missing), "repositories") as stage:
        for name in missing:
            answer = github.get(f"/repos/{name}")
            if answer is None:
                gone += 1
            else:
                answers.setdefault(str(answer["full_name"]).lower(), answer)  # a renamed one answers with its new name
            stage.advance()
    return gone


def _repository(answer: Answer) -> ListedRepository:
    spdx = str((answer.get("license") or {}).get("spdx_id") or "")
    return ListedRepository(
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
