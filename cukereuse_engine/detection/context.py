"""What the rules of `detection.rules` look at: one suite, compared and bound."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cukereuse_engine.detection.folders import Folders
from cukereuse_engine.detection.karate import karate_files
from cukereuse_engine.detection.options import Detection
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import StepBinding
from cukereuse_engine.judging.model import Judge, StepText
from cukereuse_engine.rules import RULES, Severity

Bindings = Callable[[Step], StepBinding]
"""What a step binds to, as `Glue.bind` says."""


Alike = Callable[[StepDefinition, StepDefinition], float | None]
"""How alike the functions of two definitions are, 0 to 1 (`Functions.similarity`); None where that is not known."""


@dataclass(frozen=True, slots=True)
class FindingOptions:
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule id to severity, where it is not the rule's own."""
    karate: bool = False
    """Look at Karate's files too."""

    def severity(self, rule: str) -> Severity:
        return self.severities.get(rule, RULES[rule].severity)


class Context:
    """Nothing here changes while rules look at it."""

    def __init__(
        self,
        detection: Detection,
        steps: Mapping[str, Sequence[Step]],
        bindings: Bindings | None = None,
        judge: Judge | None = None,
        alike: Alike | None = None,
        functions: Functions | None = None,
        folders: Folders | None = None,
        options: FindingOptions | None = None,
    ) -> None:
        """As `findings.find` says."""
        self.detection = detection
        self.bindings = bindings
        self.judge = judge
        self.alike = alike if alike is not None or functions is None else functions.similarity
        self.functions = functions
        self.options = options or FindingOptions()
        left_out = frozenset[str]()
        if not self.options.karate:
            left_out = karate_files(step for group in steps.values() for step in group)
        self.steps = {key: tuple(s for s in group if s.path not in left_out) for key, group in steps.items()}
        """Identity of a text to its steps, those of Karate's files left out."""
        self._folders = folders

    @cached_property
    def folders(self) -> Folders:
        return self._folders or Folders.of(self.detection.texts, self.steps)

    @cached_property
    def texts(self) -> dict[str, StepText]:
        """By identity."""
        return {text.identity: text for text in self.detection.texts}

    def steps_of(self, texts: Iterable[StepText]) -> list[Step]:
        return [step for text in texts for step in self.steps.get(text.identity, ())]

    def definitions(self, steps: Iterable[Step]) -> dict[str, StepDefinition]:
        """What the steps bind to, by id."""
        bindings = self.bindings
        if bindings is None:
            return {}
        return {definition.id: definition for step in steps for definition in bindings(step).definitions}
