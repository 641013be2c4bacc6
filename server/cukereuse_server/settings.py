"""The editor's settings for the server itself, in addition to the engine's settings.

A bad value gives a message and the default. Never reads files: the engine's layers do.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

SECTION = "cukereuse"
CHOICES = {
    "format_numbers": ("left", "right"),
    "format_arguments": ("indented", "level"),
    "format_scenarios": ("indented", "level"),
}
"""The allowed values of settings, or of their items."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    workspace_diagnostics: bool = False
    """Also show findings in files that are not open."""
    diagnostics_delay: int = 150
    """Delay in milliseconds between the last keystroke and new diagnostics."""
    code_lens: bool = True
    """Show above each step how often it is used."""
    semantic_tokens: bool = False
    """Colour keywords, parameters and tags by meaning."""
    documentation_url: str = "https://github.com/cukereuse/cukereuse/blob/main/editors/RULES.md"
    """URL of the rules' documentation; the rule id is added as a fragment. Empty: diagnostics have no link."""
    disabled_features: tuple[str, ...] = ()
    """Features to leave to another extension."""
    format_numbers: str = "left"
    """How numbers are aligned in formatted tables."""
    format_arguments: str = "indented"
    """How tables and DocStrings are indented: deeper than their step, or level with it."""
    format_scenarios: str = "indented"
    """How scenarios are indented: deeper than their feature, or level with it."""

    run_command: str = ""
    """Program and arguments that run a scenario on request instead of the suite's runner. `{place}` is the file with
    the line of the title; `{file}`, `{line}` and `{name}` are its parts. The command is quoted as in a shell but runs
    without one."""

    def offers(self, feature: str) -> bool:
        """True if a feature that can be off is on."""
        return feature not in self.disabled_features


@dataclass(frozen=True, slots=True)
class EditorSettings:
    server: ServerSettings
    engine: dict[str, Any]
    """Settings of the engine's table, unchecked; without those that the editor left out."""
    problems: tuple[str, ...]


def read_settings(sent: Any, can_be_off: Iterable[str] = ()) -> EditorSettings:
    """The settings in the client's section `cukereuse`: keys in snake_case, kebab-case or camelCase. `can_be_off`: what
    `disabled_features` may name."""
    choices = {**CHOICES, "disabled_features": sorted(can_be_off)}
    if not isinstance(sent, Mapping):
        return EditorSettings(
            ServerSettings(), {}, () if sent is None else ("cukereuse: the settings must be an object",)
        )
    own = {field.name: field for field in fields(ServerSettings)}
    server: dict[str, Any] = {}
    engine: dict[str, Any] = {}
    problems = []
    for key, value in sent.items():
        name = _HUMP.sub("_", str(key)).lower().replace("-", "_")
        if value is None or name == "server":
            continue
        if name not in own:
            engine[name] = value
        else:
            value = _listed(value) if isinstance(getattr(ServerSettings(), name), tuple) else value
            problem = _problem(name, value, choices.get(name))
            if problem is not None:
                problems.append(problem)
            else:
                server[name] = value
    return EditorSettings(ServerSettings(**server), engine, tuple(problems))


def _problem(name: str, value: Any, allowed: Sequence[str] | None) -> str | None:
    default = getattr(ServerSettings(), name)
    if type(value) is not type(default):
        kind = {bool: "true or false", int: "a whole number", str: "a text", tuple: "a list of strings"}[type(default)]
        return f"{SECTION}.{name} must be {kind}, not {value!r}"
    if isinstance(value, int) and value < 0:
        return f"{SECTION}.{name} must not be negative"
    if allowed is None:
        return None
    for choice in value if isinstance(value, tuple) else (value,):
        if choice not in allowed:
            return f"{SECTION}.{name} must be one of {', '.join(allowed)}, not {choice!r}"
    return None


def _listed(value: Any) -> Any:
    """A list in its stored form. A text with commas is a list too, as in earlier versions."""
    if isinstance(value, str):
        value = [name for part in value.split(",") if (name := part.strip())]
    return tuple(value) if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value) else value
