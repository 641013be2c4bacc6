"""Reports on standard error which places are not valid Gherkin: a command's counts may be wrong because of them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from cukereuse_engine.gherkin.feature import ReadError
    from cukereuse_engine.scanning.suite import Suite

SHOWN = 10
"""Maximum number of places that are listed; `cukereuse scan` lists them all."""


def unread_of(suites: "Iterable[Suite]") -> "tuple[ReadError, ...]":
    return tuple(error for suite in suites for file in suite.files for error in file.errors)


def say_unread(errors: "Iterable[ReadError]", consequence: str) -> None:
    """Print the unread places. `consequence`: a sentence on what they may mean for the answer."""
    from cukereuse_engine.report.visible import visible

    unread = list(errors)
    if not unread:
        return
    click.echo(f"note: {counted(len(unread), 'place')} could not be read as valid Gherkin. {consequence}", err=True)
    for error in unread[:SHOWN]:
        place = ":".join([visible(error.path), *(str(number) for number in (error.line, error.column) if number)])
        click.echo(f"  {place}  {visible(error.message)}", err=True)
    if len(unread) > SHOWN:
        click.echo(f"  and {len(unread) - SHOWN:,} more", err=True)
