"""The input of the rules in `detection.rules`: one suite, compared and bound."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from cukereuse_engine.detection.options import Detection
from cukereuse_engine.findings.confidence import FindingOptions
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.karate import karate_files
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.text.step_text import StepText

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions

T = TypeVar("T")

Bindings = Callable[[Step], StepBinding]
"""The binding of a step, as `Glue.bind` gives it."""

Defined = dict[str, dict[str, StepDefinition]]
"""Identity of a text to the definitions that its steps bind to, by id; filled as texts are looked at."""

MayServe = Callable[[StepDefinition], bool]
"""True if steps that bind to another definition may be this one's (`Glue.may_serve`)."""


@dataclass(eq=False)
class Context:
    """Does not change while rules run."""

    detection: Detection
    steps: Mapping[str, Sequence[Step]]
    """Identity of a text to its steps, by path and line; those of Karate's files are left out, unless the options say
    otherwise."""
    bindings: Bindings | None = None
    """None if no glue is known."""
    judge: Judge | None = None
    """Gives kind and reasons of the pair that a finding shows; without a judge, the cluster's are used."""
    functions: "Functions | None" = None
    """The functions of the step definitions."""
    options: FindingOptions = field(default_factory=FindingOptions)
    defined: Defined = field(default_factory=dict)
    """The results of `bindings` so far; rules add to them."""
    may_serve: MayServe = lambda _: False
    """True for an unused definition that may serve steps, because other definitions are only assumed to match them."""
    _made: dict[Any, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.options.karate:
            left_out = karate_files(step for group in self.steps.values() for step in group)
            if left_out:
                of_texts = self.steps.items()
                self.steps = {key: tuple(s for s in group if s.path not in left_out) for key, group in of_texts}

    @cached_property
    def texts(self) -> dict[str, StepText]:
        """The texts by identity."""
        return {text.identity: text for text in self.detection.texts}

    def made(self, make: "Callable[[Context], T]") -> T:
        """The result of `make`, computed once for all rules that need it."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    def keep(self, make: "Callable[[Context], T]", result: "T") -> None:
        """Use a result of `make` that was computed in slices."""
        self._made[make] = result

    @cached_property
    def _clusters(self) -> dict[str, str]:
        return {text.text: cluster.id for cluster in self.detection.clusters for text in cluster.texts}

    def cluster_of(self, text: str) -> str:
        """Id of the cluster that contains a text; empty if none is shown."""
        return self._clusters.get(text, "")

    def steps_of(self, texts: Iterable[StepText]) -> list[Step]:
        return [step for text in texts for step in self.steps.get(text.identity, ())]

    def definitions(self, steps: Iterable[Step]) -> dict[str, StepDefinition]:
        """The definitions that these steps bind to, by id."""
        bindings = self.bindings
        if bindings is None:
            return {}
        return {definition.id: definition for step in steps for definition in bindings(step).definitions}

    def defined_for(self, texts: Iterable[StepText]) -> dict[str, StepDefinition]:
        """The definitions that the steps of these texts bind to, by id; several rules need them."""
        definitions: dict[str, StepDefinition] = {}
        for text in texts:
            of_text = self.defined.get(text.identity)
            if of_text is None:
                of_text = self.defined[text.identity] = self.definitions(self.steps.get(text.identity, ()))
            definitions |= of_text
        return definitions
