"""Rename every cluster of real suites, one after another, on a copy; and look for what broke, by other means than the
check that stands before each rename.

    python tests/benchmarks/bench_rename_all.py SUITE... [--limit N] [--exclude PATTERN]...

A cluster with several wordings gets its canonical phrasing; one with a single wording a phrasing that is new. Prints
one line a suite, then the sums: renames planned, refused and members left out by reason, files that parse differently,
bytes changed outside of edits, steps whose binding changed.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.model import FeatureFile, Step
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.refactor.apply import Journal
from cukereuse_engine.refactor.model import Outcome, RefusedPlanError, RenamePlan, TextEdit, Workspace
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.target import TargetError
from cukereuse_engine.scanning.suite import Suite, read_suites
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask, template

ENDINGS = (
    " now",
    " (really)",
    " here/there",
    " {{once}}",
    " it's so",
    " at 100% + more?",
    " [a|b]",
    r" \d",
    ' "so',
    " $",
)
"""What makes a phrasing new: characters that mean something to one kind of expression or another."""


@dataclass
class Result:
    clusters: int = 0
    planned: int = 0
    unchanged: int = 0
    """Plans of clusters whose members read alike already, or whose members were all left out."""
    refused: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    template_equal: int = 0
    """Steps of clusters' canonical templates."""
    template_equal_mapped: int = 0
    rewritten: Counter[str] = field(default_factory=Counter)
    """Definitions by language and kind."""
    parse_differs: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    unbound: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)


class Renamer:
    """One suite on a copy."""

    def __init__(self, suite: Suite, glue: Glue) -> None:
        self.root = suite.root
        self.glue = glue
        self.files = {file.path: file for file in suite.files}
        self.steps = {key: list(steps) for key, steps in suite.steps.items()}
        self.texts = {text.identity: text for text in suite.texts}
        self.journal = Journal(suite.root)
        self.result = Result()
        self.renamed: set[tuple[str, int]] = set()
        """Members of a rename too that read so already: what had no definition may have one now."""
        for file in suite.files:
            glue.update_feature(file.path, file.steps)

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.files, list(self.texts.values()), self.steps, self.glue)

    def rename(self, texts: list[str], canonical: str, ending: str) -> None:
        result = self.result
        present = [text for text in texts if identity(text) in self.steps]
        if not present:
            return
        result.clusters += 1
        reference = canonical if identity(canonical) in self.steps else present[0]
        target = reference if not ending else reference.replace("{", "{{").replace("}", "}}") + ending
        started = time.perf_counter()
        try:
            request = request_for(self.workspace, reference, target, clusters=[present])
            plan = plan_rename(request, self.workspace)
        except RefusedPlanError as error:
            result.refused[error.kind.split(": ")[0]] += 1
            return
        except TargetError as error:
            result.refused[f"target: {error.message[:50]}"] += 1
            return
        finally:
            result.seconds.append(time.perf_counter() - started)
        self._count(plan, reference)
        for text in request.members if plan.files else ():
            self.renamed |= {(step.path, step.line) for step in self.steps.get(identity(text), ())}
        if not plan.files:
            result.unchanged += 1
            return
        result.planned += 1
        self._apply(plan)

    def _count(self, plan: RenamePlan, reference: str) -> None:
        result = self.result
        for one in plan.left_out:
            reason = one.reason.split("(")[0].split(",")[0]
            result.left_out[reason] += len(one.steps)
            if mask(one.text).lower() == mask(reference).lower():
                result.template_equal += len(one.steps)
        for row in plan.table:
            if mask(row.before).lower() == mask(reference).lower():
                result.template_equal += row.occurrences
                result.template_equal_mapped += row.occurrences
        result.steps += plan.occurrences
        for change in plan.definitions:
            if change.outcome is Outcome.REWRITTEN:
                result.rewritten[f"{change.definition.language}/{change.definition.kind}"] += 1

    def _apply(self, plan: RenamePlan) -> None:
        before = {file.path: Path(file.path).read_bytes() for file in plan.files}
        self.journal.apply(plan.files, "benchmark")
        for file in plan.files:
            after = Path(file.path).read_bytes()
            if not _same_outside(before[file.path], after, file.encoding, file.edits):
                self.result.outside.append(file.path)
            if file.is_glue:
                self.glue.update_file(file.path, after)
            else:
                self._reread(self.files[file.path], after, {edit.line: edit.new for edit in file.edits})

    def _reread(self, old: FeatureFile, data: bytes, new_texts: dict[int, str]) -> None:
        new = read_bytes(old.path, data)
        told = [(step.line, step.column, step.keyword, new_texts.get(step.line, step.text)) for step in old.steps]
        if told != [(step.line, step.column, step.keyword, step.text) for step in new.steps]:
            self.result.parse_differs.append(old.path)
        if [(e.line, e.column) for e in old.errors] != [(e.line, e.column) for e in new.errors]:
            self.result.parse_differs.append(f"{old.path} (errors)")
        self.files[old.path] = new
        self.glue.update_feature(old.path, new.steps)
        for step in old.steps:
            if step.line in new_texts:
                self.renamed.add((step.path, step.line))
            self._forget(step)
        for step in new.steps:
            text = normalise(step.text)
            if text:
                key = identity(text)
                self.steps.setdefault(key, []).append(step)
                self.texts.setdefault(key, StepText(text, key, template(text), 1))

    def _forget(self, step: Step) -> None:
        key = identity(step.text)
        kept = [one for one in self.steps.get(key, ()) if one.path != step.path]
        if kept:
            self.steps[key] = kept
        else:
            self.steps.pop(key, None)
            self.texts.pop(key, None)


