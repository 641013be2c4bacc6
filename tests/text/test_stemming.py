"""Forms of one word have one stem, in every language whose file names a stemmer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.judging.alignment import WordRelation, alignment_between
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.words import languages, vocabulary

FORMS = {
    "en": ("pages page", "clicking clicks clicked", "entries entry", "sent send"),
    "de": ("Seiten Seite", "klicke klicken"),
    "fr": ("affichée afficher affiche", "utilisateurs utilisateur"),
    "es": ("páginas página", "usuarios usuario"),
    "nl": ("gevraagde gevraagd",),
    "ru": ("форма форму формы форм", "кнопка кнопку"),
    "pl": ("strona strony stronę",),
}


@pytest.mark.parametrize(("code", "words"), [(code, words) for code, all_of in FORMS.items() for words in all_of])
def test_forms_of_one_word(code: str, words: str) -> None:
    assert len({stemmer((code,))[word.lower()] for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("codes", "word", "other"),
    [
        (("ru", "en"), "кнопки", "кнопка"),
        (("ru", "en"), "buttons", "button"),
        (("en", "ru"), "кнопки", "кнопка"),
    ],
)
def test_a_word_is_of_the_language_of_its_alphabet(codes: tuple[str, ...], word: str, other: str) -> None:
    assert stemmer(codes)[word] == stemmer(codes)[other]


@pytest.mark.parametrize(
    ("code", "who", "what"),
    [
        ("pt", "avaliador avaliadores avaliadora avaliadoras", "avaliado avaliados avaliar"),
        ("pt", "comprador compradores", "comprado comprados comprar"),
        ("es", "evaluador evaluadores evaluadora", "evaluado evaluadas evaluar"),
        ("it", "valutatore valutatori", "valutato valutati valutare"),
        ("fr", "utilisateur utilisateurs utilisatrice", "utilisé utilisés utiliser"),
    ],
)
def test_who_does_something_is_not_what_it_is_done_to(code: str, who: str, what: str) -> None:
    stems = [{stemmer((code,))[word] for word in words.split()} for words in (who, what)]
    assert [len(each) for each in stems] == [1, 1]
    assert stems[0] != stems[1]


def test_a_language_without_a_stemmer_compares_words_as_they_are() -> None:
    assert vocabulary("ja").stemmer == ""
    assert stemmer(("ja",))["pages"] == "pages"


@given(st.sampled_from(languages()), st.text(min_size=1, max_size=12))
def test_any_text_has_one_stem(code: str, word: str) -> None:
    """Independent of earlier requests."""
    assert stemmer((code,))[word] == type(stemmer((code,)))((code,))[word]


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ("я вижу кнопку", "я вижу кнопки", "ru"),
        ("die Seite wird angezeigt", "die Seiten werden angezeigt", "de"),
    ],
)
def test_the_judge_is_told_of_forms(one: str, other: str, code: str) -> None:
    relations = {match.relation for match in alignment_between(one, other, (code,)).matches}
    assert relations == {WordRelation.INFLECTED}
