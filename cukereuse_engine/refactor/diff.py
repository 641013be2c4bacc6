"""A plan as a unified diff. Reads the files that the plan names; never writes one."""

import difflib
import re
from collections.abc import Callable, Iterator, Sequence

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.refactor.edits import edited_bytes, source_text
from cukereuse_engine.refactor.model import FileEdits

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


def unified_diff(files: Sequence[FileEdits], read: Callable[[str], bytes]) -> Iterator[str]:
    """Lines of the diff, each with its line end. Raises `ChangedFileError`, `OSError`."""
    for file in files:
        data = read(file.path)
        decoded = source_text if file.is_glue else (lambda content: decode(content).text)
        before, after = (_LINE.findall(decoded(content)) for content in (data, edited_bytes(file, data)))
        name = file.path.replace("\\", "/").lstrip("/")
        for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
