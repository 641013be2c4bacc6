"""Results kept by key: complete or missing, bounded, shared by processes."""

import random
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cukereuse_engine.storage.blob_store import BlobStore

READ = Path("/proc/self/io")


def bytes_read() -> int:
    """The bytes that this process has read from files."""
    return int(READ.read_text().split()[1])


def test_keeps_what_it_is_given(own_cache: Path) -> None:
    BlobStore("some.sqlite").put_many({"k": b"v", "empty": b""})
    assert BlobStore(own_cache / "some.sqlite").get_many(["k", "empty", "unknown"]) == {"k": b"v", "empty": b""}


def test_stores_know_nothing_of_each_other() -> None:
    BlobStore("one.sqlite").put_many({"k": b"v"})
    assert BlobStore("other.sqlite").get_many(["k"]) == {}


def test_another_version_is_a_miss() -> None:
    BlobStore("some.sqlite", version="1").put_many({"k": b"v"})
    assert BlobStore("some.sqlite", version="1").get_many(["k"]) == {"k": b"v"}
    assert BlobStore("some.sqlite", version="2").get_many(["k"]) == {}


def test_it_is_bounded() -> None:
    bound = 400_000
    store = BlobStore("some.sqlite", max_bytes=bound)
    keys = [f"{number:03}" for number in range(300)]
    for at in range(0, len(keys), 20):
        store.put_many({key: bytes(5000) for key in keys[at : at + 20]})
    kept = store.get_many(keys)
    assert bound / 2 < sum(map(len, kept.values())) <= bound
    assert all(payload == bytes(5000) for payload in kept.values())
    assert store.path.stat().st_size < 2 * bound


@pytest.mark.skipif(not READ.exists(), reason="what a process reads is counted by /proc")
def test_who_writes_little_reads_little() -> None:
    store = BlobStore("some.sqlite")
    store.put_many({str(number): bytes(20_000) for number in range(300)})
    before = bytes_read()
    store.put_many({"one more": bytes(100)})
    assert bytes_read() - before < 300_000


def test_processes_share_it(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import sys
        from cukereuse_engine.storage.blob_store import BlobStore
        store = BlobStore(sys.argv[1])
        for number in range(30):
            store.put_many({f"{sys.argv[2]}-{number}": sys.argv[2].encode() * 100})
    """)
    path = tmp_path / "c.sqlite"
    running = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    keys = [f"{name}-{number}" for name in "ab" for number in range(30)]
    assert BlobStore(path).get_many(keys) == {key: key[:1].encode() * 100 for key in keys}


@pytest.mark.parametrize("seed", [*range(40), 64])
def test_a_damaged_file_loses_what_it_kept_and_nothing_else(own_cache: Path, seed: int) -> None:
    payloads = {f"key {number}": bytes([number]) * 50 for number in range(100)}
    store = BlobStore("a.sqlite")
    store.put_many(payloads)
    chance = random.Random(seed)
    data = bytearray((own_cache / "a.sqlite").read_bytes())
    for place in chance.sample(range(len(data)), 200):
        data[place] ^= chance.randrange(1, 256)
    (own_cache / "a.sqlite").write_bytes(data)
    assert store.get_many(payloads).items() <= payloads.items()
    store.put_many(payloads)  # may be what finds the damage
    store.put_many(payloads)
    assert store.get_many(payloads) == payloads
