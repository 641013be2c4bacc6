"""`python -m corpus_tools.training BINDINGS... --out parameters.npz`: train the judge's parameters."""

import argparse
import json
import sys
from pathlib import Path

from corpus_tools.training.train import train, write
from cukereuse_engine.errors import CukereuseError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m corpus_tools.training", description=__doc__)
    parser.add_argument(
        "bindings",
        type=Path,
        nargs="+",
        help="folders with pairs and texts, as `cukereuse corpus bindings` writes them",
    )
    parser.add_argument("--unseen", type=Path, nargs="+", default=[], help="folders used only for measurement")
    parser.add_argument("--out", type=Path, required=True, help="file for the parameters")
    parser.add_argument("--figures", type=Path, help="file for the figures; beside the parameters unless given")
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    try:
        training = train(arguments.bindings, arguments.unseen, arguments.seed)
    except CukereuseError as error:
        print(error, file=sys.stderr)
        return 2
    write(training, arguments.out, arguments.figures)
    print(json.dumps(training.figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
