"""Suggests the name that a misspelt name most likely meant, for error messages."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `name` most likely meant, or None; case, and `-` for `_`, do not count."""
    plain = {other.lower().replace("_", "-"): other for other in names}
    close = get_close_matches(name.lower().replace("_", "-"), plain, n=1, cutoff=0.6)
    return plain[close[0]] if close else None
