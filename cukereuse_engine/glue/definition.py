"""The result of reading glue code."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class ExpressionKind(StrEnum):
    CUCUMBER = "cucumber"
    """Cucumber Expression: `I have {int} cucumber(s)`."""
    REGEX = "regex"
    PARSE = "parse"
    """behave's and pytest-bdd's `parse` format: `{name}`, `{n:d}`."""
    CFPARSE = "cfparse"
    """`parse` with cardinality fields: `{names:Name+}`."""
    TURNIP = "turnip"
    """The style of Turnip and Behat: `:name`, `word(s)`, `one/other`."""
    LITERAL = "literal"
    """The text itself: pytest-bdd's plain strings."""


class Anchoring(StrEnum):
    """How much of a step's text a regular expression must match."""

    FULL = "full"
    """The whole text: Reqnroll, and runners that add ^ and $ themselves."""
    SEARCH = "search"
    """Any part, unless the regex has ^ or $: cucumber-js, Cucumber-JVM, Ruby, godog, cucumber-rs, Behat."""
    MATCH = "match"
    """From the beginning: behave's `re` (Python's `re.match`)."""


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A place in a source file. Lines and columns are 1-based; columns count code points."""

    path: str
    start_byte: int
    end_byte: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Limit:
    """Where a definition applies: all given criteria must hold."""

    tags: str = ""
    """A tag expression: `@web and not @slow`."""
    feature: str = ""
    """Title of the feature."""
    rule: str = ""
    scenario: str = ""
    """Title of the scenario."""
    path: str = ""
    """The feature file, as the source names it: relative to its own folder, or to one around it."""
    background: bool = False
    """Applies in backgrounds only."""


@dataclass(frozen=True, slots=True)
class StepDefinition:
    expression: str
    """The value of the string or regex literal, with the language's escapes resolved, and without the delimiters of a
    regex literal; Behat's `/…/` delimiters are removed too."""
    kind: ExpressionKind
    keyword_types: frozenset[str]
    """The keyword types ("given", "when", "then") to which it applies, if its runner considers keywords (behave,
    pytest-bdd, Reqnroll, godog's Given/When/Then, cucumber-rs); empty: any."""
    keyword: str
    """As written in the source: "given", "When", "@step", "ctx.Step"."""
    language: str
    """"python", "ruby", …: the id of the language module."""
    framework: str
    """The runner's name: "behave", "pytest-bdd", "cucumber-ruby", "cucumber-js", "cucumber-jvm", "reqnroll", "behat",
    "godog", "cucumber-rs"."""
    literal: SourceSpan
    """The expression's literal with its quotes, or the regex with its delimiters."""
    source_literal: str
    """The literal's source text, quoting included: what a rewrite replaces."""
    function: SourceSpan | None
    """The whole function, including its body; None if it is elsewhere (a method reference)."""
    function_name: str
    anchoring: Anchoring = Anchoring.FULL
    """Only for REGEX."""
    flags: str = ""
    """Regex flags in Python's letters: "i", "x", "m", "s", "u"."""
    rewritable: bool = True
    """False if the expression is not a single plain literal (a constant, a concatenation, an interpolation)."""
    sentence: str = ""
    """The expression for people if the runner makes it from a method's name: with the arguments in braces."""

    limits: tuple[Limit, ...] = ()
    """Where it applies: one limit must be met; empty: everywhere."""
    registry: str = ""
    """The registrations that its runner searches together, if they are fewer than all that are loaded, or if the first
    match counts. A registry that begins with `@` belongs to its file: a Go function."""
    takes_first: bool = False
    """True if the first of several matches in one registry counts."""
    is_translation: bool = False
    """True for the translation of a definition in the same place (`behat_translations`)."""
    guesses: bool = False
    """True if its runner takes one of several matches (`--guess` of Cucumber for Ruby, a fork of Turnip)."""
    parameters: tuple[str, ...] | None = None
    """The types of the function's parameters as written, if its runner counts them; None if it does not, or if the
    source does not tell."""

    yields: int | None = None
    """Its priority (cucumber_priority): definitions without one take precedence, then those with a higher number. None:
    it has none."""

    @property
    def shown(self) -> str:
        """The expression as people read it."""
        return self.sentence or self.expression

    def told_apart(self, said: str, others: "Iterable[StepDefinition]") -> str:
        """What is `said` of it, with its keyword if one of the others has another one."""
        is_told = any(other.keyword != self.keyword for other in others)
        return f"{said} ({self.keyword})" if is_told and self.keyword else said

    @property
    def path(self) -> str:
        return self.literal.path

    @property
    def line(self) -> int:
        return self.literal.line

    @property
    def place(self) -> str:
        """The place as people read it: `path:line`."""
        return f"{self.path}:{self.line}"

    @property
    def id(self) -> str:
        """`path:line:column` of the literal: unique in a workspace."""
        return f"{self.literal.path}:{self.literal.line}:{self.literal.column}"

    @property
    def function_id(self) -> str:
        """Equal for all definitions of one function: several expressions on a function are one piece of glue code."""
        return f"{self.function.path}@{self.function.start_byte}" if self.function else self.id


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A custom parameter type, such as Cucumber's, behave's `register_type` or Behat's `@Transform`."""

    name: str
    regexps: tuple[str, ...]
    """Alternatives; their capture groups are no arguments. Empty if the source does not tell: anything matches."""
    language: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class GlueError:
    """A definition that can't be used (broken pattern, computed expression), or a file that can't be read."""

    path: str
    line: int
    column: int
    message: str
    untold: bool = False
    """True if its runner loads a definition there, but the source does not tell what that matches."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that a source imports from another file."""

    name: str
    owner: str = ""
    """The module, class or object that contains the name according to the source; empty if it does not say."""


