"""`catalogue.json` as typed data. Computes nothing."""

from typing import Annotated

import msgspec

VERSION = 1


class Owner(msgspec.Struct, frozen=True, omit_defaults=True):
    """One repository's own version of a step."""

    repo: str
    uses: int
    """Steps that say it."""
    text: str
    """The owner's most frequent text."""
    expression: str = ""
    """Its step definition's; empty where none is known."""
    language: str = ""
    path: str = ""
    """Path of the definition, from the repository's root, with `/`."""
    line: int = 0
    team: str = ""
    """Who owns it by CODEOWNERS, such as "@acme/checkout"; several between spaces; empty where it is not known."""
    form: str = ""
    """Digest of what its function does; equal ones of one language do the same. Empty where it is not known."""


class CatalogueEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step with all its owners."""

    step: str
    """The step with `…` for each argument."""
    text: str
    """The text of most repositories; if several, of most steps."""
    key: str
    """Lower case, with a slot for each argument: what makes two of them one."""
    owners: Annotated[list[Owner], msgspec.Meta(min_length=1)]
    """Owners, those with the most uses first."""
    intent: int = -1
    """Entries with the same number mean the same in other words; -1: none does."""
    best: bool = False
    """True for the preferred entry of its intent: that of most repositories, then of most steps."""

    @property
    def uses(self) -> int:
        return sum(owner.uses for owner in self.owners)

    @property
    def repositories(self) -> list[str]:
        return list(dict.fromkeys(owner.repo for owner in self.owners))


class CatalogueDocument(msgspec.Struct, frozen=True):
    version: int
    repositories: int
    entries: list[CatalogueEntry]
    """Entries, those of most repositories first."""
