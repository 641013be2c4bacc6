"""The data of each language: it is found and distinguished, and its negations keep texts apart."""

import pytest

from cukereuse_engine.definitions.claims import compare
from cukereuse_engine.text.guards import differing_guards
from cukereuse_engine.text.words import detect_languages, languages, vocabulary

SENTENCES = {
    "cs": ("vidím na stránce seznam", "na stránce není žádný seznam"),
    "da": ("jeg ser en liste på siden", "jeg ser ikke en liste på siden"),
    "de": ("ich sehe die Liste auf der Seite", "ich sehe die Liste nicht auf der Seite"),
    "en": ("I see the list on the page", "I do not see the list on the page"),
    "es": ("veo la lista en la página", "no veo la lista en la página"),
    "fi": ("minä näen sivulla luettelon", "minä en näe sivulla luetteloa"),
    "fr": ("je vois la liste sur la page", "je ne vois pas la liste sur la page"),
    "hu": ("látom a listát és az oldalt", "nem látom a listát és az oldalt"),
    "it": ("vedo la lista nella pagina", "non vedo la lista nella pagina"),
    "ja": ("一覧が表示される", "一覧が表示されない"),
    "ko": ("나는 목록을 본다", "나는 목록을 못 본다"),
    "nl": ("ik zie de lijst op het scherm", "ik zie de lijst niet op het scherm"),
    "no": ("jeg ser en liste på siden nå", "jeg ser ikke en liste på siden nå"),
    "pl": ("widzę listę na stronie", "nie widzę listy na stronie"),
    "pt": ("vejo a lista na página do usuário", "não vejo a lista na página do usuário"),
    "ru": ("я вижу список на странице", "я не вижу список на странице"),
    "sv": ("jag ser listan på sidan och ett fält", "jag ser inte listan på sidan och ett fält"),
    "tr": ("listede bir ürün görülür", "listede hiç ürün görülür"),
    "uk": ("я бачу список на сторінці", "я не бачу список на сторінці"),
    "zh": ("我看到列表", "我没看到列表"),
}


def test_every_language_has_an_example() -> None:
    assert set(SENTENCES) == set(languages())


@pytest.mark.parametrize("code", SENTENCES)
def test_a_negation_keeps_apart(code: str) -> None:
    affirms, denies = SENTENCES[code]
    assert "polarity" in differing_guards(affirms, denies, (code,))
    assert differing_guards(affirms, affirms, (code,)) == ()


@pytest.mark.parametrize(
    ("affirms", "denies"),
    [
        ("hata mesajı görüntülenir", "hata mesajı görüntülenmez"),
        ("kullanıcı sayfayı açtı", "kullanıcı sayfayı açmadı"),
        ("menü açılıyor", "menü açılmıyor"),
        ("hata mesaji goruntulenmeli", "hata mesaji goruntulenmemeli"),
        ("liste boşaltılacak", "liste boşaltılmayacak"),
        ("mesaj görünür", "mesaj görünmez"),
        ("kayıt bulunamadı mesajı görülür", "kayıt bulunamadı mesajı görülmez"),
        ("ürün eklenir ve liste açılır", "ürün eklenmez ve liste açılmaz"),
    ],
)
def test_turkish_denies_by_an_ending(affirms: str, denies: str) -> None:
    assert "polarity" in differing_guards(affirms, denies, ("tr",))
    assert "polarity" not in differing_guards(affirms, denies, ("en",))


def test_turkish_denies_one_clause_once() -> None:
    assert differing_guards("hiç ürün görülmez", "ürün görülmez", ("tr",)) == ()
    assert "polarity" not in differing_guards("mesaj gizli", "mesaj görünmez", ("tr",))


@pytest.mark.parametrize("code", SENTENCES)
def test_a_language_is_found_by_its_words(code: str) -> None:
    assert code in detect_languages(SENTENCES[code])


@pytest.mark.parametrize("code", SENTENCES)
def test_opposites_are_no_synonyms(code: str) -> None:
    for one, other in vocabulary(code).antonyms:
        assert not set(one) & set(other)


def test_a_word_of_many_languages_decides_little() -> None:
    assert detect_languages(["the box is on a shelf", "I open the lid"]) == ("en",)


@pytest.mark.parametrize(
    ("code", "on", "off"),
    [
        ("nl", "ik zet het licht aan", "ik zet het licht uit"),
        ("de", "ich schalte das Licht an", "ich schalte das Licht aus"),
    ],
)
def test_on_and_off_are_opposites_where_they_are_prepositions_too(code: str, on: str, off: str) -> None:
    assert differing_guards(on, off, (code,)) == ("polarity",)
    claims = compare(on, off, (code,))
    assert claims.opposed
    assert any(claims.only)