@dataclass(frozen=True, slots=True)
class Constant:
    """The value of a name that another source imports."""

    name: str
    owner: str
    """The module, class or object around it in its source; if it is imported, the reference's owner."""
    path: str
    text: str
    """The value of a string, the pattern of a regex, or the source of a function."""
    is_regex: bool = False
    flags: str = ""
    """Regex flags in Python's letters."""
    is_function: bool = False


@dataclass(frozen=True, slots=True)
class GlueClass:
    """A class or trait. Some runners' configurations name the classes whose step definitions count (Behat)."""

    name: str
    """The full name, with its namespace, but without a leading backslash."""
    parents: tuple[str, ...]
    """The superclass and the used traits, by their full names."""
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class Runner:
    """What a source tells Cucumber-JVM or cucumber-rs to run, and with which step definitions."""

    name: str
    """The name of its class, or of its World."""
    glue: tuple[str, ...]
    """Packages, for the JVM; an empty name means all."""
    features: tuple[str, ...] = ()
    """Paths as the source writes them; empty if it names none."""
    tags: tuple[str, ...] = ()
    """Tag expressions, all of which must hold."""


@dataclass(frozen=True, slots=True)
class FeatureRun:
    """A call by which a module of pytest-bdd runs features."""

    feature: str
    """A feature file or a folder of them, as `pytest_modules` reads it."""
    scenario: str = ""
    """A title; empty: all scenarios."""


@dataclass(frozen=True, slots=True)
class PythonModule:
    """What a source tells pytest."""

    imports: tuple[str, ...] = ()
    """The modules whose names are all imported, with their leading dots."""
    plugins: tuple[str, ...] = ()
    runs: tuple[FeatureRun, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """The contents of one source file."""

    definitions: tuple[StepDefinition, ...] = ()
    parameter_types: tuple[ParameterType, ...] = ()
    errors: tuple[GlueError, ...] = ()
    classes: tuple[GlueClass, ...] = ()
    references: tuple[Reference, ...] = ()
    """The names in expressions that are imported from other sources."""
    given: tuple[Constant, ...] = ()
    """The values that were used for these names."""
    runners: tuple[Runner, ...] = ()
    module: PythonModule | None = None
    """None if pytest-bdd does not run it."""
    package: str = ""
    """The package of its definitions, as a source of the JVM declares it."""
    libraries: tuple[str, ...] = ()
    """Modules from outside whose names suggest step definitions."""
    lost: tuple[int, ...] = ()
    """The byte offsets of lines that look like definitions and could not be read beside a syntax error."""
    is_broken: bool = False
    """True if there is a syntax error. Known while a source is read, as `lost` is; nothing that is kept says so."""
    is_cut_short: bool = False
    """True if the time for reading was not enough: another try may find more, so this is not kept."""


@dataclass(frozen=True, slots=True)
class BoundArgument:
    """One argument that a definition captures from a step's text."""

    start: int
    """Code point offset in the step's text; -1 for a group that did not take part in the match."""
    end: int
    value: str | None
    name: str
    """The name of the parameter or group, or empty."""


@dataclass(frozen=True, slots=True)
class Match:
    definition: StepDefinition
    arguments: tuple[BoundArgument, ...]
