"""Applies all extractions, outlines, Backgrounds and short forms that are offered for suites, one after another, and
checks each by a reader that is independent of the product.

    python tests/benchmarks/bench_extract_all.py REPOSITORY... [--most N]

Works on a copy of each repository. Offers are planned anew after each change; the journal writes each plan, and every
scenario must run the same functions with the same values before and after (`independent.expansion`). In the end all
changes are undone, and every byte must be as before. Prints a line for each repository, then the sums.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from independent.expansion import Expansion, differences  # type: ignore[import-not-found]

from cukereuse_engine.blocks.extract import plan_extraction
from cukereuse_engine.blocks.folding import FeatureSources, foldable
from cukereuse_engine.blocks.shorten import plan_shortening
from cukereuse_engine.blocks.symbols import scenarios_of
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor import journal
from cukereuse_engine.refactor.feature_scenarios import ANY, FoldKind
from cukereuse_engine.refactor.journal import Journal
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.repetition import repetition_of
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

journal._KEPT = 1_000_000  # all is undone in the end
Offer = tuple[str, str, Sequence[FileEdits]]
"""Kind, a name, so that no offer is tried twice, and edits."""


@contextmanager
def copied(folder: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / folder.name
        shutil.copytree(folder, root, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules"))
        before = Path.cwd()
        os.chdir(root)
        try:
            yield str(root)
        finally:
            os.chdir(before)


class Applied:
    def __init__(self, root: str, most: int) -> None:
        self._root, self._most = root, most
        self._tried: set[str] = set()
        self._taken: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.undo = True
        self.unknown = 0
        self._come: set[str] = set()
        """Feature files that were written."""
        self._short: set[str] = set()
        """Expressions of the short forms that were inserted somewhere."""

    def run(self) -> None:
        contents = self._contents()
        journal, number = Journal(self._root), 0
        state: Expansion | None = None
        while (extraction := self._next()) is not None:
            kind, _, files = extraction
            if state is None or kind == "known step":
                state = self._state(state)
            journal.apply(list(files), kind)
            self._come |= {file.path for file in files if file.is_new}
            number += 1
            after = self._state(state)
            self.done[kind] += 1
            self.wrong += [f"{kind}: {difference}" for difference in differences(state, after)]
            state, self.unknown = after, after.unknown
        for _ in range(number):
            journal.undo()
        now = self._contents()
        self.undo = {path: data for path, data in now.items() if ".cukereuse" not in path} == contents

    def _contents(self) -> dict[str, bytes]:
        paths = (path for path in Path(self._root).rglob("*") if path.is_file() and ".cukereuse" not in str(path))
        return {str(path): path.read_bytes() for path in paths}

    def _state(self, older: Expansion | None) -> Expansion:
        features, sources = {path: Path(path).read_bytes() for path in self._come}, {}
        for path, _, glue in self._suites:
            features |= {file.path: Path(file.path).read_bytes() for file in path.files}
            sources |= {
                definition: Path(definition).read_bytes() for definition in {each.path for each in glue.definitions}
            }
        return Expansion(features, sources, older, self._short)

    def _next(self) -> Offer | None:
        """The first untried offer for the suites as they are now."""
        settings = Settings(jobs=1)
        self._suites = []
        for suite in read_suites([self._root], use_cache=False):
            glue = load_glue(suite, settings, use_cache=False)
            workspace = ReadSuites({file.path: file for file in suite.files}, suite.texts, suite.steps, glue)
            self._suites.append((suite, workspace, glue))
        for suite, workspace, glue in self._suites:
            scenarios = scenarios_of(step for group in suite.steps.values() for step in group)
            for suggestion in foldable(scenarios, FeatureSources(workspace.read), dict.fromkeys(FoldKind, ANY)):
                key = f"{suggestion.path} {suggestion.kind} {suggestion.line}"
                if key not in self._tried and self._taken[suggestion.kind] < self._most:
                    self._tried.add(key)
                    self._taken[suggestion.kind] += 1
                    return suggestion.kind.value, key, [suggestion.file]
            repetition = repetition_of(suite, glue, settings)
            for known in repetition.shortenable if self._taken["known step"] < self._most else ():
                if known.id in self._tried:
                    continue
                self._tried.add(known.id)
                try:
                    shortening = plan_shortening(known, workspace)
                except (CukereuseError, OSError) as error:
                    self.refused[str(error)[:160]] += 1
                    continue
                self._taken["known step"] += 1
                self._short.add(known.form.definition.expression)
                return "known step", known.id, shortening.files
            for block in repetition.blocks if self._taken["step"] < self._most else ():
                if block.id in self._tried:
                    continue
                self._tried.add(block.id)
                try:
                    plan = plan_extraction(block, workspace)
                except (CukereuseError, OSError) as error:
                    self.refused[str(error)[:160]] += 1
                    continue
                self._taken["step"] += 1
                return "step", block.id, plan.files
        return None


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=1000, help="of each kind in a repository")
    options = parser.parse_args(given)
    done: Counter[str] = Counter()
    wrong = 0
    for folder in options.repositories:
        with copied(folder.resolve()) as root:
            applied = Applied(root, options.most)
            applied.run()
        done += applied.done
        wrong += len(applied.wrong)
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(applied.done.items())) or "nothing"
        undone = "undone to the byte" if applied.undo else "UNDO DIFFERS"
        refused = sum(applied.refused.values())
        print(f"{folder.name}: {kinds}; {refused} refused; {len(applied.wrong)} scenarios wrong; {undone}", flush=True)
        if applied.unknown:
            print(f"   {applied.unknown} expressions have no engine here (Node: CUKEREUSE_NODE_MODULES)", flush=True)
        for reason, number in applied.refused.most_common(5):
            print(f"   refused {number}x: {reason}", flush=True)
        for fault in applied.wrong[:3]:
            print(f"   WRONG {fault[:900]}", flush=True)
    print(f"all: {dict(done)}; {wrong} scenarios wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
