"""Which folders of a suite know each other: they have a wording in common, and so, mostly, an application and authors.

Where two wordings stand in folders that share none, the same words mostly speak of two applications ("I click the
submit button") or of two samples: of 23 such pairs, judged blind, 16 were to be one wording, of 391 others 370.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.judging.model import StepText


class Folders:
    """Kept up to date file by file."""

    def __init__(self) -> None:
        self._files: dict[str, Counter[str]] = {}
        """By folder: in how many of its files each template stands."""
        self._known: dict[str, dict[str, bool]] = {}
        """By folder, to each other one that was asked about: the answer. Each is kept twice."""

    @classmethod
    def of(cls, texts: Iterable[StepText], steps: Mapping[str, Sequence[Step]]) -> "Folders":
        """Those of a whole suite: all of its `texts`, and identity of a text to its `steps`."""
        keys: dict[str, set[str]] = {}
        for text in texts:
            for path in {step.path for step in steps.get(text.identity, ())}:
                keys.setdefault(path, set()).add(text.template.key)
        folders = cls()
        for path, found in keys.items():
            folders.update(path, frozenset(), found)
        return folders

    def update(self, path: str, before: Iterable[str], after: Iterable[str]) -> bool:
        """A file has other templates (their keys, each once) than before. Whether an answer given before is another
        now."""
        folder = _folder(path)
        files = self._files.setdefault(folder, Counter())
        known = files.keys() & {*before, *after}
        files.subtract(before)
        files.update(after)
        for key in {*before, *after}:
            if not files[key]:
                del files[key]
        if not files:
            del self._files[folder]
        if known == files.keys() & {*before, *after}:
            return False
        answers = self._known.pop(folder, {})
        for other in answers:
            self._known[other].pop(folder, None)
        return any(self._share(folder, other) is not answer for other, answer in answers.items())

    def are_strangers(self, paths: Iterable[str], others: Iterable[str]) -> bool:
        """Whether no folder of the one files shares a template with a folder of the others."""
        mine, theirs = (sorted({_folder(path) for path in group}) for group in (paths, others))
        if not set(mine).isdisjoint(theirs):
            return False
        return not any(self._share(one, other) for one in mine for other in theirs)

    def _share(self, one: str, other: str) -> bool:
        answer = self._known.get(one, {}).get(other)
        if answer is None:
            mine, theirs = (self._files.get(folder, Counter()).keys() for folder in (one, other))
            answer = not mine.isdisjoint(theirs)
            self._known.setdefault(one, {})[other] = self._known.setdefault(other, {})[one] = answer
        return answer


def _folder(path: str) -> str:
    return os.path.dirname(path)  # noqa: PTH120 - a Path for each file costs more than all else here
