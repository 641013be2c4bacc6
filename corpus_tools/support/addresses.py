"""Addresses of git repositories: the names derived from them, and what they must not contain."""

import re
from urllib.parse import SplitResult, urlsplit

from cukereuse_engine.errors import CukereuseError

_SCP = re.compile(r"(?:[^@/\s:]+@)?[^/\s:]+:(?P<path>[^\s]+)")
"""`git@host:owner/name.git`; a drive letter is one letter."""
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")


def checked(address: str, where: str) -> str:
    """The address, trimmed. Raises `CukereuseError` for one that contains a password or that git would not accept; the
    message never repeats the address. `where` names its source."""
    address = address.strip()
    if not address or address.startswith("-") or "::" in address.partition("/")[0]:
        raise CukereuseError(f"{where} has no address that git can clone from")
    parts = _split(address)
    if parts is not None and (parts.password or (parts.username and parts.scheme in ("http", "https"))):
        raise CukereuseError(
            f"the address of {where} contains credentials",
            "Remove them; git uses its own credential helper or ssh.",
        )
    return address


def without_credentials(text: str) -> str:
    """A message of git, with user and password removed from addresses."""
    return _USER_INFO.sub("", text)


def name_of(address: str) -> str:
    """ "owner/name": the last two parts of the address's path; "local/name" if there is only one. Empty for none."""
    parts = _split(address)
    scp = None if parts is not None else _SCP.fullmatch(address)
    path = parts.path if parts is not None else scp["path"] if scp is not None else address.replace("\\", "/")
    names = [name for name in path.removesuffix("/").removesuffix(".git").split("/") if name not in ("", ".", "..")]
    if not names:
        return ""
    return "/".join(names[-2:]) if len(names) > 1 else f"local/{names[0]}"


def _split(address: str) -> SplitResult | None:
    """The parts of a URL; None if the address is none."""
    if "://" not in address:
        return None
    try:
        return urlsplit(address)
    except ValueError:
        return None
