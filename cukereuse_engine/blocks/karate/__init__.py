"""Blocks of Karate's features, whose steps are statements without step definitions: what a statement does, and a
scenario that replaces a block and is called."""

from cukereuse_engine.blocks.karate.statements import statement_types

__all__ = ["statement_types"]
