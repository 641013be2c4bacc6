"""A behave formatter: behave's match for each step of each scenario, as JSON lines. For dry runs: no step is run.

behave's own JSON report gives a step after an undefined step the match of that one.
"""

import json
from typing import Any

from behave.formatter.base import Formatter
from behave.step_registry import registry


class Recorder(Formatter):
    name = "record"

    def scenario(self, scenario: Any) -> None:
        out = self.open()
        for step in scenario.all_steps:
            match = registry.find_match(step)
            matches = []
            if match is not None:
                matches = [
                    {"line": match.location.line, "arguments": [argument.original for argument in match.arguments]}
                ]
            out.write(json.dumps({"text": step.name, "found": matches}) + "\n")
