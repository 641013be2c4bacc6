"""Step texts made by hand."""

from collections.abc import Callable

import pytest

from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template


@pytest.fixture
def step_texts() -> Callable[..., list[StepText]]:
    def build(*texts: str) -> list[StepText]:
        return [StepText(text, identity(text), template(text), 1) for text in texts]

    return build
