"""Where a source is relative to a suite: in its folder, in the nearest folder around it, and in which project."""

import os
from collections.abc import Callable, Iterable

from cukereuse_engine.glue.sources import glue_root, is_project_folder


class SuiteFolders:
    def __init__(self, suite_root: str) -> None:
        self._home = _absolute(suite_root).rstrip(os.sep) + os.sep
        self._around = _absolute(glue_root(suite_root)).rstrip(os.sep) + os.sep
        self._held: dict[str, bool] = {}
        self._projects: dict[str, str] = {}
        """Projects of folders."""
        self._project_of_file: dict[str, str] = {}
        """Asked for each definition that matches, at each step: hundreds of files may define the same one."""

    def forget_projects(self) -> None:
        """Forget the projects: project files came or went."""
        self._projects.clear()
        self._project_of_file.clear()

    def hold(self, path: str) -> bool:
        """True if a file is in the suite's own folder."""
        held = self._held.get(path)
        if held is None:
            held = self._held[path] = _absolute(path).startswith(self._home)
        return held

    def nearest_with(self, paths: Iterable[str]) -> Callable[[str], bool]:
        """Tells if a file is in the suite's folder, or else in the nearest folder around it with any of `paths`."""
        wanted = {_absolute(path) for path in paths}
        folder = self._home
        while wanted and not any(path.startswith(folder) for path in wanted):
            folder = os.path.dirname(folder.rstrip(os.sep)).rstrip(os.sep) + os.sep  # noqa: PTH120
        return lambda path: _absolute(path).startswith(folder)

    def project_of(self, path: str) -> str:
        """The nearest folder around a file that holds a project file; looks no higher than where glue is looked for."""
        project = self._project_of_file.get(path)
        if project is None:
            folder = os.path.dirname(_absolute(path))  # noqa: PTH120
            project = self._project_of_file[path] = self._project_at(folder)
        return project

    def _project_at(self, folder: str) -> str:
        project = self._projects.get(folder)
        if project is None:
            outside = not (folder + os.sep).startswith(self._around) or folder + os.sep == self._around
            nearest = is_project_folder(folder) or outside
            project = folder if nearest else self._project_at(os.path.dirname(folder))  # noqa: PTH120
            self._projects[folder] = project
        return project


def _absolute(path: str) -> str:
    """The absolute path, without following links."""
    return os.path.abspath(path)  # noqa: PTH100
