"""The blocks that several owners share, as a searchable page."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus_tools.pages.page import render as render_page
from corpus_tools.pages.page import shortened
from cukereuse_engine.prose import counted
from cukereuse_engine.report.visible import visible


@dataclass(frozen=True, slots=True)
class SharedBlock:
    steps: tuple[str, ...]
    """The most frequent wordings."""
    owners: tuple[str, ...]
    """The names of the owners."""
    repositories: int
    scenarios: int
    places: tuple[tuple[str, str, int], ...]
    """Repository, path and line of one place for each owner."""


_LONGEST = 300
"""The code points of a step that are shown."""


def render(blocks: "Sequence[SharedBlock]") -> bytes:
    """UTF-8. Repositories are numbers in the data, which name them once."""
    names = sorted({repository for block in blocks for repository, _, _ in block.places})
    number = {name: place for place, name in enumerate(names)}
    lede = (
        f"{counted(len(blocks), 'block')} of at least three steps that several owners have, "
        f"{counted(len(names), 'repository')} in all. Steps that differ only in arguments count as one."
    )
    data = {
        "repositories": [visible(name) for name in names],
        "blocks": [
            [
                [shortened(step, _LONGEST) for step in block.steps],
                [[number[repository], visible(path), line] for repository, path, line in block.places],
                block.repositories,
                block.scenarios,
            ]
            for block in blocks
        ],
    }
    return render_page("Blocks that owners share", lede, data, "shared_blocks.js")
