"""Features that the user leaves to another extension."""

import pytest
from cukereuse_server.settings import read_settings
from cukereuse_server.setup import create_server

SWITCHED = create_server().session.can_be_off


@pytest.mark.parametrize(
    ("sent", "off"),
    [
        ({}, set()),
        ({"disabledFeatures": ""}, set()),
        ({"disabledFeatures": "completion"}, {"completion"}),
        ({"disabledFeatures": ["hover", "formatting"]}, {"hover", "formatting"}),
        ({"disabled_features": " hover ,definition,"}, {"hover", "definition"}),
    ],
)
def test_named_features_are_off(sent: dict[str, object], off: set[str]) -> None:
    settings_read = read_settings(sent, SWITCHED)
    assert settings_read.problems == ()
    assert {name for name in SWITCHED if not settings_read.server.offers(name)} == off


@pytest.mark.parametrize("value", ["compleation", "hover;rename", ["hovr"], ["hover", 3]])
def test_an_unknown_name_is_told_and_nothing_is_off(value: object) -> None:
    settings_read = read_settings({"disabledFeatures": value}, SWITCHED)
    assert len(settings_read.problems) == 1
    assert all(settings_read.server.offers(name) for name in SWITCHED)
