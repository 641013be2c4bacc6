"""When two step texts are the same text (paper, section "Identity definition")."""

import hashlib


def normalise(text: str) -> str:
    """Runs of white space become one blank, ends are trimmed, case is kept."""
    return " ".join(text.split())


def identity(text: str) -> str:
    """BLAKE2b with a 16-byte digest of the normalised text, as 32 hex digits."""
    return hashlib.blake2b(normalise(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
