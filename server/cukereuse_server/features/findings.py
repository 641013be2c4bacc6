"""The request for all findings of the workspace, for editors that list them without opening every file.

`cukereuse/findings`: `{}` -> `{complete, files, errors, warnings, information, hints, items: [{location: Location,
severity, code, message}]}`. The counts are of `items`, by the protocol's severities; `files` is the number of files
that contain them. Editors do not list hints among the problems; they show them only in the text. `complete`: everything
has been read and compared, as in `cukereuse/status`; before that, there may be more findings. `severity`: 1 to 4, the
protocol's; `code`: the rule.
"""

from typing import Any

from lsprotocol import types

from cukereuse_server.features.diagnostics import to_protocol
from cukereuse_server.protocol.diagnostics import DiagnoseAll, FileDiagnoses
from cukereuse_server.protocol.status import GetStatus, WorkerStatus
from cukereuse_server.server import CukereuseServer

_COUNTS = {
    "errors": types.DiagnosticSeverity.Error,
    "warnings": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hints": types.DiagnosticSeverity.Hint,
}


def register(server: CukereuseServer) -> None:
    @server.feature("cukereuse/findings")
    async def findings(ls: CukereuseServer, params: Any) -> dict[str, Any]:
        del params
        status: WorkerStatus | None = await ls.ask(GetStatus())  # first: what comes in between is then counted too
        answers: list[FileDiagnoses] = await ls.ask(DiagnoseAll()) or []
        items = [
            {
                "location": types.Location(ls.session.uri(answer.path), diagnostic.range),
                "severity": diagnostic.severity,
                "code": diagnostic.code,
                "message": diagnostic.message,
            }
            for answer in answers
            for diagnostic in to_protocol(ls, answer)
        ]
        counts = {name: sum(item["severity"] == level for item in items) for name, level in _COUNTS.items()}
        files = sum(bool(answer.diagnoses) for answer in answers)
        complete = status is not None and status.complete
        return {"complete": complete, "files": files, **counts, "items": items}
