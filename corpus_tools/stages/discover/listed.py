"""A list of git addresses -> repositories.

Either a table with a header (`clone_url`, `url` or `address`; `full_name` or `name`; any columns of `repos.csv`), or
plain lines: an address, or a name and an address. `#` begins a comment.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from corpus_tools.support.addresses import checked, name_of
from corpus_tools.support.repositories import ListedRepository, distinct, read_repositories, safe_name
from cukereuse_engine.errors import CukereuseError

_HEADER = re.compile(r"(^|[,;\t])\s*(clone_url|url|address)\s*([,;\t]|$)")
_ADDRESS = re.compile(r"://|^[./~]|^[A-Za-z]:[\\/]|^[^/\s]+:|\.git/?$")
_REMOTE = re.compile(r"[^/\\:]{2,}:")
"""A scheme or a host, as git distinguishes them: a colon before any slash; a drive is one letter."""


def read_list(path: Path) -> list[ListedRepository]:
    """The repositories in the order of the file. Raises `CukereuseError` naming the line that can't be used."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise CukereuseError(f"{path} can't be read as a list of addresses: {error}") from None
    first = next((line for line in lines if line.strip()), "")
    repositories = read_repositories(path) if _HEADER.search(first) else _of_lines(lines, path)
    if not repositories:
        raise CukereuseError(f"{path} names no repository", "Write one address per line, or a name and an address.")
    here = [replace(each, clone_url=_absolute(each.clone_url, path.parent)) for each in repositories]
    return distinct(here, str(path))


def _absolute(address: str, folder: Path) -> str:
    """The path of an address on this machine, relative to the list's folder; git would take it relative to its own."""
    return address if _REMOTE.match(address) else str((folder / Path(address).expanduser()).absolute())


def _of_lines(lines: Sequence[str], path: Path) -> list[ListedRepository]:
    repositories = []
    for number, line in enumerate(lines, 1):
        words = re.split(r"[\s,]+", re.sub(r"(^|\s)#.*", "", line).strip(" \t,"))
        if words == [""]:
            continue
        where = f"line {number} of {path}"
        addresses = [word for word in words if _ADDRESS.search(word)]
        if len(words) > 2 or len(addresses) != 1:
            raise CukereuseError(f"{where} is neither an address nor a name and an address")
        address = checked(addresses[0], where)
        names = [word for word in words if word != addresses[0]]
        repositories.append(ListedRepository(safe_name(names[0] if names else name_of(address), where), address))
    return repositories