MARKS = (b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff")


def _same_outside(before: bytes, after: bytes, encoding: str, edits: tuple[TextEdit, ...]) -> bool:
    """Whether every byte that no edit covers is the same."""
    mark = next((mark for mark in MARKS if before.startswith(mark)), b"")
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    if mark in (b"\xfe\xff", b"\x00\x00\xfe\xff"):
        codec = codec.replace("-le", "-be")
    text = before[len(mark) :].decode(codec)
    old_at = new_at = 0
    for edit in edits:
        start = len(mark) + len(text[: edit.start].encode(codec))
        end = len(mark) + len(text[: edit.end].encode(codec))
        if before[old_at:start] != after[new_at : new_at + start - old_at]:
            return False
        new_at += start - old_at
        written = edit.new.encode(codec)
        if after[new_at : new_at + len(written)] != written:
            return False
        old_at, new_at = end, new_at + len(written)
    return before[old_at:] == after[new_at:]


def bindings(glue: Glue, files: dict[str, FeatureFile]) -> dict[tuple[str, int], tuple[object, ...]]:
    """(path, line) of a step to what it binds to: for each text (functions, bare argument values)."""
    numbers = {}
    counts: Counter[str] = Counter()
    for definition in glue.definitions:
        numbers[definition.id] = (definition.path, counts[definition.path])
        counts[definition.path] += 1
    found = {}
    for file in files.values():
        for step in file.steps:
            texts = glue.bind(step).texts if step.text else ()
            found[step.path, step.line] = tuple(
                (
                    tuple(numbers[match.definition.id] for match in text.matches),
                    tuple(
                        tuple((a.value or "").strip("\"'") for a in match.arguments if a.value is not None)
                        for match in text.matches
                    ),
                )
                for text in texts
            )
    return found


def compare(before: dict, after: dict, renamed: set[tuple[str, int]]) -> list[str]:
    """Steps that bound to one definition and do not any more, or with other arguments; others that changed at all."""
    wrong = []
    for key, old in before.items():
        new = after.get(key)
        if key not in renamed:
            if new != old:
                wrong.append(f"{key[0]}:{key[1]} (not renamed): {old} -> {new}")
            continue
        if not all(len(functions) == 1 for functions, _ in old):
            continue  # was undefined or ambiguous
        if new is None or len(new) != len(old) or not all(len(functions) == 1 for functions, _ in new):
            wrong.append(f"{key[0]}:{key[1]}: {old} -> {new}")
            continue
        for (functions, arguments), (now, taken) in zip(old, new, strict=True):
            same = functions == now and sorted(arguments[0]) == sorted(taken[0])
            moved = functions != now and not Counter(arguments[0]) - Counter(taken[0])
            if not same and not moved:
                wrong.append(f"{key[0]}:{key[1]}: {arguments} -> {taken}")
    return wrong


def rename_all(
    folder: Path, *, limit: int | None = None, endings: bool = True, exclude: tuple[str, ...] = ()
) -> Result:
    """Every cluster of a copy of `folder`, suite by suite; `exclude` as in the settings."""
    total = Result()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", "vendor"))
        for suite in read_suites([copy], exclude=exclude, use_cache=False, jobs=1):
            glue = Glue.load(suite.root, paths=[copy], exclude=exclude, jobs=1)
            renamer = Renamer(suite, glue)
            before = bindings(glue, renamer.files)
            options = StrategyOptions(strategy="auto")
            clusters = detect(suite.texts, options, judge=TextJudge.for_suite(suite.texts)).clusters
            for number, cluster in enumerate(clusters[:limit]):
                fresh = cluster.wordings == 1 or number % 2
                ending = ENDINGS[number % len(ENDINGS)] if fresh and endings else ""
                renamer.rename([text.text for text in cluster.texts], cluster.canonical, ending)
            fresh_glue = Glue.load(suite.root, paths=[copy], exclude=exclude, jobs=1)
            for file in renamer.files.values():
                fresh_glue.update_feature(file.path, file.steps)
            renamer.result.unbound = compare(before, bindings(fresh_glue, renamer.files), renamer.renamed)
            total.add(renamer.result)
    return total


def _print(name: str, result: Result) -> None:
    slowest = max(result.seconds, default=0.0)
    print(
        f"{name}: clusters {result.clusters}, planned {result.planned}, unchanged {result.unchanged}, refused "
        f"{sum(result.refused.values())}; steps renamed {result.steps}, left out {sum(result.left_out.values())}; "
        f"template-equal mapped {result.template_equal_mapped}/{result.template_equal}; rewritten "
        f"{dict(result.rewritten)}; parse differs {len(result.parse_differs)}, outside {len(result.outside)}, "
        f"unbound {len(result.unbound)}; slowest {slowest:.2f} s",
        flush=True,
    )
    for problem in [*result.parse_differs[:3], *result.outside[:3], *result.unbound[:3]]:
        print(f"   PROBLEM {problem}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, help="clusters of each suite")
    parser.add_argument("--exclude", action="append", default=[], help="files to leave out, glue code too")
    arguments = parser.parse_args()
    total = Result()
    for folder in arguments.suites:
        try:
            result = rename_all(folder, limit=arguments.limit, exclude=tuple(arguments.exclude))
        except CukereuseError as error:
            print(f"{folder.name}: {error}")
            continue
        _print(folder.name, result)
        total.add(result)
    _print("all", total)
    for title, counts in (("refused", total.refused), ("left out", total.left_out)):
        print(title)
        for reason, count in counts.most_common(25):
            print(f"  {count:6d}  {reason}")
    return 1 if total.parse_differs or total.outside or total.unbound else 0


if __name__ == "__main__":
    sys.exit(main())
