"""Pragmas in comments: what they silence, and the messages about invalid ones."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.feature import Comment, FeatureFile
from cukereuse_engine.suppression.pragmas import SUBJECTS, Pragmas, read_pragmas

MakeFile = Callable[..., FeatureFile]

GOOD = [
    ("# cukereuse: ignore", set(), ""),
    ("# cukereuse: ignore[divergent-wording]", {"divergent-wording"}, ""),
    ("#cukereuse:ignore[paraphrase]--why not", {"paraphrase"}, "why not"),
    (
        "#  Cukereuse : IGNORE [ paraphrase , unread ] -- two -- dashes",
        {"paraphrase", "unread"},
        "two -- dashes",
    ),
    ("# cukereuse: ignore[divergent_wording] — an editor's dash", {"divergent-wording"}, "an editor's dash"),
    ("# cukereuse: ignore -- everything", set(), "everything"),
    ("# cukereuse: ignore[reworded,] --", {"reworded"}, ""),
]


@pytest.mark.parametrize(("text", "subjects", "reason"), GOOD, ids=[text for text, *_ in GOOD])
def test_what_a_pragma_says(make_file: MakeFile, text: str, subjects: set[str], reason: str) -> None:
    (pragma,), problems = read_pragmas(make_file({2: text}, (3,)))
    assert (pragma.subjects, pragma.reason, pragma.target, problems) == (subjects, reason, 3, ())


BAD = [
    ("# cukereuse: ignore[divergent-words]", "did you mean 'divergent-wording'?"),
    ("# cukereuse: ignore[zzzzzzz]", "known are divergent-definition"),
    ("# cukereuse: ignore[]", "names no rule"),
    ("# cukereuse: ignroe[unread]", "did you mean 'ignore'?"),
    ("# cukereuse: ignore-fil", "did you mean 'ignore-file'?"),
    ("# cukereuse: disable", "the form is `# cukereuse: ignore[rule] -- reason`"),
    ("# cukereuse:", "the form is"),
    ("# cukereuse: ignore divergent-wording", "not a pragma of cukereuse"),
    ("# cukereuse: ignore[unread", "not a pragma of cukereuse"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text for text, _ in BAD])
def test_a_pragma_that_is_not_understood_silences_nothing(make_file: MakeFile, text: str, message: str) -> None:
    pragmas, (problem,) = read_pragmas(make_file({2: text}, (3,)))
    assert pragmas == ()
    assert message in problem.message
    assert (problem.path, problem.line) == ("a.feature", 2)


def test_an_unknown_name_beside_a_known_one(make_file: MakeFile) -> None:
    (pragma,), (problem,) = read_pragmas(make_file({2: "# cukereuse: ignore[unread, paraphrse]"}, (3,)))
    assert pragma.subjects == {"unread"}
    assert "did you mean 'paraphrase'?" in problem.message


@pytest.mark.parametrize(
    "text", ["# cukereuse is a tool", "# see cukereuse: ignore", "# ignore[unread]", "# language: fr"]
)
def test_other_comments_are_left_alone(make_file: MakeFile, text: str) -> None:
    assert read_pragmas(make_file({2: text}, (3,))) == ((), ())


def test_a_pragma_speaks_of_the_next_step_only(make_file: MakeFile) -> None:
    pragmas = Pragmas(
        [make_file({4: "# cukereuse: ignore[unread]", 6: "# plain", 7: "# cukereuse: ignore"}, (3, 8, 9))]
    )
    assert pragmas.ignored("a.feature", 8, "unread")
    assert pragmas.ignored("a.feature", 8, "divergent-wording")
    assert not pragmas.ignored("a.feature", 9, "unread")
    assert not pragmas.ignored("a.feature", 3, "unread")
    assert not pragmas.ignored("b.feature", 8, "unread")


def test_a_pragma_for_the_whole_file(make_file: MakeFile) -> None:
    files = [
        make_file({1: "# cukereuse: ignore-file[paraphrase] -- generated"}, (3, 8)),
        make_file({}, (3,), "b.feature"),
    ]
    pragmas = Pragmas(files)
    assert pragmas.ignored("a.feature", 8, "divergent-wording", "paraphrase")
    assert not pragmas.ignored("a.feature", 8, "divergent-wording", "reworded")
    assert not pragmas.ignored("b.feature", 3, "divergent-wording", "paraphrase")


def test_a_pragma_after_the_last_step_is_a_problem(make_file: MakeFile) -> None:
    pragmas = Pragmas([make_file({9: "# cukereuse: ignore[unread]"}, (3,))])
    assert not pragmas
    assert "no step follows" in pragmas.problems[0].message


@given(st.text())
def test_any_comment_is_read_without_an_exception(text: str) -> None:
    file = FeatureFile("a", "en", "utf-8", (), (), (Comment(7, f"# cukereuse: {text}"),), "")
    pragmas, _ = read_pragmas(file)
    assert all(pragma.target is None for pragma in pragmas), "without steps only the whole file can be meant"


@given(st.sets(st.sampled_from(SUBJECTS), min_size=1), st.text(st.characters(exclude_characters="\r\n")))
def test_subjects_round_trip(subjects: set[str], reason: str) -> None:
    comment = Comment(1, f"# cukereuse: ignore-file[{', '.join(sorted(subjects))}] -- {reason}".strip())
    (pragma,), problems = read_pragmas(FeatureFile("a", "en", "utf-8", (), (), (comment,), ""))
    assert pragma.subjects == subjects
    assert problems == ()
