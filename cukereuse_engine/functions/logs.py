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
    """Tells if a statement logs: by a name, unless that is a function of the suite that does something else."""
    head = writer.file.source.source[node.start_byte : min(node.end_byte, node.start_byte + 60)]
    if LOGS.match(head.decode("utf-8", "replace")) is None:
        return Logging.NO
    call = unwrapped(writer, node)
    callee = callee_of(writer, call) if call is not None else None
    if call is None or callee is None:
        return Logging.YES  # of a logger
    name, of_this = callee
    if name in writer.scope and not of_this:
        return Logging.NO  # what the function was handed is the suite's own
    token, function = target_of(writer, call) or ("", None)
    if function is not None:
        writer.mentions.add(token)
        return Logging.YES if _is_empty(writer, function) else Logging.NO
    shared = writer.grammar.sharing is not SharedFolder.NONE and not of_this
    return Logging.MAYBE if shared or _is_imported(token) else Logging.YES


def _is_empty(writer: Writer, function: "Node") -> bool:
    """True if a function does nothing but log."""
    return function.start_byte in writer.active or not writer.inner(function).statements()


def _is_imported(token: str) -> bool:
    return token != "" and (token[:1] != NAME or "\0" in token)
