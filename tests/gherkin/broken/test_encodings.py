import codecs
import random

import pytest
from gherkin.dialect import DIALECTS
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.decode import decode, encode_like
from cukereuse_engine.gherkin.read import read_bytes

TEXT = "Feature: Größe\r\n  Scenario: 本を借りる 😀\n    Given a café\n"
RUSSIAN = "Функция: книги\n  Сценарий: выдача\n    Допустим есть книга\n"
JAPANESE = "フィーチャ: 本\n  シナリオ: 借りる\n    前提本がある\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32"),
    ],
)
def test_text_and_codec(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.failed, decoded.error) == (TEXT, encoding, False, "")
    assert encode_like(decoded.text, encoding, data) == data


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        ("iso-8859-1", "iso8859-1", "Given a café"),
        ("Shift_JIS", "shift_jis", JAPANESE),
        ("windows-1251", "cp1251", RUSSIAN),
        ("utf-8", "utf-8", RUSSIAN),
    ],
)
@pytest.mark.parametrize("above", ["", "\n# a note\n"])
def test_header(name: str, codec: str, text: str, above: str) -> None:
    text = f"{above}# encoding: {name}\n{text}"
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.error) == (text, codec, "")


@pytest.mark.parametrize(
    ("data", "suspected", "line"),
    [
        ("Feature: a\n Scenario: b\n  Given a café\n".encode("latin-1"), "iso-8859-1", 3),
        ("Feature: a\n  Given a “café”\n".encode("cp1252"), "windows-1252", 2),
        (JAPANESE.encode("shift_jis"), "shift_jis", 1),
        (JAPANESE.encode("euc_jp"), "euc-jp", 1),
        (("Feature: x\n\n" + RUSSIAN).encode("cp1251"), "windows-1251", 3),
        ("功能: 图书馆\n  场景: 借书\n    假如有一本书\n".encode("gb18030"), "gb18030", 1),
        (TEXT.encode("utf-16-le"), "utf-16-le", 0),
        (TEXT.encode("utf-16-be"), "utf-16-be", 0),
        ("Feature: plain\n".encode("utf-32-le"), "utf-32-le", 0),
    ],
)
def test_other_encodings_are_an_error_with_a_suspicion(data: bytes, suspected: str, line: int) -> None:
    file = read_bytes("a.feature", data)
    assert file.steps == ()
    (error,) = file.errors
    assert suspected in error.message.lower()
    assert error.line == line
    assert "UTF-8" in error.message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_short_file_in_any_language_is_no_binary_data(encoding: str) -> None:
    """Nor is one to whose end a program has written a line in UTF-8."""
    begun = [f"{keyword}: {keyword}\n" for dialect in DIALECTS.values() for keyword in dialect["feature"]]
    for text in ("a", "機能:検索機能検索機能検索機能検索", *begun):
        for end in (b"", b"\n"):
            (error,) = read_bytes("a.feature", text.encode(encoding) + end).errors
            assert error.message == f"Looks like {encoding.upper()} without a byte order mark. Save the file as UTF-8."


@pytest.mark.parametrize("data", [b"Feature: a\0\n", b"Feature: a\n  Scenario:\0\0\n    Given x\0\n"])
def test_a_few_zero_bytes_are_in_no_other_encoding(data: bytes) -> None:
    assert decode(data).text.encode() == data


ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00\x01\x00\x00\x00\x70\x2b" + bytes(6) + b"\x40" + bytes(39)


@pytest.mark.parametrize(
    "data",
    [
        ELF,
        ELF + random.Random(1).randbytes(3000),
        random.Random(2).randbytes(400),
        b"\0",
        bytes(100),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00",
    ],
    ids=["program", "program and code", "random", "zero", "zeros", "picture"],
)
def test_binary_data_are_called_so(data: bytes) -> None:
    file = read_bytes("a.feature", data)
    assert file.steps == ()
    (error,) = file.errors
    assert error.message.startswith("Not a text file")
    assert "UTF" not in error.message


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + b"Given a caf\xe9",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF16_LE + b"\x00\xd8",
        codecs.BOM_UTF32_LE + b"abc",
        b"# encoding: shift_jis\nGiven \x81",
    ],
)
def test_a_mark_or_header_that_lies(data: bytes) -> None:
    decoded = decode(data)
    assert decoded.failed
    assert not decoded.text
    assert "valid" in decoded.error


@pytest.mark.parametrize("name", ["nonsense", "rot13", "hex", "utf-16", "unicode_escape", "utf-7", "punycode"])
def test_header_that_names_no_text_encoding(name: str) -> None:
    file = read_bytes("a.feature", f"# encoding: {name}\nFeature: é\n Scenario: s\n  Given x\n".encode())
    assert [step.text for step in file.steps] == ["x"]
    (error,) = file.errors
    assert error.line == 1
    assert name in error.message


def test_header_below_the_feature_is_no_header() -> None:
    assert decode("Feature: é\n# encoding: latin-1\n".encode()).encoding == "utf-8"


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    decoded = decode(data)
    if decoded.failed:
        assert not decoded.text
        assert decoded.error
    else:
        assert (
            decoded.text.encode(decoded.encoding).endswith(data[4:])
            or encode_like(decoded.text, decoded.encoding, data) == data
            or "encoding" in data.decode("latin-1").lower()
            or "coding" in data.decode("latin-1").lower()
        )
        assert data.decode(decoded.encoding) == decoded.text
