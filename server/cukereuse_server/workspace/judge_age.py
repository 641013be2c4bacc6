"""Measures how much a suite has changed since its judge was made."""

from collections.abc import Set

_RENEW_SHARE, _RENEW_LEAST = 0.02, 50
"""The number of changed templates from which the judge is renewed."""
_RENEW_CAME = 2000
"""Maximum number of templates that may come, even if they are gone again as after most keys: the judge keeps them."""


class JudgeAge:
    def __init__(self) -> None:
        self._drifted: set[str] = set()
        """Templates that were added or removed since the judge was made."""
        self._bound_anew: set[str] = set()
        """Templates whose bindings have changed since."""
        self._came = 0
        """The number of templates that were added since, including those that are gone again."""

    def restart(self) -> None:
        """Start again with a new judge."""
        self._drifted.clear()
        self._bound_anew.clear()
        self._came = 0

    def come(self, key: str) -> None:
        self._drifted ^= {key}
        self._came += 1

    def go(self, key: str) -> None:
        self._drifted ^= {key}

    def bind_anew(self, keys: Set[str]) -> None:
        self._bound_anew |= keys

    def is_outdated(self, templates: int) -> bool:
        """True if the judge should be renewed, for a suite of so many templates."""
        changed = len(self._drifted | self._bound_anew)
        return changed > max(_RENEW_LEAST, _RENEW_SHARE * templates) or self._came > _RENEW_CAME
