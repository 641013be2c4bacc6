"""Small parts of sentences that people read: counts with their nouns, code inside of Markdown."""

import re
from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """ "1 step", "1,234 steps", "2 repositories"; what has no plural stays as it is."""
    return f"{number:,} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """ "step" for 1 and -1, else "steps"."""
    return noun if abs(number) == 1 or noun in _WITHOUT_PLURAL else _plural(noun)


def percent(share: float, digits: int = 0) -> str:
    """A share from 0 to 1 as "83 %"."""
    return f"{100 * share:.{digits}f} %"


def chance(probability: float) -> str:
    """A probability as "83 %", never as certain."""
    rounded = round(100 * probability)
    return percent(probability) if 0 < rounded < 100 else "more than 99 %" if rounded else "less than 1 %"


def _plural(noun: str) -> str:
    return re.sub("(?<=[^aeiou])y$", "ie", noun) + "s"


_WITHOUT_PLURAL = ("information",)


def listed(parts: Sequence[str]) -> str:
    """ "", "a", "a and b", "a, b and c"."""
    *before, last = parts or ("",)
    return f"{', '.join(before)} and {last}" if before else last


def first_of(parts: Sequence[str], most: int = 3) -> str:
    """As `listed`, but of many the first ones: "a, b, c and 4 more"."""
    return listed(parts if len(parts) <= most + 1 else [*parts[:most], f"{len(parts) - most:,} more"])


def code_span(text: str) -> str:
    """A Markdown code span whose fence is longer than any run of backticks inside."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
