"""Work that is distributed to processes."""

import os

import pytest

from cukereuse_engine.processes import side_by_side


def process_of(_: int) -> int:
    return os.getpid()


@pytest.mark.heavy
def test_a_process_ends_after_much_work():
    sizes = [1, 1, 3, 9]
    ended = side_by_side(process_of, [0, 1, 2, 3], sizes, large=4, jobs=1)
    processes = dict(each for each in ended if each is not None)
    first, second, third, large = (processes[number] for number in range(4))
    assert len({large, third, first, os.getpid()}) == 4
    assert third == second != first
