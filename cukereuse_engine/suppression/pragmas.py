"""Pragmas in feature files: comments that silence findings, with a reason.

    # cukereuse: ignore[divergent-wording] -- the legal department's own words
    When the customer is "offboarded"

    # cukereuse: ignore-file[paraphrase] -- generated
    Feature: …

A pragma speaks of the next step, or with `ignore-file` of its whole file; in brackets are rules or kinds, and
without brackets it speaks of everything. It never changes what is compared.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cukereuse_engine.gherkin.feature import Comment, FeatureFile, ReadError
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.rules import RULES
from cukereuse_engine.spelling import nearest

SUBJECTS = (*RULES, *(kind.value for kind in Kind if kind is not Kind.DISTINCT))
"""The names allowed in the brackets: ids of rules, and kinds of likeness."""

_ADDRESSED = re.compile(r"#+\s*cukereuse\s*:\s*(?P<rest>.*)", re.IGNORECASE)
_PRAGMA = re.compile(
    r"(?P<verb>[\w-]+)\s*(?:\[(?P<subjects>[^\]]*)\])?\s*(?:(?:--|—|–)\s*(?P<reason>.*))?", re.IGNORECASE
)
IGNORE, IGNORE_FILE = "ignore", "ignore-file"
_VERBS = (IGNORE, IGNORE_FILE)


@dataclass(frozen=True, slots=True)
class Pragma:
    line: int
    """1-based line of the comment."""
    subjects: frozenset[str]
    """The rules and kinds that it silences; empty: all."""
    reason: str
    """The text after `--`; often empty."""
    target: int | None
    """Line of the step that it is about; None: the whole file."""

    def covers(self, rule: str, kind: str | None = None) -> bool:
        """True if it silences findings of `rule`, or of `kind`."""
        return not self.subjects or rule in self.subjects or kind in self.subjects


def read_pragmas(file: FeatureFile) -> tuple[tuple[Pragma, ...], tuple[ReadError, ...]]:
    """The pragmas among a file's comments, and the errors in them."""
    pragmas, problems = [], []
    lines: list[int] = []
    for comment in file.comments:
        if addressed := _ADDRESSED.fullmatch(comment.text):
            lines = lines or sorted({step.line for step in file.steps})
            pragma, messages = _read(comment, addressed["rest"].strip(), lines)
            if pragma is not None:
                pragmas.append(pragma)
            problems += [ReadError(file.path, comment.line, 1, message) for message in messages]
    return tuple(pragmas), tuple(problems)


@dataclass(frozen=True, slots=True)
class Directive:
    """The content of a pragma, wherever it is."""

    verb: str
    """`IGNORE` or `IGNORE_FILE`."""
    subjects: frozenset[str]
    reason: str


def parsed(rest: str) -> tuple[Directive | None, list[str]]:
    """The pragma after `cukereuse:`, and what is wrong with it; None if it silences nothing."""
    match = _PRAGMA.fullmatch(rest)
    verb = match["verb"].lower() if match else ""
    if match is None or verb not in _VERBS:
        form = "# cukereuse: ignore[rule] -- reason"
        suggestion = nearest(verb, _VERBS) if verb else None
        hint = f"did you mean {suggestion!r}?" if suggestion else f"the form is `{form}`."
        return None, [f"not a pragma of cukereuse: {rest!r}; {hint}"]
    written = [subject.strip() for subject in (match["subjects"] or "").split(",") if subject.strip()]
    subjects, messages = _subjects(written)
    if match["subjects"] is not None and not subjects:
        if not written:
            messages.append("pragma names no rule; write a rule in the brackets, or omit them to ignore all rules.")
        return None, messages  # its meaning is unknown, so it silences nothing
    return Directive(verb, subjects, (match["reason"] or "").strip()), messages


def _subjects(written: Iterable[str]) -> tuple[frozenset[str], list[str]]:
    """The rules and kinds of these names, and what is wrong with the other names."""
    subjects, messages = set(), []
    for subject in written:
        name = subject.lower().replace("_", "-")
        if name in SUBJECTS:
            subjects.add(name)
        else:
            suggestion = nearest(name, SUBJECTS)
            hint = f"did you mean {suggestion!r}?" if suggestion else f"known are {', '.join(SUBJECTS)}."
            messages.append(f"pragma names {subject!r}, which is neither a rule nor a kind; {hint}")
    return frozenset(subjects), messages


def _read(comment: Comment, rest: str, step_lines: Sequence[int]) -> tuple[Pragma | None, list[str]]:
    directive, messages = parsed(rest)
    if directive is None:
        return None, messages
    target = None
    if directive.verb == IGNORE:
        target = next((line for line in step_lines if line > comment.line), None)
        if target is None:
            messages.append("no step follows this pragma; `ignore-file` applies to the whole file.")
            return None, messages
    return Pragma(comment.line, directive.subjects, directive.reason, target), messages


class Pragmas:
    """The pragmas of many files, by place."""

    def __init__(self, files: Iterable[FeatureFile]) -> None:
        self._by_file: dict[str, list[Pragma]] = {}
        self._by_step: dict[tuple[str, int], list[Pragma]] = {}
        problems: list[ReadError] = []
        for file in files:
            pragmas, wrong = read_pragmas(file)
            problems += wrong
            for pragma in pragmas:
                if pragma.target is None:
                    self._by_file.setdefault(file.path, []).append(pragma)
                else:
                    self._by_step.setdefault((file.path, pragma.target), []).append(pragma)
        self._paths = {*self._by_file, *(path for path, _ in self._by_step)}
        self.problems: tuple[ReadError, ...] = tuple(problems)
        """Pragmas that could not be understood; shown by the rule `unread`."""

    def __bool__(self) -> bool:
        return bool(self._by_file or self._by_step)

    def silence_as(self, other: "Pragmas") -> bool:
        """True if they silence the same as others, at the same places."""
        return (self._by_file, self._by_step) == (other._by_file, other._by_step)

    def speak_of(self, path: str) -> bool:
        """True if a file has any pragma."""
        return path in self._paths

    def ignored(self, path: str, line: int, rule: str, kind: str | None = None) -> bool:
        """True if a finding of `rule` and `kind` at the step on `line` of `path` is silenced."""
        pragmas = (*self._by_file.get(path, ()), *self._by_step.get((path, line), ()))
        return any(pragma.covers(rule, kind) for pragma in pragmas)
