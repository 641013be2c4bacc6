"""Findings about step definitions: two that run the same code, one that does not do what it claims, one nobody uses.

`twins` compares two functions of one code: what their wordings claim (`claims`), and how suspect that is (`suspicion`).
"""

from cukereuse_engine.definitions import code, one_definition
from cukereuse_engine.detection.rules import RuleSearch, SearchScope

SEARCHES = (
    RuleSearch((code.SAME, code.SUSPECT), SearchScope.SUITE, code.find),
    RuleSearch((code.SUSPECT, one_definition.UNUSED), SearchScope.SUITE, one_definition.find),
)
