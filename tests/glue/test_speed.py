"""The time limit of a cold start: many texts with many definitions."""

import itertools
import random
import time
from collections.abc import Callable

import pytest

from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.definition import Anchoring, Extraction, StepDefinition
from cukereuse_engine.glue.text_binding import Status

VERBS = ("open", "close", "paint", "sell", "rent", "move", "clean", "lock", "measure", "photograph")
THINGS = ("door", "window", "roof", "garden", "kitchen", "cellar", "garage", "fence", "stair", "lamp", "shelf", "gate")
WAYS = ("slowly", "twice", "by hand", "at night", "with care", "again", "for money", "in winter", "alone", "in vain")


@pytest.mark.heavy
def test_ten_thousand_texts_bind_to_1400_definitions_in_seconds(definition: Callable[..., StepDefinition]) -> None:
    triples = list(itertools.product(VERBS, THINGS, WAYS))
    random.Random(1).shuffle(triples)
    definitions, texts = [], []
    for line, (verb, thing, way) in enumerate(triples[:1_100], 1):
        if line % 2:
            definitions.append(definition(f"I {verb} the {thing} {way} for {{string}}", line=line))
        else:
            pattern = rf'^I {verb} the (?:big )?{thing} {way} for "([^"]*)"$'
            definitions.append(definition(pattern, "regex", "ruby", line=line, anchoring=Anchoring.SEARCH))
        texts += [f'I {verb} the {thing} {way} for "guest {n}"' for n in range(8)]
    definitions += [  # what a filter by words can't tell apart
        definition(rf"^(.*) must (?:not )?be (\w+) {line}x?$", "regex", "go", line=line) for line in range(2_000, 2_300)
    ]
    texts += [f"the door must be shut {line}" for line in range(2_000, 2_300)]
    texts += [f'I {verb} the {thing} and nothing "{n}"' for n, (verb, thing, _) in enumerate(triples[:900])]
    start = time.process_time()
    binder = Binder()
    binder.update_files({"glue": Extraction(tuple(definitions))})
    binder.update_texts(added=texts)
    statuses = [binder.bind(text).status for text in texts]
    assert time.process_time() - start < 30  # a few on an idle core; each text against each definition takes minutes
    assert (len(definitions), len(set(texts))) == (1_400, 10_000)
    assert (statuses.count(Status.BOUND), statuses.count(Status.UNDEFINED)) == (9_100, 900)
