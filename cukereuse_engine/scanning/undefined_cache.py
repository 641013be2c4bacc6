"""Caches what steps without a definition most likely meant.

A guess depends only on texts, their bindings and definitions, so it is cached under a hash of them. This module loads
nothing that guesses, which would take longer than everything else if the answer is in the cache.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path

import msgspec

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.text.step_text import StepText


@dataclass(frozen=True, slots=True)
class Likeliest:
    """The guess for one text."""

    definition: StepDefinition
    step: str | None
    """A step in use that the definition serves; None if no similar text was found."""


def remembered(
    undefined: Sequence[str],
    texts: Sequence[StepText],
    functions: Mapping[str, str],
    definitions: Sequence[StepDefinition],
    guess: Callable[[], dict[str, Likeliest]],
    store: Blobs,
) -> dict[str, Likeliest]:
    """The result of `guess` for these, from `store` if it is there. `texts` and `functions` as in `suggest`."""
    try:
        key = _key(undefined, texts, functions, definitions)
    except UnicodeEncodeError:  # a path that is no UTF-8
        return guess()
    payload = store.get_many([key]).get(key)
    if payload is not None:
        try:
            rows = msgspec.msgpack.decode(payload, type=list[tuple[str, int, str | None]])
            return {text: Likeliest(definitions[place], step) for text, place, step in rows}
        except (msgspec.MsgspecError, IndexError):
            pass
    meant = guess()
    place_of = {definition.id: place for place, definition in reversed([*enumerate(definitions)])}
    rows = [(text, place_of[near.definition.id], near.step) for text, near in meant.items()]
    store.put_many({key: msgspec.msgpack.encode(rows)})
    return meant


def _key(
    undefined: Sequence[str],
    texts: Sequence[StepText],
    functions: Mapping[str, str],
    definitions: Sequence[StepDefinition],
) -> str:
    rows = [(text.text, text.occurrences, text.roles, functions.get(text.identity)) for text in texts]
    asked = msgspec.msgpack.encode((list(dict.fromkeys(undefined)), rows, definitions))
    return f"meant/{_code()}/{hashlib.blake2b(asked, digest_size=16).hexdigest()}"


@once
def _code() -> str:
    """A digest of the code that guesses."""
    engine = Path(__file__).parents[1]
    folders = (engine / name for name in ("judging", "text", "glue"))
    return digest_of(*folders, *(Path(__file__).with_name(name) for name in ("undefined.py", "similar_wordings.py")))
