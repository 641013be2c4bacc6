"""Suites written in a few lines."""

import pytest

from cukereuse_engine.blocks.extract import plan_extraction
from cukereuse_engine.blocks.scenarios import scenarios_of
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.refactor.apply import Journal
from cukereuse_engine.refactor.model import Workspace
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.repetition import repetition_of
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings


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


@pytest.fixture
def plan_of():
    """A function that plans to take the first block of a suite on disk out."""

    def plan(root, wording=None):
        (suite,) = read_suites([str(root)], use_cache=False)
        settings = Settings(jobs=1)
        glue = load_glue(suite, settings, use_cache=False)
        workspace = Workspace({file.path: file for file in suite.files}, suite.texts, suite.steps, glue)
        block = repetition_of(suite, glue, settings).blocks[0]
        return plan_extraction(block, workspace, wording)

    return plan


@pytest.fixture
def written(plan_of):
    """A function that takes it out."""

    def write(root, wording=None):
        plan = plan_of(root, wording)
        Journal(str(root.parent)).apply(list(plan.files), "test")
        return plan

    return write
