"""git in one folder, as its user has configured it. It never prompts, and nothing of a repository is run.

Credentials are git's own: the user's configuration, credential helpers and ssh work as usual. Everything is switched
off that would run a program or change a file on a repository's behalf: hooks, filters, links, `ext::` transports.
"""

import contextlib
import errno
import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from corpus_tools.support.addresses import without_credentials
from corpus_tools.support.checkpoint import NO_ROOM

_DENIED = ("could not read username", "could not read password", "access denied", "authentication failed",
           "permission denied", "terminal prompts disabled", "the requested url returned error: 403")  # fmt: skip
_GONE = ("not found", "does not exist", "not appear to be a git repository", "repository is disabled",
         "no such file or directory")  # fmt: skip
_FULL = ("no space left", "out of diskspace", "disk quota exceeded", "unable to write file", "failed to write")
"""git's complaints about a full disk; after some of them it continues with half a file."""
_DURATION = re.compile(r" after \d+ ms")
"""curl's, in a message that must be the same in every run."""
_SAFE = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "core.autocrlf=false",
    "core.longpaths=true",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
)
_NO_ATTRIBUTES = "* -filter -text -ident -working-tree-encoding\n"
"""Overrides all attributes of the repository and of the user: blobs arrive unchanged, through no program."""
_OF_A_REPOSITORY = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
     "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
     "GIT_CEILING_DIRECTORIES", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_TEMPLATE_DIR",
     "GIT_REDIRECT_STDERR")
)  # fmt: skip
"""Variables that name another repository."""


class GitFailed(Exception):  # noqa: N818 - becomes a row
    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        """ "gone", "denied", "timeout" or "failed"."""
        self.message = message


def environment() -> dict[str, str]:
    """The user's environment, except what leads git to another repository, to logging its messages, or to prompts."""
    inherited = {
        key: value
        for key, value in os.environ.items()
        if key not in _OF_A_REPOSITORY and not key.startswith(("GIT_TRACE", "GIT_CURL_VERBOSE"))
    }
    return inherited | {
        "GIT_TERMINAL_PROMPT": "0",
        "GCM_INTERACTIVE": "never",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "LC_ALL": "C",
    }


class Git:
    """Runs commands; all together must end within `seconds`."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._clock = time.monotonic
        self._end = time.monotonic() + seconds
        self._environment = environment()

    def begin(self) -> None:
        """Create an empty repository in the folder. Raises `GitFailed`."""
        self.run("init", "-q")
        info = self._folder / ".git" / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_NO_ATTRIBUTES, "ascii")

    def run(self, *arguments: str) -> bytes:
        """The output of a command. Raises `GitFailed`, and `OSError` if the disk is full."""
        output, problem = self._call(arguments)
        if problem is not None:
            message = problem.lower()
            denied = any(sign in message for sign in _DENIED)
            status = "denied" if denied else "gone" if any(sign in message for sign in _GONE) else "failed"
            raise GitFailed(status, problem)
        return output

    def attempt(self, *arguments: str) -> str:
        """The complaint of a command; empty if it succeeds. Raises `GitFailed` if the time is over."""
        return self._call(arguments)[1] or ""

    def _call(self, arguments: Sequence[str]) -> tuple[bytes, str | None]:
        remaining = self._end - self._clock()
        if remaining <= 0:
            raise GitFailed("timeout", f"there was no time left for git {arguments[0]}")
        command = ["git", *(part for setting in _SAFE for part in ("-c", setting)), *arguments]
        process = subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            output, errors = process.communicate(timeout=remaining)
        except subprocess.TimeoutExpired:
            _end_group(process)
            raise GitFailed("timeout", f"git {arguments[0]} took too long") from None
        except BaseException:
            _end_group(process)
            raise
        if process.returncode == 0:
            return output, None
        message = _DURATION.sub("", without_credentials(errors.decode("utf-8", "replace").strip()))
        check_room(self._folder, message)
        return output, " ".join(message.split())[:500] or f"git {arguments[0]} failed with {process.returncode}"


def check_room(folder: Path, message: str) -> None:
    """Raises `OSError` if the disk is full, according to git's `message` or to a trial."""
    here = " ".join(line for line in message.lower().splitlines() if not line.startswith("remote:"))
    if any(sign in here for sign in _FULL):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
    trial = folder / ".room"
    try:
        trial.write_bytes(bytes(1 << 16))
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
    finally:
        trial.unlink(missing_ok=True)


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """End git and everything that it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
