"""A command with many options: its help lists them under headings."""

from collections.abc import Sequence

import click


class Grouped(click.Command):
    """Options in their order, under headings. `first`: the first parameter of each group, with the heading."""

    first: dict[str, str]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: list[tuple[str, list[tuple[str, str]]]] = []
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        for parameter in options:  # arguments are described above the options
            record = parameter.get_help_record(ctx)
            if parameter.name in self.first:
                groups.append((self.first[parameter.name], []))
            if record is not None:
                groups[-1][1].append(record)
        for heading, records in groups:
            with formatter.section(heading):
                formatter.write_dl(records)


def headings(rows: Sequence[tuple[str, str]]) -> type[Grouped]:
    """Make a command class with these groups."""
    return type("Headed", (Grouped,), {"first": dict(rows)})
