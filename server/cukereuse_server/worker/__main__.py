"""`python -m cukereuse_server.worker`: the worker process. Speaks frames on standard input and output only."""

import contextlib
import gc
import logging
import os
import sys


def main() -> None:
    # Output of libraries must not get between frames.
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(0.001)  # the longest time that a question waits for the interpreter
    gc.disable()
    from cukereuse_server.worker.service import serve

    gc.freeze()
    gc.enable()
    serve(source, sink)
    logging.shutdown()
    os._exit(0)  # threads need not finish: their writes are complete or absent


if __name__ == "__main__":
    main()
