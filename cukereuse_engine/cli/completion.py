"""`cukereuse completion`: the script that makes a shell complete commands, options and values."""

import click
from click.shell_completion import get_completion_class

from cukereuse_engine.errors import CukereuseError


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL.

    \b
    bash:  cukereuse completion bash > ~/.local/share/bash-completion/completions/cukereuse
    zsh:   cukereuse completion zsh > a file named _cukereuse in a folder of $fpath
    fish:  cukereuse completion fish > ~/.config/fish/completions/cukereuse.fish
    """
    from cukereuse_engine.cli.main import cli

    completion = get_completion_class(shell)
    if completion is None:
        raise CukereuseError(f"there is no completion script for {shell}")
    try:
        script = completion(cli, {}, "cukereuse", "_CUKEREUSE_COMPLETE").source()
    except RuntimeError as error:  # an old version of bash
        raise CukereuseError(str(error)) from None
    click.echo(script)
