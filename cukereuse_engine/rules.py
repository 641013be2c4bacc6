"""The rules: the ids of diagnostics, pragmas, SARIF `ruleId` and `--fail-on`, in one table."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    OFF = "off"
    HINT = "hint"
    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 (off) to 4 (error)."""
        return list(Severity).index(self)


class About(StrEnum):
    """What a rule's findings speak of."""

    WORDINGS = "wordings that mean the same"
    CODE = "what step definitions do"
    REPETITION = "what repeats as a whole"
    STEPS = "single steps, texts and lines"


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    about: About
    severity: Severity
    """Severity unless the settings say otherwise."""
    title: str
    """True of every finding. What a finding itself claims is in `findings.messages.title_of`."""
    help: str
    """What a person should know and do, in one or two sentences."""


RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule(
            "divergent-definition",
            About.WORDINGS,
            Severity.WARNING,
            "Step definitions may mean the same",
            "These wordings seem to mean the same but bind to different step definitions. "
            "Keep one definition and move the steps to it. Only a hint if their functions do different things.",
        ),
        Rule(
            "divergent-wording",
            About.WORDINGS,
            Severity.INFORMATION,
            "Different wordings may mean the same",
            "The suite seems to say one thing in different words, and no shared step definition is known. Use one "
            "wording: the one with a step definition, or the most common one.",
        ),
        Rule(
            "suspect-definition",
            About.CODE,
            Severity.WARNING,
            "A step definition may not do what it claims",
            "These step definitions claim different things but run the same code, capture an argument that the "
            "function never uses, or check nothing although they are assertions. Check which part is wrong. "
            "The severity is lower if the code mentions neither claim.",
        ),
        Rule(
            "same-code",
            About.CODE,
            Severity.INFORMATION,
            "Step definitions run the same code",
            "These step definitions do the same to the same things, or one only calls the other. Put both "
            "expressions on one function, or keep one wording. Only a hint if their wordings seem intentional, "
            "one already calls the other, or they are copies in two modules of one Maven, Gradle or .NET build.",
        ),
        Rule(
            "state-and-action",
            About.WORDINGS,
            Severity.HINT,
            "A state and the action that leads to it",
            "One step describes the state that another step's action leads to: “I am on the page”, “I go to the "
            "page”. Keep one form if you use both for the same thing. Turn the rule off if your suite distinguishes "
            "them on purpose.",
        ),
        Rule(
            "parametric-variant",
            About.STEPS,
            Severity.HINT,
            "Same words, different step definitions",
            "Steps that differ only in an argument bind to different step definitions. "
            "One definition with a parameter would serve both.",
        ),
        Rule(
            "duplicate-scenario",
            About.REPETITION,
            Severity.INFORMATION,
            "Scenarios run the same steps",
            "These scenarios of one file run the same steps with the same arguments. "
            "Keep one of them, make the difference visible in the steps, or explain it in a comment.",
        ),
        Rule(
            "foldable-scenarios",
            About.REPETITION,
            Severity.INFORMATION,
            "Scenarios differ only in their arguments",
            "These scenarios could be one Scenario Outline with Examples. `cukereuse fold --outline` writes it.",
        ),
        Rule(
            "common-background",
            About.REPETITION,
            Severity.HINT,
            "Every scenario starts with the same steps",
            "These steps could move into a Background. `cukereuse fold --background` writes it.",
        ),
        Rule(
            "repeated-block",
            About.REPETITION,
            Severity.HINT,
            "The same sequence of steps recurs in many scenarios",
            "One step could replace this block. The severity is information if that saves many lines "
            "(`block_worth`). `cukereuse blocks` lists all blocks, and `cukereuse extract` replaces one.",
        ),
        Rule(
            "unread",
            About.STEPS,
            Severity.WARNING,
            "Part of the file could not be read",
            "This part of the file is not valid Gherkin, so a runner rejects the file. Well-formed steps around it "
            "are still read, compared and renamed. Correct the syntax.",
        ),
        Rule(
            "unused-definition",
            About.CODE,
            Severity.OFF,
            "No step uses this step definition",
            "No step of the suite binds to this step definition, no code names its function or runs its step, and no "
            "package offers it to other suites. "
            "`cukereuse merge --unused` deletes it.",
        ),
        Rule(
            "repeated-step",
            About.STEPS,
            Severity.OFF,
            "Step appears twice in one scenario",
            "The same step with the same argument appears twice in this scenario.",
        ),
        Rule(
            "exact-duplicate",
            About.STEPS,
            Severity.OFF,
            "Step text is used elsewhere too",
            "Other scenarios use the same text. That is normal reuse; the rule exists for measurements.",
        ),
        Rule(
            "undefined-step",
            About.STEPS,
            Severity.OFF,
            "No step definition matches",
            "No known step definition matches this step.",
        ),
        Rule(
            "ambiguous-step",
            About.STEPS,
            Severity.OFF,
            "Several step definitions match",
            "More than one step definition matches this step; a test runner would reject it.",
        ),
    )
}
"""Rule id to rule, the most costly first."""

REPETITION_RULES = tuple(rule.id for rule in RULES.values() if rule.about is About.REPETITION)
"""Those about what repeats as a whole."""
