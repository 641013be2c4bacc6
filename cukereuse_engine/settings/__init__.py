"""What a user may set: one typed table, and its layers: defaults < files < editor < environment < flags.

Never reads a feature file and never starts work; the command line and the server turn `Settings` into options.
"""

from cukereuse_engine.settings.layers import LoadedSettings, SettingProblem, load_settings
from cukereuse_engine.settings.table import SETTINGS, Setting, Settings

__all__ = ["SETTINGS", "LoadedSettings", "Setting", "SettingProblem", "Settings", "load_settings"]
