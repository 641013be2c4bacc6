"""The one table of settings: each field of `Settings` carries its help, allowed values, bounds and scope.

The JSON Schema, the documentation, the environment variables and the editors' settings are generated from it. It never
reads files or the environment: that is `layers`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from cukereuse_engine.embedding_models.table import BUILT_IN, DEFAULT_MODEL
from cukereuse_engine.prose import listed
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.strategies.table import AUTO, STRATEGIES, by_unit

LINKAGES = ("complete", "single")
SENSITIVITIES = ("low", "normal", "high")
SEVERITIES = tuple(severity.value for severity in Severity)
_BUILT_IN = " and ".join(row.label for row in BUILT_IN)
_UNITS = ", ".join(f"{unit} for {' and '.join(f'`{name}`' for name in names)}" for unit, names in by_unit().items())
_METHODS = listed([f"`{row.name}` {row.method}" for row in STRATEGIES.values()])
ENVIRONMENT_PREFIX = "CUKEREUSE_"


class ValueType(StrEnum):
    """How a setting's value is written and checked."""

    CHOICE = "one of"
    TEXT = "text"
    FLAG = "true or false"
    NUMBER = "number"
    COUNT = "whole number"
    TEXTS = "list of texts"
    PATH = "path"
    PATHS = "list of paths"
    LEVELS = "table of rule to severity"


class SettingScope(StrEnum):
    """Where a setting makes sense; the values are those of VS Code's `scope`."""

    SUITE = "resource"
    """May differ from suite to suite."""
    MACHINE = "machine-overridable"
    """A property of the user's machine."""


