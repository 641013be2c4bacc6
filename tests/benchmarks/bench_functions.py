"""Measures reading, relating and rereading the functions of a suite's step definitions.

    python -m tests.benchmarks.bench_functions FOLDER

Processor seconds, as other work on the machine counts for nothing there. 5,757 definitions of one public suite, one
process of a busy machine: 1.9 to 2.1 s without a cache, 0.5 to 0.8 s with one. 2,237 definitions of another suite,
which calls steps a lot, on a machine with ten times more to do than processors: 0.7 to 2.0 s and 0.5 s; an edit inside
a function of its largest files (90 to 102 definitions) 0.01 to 0.03 s, the first edit 0.1 s, an edit elsewhere 0.05 to
0.09 s. A whole scan of the first suite takes 2 % longer with the functions than without.
"""

import sys
import time

from cukereuse_engine.functions.boundary import boundary_of
from cukereuse_engine.functions.read_forms import read_forms
from cukereuse_engine.functions.relations import Functions, by_path, read_source
from cukereuse_engine.glue.sources import discover_glue, extract_source, read_sources
from cukereuse_engine.scanning.functions import functions_cache


def main(folder: str) -> None:
    sources = read_sources(discover_glue([folder]))
    definitions = [definition for extraction in sources.values() for definition in extraction.definitions]
    paths = by_path(definitions)
    print(f"{len(definitions):,} definitions in {len(paths):,} files")
    functions = Functions(read_source, boundary=boundary_of)
    for name, cache in (
        ("without a cache", None),
        ("fill the cache", functions_cache()),
        ("with it", functions_cache()),
    ):
        begun = time.process_time()
        functions.load(definitions, read_forms(paths, read_source, jobs=1, cache=cache))
        print(f"{name}: {time.process_time() - begun:.2f} s")
    begun = time.process_time()
    groups = [list(functions.equal()), list(functions.loosely_equal()), list(functions.alike())]
    print(f"joined: {time.process_time() - begun:.3f} s; {', '.join(f'{len(group):,}' for group in groups)} groups")
    for path in sorted(paths, key=lambda path: -len(paths[path]))[:3]:
        data = read_source(path) or b""
        functions.update(path, data, paths[path])
        begun = time.process_time()
        functions.update(path, data + b"\n", paths[path])
        print(f"an edit of a file with {len(paths[path])} definitions: {time.process_time() - begun:.3f} s")
        last = max(
            (definition.function for definition in paths[path] if definition.function is not None),
            key=lambda function: function.end_byte,
        )
        at = data.rfind(b"\n", last.start_byte, last.end_byte)
        at = at if at >= 0 else last.end_byte - 1
        edited = data[:at] + b"\n" + data[at:]
        definitions = extract_source(path, edited).definitions
        functions.update(path, data, paths[path])
        begun = time.process_time()
        functions.update(path, edited, definitions)
        print(f"one inside of a function: {time.process_time() - begun:.3f} s")


if __name__ == "__main__":
    main(sys.argv[1])
