"""Where what was read of feature files is kept, by content."""

from importlib import metadata

from cukereuse_engine.storage.blob_store import BlobStore

FORMAT = 4
"""Raise when records or the reader change."""


def parse_cache() -> BlobStore:
    """The user's own."""
    return BlobStore("reading.sqlite", version=f"{FORMAT}/{metadata.version('gherkin-official')}")
