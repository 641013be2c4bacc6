"""Where what was read of feature files is kept, by content."""

from functools import cache
from importlib import metadata
from pathlib import Path

from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore


@cache
def reader() -> str:
    """Of this package: a reader that changed reads anew."""
    return digest_of(Path(__file__).parent)


def parse_cache() -> BlobStore:
    """The user's own."""
    return BlobStore("reading.sqlite", version=f"{reader()}/{metadata.version('gherkin-official')}")
