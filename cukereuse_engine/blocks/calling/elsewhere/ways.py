"""Which way leads to functions of another place, by language."""

from collections.abc import Callable, Mapping

from cukereuse_engine.blocks.calling.elsewhere.objects import Objects
from cukereuse_engine.blocks.calling.elsewhere.python_modules import PythonModules
from cukereuse_engine.blocks.calling.elsewhere.reach import Reach
from cukereuse_engine.blocks.calling.elsewhere.rust_modules import RustModules
from cukereuse_engine.blocks.calling.elsewhere.scripts import Scripts
from cukereuse_engine.blocks.calling.functions import SourceFunctions, SuiteFunctions

WAYS: Mapping[str, Callable[[SourceFunctions, int, SuiteFunctions], Reach]] = {
    **dict.fromkeys(("java", "kotlin", "csharp", "php"), Objects),
    **dict.fromkeys(("javascript", "typescript"), Scripts),
    "python": PythonModules,
    "rust": RustModules,
}
"""By the id of the language module in `glue.languages`."""
