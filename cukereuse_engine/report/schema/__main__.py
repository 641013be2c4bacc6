"""`python -m cukereuse_engine.report.schema`: updates the published schema from tables of the code."""

from pathlib import Path

from cukereuse_engine.report.schema import updated

if __name__ == "__main__":
    for path in Path(__file__).parent.glob("*.schema.json"):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
