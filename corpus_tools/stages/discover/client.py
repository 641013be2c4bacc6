"""GitHub's REST API: waits for its limits, repeats requests after faults, and keeps answers on disk.

Knows HTTP and GitHub's limits, but not what is searched. Sends the token to the API's own address only.
"""

import hashlib
import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.storage import write_atomically

API = "https://api.github.com"
TOKEN_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_TRIES = 6
_SECONDARY_LIMIT_SECONDS = 60.0
"""GitHub's advice for a secondary limit that names no time."""
_LONGEST_WAIT_SECONDS = 3_700.0
"""A primary limit ends within the hour."""
_TIMEOUT_SECONDS = 60.0
_LONG_SECONDS = 4.0

Answer = dict[str, Any]


class GitHub:
    """One API, its token, and the answers kept from earlier requests."""

    def __init__(
        self,
        answers: Path,
        *,
        api: str = API,
        token: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._answers = answers
        self._api = api.rstrip("/")
        self._token = token
        self._sleep = sleep
        self._clock = clock
        self._say = say or (lambda _: None)
        """Called with waits that would surprise a person."""

    @property
    def has_token(self) -> bool:
        return self._token is not None

    def get(self, path: str, query: Mapping[str, str | int] | None = None) -> Answer | None:
        """The JSON object at `path`, or None if there is none (404, 410, 451). Kept answers are not requested again.

        Raises `CukereuseError` if the API refuses permanently, or fails every time.
        """
        answer = self._kept(path, query, dict)
        return answer if isinstance(answer, dict) else None

    def get_list(self, path: str, query: Mapping[str, str | int] | None = None) -> list[Answer]:
        """The JSON array of objects at `path`; empty if there is none. Otherwise as `get`."""
        answer = self._kept(path, query, list)
        return [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []

    def _kept(self, path: str, query: Mapping[str, str | int] | None, kind: type) -> Answer | list[Any] | None:
        address = path + (f"?{urlencode(query)}" if query else "")
        saved = self._answers / f"{hashlib.blake2b(address.encode(), digest_size=16).hexdigest()}.json"
        try:
            answers: dict[str, Answer | list[Any] | None] = json.loads(saved.read_bytes())
            return answers["answer"]
        except (OSError, ValueError, KeyError):
            pass
        answer = self._ask(self._api + address, kind)
        write_atomically(saved, json.dumps({"asked": address, "answer": answer}, sort_keys=True).encode())
        return answer

    def _ask(self, url: str, kind: type) -> Answer | list[Any] | None:
        reason = ""
        incomplete: Answer | None = None
        for attempt in range(_TRIES):
            try:
                answer = self._once(url, kind)
            except _Again as again:
                reason = again.reason
                if attempt + 1 < _TRIES:
                    self._wait(reason, again.wait if again.wait is not None else 2.0**attempt)
                continue
            if not isinstance(answer, dict) or not answer.get("incomplete_results") or attempt >= 2:
                return answer
            incomplete = answer  # the search ran out of time; a later try often succeeds
            self._sleep(2.0**attempt)
        if incomplete is not None:
            return incomplete
        raise CukereuseError(
            f"{url} failed {_TRIES} times: {reason}", "The results so far are kept; run the command again later."
        )

    def _wait(self, reason: str, seconds: float) -> None:
        if seconds >= _LONG_SECONDS:
            self._say(f"{reason}: trying again in {seconds:.0f} seconds")
        self._sleep(seconds)

    def _once(self, url: str, kind: type) -> Answer | list[Any] | None:
        headers = {
            "Accept": "application/vnd.github+json",
            "User-Agent": "cukereuse",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(url, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
                answer = json.loads(response.read())
        except urllib.error.HTTPError as error:
            with error:
                self._refused(url, error.code, error.headers, error)
            return None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _Again(_told(error)) from error
        if not isinstance(answer, kind):
            raise _Again("the answer is not a JSON object" if kind is dict else "the answer is not a JSON array")
        assert isinstance(answer, dict | list)
        return answer

    def _refused(self, url: str, status: int, headers: Message, error: urllib.error.HTTPError) -> None:
        """Return if the object is missing. Raises `_Again` or `CukereuseError` for other errors."""
        if status in (404, 410, 451):
            return
        try:
            message = error.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            message = ""
        if status == 429 or (status == 403 and _is_limit(headers, message)):
            raise _Again("rate limit", self._limit_wait(headers))
        if status >= 500:
            raise _Again(f"status {status}")
        if status == 401:
            problem = "refuses the token" if self._token else "asks for a token"
            hint = f"Set {TOKEN_VARIABLES[0]} to a valid one, or search without code (--no-code-search)."
            raise CukereuseError(f"{self._api} {problem}", hint)
        raise CukereuseError(f"{url}: status {status}: {message[:200]}")

    def _limit_wait(self, headers: Message) -> float:
        after, reset = headers.get("Retry-After"), headers.get("X-RateLimit-Reset")
        try:
            if after is not None:
                wait = float(after)
            elif reset is not None and headers.get("X-RateLimit-Remaining") == "0":
                wait = float(reset) - self._clock() + 1
            else:
                wait = _SECONDARY_LIMIT_SECONDS
        except ValueError:
            wait = _SECONDARY_LIMIT_SECONDS
        return min(max(wait, 1.0), _LONGEST_WAIT_SECONDS)


def _told(error: OSError | http.client.HTTPException | ValueError) -> str:
    """The message for a lost connection, an incomplete page, or invalid JSON."""
    if isinstance(error, ValueError):
        return "the answer is not JSON"
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return f"no answer: {getattr(reason, 'strerror', None) or reason or type(error).__name__}"


class _Again(Exception):  # noqa: N818 - not an error
    """The request is worth repeating, after `wait` seconds if the server says so."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


def token_of_environment() -> str | None:
    return next((value for name in TOKEN_VARIABLES if (value := os.environ.get(name))), None)


def _is_limit(headers: Message, message: str) -> bool:
    return headers.get("X-RateLimit-Remaining") == "0" or "Retry-After" in headers or "rate limit" in message.lower()
