"""What the language data say of words, put together for the languages of a suite."""

from dataclasses import dataclass
from functools import cache

from cukereuse_engine.text.words import stem, tokens, vocabulary


@dataclass(frozen=True, slots=True)
class Phrases:
    by_first: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    """First stem to (stems, name), the longest first."""
    function_words: frozenset[str]
    optional: frozenset[str]
    optional_at_end: frozenset[str]
    bound_to_argument: frozenset[str]
    optional_with: dict[str, frozenset[str]]
    """Word to the words of which one must stand before it if it is to be optional."""
    reporting: dict[str, frozenset[str]]
    """Meaning of a verb that only reports to the verbs, as stems, of the clause that it reports."""
    actors: frozenset[str]
    pronouns: frozenset[str]
    conjunctions: frozenset[str]
    joining: frozenset[str]
    """Words between the last two of a list."""
    before_names: frozenset[str]
    lone_subjects: frozenset[str]
    relatives: frozenset[str]
    asserting: frozenset[str]
    """Single words that make a step a check."""
    quantifiers: frozenset[str]
    """What "that" can't point at: "all", "nobody"."""
    state_verbs: frozenset[str]
    """As stems."""
    determiners: frozenset[str]
    prepositions: dict[str, str]
    """Each preposition to the one that stands for it."""
    past: frozenset[str]
    adverbs: frozenset[str]
    """Function words that may stand before a participle."""
    number_context: frozenset[str]
    predicates: frozenset[str]
    """Stems of verbs: an actor before one is the one who acts, and its ending says nothing."""
    acting: frozenset[str]
    """Stems of verbs whose subject and object differ, and the names of their meanings."""
    beside: dict[str, dict[str, str]]
    articles: dict[str, str]
    same_articles: dict[str, str]


@cache
def phrases_of(languages: tuple[str, ...]) -> Phrases:
    by_first: dict[str, dict[tuple[str, ...], str]] = {}
    known = [vocabulary(code) for code in languages]
    for language in known:
        for meaning, wordings in language.phrases:
            for wording in wordings:
                stems = tuple(stem(word) for word in tokens(wording))
                by_first.setdefault(stems[0], {}).setdefault(stems, meaning)
    names = {meaning for language in known for meaning, _ in language.phrases}
    longest_first = {
        first: tuple(sorted(found.items(), key=lambda item: -len(item[0]))) for first, found in by_first.items()
    }
    function_words = frozenset(word for language in known for word in language.function_words)
    past = frozenset(word for language in known for word in language.past_auxiliaries)
    articles = {variant: article for language in known for variant, article in language.articles.items()}
    pronouns = frozenset(word for language in known for word in language.pronouns)
    prepositions = {
        word: language.same_prepositions.get(word, word) for language in known for word in language.prepositions
    }
    predicates = {stem(word) for language in known for word in language.action | language.observation}
    acting = {stem(word) for language in known for word in (*language.action, *language.state_verbs)} - {
        "appear",
        "show",
    }
    asserting = frozenset(word for language in known for word in language.assertion if " " not in word)
    predicates |= set(map(stem, asserting))
    optional_with: dict[str, set[str]] = {}
    for language in known:
        for verb, words in language.optional_with.items():
            for word in words:
                optional_with.setdefault(stem(word), set()).add(verb)
    return Phrases(
        by_first=longest_first,
        function_words=function_words,
        optional=frozenset(word for language in known for word in language.optional_words),
        optional_at_end=frozenset(word for language in known for word in language.optional_at_end),
        bound_to_argument=frozenset(word for language in known for word in language.bound_to_argument),
        optional_with={word: frozenset(verbs) for word, verbs in optional_with.items()},
        reporting={
            verb: frozenset(stem(word) for word in words)
            for language in known
            for verb, words in language.reporting.items()
        },
        actors=frozenset(word for language in known for word in language.actors),
        pronouns=pronouns,
        state_verbs=frozenset(stem(word) for language in known for word in language.state_verbs),
        conjunctions=frozenset(word for language in known for word in language.conjunctions),
        joining=frozenset(word for language in known for word in language.joining) - articles.keys() - pronouns,
        before_names=frozenset(word for language in known for word in language.before_names),
        lone_subjects=frozenset(word for language in known for word in language.lone_subjects),
        relatives=frozenset(word for language in known for word in language.relatives),
        asserting=asserting,
        quantifiers=frozenset(
            word
            for language in known
            for words in (language.negations, *language.classes.get("quantifier", {}).values())
            for word in words
        ),
        determiners=frozenset(word for language in known for word in language.determiners),
        prepositions=prepositions,
        past=past,
        adverbs=function_words - past - prepositions.keys() - articles.keys(),
        number_context=frozenset(word for language in known for word in language.number_context),
        predicates=frozenset(
            predicates
            | {"be", "have", "can", "do", "will", "would"}
            | {name for name in names if stem(name) in predicates}
        ),
        acting=frozenset(acting | {name for name in names if stem(name) in acting}),
        beside={
            stem(word): {stem(other): name for other, name in table.items()}
            for language in known
            for word, table in language.beside.items()
        },
        same_articles={one: other for language in known for one, other in language.same_articles.items()},
        articles=articles,
    )
