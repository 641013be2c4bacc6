"""`cukereuse serve`: the language server, on standard input and output, or on a TCP port for debugging."""

import gc
import logging
import os
import sys

import click

_YOUNG = 50_000
"""The number of young objects from which the garbage collector looks at them. The answer about a long file has as many,
all in use, and took three times as long with a look at every 700."""


@click.command("serve")
@click.option("--stdio", is_flag=True, help="Use standard input and output (the default).")
@click.option("--tcp", metavar="HOST:PORT", help="Wait for one client on this address instead; for debugging.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="Level of the messages on standard error.",
)
def command(stdio: bool, tcp: str | None, log_level: str) -> None:
    """Run the language server for editors.

    Editors start this command themselves; see the README for VS Code and Neovim.
    """
    if stdio and tcp:
        raise click.UsageError("--stdio and --tcp can't be combined")
    logging.basicConfig(level=log_level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(max(logging.WARNING, logging.getLogger().level))
    address = _address(tcp) if tcp else None
    gc.disable()
    from cukereuse_server.setup import create_server

    server = create_server()
    gc.freeze()  # what was imported stays: looking at it for cycles stops everything for 50 ms
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    gc.enable()
    if address is None:
        # Whatever a library prints must not be between messages, and the end of the session closes only this copy.
        sink = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        server.start_io(sys.stdin.buffer, sink)
    else:
        server.start_tcp(*address)


def _address(tcp: str) -> tuple[str, int]:
    host, _, port = tcp.rpartition(":")
    if not port.isdecimal() or not 0 <= int(port) < 65536:
        raise click.BadParameter(f"{tcp!r} is not HOST:PORT", param_hint="--tcp")
    return host.strip("[]") or "127.0.0.1", int(port)
