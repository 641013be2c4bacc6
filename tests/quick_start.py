"""A `cukereuse` for tests whose processes begin with everything imported.

Hundreds of servers start in the tests, each with a worker, and their imports cost more than their work. So one process
imports everything, and each start is a fork of it with its own arguments, environment, folder and streams. Tests run
the same code in separate processes; other tests cover the start of the installed command.

`quick_start.py SOCKET` is the process that forks; `command` writes the script that requests a fork.
"""

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

LISTEN_SECONDS = 120
LAZY = ("numpy", "usearch.index", "regex", "rapidfuzz", "tree_sitter", "cucumber_expressions", "yaml", "pygls.server")
"""Modules that are imported only at their point of use."""
ASKING = """#!{python} -S
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    start = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(asked, [len(start).to_bytes(4, "big")], [0, 1, 2])
    asked.sendall(start)
    for number in range(3):
        os.close(number)  # the other process is the only one that holds these streams
    code = asked.recv(1)
    os._exit(code[0] if code else 0)  # a worker ends without a word
"""


@contextlib.contextmanager
def command() -> Iterator[Path]:
    """A `cukereuse`, while the forking process runs; the installed one if no process can be forked."""
    if not hasattr(socket, "send_fds"):
        yield Path(sys.executable).with_name("cukereuse")
        return
    with tempfile.TemporaryDirectory(prefix="quick-") as folder:  # a socket's path has at most 107 bytes
        address, script = Path(folder, "socket"), Path(folder, "cukereuse")
        script.write_text(ASKING.format(python=sys.executable, address=str(address)), "utf-8")
        script.chmod(0o755)
        process = subprocess.Popen([sys.executable, __file__, str(address)], stdin=subprocess.DEVNULL)
        try:
            end = time.monotonic() + LISTEN_SECONDS
            while not address.exists():
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.02)
            yield script
        finally:
            process.terminate()
            process.wait()


def serve(address: str) -> None:
    """Fork for each request, until this process is ended or its parent is gone."""
    parent = os.getppid()
    import_everything()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # none is waited for
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address + ".soon")
        listening.listen(64)
        listening.settimeout(5)
        Path(address + ".soon").rename(address)
        while os.getppid() == parent:
            with contextlib.suppress(TimeoutError):
                connection, _ = listening.accept()
                if os.fork() == 0:
                    listening.close()
                    run(connection, str(Path(address).with_name("cukereuse")))
                connection.close()


def import_everything() -> None:
    for name in ("cukereuse_engine", "cukereuse_server"):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):  # of an extra that is not there
                    importlib.import_module(module.name)
    for name in LAZY:
        importlib.import_module(name)


def run(connection: socket.socket, executable: str) -> None:
    """Be the requested process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection.settimeout(None)
    length, streams, _, _ = socket.recv_fds(connection, 4, 3)
    argv, folder, environment = json.loads(_exactly(connection, int.from_bytes(length, "big")))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    options = argv[1:]
    if options[:1] == ["-P"]:  # as Python
        options = options[1:]
    worker = options[:2] == ["-m", "cukereuse_server.worker"]
    if not worker and options[:1] in (["-c"], ["-m"]):
        os.execv(sys.executable, [sys.executable, *argv[1:]])
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    sys.executable = executable
    sys.argv = argv
    code = 0
    try:
        if worker:
            from cukereuse_server.worker.__main__ import main
        else:
            from cukereuse_engine.cli.main import main
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        connection.send(bytes([code]))
        os._exit(code)


def _end_with(connection: socket.socket) -> None:
    """This process ends when the requesting process is ended."""
    connection.recv(1)
    os._exit(1)


def _exactly(connection: socket.socket, length: int) -> bytes:
    parts = b""
    while len(parts) < length:
        parts += connection.recv(length - len(parts))
    return parts


if __name__ == "__main__":
    serve(sys.argv[1])
