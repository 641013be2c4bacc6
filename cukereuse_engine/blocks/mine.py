"""Mines blocks: sequences of steps that recur in a suite and could be replaced, the most worthwhile first, without
overlap."""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from cukereuse_engine.blocks.argument_names import Read, named, parameters_read
from cukereuse_engine.blocks.block import Block, BlockLimits, BlockParameter, BlockPlace, Shape, saved
from cukereuse_engine.blocks.cover import Cover
from cukereuse_engine.blocks.sequences import Sequences
from cukereuse_engine.blocks.symbols import Meaning, Scenario, by_template
from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.blob_store import Blobs


def find_blocks(
    scenarios: Sequence[Scenario],
    *,
    meaning: Meaning = by_template,
    limits: BlockLimits | None = None,
    cache: Blobs | None = None,
    read: Read | None = None,
    progress: Progress = SILENT,
) -> list[Block]:
    """The blocks of one suite, by expected worth; a step belongs to at most one of them. `cache`: keeps blocks by the
    texts and meanings of the steps. `read`: gives a source of step definitions, whose functions name the parameters.
    Raises `Cancelled` when `progress` does."""
    limits = limits or BlockLimits()
    used = [scenario for scenario in scenarios if limits.backgrounds or not scenario.is_background]
    blocks = _kept_or_mined(used, meaning, limits, cache, progress) if used else []
    parameters = parameters_read(read)
    return [named(block, meaning, parameters) for block in blocks]


def _kept_or_mined(
    used: Sequence[Scenario], meaning: Meaning, limits: BlockLimits, cache: Blobs | None, progress: Progress
) -> list[Block]:
    if cache is None:
        return _mined(used, meaning, limits, progress)
    try:
        key = _key_of(used, meaning, limits)
    except UnicodeEncodeError:  # half of a surrogate pair
        return _mined(used, meaning, limits, progress)
    try:
        kept = msgspec.msgpack.decode(cache.get_many([key])[key], type=list[_Kept])
    except (KeyError, msgspec.MsgspecError, UnicodeDecodeError):
        blocks = _mined(used, meaning, limits, progress)
        cache.put_many({key: msgspec.msgpack.encode(_kept(blocks, used))})
        return blocks
    return [Block(each.id, tuple(BlockPlace(used[at], *run) for at, *run in each.places), *each.rest) for each in kept]


class _Kept(msgspec.Struct, array_like=True):
    """A block, with the positions of its scenarios."""

    id: str
    places: list[tuple[int, int, int]]
    rest: tuple[tuple[BlockParameter, ...], Shape, float]


def _kept(blocks: Iterable[Block], scenarios: Sequence[Scenario]) -> list[_Kept]:
    position_of = {id(scenario): position for position, scenario in enumerate(scenarios)}
    return [
        _Kept(
            block.id,
            [(position_of[id(place.scenario)], place.start, place.length) for place in block.places],
            (block.parameters, block.shape, block.confidence),
        )
        for block in blocks
    ]


def _key_of(scenarios: Sequence[Scenario], meaning: Meaning, limits: BlockLimits) -> str:
    """A hash of all that blocks depend on. Raises `UnicodeEncodeError` for a text that has no bytes."""
    digest = hashlib.blake2b(repr(limits).encode(), digest_size=16)
    kinds = {id(kind): number for number, kind in enumerate(KeywordType)}
    told: set[str] = set()
    for scenario in scenarios:
        steps = scenario.steps
        meanings = (meaning(step) for step in steps if step.text not in told)
        said = [(one.meaning, one.arguments) for one in meanings]
        told.update(step.text for step in steps)
        says = (scenario.is_background, scenario.is_karate, [(step.text, step.argument) for step in steps], said)
        digest.update(msgspec.msgpack.encode(says))
        digest.update(bytes([kinds[id(kind)] for step in steps for kind in (step.keyword_type, step.resolved_type)]))
    return digest.hexdigest()


def _mined(scenarios: Sequence[Scenario], meaning: Meaning, limits: BlockLimits, progress: Progress) -> list[Block]:
    sequences = Sequences.of(scenarios, meaning)
    with progress.stage("looking for repeated blocks", None, "blocks") as stage:
        windows: set[tuple[int, int]] = set()
        for number, interval in enumerate(sequences.runs.closed(limits.min_steps, limits.min_scenarios)):
            windows.update(sequences.cuts(sequences.runs.one(interval), interval.length, limits))
            if not number % 1000:
                stage.advance(1000)
        candidates = [
            candidate
            for candidate in sequences.runs.everywhere(windows)
            if saved(candidate.occurrences, candidate.length) > 1
        ]
        return Cover(sequences, limits).of(candidates)