class Heading(StrEnum):
    """The heading of a setting's option in the help of `scan`."""

    COMPARED = "How steps are compared"
    REPORTED = "Which findings are reported"
    READ = "Which files are read"
    NEW = "Only what is new"
    OTHER = "Other options"


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the table."""

    name: str
    """Key in `cukereuse.toml`; hyphens may stand for its underscores."""
    type: ValueType
    default: Any
    help: str
    """One or two sentences for the reference and for editors."""
    allowed: tuple[str, ...] = ()
    """Values of a CHOICE, levels of a LEVELS table."""
    keys: tuple[str, ...] = ()
    """Keys of a LEVELS table."""
    minimum: float | None = None
    maximum: float | None = None
    scope: SettingScope = SettingScope.SUITE
    heading: Heading | None = Heading.OTHER
    """None where only the language server reads it, so that no command has an option for it."""
    in_editors: bool = True
    """False if only a command can use it."""

    @property
    def variable(self) -> str:
        """The environment variable."""
        return ENVIRONMENT_PREFIX + self.name.upper()

    @property
    def flag(self) -> str:
        """The command-line option."""
        return "--" + self.name.replace("_", "-")


def _setting(type_: ValueType, default: Any, help_: str, **more: Any) -> Any:
    metadata = {"type": type_, "help": help_, **more}
    return (
        field(default_factory=dict, metadata=metadata) if default is dict else field(default=default, metadata=metadata)
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, checked. The order of the fields is that of the documentation."""

    strategy: str = _setting(
        ValueType.CHOICE,
        AUTO.name,
        f"How steps are compared: {_METHODS}.",
        allowed=tuple(STRATEGIES),
        heading=Heading.COMPARED,
    )
    threshold: float | None = _setting(
        ValueType.NUMBER,
        None,
        f"The score from which two steps count as the same, in the strategy's own unit: {_UNITS}. "
        "Unset: what `sensitivity` says for `auto`, else the strategy's own.",
        minimum=0.01,
        maximum=1.0,
        heading=Heading.COMPARED,
    )
    sensitivity: str = _setting(
        ValueType.CHOICE,
        "normal",
        "How confident a finding must be. With `normal`, at least 95 of 100 warnings are right, 80 of 100 findings "
        "of severity information, and 50 of 100 hints. `low` reports less and is right more often; `high` reports "
        "more.",
        allowed=SENSITIVITIES,
        heading=Heading.COMPARED,
    )
    lev_min: float = _setting(
        ValueType.NUMBER,
        0.30,
        "With `hybrid`: the lowest Indel similarity of a pair.",
        minimum=0.0,
        maximum=1.0,
        heading=Heading.COMPARED,
    )
    lev_max: float = _setting(
        ValueType.NUMBER,
        0.95,
        "With `hybrid`: the highest Indel similarity of a pair.",
        minimum=0.0,
        maximum=1.0,
        heading=Heading.COMPARED,
    )
    linkage: str = _setting(
        ValueType.CHOICE,
        "complete",
        "With `complete`, any two wordings of a finding reach the threshold. With `single`, similar pairs form "
        "chains, as in the paper.",
        allowed=LINKAGES,
        heading=Heading.COMPARED,
    )
    guards: bool = _setting(
        ValueType.FLAG,
        True,
        "Keep opposites apart, however similar they look: visible and not visible, GET and POST, included and "
        "excluded.",
        heading=Heading.COMPARED,
    )
    min_count: int = _setting(
        ValueType.COUNT,
        2,
        "Leave out findings of which all wordings together occur less often than this.",
        minimum=1,
        heading=Heading.REPORTED,
    )
    ignore: tuple[str, ...] = _setting(
        ValueType.TEXTS,
        (),
        "Regular expressions. Step texts that contain a match are not reported.",
        heading=Heading.REPORTED,
    )
    include: tuple[str, ...] = _setting(
        ValueType.TEXTS,
        (),
        "Paths to read although an ignore file or their folder's name hides them (such as `node_modules/`), as "
        "gitignore patterns relative to the folder that is read. They apply to glue code too. All other files are "
        "still read.",
        heading=Heading.READ,
    )
    exclude: tuple[str, ...] = _setting(
        ValueType.TEXTS,
        (),
        "Paths to leave out, as gitignore patterns relative to the folder that is read. They apply to glue code too.",
        heading=Heading.READ,
    )
    glue: tuple[str, ...] = _setting(
        ValueType.PATHS,
        (),
        "Where the step definitions are: files, folders or globs. Unset: the repository that contains the suite.",
        heading=Heading.READ,
    )
    severity: Mapping[str, str] = _setting(
        ValueType.LEVELS,
        dict,
        "Severity of a rule: `hint`, `information`, `warning` or `error`; `off` disables it.",
        allowed=SEVERITIES,
        keys=tuple(RULES),
        heading=Heading.REPORTED,
    )
    fail_on: str = _setting(
        ValueType.CHOICE,
        Severity.WARNING.value,
        "The lowest severity that makes the command exit with code 1. `off`: it never does.",
        allowed=SEVERITIES,
        heading=Heading.REPORTED,
        in_editors=False,
    )
    repetition_limit: int = _setting(
        ValueType.COUNT,
        10,
        "How many findings of each repetition rule (`duplicate-scenario`, `foldable-scenarios`, `common-background`, "
        "`repeated-block`) are reported per suite, the most worthwhile first. 0: all.",
        minimum=0,
        heading=Heading.REPORTED,
    )
    block_worth: int = _setting(
        ValueType.COUNT,
        30,
        "How many lines a `repeated-block` must save to be reported as information instead of a hint.",
        minimum=1,
        heading=Heading.REPORTED,
    )
    across: bool = _setting(ValueType.FLAG, False, "Also compare the suites of several folders with each other.")
    baseline: str | None = _setting(
        ValueType.PATH, None, "File with known findings; only new findings are reported.", heading=Heading.NEW
    )
    catalogue: str | None = _setting(
        ValueType.PATH,
        None,
        "The catalogue.json of an organisation's suites, made by `cukereuse corpus catalogue`. Completion and "
        '"find similar" in the editor then also show which other repositories have a step.',
        heading=None,
    )
    model: str = _setting(
        ValueType.TEXT,
        DEFAULT_MODEL.id,
        f"Embedding model. Any model other than {_BUILT_IN} needs the extra `cukereuse[sentence-transformers]`.",
        scope=SettingScope.MACHINE,
    )
    offline: bool = _setting(
        ValueType.FLAG, False, "Never use the network, not even for the model.", scope=SettingScope.MACHINE
    )
    jobs: int = _setting(
        ValueType.COUNT,
        0,
        "How many processes read files and scan repositories. 0: one per core.",
        minimum=0,
        scope=SettingScope.MACHINE,
    )


SETTINGS: dict[str, Setting] = {
    row.name: Setting(name=row.name, default=getattr(Settings(), row.name), **row.metadata) for row in fields(Settings)
}
"""Name to row, in the order of the documentation."""
