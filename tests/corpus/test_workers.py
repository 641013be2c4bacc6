"""Units of work in processes, and their fate when somebody stops the run."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

SCRIPT = """
    import signal, time
    from pathlib import Path
    import click
    from corpus_tools.support.workers import local_runner
    from cukereuse_engine.cli import main
    from cukereuse_engine.progress import SILENT

    def unit(mark):
        Path(mark).touch()
        time.sleep(600)

    @click.command()
    @click.argument("folder")
    def command(folder):
        with SILENT.stage("units") as stage:
            local_runner(2)(unit, [f"{folder}/{i}" for i in range(9)], stage)

    if __name__ == "__main__":
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in a shell's background ignores it
        main.cli = command
        main.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl-C to a group of processes")
@pytest.mark.parametrize("to_all", [True, False], ids=["at a terminal", "to the command alone"])
def test_ctrl_c_ends_everything_at_once_and_quietly(tmp_path: Path, to_all: bool) -> None:
    script, marks = tmp_path / "run.py", tmp_path / "marks"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    marks.mkdir()
    process = subprocess.Popen(
        [sys.executable, str(script), str(marks)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        end = time.monotonic() + 60
        while len(list(marks.iterdir())) < 2:
            assert time.monotonic() < end, "no unit was begun"
            time.sleep(0.05)
        workers = psutil.Process(process.pid).children(recursive=True)
        if to_all:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert errors.split() == ["cancelled"]
    assert process.returncode == 130
    assert len(workers) >= 2
    assert not psutil.wait_procs(workers, timeout=10)[1]
