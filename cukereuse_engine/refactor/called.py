"""Steps that glue code runs itself: `step %{…}` and `steps` of Cucumber for Ruby, `execute_steps` of behave.

Found by how they are written, not by running or parsing the code: a text that is put together at run time is seen only
where its pieces can stand for arguments. Nothing is edited; a rename names them.
"""

import re
from collections.abc import Collection, Iterator

from cukereuse_engine.gherkin.model import KeywordType, Span, Step
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.refactor.edits import source_text
from cukereuse_engine.refactor.model import Workspace

_CALLS = re.compile(rb"\bstep[ (]\s*[%\"']|\bsteps[ (]\s*[%\"'<]|\bexecute_steps\b")
_ONE = re.compile(r"""\bstep[ (]\s*(?:%[qQ]?[{(\[<|]|["'])(.+)""")
_LINE = re.compile(r"""(?:^|["'{(\[<|])[ \t]*(?:Given|When|Then|And|But|\*)[ \t]+(\S.*)""")
_CLOSING = re.compile(r"""[\s"'`)}\]>|]+\Z""")
_INSERTED = re.compile(r"#\{[^{}]*\}|\{[^{}]*\}|%[sd]")
"""What a program puts in: it may be anything."""


def calls(workspace: Workspace, definition_ids: Collection[str]) -> list[str]:
    """Places ("path:line") where glue code runs a step that binds to one of the definitions now.

    Raises `OSError`, and `ChangedFileError` for a source that is not UTF-8.
    """
    glue = workspace.glue
    if glue is None or not definition_ids:
        return []
    languages = {one.path: one.language for one in glue.definitions}
    found = []
    for path in sorted(path for path, language in languages.items() if language in ("ruby", "python")):
        data = workspace.read(path)
        if not _CALLS.search(data):
            continue
        for number, line in enumerate(source_text(data).splitlines(), 1):
            if any(_binds(text, path, glue, definition_ids) for text in _texts(line)):
                found.append(f"{path}:{number}")
    return found


def _texts(line: str) -> Iterator[str]:
    """What a line may run: as it stands, and with a value for what is put in."""
    for pattern in (_ONE, _LINE):
        begun = pattern.search(line)
        if begun is None:
            continue
        text = begun.group(1).rstrip()
        closing = _CLOSING.search(text)
        for end in range(closing.start() if closing else len(text), len(text) + 1):
            yield text[:end]
            for value in ("1", "a"):
                yield _INSERTED.sub(value, text[:end])


def _binds(text: str, path: str, glue: Glue, definition_ids: Collection[str]) -> bool:
    span = Span(1, 1, 0, len(text))
    unknown = KeywordType.UNKNOWN
    step = Step(
        path, text.replace('\\"', '"'), span, "* ", unknown, unknown, "", None, "", 1, (), False, False, (), None
    )
    return any(one.id in definition_ids for one in glue.bind(step).definitions)
