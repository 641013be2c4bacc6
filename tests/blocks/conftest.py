"""Suites written in a few lines."""

import pytest

from cukereuse_engine.blocks.scenarios import scenarios_of
from cukereuse_engine.gherkin.read import read_text


@pytest.fixture
def scenarios():
    """Scenarios of feature texts by path; a text without a title gets one."""

    def read(**files):
        steps = []
        for name, text in files.items():
            text = text if "Feature:" in text else f"Feature: {name}\n{text}"
            steps += read_text(f"{name}.feature", text).steps
        return scenarios_of(steps)

    return read
