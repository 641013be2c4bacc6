"""Processes of this machine that share out work. They are spawned, and end with the process that started them.

Never decides what pays: that is the caller's.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread


def usable_cores() -> int:
    """Those that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def worker_processes(jobs: int) -> ProcessPoolExecutor:
    """A pool of `jobs` processes. A script of one's own that comes here needs `if __name__ == "__main__"`."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()
