"""`cukereuse corpus papers`."""

from dataclasses import asdict
from pathlib import Path

import click

from cukereuse_engine.cli.outputs import check_writable, report_option, write_json, write_report

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("papers")
@click.argument("release", type=_FOLDER)
@click.option("--slices", type=_FOLDER, help="The second paper's release.  [default: RELEASE/slices where it is there]")
@click.option("--corpus", type=_FOLDER, help="An analysed corpus; its figures are shown beside the papers' own.")
@report_option("html", "One page.")
@report_option("json", "The same tables for programs.")
def command(
    release: Path, slices: Path | None, corpus: Path | None, html_file: str | None, json_file: str | None
) -> None:
    """Compare every table and figure of both papers with ours, and say why one is missing.

    RELEASE is the folder of the first paper's data. Cosines are those that it records; no model is loaded.
    """
    from corpus_tools.pages.papers_page import render, summary
    from corpus_tools.stages.evaluate.figures import evaluate
    from corpus_tools.stages.papers.first import first_paper
    from corpus_tools.stages.papers.second import second_paper
    from cukereuse_engine.cli.progress import progress_for_terminal

    for destination in filter(None, (html_file, json_file)):
        check_writable(destination)
    papers = {"First paper": first_paper(evaluate(release, progress=progress_for_terminal()), corpus)}
    second = slices or release / "slices"
    if second.is_dir():
        papers["Second paper"] = second_paper(second, corpus)
    if html_file is not None:
        write_report(html_file, render(papers))
    if json_file is not None:
        write_json(json_file, {title: [asdict(table) for table in tables] for title, tables in papers.items()})
    if "-" in (html_file, json_file):
        return
    for title, tables in papers.items():
        click.echo(f"{title}: {summary(tables)}")
        for table in tables:
            for row in table.rows:
                if row.verdict == "differs":
                    click.echo(f"  {table.title}, {row.figure}: {row.paper} there, {row.ours} here. {row.why}")
