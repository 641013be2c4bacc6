"""Generated parts of documents: each is between `<!-- NAME:begin -->` and `<!-- NAME:end -->`."""

from collections.abc import Callable, Iterable, Mapping, Sequence


def renewed(document: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """`document` with new text between the markers of each of `parts`, a function by its name; unchanged if it has no
    markers."""
    for name, part in parts.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        before, opened, rest = document.partition(begin)
        _, closed, after = rest.partition(end)
        if opened and closed:
            document = f"{before}{begin}\n{part()}\n{end}{after}"
    return document


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, without a newline at its end."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
