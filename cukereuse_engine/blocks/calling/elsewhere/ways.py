"""The ways to functions in another place."""

from collections.abc import Callable, Mapping

from cukereuse_engine.blocks.calling.elsewhere.objects import Objects
from cukereuse_engine.blocks.calling.elsewhere.python_modules import PythonModules
from cukereuse_engine.blocks.calling.elsewhere.reach import FunctionReach
from cukereuse_engine.blocks.calling.elsewhere.rust_modules import RustModules
from cukereuse_engine.blocks.calling.elsewhere.scripts import Scripts
from cukereuse_engine.blocks.calling.functions import SourceFunctions, SuiteFunctions
from cukereuse_engine.refactor.call_style import Way

WAYS: Mapping[Way, Callable[[SourceFunctions, int, SuiteFunctions], FunctionReach]] = {
    Way.OBJECTS: Objects,
    Way.SCRIPT_MODULES: Scripts,
    Way.PYTHON_MODULES: PythonModules,
    Way.RUST_MODULES: RustModules,
}
