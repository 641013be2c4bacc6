"""Steps that glue code runs itself: `step %{…}` and `steps` of Cucumber for Ruby, `execute_steps` of behave.

Found by how they are written, not by running or parsing the code: a text that is put together at run time is seen only
where its pieces can stand for arguments. Nothing is edited; a rename names them.
"""

import re
from collections.abc import Iterable, Iterator

from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.refactor.edits import source_text
from cukereuse_engine.refactor.model import Workspace

_CALLS = re.compile(rb"\bstep[ (]\s*[%\"']|\bsteps[ (]\s*[%\"'<]|\bexecute_steps\b")
_ONE = re.compile(r"""\bstep[ (]\s*(?:%[qQ]?[{(\[<|]|["'])(.+)""")
_LINE = re.compile(r"""(?:^|["'{(\[<|])[ \t]*(?:Given|When|Then|And|But|\*)[ \t]+(\S.*)""")
_CLOSING = re.compile(r"""[\s"'`)}\]>|]+\Z""")
_INSERTED = re.compile(r"#\{[^{}]*\}|\{[^{}]*\}|%[sd]")
"""What a program puts in: it may be anything."""


def calls(workspace: Workspace, definitions: Iterable[StepDefinition]) -> list[str]:
    """Places ("path:line") where glue code runs a step that one of the definitions matches now.

    Raises `OSError`, and `ChangedFileError` for a source that is not UTF-8.
    """
    expressions = {(one.expression, one.kind): one for one in definitions}.values()
    matchers = [matcher for one in expressions if (matcher := compile_definition(one, {}).matcher) is not None]
    known = workspace.glue.definitions if workspace.glue is not None and matchers else []
    found = []
    for path in sorted({one.path for one in known if one.language in ("ruby", "python")}):
        data = workspace.read(path)
        if not _CALLS.search(data):
            continue
        for number, line in enumerate(source_text(data).splitlines(), 1):
            if any(matcher.match(text) for text in dict.fromkeys(_texts(line)) for matcher in matchers):
                found.append(f"{path}:{number}")
    return found


def _texts(line: str) -> Iterator[str]:
    """What a line may run: as it stands, and with a value for what is put in."""
    for pattern in (_ONE, _LINE):
        begun = pattern.search(line)
        if begun is None:
            continue
        text = begun.group(1).rstrip().replace('\\"', '"')
        closing = _CLOSING.search(text)
        for end in range(closing.start() if closing else len(text), len(text) + 1):
            yield text[:end]
            for value in ("1", "a"):
                yield _INSERTED.sub(value, text[:end])
