"""The words of a step."""

import pytest

from cukereuse_engine.text.guards import differing_guards
from cukereuse_engine.text.words import detect_languages, spelled_out, tokens


@pytest.mark.parametrize(
    ("masked", "words"),
    [
        ("I don't see O.K. > 3", "i don't see o k > 3"),
        ("the user's page won’t open", "the user's page won't open"),
        ("j'ouvre l’écran d'accueil", "j ouvre l écran d accueil"),
        ("je vois qu'il n'est pas affiché", "je vois qu il n est pas affiché"),
        ("Lorsqu'on s'identifie aujourd'hui", "lorsqu on s identifie aujourd hui"),
        ("apro L'ULTIMA pagina dell'utente", "apro l ultima pagina dell utente"),
        ("obro l'última pàgina", "obro l última pàgina"),
        ("ik open zo'n foto's", "ik open zo'n foto's"),
        ("відкриваю об'єкт", "відкриваю об'єкт"),
    ],
)
def test_tokens(masked: str, words: str) -> None:
    assert " ".join(tokens(masked)) == words


@pytest.mark.parametrize(
    ("masked", "spelled"),
    [
        ("I can't log in, and I won’t", "I cannot log in, and I will not"),
        ("Don't close it: it mustn't end", "Do not close it: it must not end"),
        ("I'm here, we're there, they've gone", "I am here, we are there, they have gone"),
        ("the user's page isn't 'n'", "the user's page is not 'n'"),
        ("rock'n'roll, o'clock, n't", "rock'n'roll, o'clock, n't"),
    ],
)
def test_contractions_are_spelled_out(masked: str, spelled: str) -> None:
    assert spelled_out(masked, ("en",)) == spelled


def test_an_apostrophe_of_another_language_shortens_nothing() -> None:
    assert spelled_out("j'ouvre l’écran, on n't", ("fr",)) == "j'ouvre l'écran, on n't"


def test_an_elided_negation_is_one() -> None:
    assert "polarity" in differing_guards("l'écran n'affiche rien", "l'écran affiche le total", ("fr",))


def test_elided_words_tell_the_language() -> None:
    assert detect_languages(["qu'il s'ouvre", "qu'on l'affiche"]) == ("fr",)


def test_letters_put_together_otherwise_are_the_same_words() -> None:
    assert tokens("I open the cafe\u0301") == tokens("I open the caf\u00e9") == ["i", "open", "the", "café"]
