"""The message of a diagnostic at a step: the wording in use first, with the step's own arguments, and one reason.

The whole finding, with its definitions and all evidence, is in the hover.
"""

import os
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from cukereuse_engine.findings.finding import Finding, Place, Reason, Subject
from cukereuse_engine.findings.messages import mean, renamed, with_place
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.prose import chance
from cukereuse_engine.rules import REPETITION_RULES
from cukereuse_engine.text.template import mask
from cukereuse_server.workspace.renaming import Rewriter
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_LONGEST = 120
"""The code points of a step's text that a message quotes."""
_FEW = 2
"""The number of differing words up to which the difference is the reason."""
_SAYS = {
    "divergent-wording": "is the wording in use",
    "divergent-definition": "{means} the same, but has another step definition",
    "parametric-variant": "differs only in an argument, but has another step definition",
}


class WordingMessages:
    """Makes the messages of one answer: each wording is filled in once for a step's arguments, and a shared message is
    made once."""

    def __init__(self, workspace: View, suite: SuiteState) -> None:
        self._workspace, self._suite = workspace, suite
        self._texts: dict[tuple[str, str], str] = {}
        self._said: tuple[Finding | None, str] = None, ""
        """The last finding with one message for all places."""

    def of(self, finding: Finding, other: Subject, place: Place) -> str:
        """The message at a place of one of the finding's `others`."""
        preferred, says = finding.preferred, _SAYS.get(finding.rule)
        if preferred is None or says is None or place.step is None:
            # messages about other findings are kept while their lines move, see `workspace.diagnoses`
            if self._said[0] is not finding:
                folders, places = self._workspace.folders, finding.rule in REPETITION_RULES
                self._said = finding, _message(finding, folders, places=places)
            return self._said[1]
        rewording = self._say(place.step, preferred.text)
        reason = _reason(finding, other, place.step.text, rewording)
        said = f"{_quoted(rewording)} {says.format(means=mean(finding, of_one=True))}"
        return f"{said} (used {preferred.occurrences}×){reason}."

    def _say(self, step: Step, wording: str) -> str:
        key = step.text, wording
        if key not in self._texts:
            self._texts[key] = Rewriter(self._workspace, self._suite, step).say(wording) or wording
        return self._texts[key]


def _message(finding: Finding, folders: Iterable[str], *, places: bool) -> str:
    """The difference and the objections; reasons for it are in the hover. `places`: add the place of the preferred
    wording in a feature file."""
    message = shortened(with_place(finding) if places else finding.message, finding, folders)
    against = _against(finding.reasons)
    return f"{message.removesuffix('.')}; doubtful: {against}." if against and against not in message else message


def detail(finding: Finding, step: Step, folders: Iterable[str]) -> str:
    """The whole message of a finding at a step, without repetitions."""
    message = shortened(with_place(finding), finding, folders)
    place = step.path, step.line
    here = (other.text for other in finding.others for at in other.places if (at.path, at.line) == place)
    told = (reason.text for reason in finding.reasons_about(next(here, "")))
    reasons = "; ".join(text for text in told if text not in message)
    return f"{message} ({reasons})" if reasons else message


def shortened(message: str, finding: Finding, folders: Iterable[str]) -> str:
    """The message with paths relative to their workspace folder: a line of an editor is short, and the related places
    have whole paths."""
    preferred = finding.preferred.places[:1] if finding.preferred is not None else ()

    def name(path: str) -> str:
        around = [folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)]
        return os.path.relpath(path, max(around, key=len)) if around else path

    paths = [*(definition.path for definition in finding.definitions), *(place.path for place in preferred)]
    return renamed(message, paths, name)


def _reason(finding: Finding, other: Subject, own: str, rewording: str) -> str:
    """The objection to the finding, or else the few words that differ, or else the confidence."""
    against = _against(finding.reasons_about(other.text))
    if against:
        return f"; doubtful: {against}"
    differing = _difference(own, rewording)
    if differing:
        return f": {differing}"
    return f": {chance(finding.confidence)} likely to mean the same" if finding.confidence is not None else ""


def _against(reasons: Iterable[Reason]) -> str:
    return next((reason.text for reason in reasons if reason.against), "")


@lru_cache(maxsize=4096)  # a keystroke asks again for the whole file
def _difference(own: str, rewording: str) -> str:
    """The difference in words if it is small; empty if it is large."""
    mine, theirs = mask(own).lower().split(), mask(rewording).lower().split()
    changes = [
        opcode for opcode in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes() if opcode[0] != "equal"
    ]
    if len(changes) != 1:
        return ""
    _, start, end, other, other_end = changes[0]
    left, right = mine[start:end], theirs[other:other_end]
    if max(len(left), len(right)) > _FEW:
        return ""
    if left and right:
        return f"{_quoted(' '.join(right))} instead of {_quoted(' '.join(left))}"
    return f"only {_quoted(' '.join(left or right))} differs"


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= _LONGEST else f"“{text[: _LONGEST - 1]}…”"
