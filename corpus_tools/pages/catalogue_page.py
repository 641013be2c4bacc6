"""The catalogue as a searchable page."""

from corpus_tools.pages.page import render as render_page
from corpus_tools.pages.page import shortened
from cukereuse_engine.catalogue.document import CatalogueDocument, CatalogueEntry, Owner
from cukereuse_engine.prose import counted
from cukereuse_engine.report.visible import visible

_LONGEST = 300
"""The code points of a text that are shown."""


def render(document: CatalogueDocument) -> bytes:
    """UTF-8. Repositories are numbers in the data, which name them once."""
    names = sorted({owner.repo for entry in document.entries for owner in entry.owners})
    number = {name: place for place, name in enumerate(names)}
    shared = sum(len(entry.repositories) > 1 for entry in document.entries)
    lede = (
        f"{counted(len(document.entries), 'step')} of {counted(document.repositories, 'repository')}; "
        f"{shared:,} of them in several. Steps that differ only in arguments count as one."
    )
    data = {
        "repositories": [visible(name) for name in names],
        "entries": [_entry(entry, number) for entry in document.entries],
    }
    return render_page("Catalogue of steps", lede, data, "catalogue.js")


def _entry(entry: CatalogueEntry, number: dict[str, int]) -> list[object]:
    owners = [_owner(owner, number) for owner in entry.owners]
    return [_shown(entry.step), _shown(entry.key), owners, entry.intent, int(entry.best)]


def _owner(owner: Owner, number: dict[str, int]) -> list[object]:
    return [
        number[owner.repo], owner.uses, _shown(owner.text), _shown(owner.expression), owner.language,
        visible(owner.path), owner.line, owner.form, visible(owner.team),
    ]  # fmt: skip


def _shown(text: str) -> str:
    return shortened(text, _LONGEST)
