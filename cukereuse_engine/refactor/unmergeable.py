"""The error of merges that need a person."""

from cukereuse_engine.errors import CukereuseError


class UnmergeableError(CukereuseError):
    """Two definitions can't be merged without a person; the message says why."""
