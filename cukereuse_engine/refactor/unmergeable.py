"""Why a merge needs a person."""

from cukereuse_engine.errors import CukereuseError


class UnmergeableError(CukereuseError):
    """Why two definitions can't become one without a person."""
