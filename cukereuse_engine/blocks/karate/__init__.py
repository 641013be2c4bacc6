"""Blocks of Karate's features, whose steps are statements and have no step definitions: what a statement does, and a
scenario to be called in place of a block."""

from cukereuse_engine.blocks.karate.statements import statement_types

__all__ = ["statement_types"]
