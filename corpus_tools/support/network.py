"""Tells a network that is missing from a server that fails."""

import errno
import socket
import urllib.error

_NO_WAY = (errno.ECONNREFUSED, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)


def is_unreachable(error: BaseException) -> bool:
    """True if the name was not found or no connection could be made. Waiting some seconds seldom helps."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return isinstance(reason, socket.gaierror) or (isinstance(reason, OSError) and reason.errno in _NO_WAY)
