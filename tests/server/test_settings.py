"""Settings that an editor sends."""

from typing import Any

import pytest
from cukereuse_server.settings import ServerSettings, read_settings


@pytest.mark.parametrize(
    ("sent", "server", "engine"),
    [
        (None, {}, {}),
        ({}, {}, {}),
        ({"workspaceDiagnostics": True, "minCount": 3}, {"workspace_diagnostics": True}, {"min_count": 3}),
        (
            {"diagnostics-delay": 0, "severity": {"unread": "off"}},
            {"diagnostics_delay": 0},
            {"severity": {"unread": "off"}},
        ),
        ({"codeLens": None, "threshold": None}, {}, {}),
        ({"server": {"path": "cukereuse"}}, {}, {}),
    ],
)
def test_settings_are_told_apart(sent: Any, server: dict[str, Any], engine: dict[str, Any]) -> None:
    settings_read = read_settings(sent)
    assert settings_read.server == ServerSettings(**server)
    assert settings_read.engine == engine
    assert not settings_read.problems


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        ({"codeLens": "yes"}, "code_lens must be true or false"),
        ({"diagnosticsDelay": True}, "diagnostics_delay must be a whole number"),
        ({"diagnosticsDelay": -1}, "diagnostics_delay must not be negative"),
        ({"documentationUrl": 3}, "documentation_url must be a text"),
        ([1], "must be an object"),
    ],
)
def test_a_bad_value_gives_a_message_and_the_default(sent: Any, word: str) -> None:
    settings_read = read_settings(sent)
    assert settings_read.server == ServerSettings()
    assert any(word in problem for problem in settings_read.problems)
