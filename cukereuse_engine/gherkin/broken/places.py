"""Where the official grammar allows titles and prose, and the messages about titles elsewhere."""

from enum import Enum

TITLES = ("FeatureLine", "RuleLine", "BackgroundLine", "ScenarioLine", "ExamplesLine")
"""Types of tokens."""


class LinePlace(Enum):
    """The place of the reader in the grammar."""

    START = "above any feature"
    HEADER = "below a feature's or rule's title"
    DESCRIPTION = "below a background's or scenario's title, above its steps"
    STEPS = "after a step"
    EXAMPLES = "below the title of examples"
    ROWS = "after a row of examples"
    LOST = "after something that has no place; up to the next title"


DESCRIBED = (LinePlace.HEADER, LinePlace.DESCRIPTION, LinePlace.EXAMPLES)
"""Places where prose may be."""


def has_room_for(kind: str | None, place: LinePlace, *, in_background: bool) -> bool:
    """True if a title of this kind is allowed at a place."""
    if kind == "FeatureLine":
        return place is LinePlace.START
    if kind == "BackgroundLine":
        return place in (LinePlace.START, LinePlace.HEADER)
    if kind == "ExamplesLine":
        return place not in (LinePlace.START, LinePlace.HEADER, LinePlace.LOST) and not in_background
    return True


def misplaced(kind: str | None, name: str) -> str:
    """The message about a title where its kind is not allowed. `name`: as written."""
    if kind == "FeatureLine":
        return f'A second "{name}:": a file can have only one. Move it to a file of its own.'
    if kind == "BackgroundLine":
        return f'"{name}:" must come before the first scenario.'
    return f'"{name}:" belongs below a scenario outline.'
