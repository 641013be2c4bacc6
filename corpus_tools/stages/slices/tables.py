"""The second paper's tables, as `analyse` writes them."""

from typing import TYPE_CHECKING

from corpus_tools.stages.slices.windows import SCOPES, SliceFigures

if TYPE_CHECKING:
    import pyarrow as pa


def slice_tables(figures: SliceFigures) -> "dict[str, pa.Table]":
    """`windows`: the number of each length. `patterns`: those that recur, by scope, with the scenarios that contain
    one, the same for pairs of adjacent steps alone, the same for patterns that look worth extracting, and the steps
    that could be saved with none counted twice."""
    import pyarrow as pa

    return {
        "windows": pa.table({
            "length": pa.array(figures.slices, pa.int64()),
            "windows": pa.array(figures.slices.values(), pa.int64()),
        }),
        "patterns": pa.table({
            "scope": pa.array(SCOPES),
            "patterns": pa.array([figures.patterns[scope] for scope in SCOPES], pa.int64()),
            "scenario_share": pa.array([figures.scenario_share[scope] for scope in SCOPES], pa.float64()),
            "scenario_share_of_pairs": pa.array(
                [figures.scenario_share_of_pairs[scope] for scope in SCOPES], pa.float64()
            ),
            "worthy_patterns": pa.array([figures.worthy_patterns[scope] for scope in SCOPES], pa.int64()),
            "worthy_scenario_share": pa.array([figures.worthy_scenario_share[scope] for scope in SCOPES], pa.float64()),
            "steps_saved": pa.array([figures.saved[scope] for scope in SCOPES], pa.int64()),
        }),
    }  # fmt: skip
