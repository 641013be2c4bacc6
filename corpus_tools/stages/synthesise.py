"""A `steps.parquet` of any size whose texts and counts follow those of given clusters: for measuring, not for study.

Texts occur in proportion to their counts. If more distinct texts are wanted than given, further ones vary a given text:
its arguments get other values; a text without arguments gets a word of another text, and a number. With 900,000 texts
more than the paper's, there are two and a half times as many templates. Scenarios have six random steps, so that blocks
are searched but hardly any are found. Random, but determined by the seed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.stages.parse import STEP_COLUMNS, STEPS
from corpus_tools.support import arrow
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.template import arguments

if TYPE_CHECKING:
    import pyarrow as pa

REPOSITORIES = 347
_STEPS_PER_FILE = 47
_STEPS_PER_SCENARIO = 6
_BATCH = 100_000
_TURNS_PER_WORD = 4
"""Number of times that all texts get other arguments before those without arguments get another word."""


def synthesise(
    corpus: Path, clusters: Path, *, steps: int, distinct: int | None = None, seed: int = 7, progress: Progress = SILENT
) -> Path:
    """Write `steps` steps of about `distinct` texts (None: those given). `clusters`: `canonical_text` and `count`.

    Raises `CukereuseError` if `clusters` can't be used or if there are more texts than steps.
    """
    table = arrow.read(clusters, {"canonical_text": "string", "count": "int64"})
    rng = np.random.default_rng(seed)
    texts = table.column("canonical_text").to_pylist()
    weights = table.column("count").to_numpy().astype(np.float64)
    wanted = distinct or len(texts)
    if not texts or wanted > steps:
        raise CukereuseError(f"{wanted:,} texts do not fit into {steps:,} steps")
    made = [*texts, *_varied(texts, wanted - len(texts), rng)][:wanted]
    spread = np.concatenate([weights, rng.permutation(np.resize(weights, max(0, wanted - len(texts))))])[:wanted]
    output = corpus / STEPS
    arrow.write(output, STEP_COLUMNS, _tables(made, spread, steps, rng, progress))
    return output


def _varied(texts: list[str], count: int, rng: np.random.Generator) -> Iterator[str]:
    words = sorted({word for text in texts[:5_000] for word in text.split() if word.isalpha()}) or ["thing"]
    for number in range(max(0, count)):
        turn, place = divmod(number, len(texts))
        if place == 0 and turn % _TURNS_PER_WORD == 0:
            word_of, place_of = rng.integers(len(words), size=len(texts)), rng.random(len(texts))
        text = texts[place]
        parsed = arguments(text)
        for argument in reversed(parsed):
            value = f"{argument.value} {number}" if argument.delimiter else str(number)
            closing = argument.text[-1] if argument.delimiter else ""
            text = f"{text[: argument.start]}{argument.delimiter}{value}{closing}{text[argument.end :]}"
        if not parsed:
            parts = text.split()
            parts.insert(int(place_of[place] * (len(parts) + 1)), words[int(word_of[place])])
            text = f"{' '.join(parts)} {number}"
        yield text


def _tables(
    texts: list[str], weights: np.ndarray, steps: int, rng: np.random.Generator, progress: Progress
) -> "Iterator[pa.Table]":
    """Every text once, the others by weight, in random order; repositories and files have similar sizes."""
    import pyarrow as pa

    every = np.arange(len(texts))
    rest = rng.choice(len(texts), steps - len(texts), p=weights / weights.sum())
    order = rng.permutation(np.concatenate([every, rest]))
    dictionary = pa.array(texts, pa.string())
    wanted = arrow.schema(STEP_COLUMNS)
    with progress.stage("writing", steps, "steps") as stage:
        for start in range(0, steps, _BATCH):
            part = np.arange(start, min(start + _BATCH, steps))
            repository = part * REPOSITORIES // steps
            file = part // _STEPS_PER_FILE
            place = part % _STEPS_PER_FILE
            scenario = place // _STEPS_PER_SCENARIO
            first = scenario * _STEPS_PER_SCENARIO == place
            columns = {
                "repo": pa.array([f"owner{r % 284}/repository{r}" for r in repository.tolist()]),
                "file_path": pa.array([f"features/{f}.feature" for f in file.tolist()]),
                "line": pa.array(place + scenario + 3),
                "column": pa.array(np.full(len(part), 5)),
                "scenario_line": pa.array(scenario * (_STEPS_PER_SCENARIO + 1) + 2),
                "scenario": pa.array([f"scenario {number}" for number in (scenario + 1).tolist()]),
                "feature": pa.array([f"feature {f}" for f in file.tolist()]),
                "keyword": pa.array(np.where(first, "Given", "And").tolist()),
                "keyword_type": pa.array(np.where(first, "context", "conjunction").tolist()),
                "resolved_type": pa.array(["context"] * len(part)),
                "text": dictionary.take(pa.array(order[part])),
                "license_class": pa.array(["permissive"] * len(part)),
                "is_background": pa.array([False] * len(part)),
                "is_outline": pa.array([False] * len(part)),
            }
            arrays = [
                columns[field.name].cast(field.type) if field.name in columns else pa.nulls(len(part), field.type)
                for field in wanted
            ]
            yield pa.Table.from_arrays(arrays, schema=wanted)
            stage.advance(len(part))
