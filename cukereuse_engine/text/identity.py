"""When two step texts count as the same text (paper, section "Identity definition")."""

import hashlib
import unicodedata


def normalise(text: str) -> str:
    """Runs of white space become one blank, ends are trimmed, case is kept."""
    return " ".join(text.split())


def identity(text: str) -> str:
    """BLAKE2b with a 16-byte digest of the normalised text, as 32 hex digits."""
    return hashlib.blake2b(normalise(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def composed_form(text: str) -> str:
    """`text` in Unicode's normal form C: texts that only differ in how accented letters are put together are equal."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_other_form(text: str, other: str) -> bool:
    """True if two texts look the same and differ only in their Unicode normal form."""
    return text != other and composed_form(text) == composed_form(other)
