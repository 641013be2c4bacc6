"""The result of reading glue code."""

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
    """Behat's: `:name`, `word(s)`, `one/other`."""
    LITERAL = "literal"
    """The text itself: pytest-bdd's plain strings."""


class Anchoring(StrEnum):
    """How much of a step's text a regular expression must match."""

    FULL = "full"
    """All of it: Reqnroll, and whatever adds ^ and $ itself."""
    SEARCH = "search"
    """Anywhere unless it brings ^ and $ of its own: cucumber-js, Cucumber-JVM, Ruby, godog, cucumber-rs, Behat."""
    MATCH = "match"
    """From the start: behave's `re` (Python's `re.match`)."""


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
    """In backgrounds alone."""


@dataclass(frozen=True, slots=True)
class StepDefinition:
    expression: str
    """The expression's value: what the string or regex literal denotes, escapes of the language resolved. Without the
    delimiters of a regex literal; Behat's `/…/` delimiters removed too."""
    kind: ExpressionKind
    keyword_types: frozenset[str]
    """Which of "given", "when", "then" it answers to, where its runner looks at the keyword at all (behave, pytest-bdd,
    Reqnroll, godog's Given/When/Then, cucumber-rs); empty: any."""
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
    """The whole function, body included; None where it is elsewhere (a method reference)."""
    function_name: str
    anchoring: Anchoring = Anchoring.FULL
    """Only for REGEX."""
    flags: str = ""
    """Regex flags in Python's letters: "i", "x", "m", "s", "u"."""
    rewritable: bool = True
    """False where the literal is not one plain literal (a constant, a concatenation, an interpolation)."""
    sentence: str = ""
    """What a person reads where the expression was made by the runner, of a method's name: arguments in braces."""

    limits: tuple[Limit, ...] = ()
    """Where it answers, one of them being enough; empty: everywhere."""
    registry: str = ""
    """The registrations that its runner searches together, where these are not all that are loaded, or where the first
    match counts. One that begins with `@` is of its file alone: a Go function."""
    takes_first: bool = False
    """Of several matches in one registry the first counts."""
    is_translation: bool = False
    """It is the translation of a definition in the same place (`behat_translations`)."""
    guesses: bool = False
    """Its runner takes one of several instead of refusing (`--guess` of Cucumber for Ruby, a fork of Turnip)."""
    parameters: tuple[str, ...] | None = None
    """Types of the function's parameters as written, where its runner looks at their number; None: it does not, or the
    source does not tell."""

    yields: int | None = None
    """One that does not goes before it, and one that does with a higher number (cucumber_priority); None: it does
    not."""

    @property
    def shown(self) -> str:
        """The expression as people read it."""
        return self.sentence or self.expression

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
    """Alternatives; capture groups inside are not arguments. Empty where the source does not tell: matches anything."""
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
    """Its runner loads a definition there, and nobody can tell here what that matches."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that a source imports from another file."""

    name: str
    owner: str = ""
    """The module, class or object that it says the name is of; empty where the source does not tell."""


@dataclass(frozen=True, slots=True)
class Constant:
    """The value of a name that another source imports."""

    name: str
    owner: str
    """In the source that has it: the class, module or object around it; where it is given: as the reference says."""
    path: str
    text: str
    """The string's value, a regex's pattern, or the source of a function."""
    is_regex: bool = False
    flags: str = ""
    """Regex flags in Python's letters."""
    is_function: bool = False


@dataclass(frozen=True, slots=True)
class GlueClass:
    """A class or trait. Some runners' configurations name the classes whose step definitions count (Behat)."""

    name: str
    """With its namespace, without a leading backslash."""
    parents: tuple[str, ...]
    """The superclass and the traits used, named likewise."""
    start_byte: int
    end_byte: int


@dataclass(frozen=True, slots=True)
class Runner:
    """What a source tells Cucumber-JVM or cucumber-rs to run, and with which step definitions."""

    name: str
    """Of its class, or of its World."""
    glue: tuple[str, ...]
    """Packages, of a JVM's; an empty name stands for all."""
    features: tuple[str, ...] = ()
    """Paths, as the source writes them; empty: it does not say."""
    tags: tuple[str, ...] = ()
    """Expressions, all of which must hold."""


@dataclass(frozen=True, slots=True)
class FeatureRun:
    """A call by which a module of pytest-bdd runs features."""

    feature: str
    """A feature file or a folder of them, as `pytest_modules` reads it."""
    scenario: str = ""
    """Title; empty: all of them."""


@dataclass(frozen=True, slots=True)
class PythonModule:
    """What a source tells pytest."""

    imports: tuple[str, ...] = ()
    """Modules of which it takes all names, with their dots in front."""
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
    """Names that expressions take from other sources."""
    given: tuple[Constant, ...] = ()
    """What these names were taken to stand for."""
    runners: tuple[Runner, ...] = ()
    module: PythonModule | None = None
    """None where it has no part in what pytest-bdd runs."""
    package: str = ""
    """The package of what is defined, as a JVM's source declares it."""
    libraries: tuple[str, ...] = ()
    """Modules from outside, by the names of which they bring step definitions."""
    lost: tuple[int, ...] = ()
    """Where lines begin, in bytes, that look like definitions and could not be read beside a syntax error."""
    is_broken: bool = False
    """True if there is a syntax error. Known while a source is read, as `lost` is; nothing that is kept says so."""
    is_cut_short: bool = False
    """True if the time for reading ran out: another time there may be more, so this is not kept."""


@dataclass(frozen=True, slots=True)
class BoundArgument:
    """One argument that a definition captures from a step's text."""

    start: int
    """Code point offset in the step's text; -1 for a group that took no part."""
    end: int
    value: str | None
    name: str
    """Parameter's or group's name, or empty."""


@dataclass(frozen=True, slots=True)
class Match:
    definition: StepDefinition
    arguments: tuple[BoundArgument, ...]
