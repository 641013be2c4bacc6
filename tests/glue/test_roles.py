"""The role that a step definition's keyword names."""

import pytest

from cukereuse_engine.glue.roles import roles_of


@pytest.mark.parametrize(
    ("keyword", "roles"),
    [
        ("Given", {"given"}),
        ("@When", {"when"}),
        ("bdd.then", {"then"}),
        ("ctx.Then", {"then"}),
        ("Wenn", {"when"}),
        ("Dann", {"then"}),
        ("Étantdonné", {"given"}),
        ("And", set()),
        ("Und", set()),
        ("step", set()),
        ("defineStep", set()),
        ("StepDefinition", set()),
    ],
)
def test_keywords_of_every_dialect_name_roles(keyword: str, roles: set[str]) -> None:
    assert roles_of(keyword) == roles
