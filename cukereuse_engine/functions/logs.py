"""Statements that only log, as far as one file shows."""

from enum import Enum
from typing import TYPE_CHECKING

from cukereuse_engine.functions.calls import callee_of, target_of, unwrapped
from cukereuse_engine.functions.grammar import SharedFolder
from cukereuse_engine.functions.syntax import LOGS
from cukereuse_engine.functions.tokens import NAME
from cukereuse_engine.functions.writer import Writer

if TYPE_CHECKING:
    from tree_sitter import Node


class Logging(Enum):
    NO = 0
    MAYBE = 1
    """By its name; the function that it calls may be the suite's own, in another file."""
    YES = 2


def logging_of(writer: Writer, node: "Node") -> Logging:
    """Whether a statement logs: a name says so, unless it is a function of the suite's own that does something else."""
    head = writer.file.source.source[node.start_byte : min(node.end_byte, node.start_byte + 60)]
    if LOGS.match(head.decode("utf-8", "replace")) is None:
        return Logging.NO
    call = unwrapped(writer, node)
    callee = callee_of(writer, call) if call is not None else None
    if call is None or callee is None:
        return Logging.YES  # of a logger
    if callee[0] in writer.scope and not callee[1]:
        return Logging.NO  # what the function was handed is the suite's own
    target = target_of(writer, call)
    if target is not None and target[1] is not None:
        writer.mentions.add(target[0])
        if target[1].start_byte in writer.active:
            return Logging.YES
        return Logging.NO if writer.inner(target[1]).statements() else Logging.YES
    shared = writer.grammar.sharing is not SharedFolder.NONE and not callee[1]
    imported = target is not None and (target[0][:1] != NAME or "\0" in target[0])
    return Logging.MAYBE if shared or imported else Logging.YES
