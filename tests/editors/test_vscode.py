"""The VS Code extension: generated files are up to date, unit tests in Node, the package, and a real workbench."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import cukereuse_engine
from cukereuse_engine.settings import SETTINGS

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
MOST_BYTES = 3 * 1024 * 1024
CANT_RUN = 77
"""Exit code of the workbench script if the machine lacks something."""


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=EXTENSION,
        env={**os.environ, "PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def packages() -> None:
    """The extension's development packages."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not on this machine")
    done = run("bash", "scripts/packages.sh")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def manifest() -> Any:
    return json.loads((EXTENSION / "package.json").read_text("utf-8"))


def test_generated_files_are_up_to_date() -> None:
    done = run(sys.executable, "scripts/generate.py", "--check")
    assert done.returncode == 0, f"{done.stdout}{done.stderr}run `python editors/vscode/scripts/generate.py`"


def test_every_setting_of_an_editor_is_contributed(
    manifest: dict[str, dict[str, list[dict[str, dict[str, str]]]]],
) -> None:
    groups = manifest["contributes"]["configuration"]
    keys = {key.removeprefix("cukereuse.").lower() for group in groups for key in group["properties"]}
    wanted = {name.replace("_", "").lower() for name, setting in SETTINGS.items() if setting.in_editors}
    assert wanted <= keys
    assert "failon" not in keys


def test_the_extension_has_the_version_of_the_engine(manifest: Any) -> None:
    assert manifest["version"] == cukereuse_engine.__version__


def test_links_into_the_repository_lead_somewhere(manifest: Any) -> None:
    root, texts = (
        EXTENSION.parents[1],
        [EXTENSION / "package.json", *EXTENSION.glob("*.md"), *EXTENSION.glob("media/*.md")],
    )
    address = re.escape(manifest["repository"]["url"])
    places = {
        place
        for text in texts
        for place in re.findall(
            rf"{address}(?:/(?:raw|blob)/main/([^\s\"#)]+))?(?:#([\w-]+))?", text.read_text("utf-8")
        )
    }
    assert len(places) > 3
    for file, heading in places:
        target = root / (file or "README.md")
        assert target.is_file(), file
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE) if heading else ()
        assert not heading or heading in [re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")) for title in titles]


@pytest.mark.heavy
@pytest.mark.usefixtures("packages")
def test_units() -> None:
    done = run("npm", "test")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def package(packages: None) -> Path:  # noqa: ARG001
    """The extension as users install it."""
    done = run("bash", "scripts/package.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    return EXTENSION / "build" / "cukereuse.vsix"


@pytest.mark.heavy
def test_the_package_carries_the_wheel_and_is_small(package: Path) -> None:
    assert package.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(package).namelist()
    assert f"extension/server/cukereuse-{cukereuse_engine.__version__}-py3-none-any.whl" in names
    assert "extension/dist/extension.js" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]


@pytest.mark.heavy(seconds=300)
@pytest.mark.timeout(1800)
@pytest.mark.browser
@pytest.mark.usefixtures("package")
def test_in_a_real_workbench() -> None:
    """Pictures of the screen are in `editors/vscode/build/screenshots`."""
    command = str(Path(sys.executable).with_name("cukereuse"))
    done = run("bash", "scripts/workbench.sh", "--packaged", CUKEREUSE_COMMAND=command)
    if done.returncode == CANT_RUN:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
