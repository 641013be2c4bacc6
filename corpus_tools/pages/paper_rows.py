"""The rows of the page about both papers: published figures, ours, and the reason if one is missing."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

EQUAL, DIFFERS, OTHER, MISSING = "equal", "differs", "of another corpus", "not had"


@dataclass(frozen=True, slots=True)
class Row:
    figure: str
    paper: str
    """The figure as printed; empty for a drawing."""
    ours: str
    """Empty if there is no figure."""
    verdict: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PaperTable:
    title: str
    rows: tuple[Row, ...]


def compared(figure: str, paper: str, ours: float | None, *, same_corpus: bool = True, why: str = "") -> Row:
    """A row with our figure, at one decimal more than the paper prints (a count at none). Figures are equal if they
    differ by at most half a unit of the paper's last place, ties included, because the paper rounded twice.
    `same_corpus`: true if ours are from the paper's data; otherwise a difference means nothing."""
    if ours is None:
        return Row(figure, paper, "", MISSING, why)
    printed = Decimal(paper)
    unit = Decimal(1).scaleb(int(printed.as_tuple().exponent))
    shown = Decimal(repr(ours)).quantize(unit if unit == 1 else unit / 10, ROUND_HALF_UP)
    is_equal = abs(shown - printed) <= unit / 2
    verdict = EQUAL if is_equal else DIFFERS if same_corpus else OTHER
    return Row(figure, paper, f"{shown}", verdict, "" if is_equal else why)
