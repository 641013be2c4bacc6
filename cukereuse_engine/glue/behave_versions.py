"""The version of behave that a project uses, according to its requirements and lock files. They are read, never run."""

import os
import re
from collections.abc import Callable

LOCKS = ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock")
REQUIREMENTS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "Pipfile",
    "environment.yml",
    "environment.yaml",
    "constraints.txt",
    "requirements.txt",
    "requirements.in",
    *(
        form.format(kind)
        for kind in ("dev", "test", "tests", "testing", "bdd", "behave", "e2e", "ci")
        for form in ("requirements-{}.txt", "requirements_{}.txt", "{}-requirements.txt", "{}_requirements.txt")
    ),
)
_LOCKED = re.compile(
    r"""["']?\bname["']? *= *["']behave["']\s+version *= *["'](\d[\w.]*)|"behave": *\{[^{}]*"==(\d[\w.]*)"""
)
_SIGN = r"(?:===?|~=|[<>^!]=?|[=~])"
_VALUE = r"""=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\{[^}\n]*\})"""
_ASKED = re.compile(
    rf"""^[^#\n]*?(?<![\w./=@-])behave(?:\[[^\]\n]*\])?["']?(?![\w./-])[ \t]*"""
    rf"""(?P<pins>{_VALUE}|\(?(?:{_SIGN}[ \t]*v?\d[\w.*]*[ \t]*,?[ \t]*)*)""",
    re.MULTILINE,
)
"""`behave[toml]>=1.2,<1.3`, `behave = {version = "~1.2"}`, without other requirements after it."""
_PIN = re.compile(rf"(?P<sign>{_SIGN})\s*[\"']?\s*v?(?P<version>\d+(?:\.\d+)*)")
_FIRST_NEW = (1, 3)


def is_before_1_3(folder: str, read: Callable[[str], str]) -> bool | None:
    """True if the project in a folder allows only versions before 1.3; None if it names none. `read` gives a file's
    text."""
    locked = [quoted or plain for name in LOCKS for quoted, plain in _LOCKED.findall(read(os.path.join(folder, name)))]  # noqa: PTH118
    if locked:
        return all(_number(version) < _FIRST_NEW for version in locked)
    asked = [
        [(pin["sign"], _number(pin["version"])) for pin in _PIN.finditer(match["pins"])]
        for name in REQUIREMENTS
        for match in _ASKED.finditer(read(os.path.join(folder, name)))  # noqa: PTH118
    ]
    pinned = [pins for pins in asked if pins]
    return all(any(_excludes_newer(*pin) for pin in pins) for pins in pinned) if pinned else None


def _excludes_newer(sign: str, version: tuple[int, ...]) -> bool:
    """True if a requirement allows no version from 1.3 on: `~=` and Poetry's `~` fix all numbers but the last."""
    if sign == "<":
        return version <= _FIRST_NEW
    if sign in ("=", "==", "===", "<="):
        return version < _FIRST_NEW
    return version < _FIRST_NEW and len(version) >= (3 if sign == "~=" else 2) and sign in ("~=", "~")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))
