"""`python -m corpus_tools.training PAIRS TEXTS --out parameters.json`: train the judge's parameters."""

import argparse
import json
import sys
from pathlib import Path

from corpus_tools.training.train import train, write
from cukereuse_engine.errors import CukereuseError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m corpus_tools.training", description=__doc__)
    parser.add_argument("pairs", type=Path, help="labelled pairs: text_a, text_b, same_def, repo, group")
    parser.add_argument("texts", type=Path, help="bound texts: repo, text, function_id")
    parser.add_argument("--out", type=Path, required=True, help="where the parameters go; figures go beside them")
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    try:
        training = train(arguments.pairs, arguments.texts, arguments.seed)
    except CukereuseError as error:
        print(error, file=sys.stderr)
        return 2
    write(training, arguments.out)
    print(json.dumps(training.figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
