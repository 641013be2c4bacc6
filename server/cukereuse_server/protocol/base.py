"""Frames on the pipes between the main process and the worker, and the base class of every message.

A frame is four bytes of length, big-endian, and a msgpack `Frame`. A `Request` gets exactly one answer (an `Answer` or
a `Failure`); a `Notice` gets none; an `Event` comes from the worker without a request. No message contains a position
in the client's units: lines and columns are 1-based, and columns count code points.
"""

import re
import struct
from typing import Any, ClassVar

import msgspec

MAX_FRAME_BYTES = 256 * 1024 * 1024
_HALVES = re.compile("[\ud800-\udfff]")
_LENGTH = struct.Struct(">I")
LENGTH_BYTES = _LENGTH.size


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A question to the worker. A subclass names the type of its answer."""

    answer: ClassVar[Any] = None


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A message to the worker, in order with all others."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A message from the worker."""


class Call(msgspec.Struct, frozen=True, tag="call", array_like=True):
    id: int
    name: str
    """Class name of the `Request`."""
    body: msgspec.Raw


class Tell(msgspec.Struct, frozen=True, tag="tell", array_like=True):
    name: str
    """Class name of the `Notice` or `Event`."""
    body: msgspec.Raw


class Cancel(msgspec.Struct, frozen=True, tag="cancel", array_like=True):
    id: int


class Answer(msgspec.Struct, frozen=True, tag="answer", array_like=True):
    id: int
    body: msgspec.Raw


class Failure(msgspec.Struct, frozen=True, tag="failure", array_like=True):
    id: int
    message: str
    """The message for a log."""
    cancelled: bool = False


Frame = Call | Tell | Cancel | Answer | Failure

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Frame)


def body(message: Any) -> msgspec.Raw:
    """The encoded message. A client may send half of a surrogate pair, which can't be encoded: it becomes U+FFFD, which
    is as long in all units of positions."""
    try:
        return msgspec.Raw(_encoder.encode(message))
    except UnicodeEncodeError:
        return msgspec.Raw(_encoder.encode(_readable(msgspec.to_builtins(message))))


def _readable(value: Any) -> Any:
    match value:
        case str():
            return _HALVES.sub("\ufffd", value)
        case list():
            return [_readable(item) for item in value]
        case dict():
            return {_readable(key): _readable(item) for key, item in value.items()}
        case _:
            return value


def pack(frame: Frame) -> bytes:
    """One frame with its length. Raises `ValueError` if it is too long."""
    payload = _encoder.encode(frame)
    if len(payload) > MAX_FRAME_BYTES:
        raise ValueError(f"a message of {len(payload)} bytes is too long")
    return _LENGTH.pack(len(payload)) + payload


def length_of(head: bytes) -> int:
    """The number of bytes that follow. Raises `ValueError` for a length that no peer sends."""
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {length} bytes")
    return int(length)


def unpack(payload: bytes) -> Frame:
    """The frame in a payload. Raises `msgspec.MsgspecError`."""
    frame: Frame = _decoder.decode(payload)
    return frame
