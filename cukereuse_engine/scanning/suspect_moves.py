"""Cautions about a rename that moves steps to a function which a finding calls suspect beside theirs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cukereuse_engine.definitions.code import SUSPECT
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.refactor.rename_plan import Move, ReadSuites, RenamePlan
from cukereuse_engine.scanning.code_findings import code_findings
from cukereuse_engine.scanning.functions import functions_cache, load_functions
from cukereuse_engine.scanning.suite import Suite


def with_cautions(
    plan: RenamePlan, named: Sequence[tuple[Suite, ReadSuites]], *, jobs: int | None = None, use_cache: bool = True
) -> RenamePlan:
    """The plan with a warning for each suspect move. `named`: the suites whose step definitions are compared."""
    if not plan.moves:
        return plan
    cautions: dict[str, None] = {}
    for suite, suites in named:
        if isinstance(suites.glue, Glue):
            functions = load_functions(suites.glue, jobs=jobs, cache=functions_cache() if use_cache else None)
            cautions |= dict.fromkeys(suspect_moves(plan.moves, code_findings(suite, suites.glue, functions)))
    return replace(plan, warnings=(*plan.warnings, *cautions))


def suspect_moves(moves: Iterable[Move], findings: Iterable[Finding]) -> Iterator[str]:
    """Yields a sentence without full stop for each move between functions that one of the findings calls suspect."""
    together = [{each.id for each in finding.definitions} for finding in findings if finding.rule == SUSPECT]
    for move in moves:
        if any({move.before.id, move.after.id} <= suspects for suspects in together):
            yield (
                f"“{move.before.shown}” ({move.before.place}) and “{move.after.shown}” ({move.after.place}) claim "
                "different things and run the same code (suspect-definition): check first which of them is right"
            )
