"""Closed repeats compared with all windows of all sequences."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.blocks.repeats import SymbolRuns


def all_windows(sequences, min_length=2, min_support=2):
    """Every run with its places; a run is closed if no run with one more symbol occurs as often."""
    places = defaultdict(list)
    for number, sequence in enumerate(sequences):
        for start in range(len(sequence)):
            for end in range(start + 1, len(sequence) + 1):
                places[tuple(sequence[start:end])].append((number, start))
    longer = {run: len(starts) for run, starts in places.items()}
    swallowed = set()
    for run, count in longer.items():
        for part in (run[1:], run[:-1]):
            if part in longer and longer[part] == count:
                swallowed.add(part)
    return {
        run: starts
        for run, starts in places.items()
        if len(starts) > 1
        and len(run) >= min_length
        and len({number for number, _ in starts}) >= min_support
        and run not in swallowed
    }


def mined(sequences, min_length=2, min_support=2):
    runs = SymbolRuns(sequences)
    frequent = {}
    for interval in runs.closed(min_length, min_support):
        places = runs.occurrences(interval)
        assert len(places) == interval.occurrences
        numbers = runs.text.owner[places].tolist()
        starts = (places - runs.text.offset[places]).tolist()
        run = tuple(sequences[numbers[0]][starts[0] : starts[0] + interval.length])
        frequent[run] = list(zip(numbers, starts, strict=True))
    return frequent


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), max_size=9), max_size=7),
    st.integers(1, 4),
    st.integers(2, 3),
)
def test_every_closed_repeat_is_found_with_all_its_places(sequences, min_length, min_support):
    limits = {"min_length": min_length, "min_support": min_support}
    assert mined(sequences, **limits) == all_windows(sequences, **limits)


@pytest.mark.parametrize(
    ("sequences", "expected"),
    [
        ([], {}),
        ([[]], {}),
        ([[1, 2, 3]], {}),
        ([[1, 2, 1, 2]], {}),  # one scenario says it twice
        ([[1, 2, 3], [1, 2, 3]], {(1, 2, 3): [(0, 0), (1, 0)]}),
        (
            [[1, 2, 3], [0, 2, 3], [4, 1, 2, 3]],
            {(1, 2, 3): [(0, 0), (2, 1)], (2, 3): [(0, 1), (1, 1), (2, 2)]},
        ),
        ([[5, 5, 5], [5, 5]], {(5, 5): [(0, 0), (0, 1), (1, 0)]}),
    ],
)
def test_repeats(sequences, expected):
    assert mined(sequences) == expected
