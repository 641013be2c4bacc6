"""GitHub's REST API: waits for its limits, repeats requests after faults, and keeps answers on disk.

Knows HTTP and GitHub's limits, but not what is searched. Sends the token to the API's own address only.
"""

import hashlib
import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode, urljoin, urlsplit

from corpus_tools.support.network import is_unreachable
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
        self._has_answered = False

    @property
    def has_token(self) -> bool:
        return self._token is not None

    def get(self, path: str, query: Mapping[str, str | int] | None = None) -> Answer | None:
        """The JSON object at `path`, or None if there is none (404, 410, 451). Kept answers are not requested again.

        Raises `CukereuseError` if the API refuses permanently, or fails every time.
        """
        return self._kept(path + (f"?{urlencode(query)}" if query else ""), dict)

    def get_pages(self, path: str, query: Mapping[str, str | int]) -> Iterator[list[Answer]]:
        """The JSON arrays of objects at `path`, page by page as the API links them; none if there is nothing. Otherwise
        as `get`."""
        address = f"{path}?{urlencode(query)}"
        while address:
            page = self._kept(address, list)
            if not isinstance(page, dict):
                return
            yield [row for row in page["rows"] if isinstance(row, dict)]
            address = page["next"]

    def _kept(self, address: str, kind: type) -> Answer | None:
        """`kind` list: a page, as `rows` and the address of the `next` one, which is empty behind the last."""
        saved = self._answers / f"{hashlib.blake2b(address.encode(), digest_size=16).hexdigest()}.json"
        try:
            answers: dict[str, Answer | None] = json.loads(saved.read_bytes())
            if not isinstance(answers["answer"], list):  # of an earlier version
                return answers["answer"]
        except (OSError, ValueError, KeyError):
            pass
        answer = self._ask(self._api + address, kind)
        write_atomically(saved, json.dumps({"asked": address, "answer": answer}, sort_keys=True).encode())
        return answer

    def _ask(self, url: str, kind: type) -> Answer | None:
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
            if answer is None or not answer.get("incomplete_results") or attempt >= 2:
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

    def _once(self, url: str, kind: type) -> Answer | None:
        headers = {
            "Accept": "application/vnd.github+json",
            "User-Agent": "cukereuse",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        request = urllib.request.Request(url, headers=headers)
        if self._token:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with _OPENER.open(request, timeout=_TIMEOUT_SECONDS) as response:
                self._has_answered = True
                answer, link = json.loads(response.read()), response.headers.get("Link") or ""
        except urllib.error.HTTPError as error:
            self._has_answered = True
            with error:
                self._refused(url, error.code, error.headers, error)
            return None
        except (OSError, http.client.HTTPException, ValueError) as error:
            if is_unreachable(error) and not self._has_answered:
                hint = "Check the network. Checkouts on this machine need none: `cukereuse corpus run --local`."
                raise CukereuseError(f"{self._api} can't be reached: {_reason(error)}", hint) from error
            raise _Again(_told(error)) from error
        if not isinstance(answer, kind):
            raise _Again("the answer is not a JSON object" if kind is dict else "the answer is not a JSON array")
        return answer if isinstance(answer, dict) else {"rows": answer, "next": self._next(url, link)}

    def _next(self, url: str, link: str) -> str:
        """The next page of a list, by its Link header; empty behind the last, and where it is on another server."""
        found = _NEXT_PAGE.search(link)
        address = urljoin(url, found["address"]) if found is not None else ""
        return address.removeprefix(self._api) if address.startswith(f"{self._api}/") else ""

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


class _KeepToken(urllib.request.HTTPRedirectHandler):
    """The token goes along where the server sends a request to another address of its own, and nowhere else."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        token = req.unredirected_hdrs.get("Authorization")
        if request is not None and token is not None and urlsplit(newurl)[:2] == urlsplit(req.full_url)[:2]:
            request.add_unredirected_header("Authorization", token)
        return request


_OPENER = urllib.request.build_opener(_KeepToken)
_NEXT_PAGE = re.compile(r'<(?P<address>[^>]*)>[^,]*;\s*rel="?next\b')


def _told(error: OSError | http.client.HTTPException | ValueError) -> str:
    """The message for a lost connection, an incomplete page, or invalid JSON."""
    if isinstance(error, ValueError):
        return "the answer is not JSON"
    return f"no answer: {_reason(error)}"


def _reason(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return str(getattr(reason, "strerror", None) or reason or type(error).__name__)


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
