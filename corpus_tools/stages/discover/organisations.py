"""All repositories of an organisation or a user, as far as the token may see them."""

from collections.abc import Iterator

from corpus_tools.stages.discover.client import Answer, GitHub
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import Stage

_PAGE = 100


def repositories_of(github: GitHub, name: str, stage: Stage) -> Iterator[Answer]:
    """Repositories in the order of the API. Raises `CukereuseError` if there is no such organisation or user."""
    owner = github.get(f"/users/{name}")
    if owner is None:
        raise CukereuseError(f"there is no organisation or user {name!r}", "Use the name as in its URL.")
    if owner.get("type") == "Organization":
        path, query = f"/orgs/{name}/repos", {"type": "all"}
    elif github.has_token and str((github.get("/user") or {}).get("login", "")).lower() == name.lower():
        path, query = "/user/repos", {"affiliation": "owner"}  # the public list would leave out private repositories
    else:
        path, query = f"/users/{name}/repos", {"type": "owner"}
    for rows in github.get_pages(path, {**query, "per_page": _PAGE}):
        stage.advance()
        yield from rows
