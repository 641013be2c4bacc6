"""Python's search for objects that only hold each other."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_search_for_cycles() -> Iterator[None]:
    """Python looks at all objects again when a quarter more have come, which is half of the time that it takes to make
    millions of them. For work whose objects are in no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
