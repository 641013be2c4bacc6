"""Reading only new lines gives the same as reading the whole file."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.refactor.reread import misread

LANGUAGES = {
    "en": ("Feature", "Scenario", "Given "),
    "fr": ("Fonctionnalité", "Scénario", "Etant donné "),
    "zh-CN": ("功能", "场景", "假如"),
    "ja": ("フィーチャ", "シナリオ", "もし"),
    "em": ("📚", "📕", "😐"),
}
STARTS = ["", "que ", "qu'", ": ", "# ", "* ", '"""', "| a |", "@a", "Scenario: ", "场景:", "ば", "And ", "<", "的"]
endings = st.text("ab :#|\\\"'<>\u00a0é", max_size=6)
new_texts = st.builds(str.__add__, st.sampled_from(STARTS), endings).map(str.strip).filter(bool)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(new_texts, min_size=1, max_size=3))
def test_alone_or_in_the_file(language, memory, texts):
    feature, scenario, keyword = LANGUAGES[language]
    lines = "".join(f"    {keyword}step{number}\n" for number in range(len(texts)))
    text = f"# language: {language}\n{feature}: F\n  why\n\n  {scenario}: S\n{lines}\n  {scenario}: T\n    {keyword}x\n"
    workspace = memory({"a.feature": text}).workspace()
    steps: list[Step] = list(workspace.files["a.feature"].steps[: len(texts)])
    assert len(steps) == len(texts)
    wanted = {(step.path, step.span.start): new for step, new in zip(steps, texts, strict=True)}
    thorough = bool(list(misread(workspace, steps, wanted, True)))
    quick = bool(list(misread(workspace, steps, wanted, False)))
    assert quick == thorough
