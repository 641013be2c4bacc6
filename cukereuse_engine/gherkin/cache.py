"""The cache of read feature files, by content."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore


@cache
def reader() -> str:
    """A digest of this package and the official parser: after a change, files are read again."""
    parser = find_spec("gherkin")
    return digest_of(Path(__file__).parent, *map(Path, (parser and parser.submodule_search_locations) or ()))


def parse_cache() -> BlobStore:
    """The cache in the user's cache folder, by content."""
    return BlobStore("reading.sqlite", version=reader())
