"""Counts what the steps of real repositories bind to, and compares it with another version of cukereuse.

    python tests/benchmarks/bench_bindings.py REPOSITORY... [--out TABLE.tsv] [--against TABLE.tsv]

One line for each repository: steps, those with one definition, with none and with several, definitions that can't be
read, places in feature files that aren't read, processor seconds. The columns go to `--out` as tab-separated text. With
`--against`, a table of another version, a line is marked if a smaller share is bound, or if more steps have several
definitions; the exit code is 1 if any line is. Repositories without step definitions are left out.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

FOUND_NOTHING = 2
"""Exit code of `cukereuse steps` if there is no step definition."""
_SHARE = 0.0005


@dataclass(frozen=True)
class Row:
    repository: str
    steps: int
    bound: int
    undefined: int
    ambiguous: int
    unread_definitions: int
    unread_places: int
    seconds: int

    def share(self) -> float:
        return self.bound / self.steps if self.steps else 1.0


def measured(repository: Path, command: str) -> Row | None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "steps.json"
        done = subprocess.run(
            [*command.split(), "steps", ".", "--json", str(report), "--no-cache"],
            cwd=repository,
            capture_output=True,
            text=True,
            env={**os.environ, "CUKEREUSE_CACHE_DIR": folder},
            check=False,
        )
        if done.returncode == FOUND_NOTHING:
            print(f"{repository.name}: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
            return None
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{repository.name}: {done.stderr}")
        document: dict[str, Any] = json.loads(report.read_text())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = document["summary"]
    undefined, ambiguous = summary["undefined_steps"], summary["ambiguous_steps"]
    return Row(
        repository.name,
        summary["steps"],
        summary["steps"] - undefined - ambiguous,
        undefined,
        ambiguous,
        sum(len(suite["errors"]) for suite in document["suites"]),
        summary.get("unread", 0),
        round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime),
    )


def read(table: Path) -> dict[str, Row]:
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return {row["repository"]: Row(row.pop("repository"), **{name: int(row[name]) for name in row}) for row in rows}


def worse(now: Row, then: Row | None) -> list[str]:
    if then is None:
        return []
    output = []
    if now.share() < then.share() - _SHARE:
        output.append(f"bound {then.bound:,} of {then.steps:,} before")
    if now.ambiguous > then.ambiguous:
        output.append(f"ambiguous {then.ambiguous:,} before")
    return output


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--command", default="cukereuse")
    options = parser.parse_args()
    others = read(options.against) if options.against else {}
    rows: list[Row] = []
    lower = 0
    for repository in options.repositories:
        row = measured(repository, options.command)
        if row is None:
            continue
        rows.append(row)
        marks = worse(row, others.get(row.repository))
        lower += bool(marks)
        print(
            f"{row.repository:46} {row.steps:7,} steps {row.bound:7,} bound {row.undefined:6,} undefined "
            f"{row.ambiguous:6,} ambiguous {row.unread_definitions:5,} + {row.unread_places:,} not read "
            f"{row.seconds:4,} s{'  ← ' if marks else ''}{'; '.join(marks)}",
            flush=True,
        )
        if options.out:
            with options.out.open("w", newline="") as out:
                writer = csv.DictWriter(out, [field.name for field in fields(Row)], delimiter="\t")
                writer.writeheader()
                writer.writerows(asdict(each) for each in rows)
    return 1 if lower else 0


if __name__ == "__main__":
    sys.exit(main())
