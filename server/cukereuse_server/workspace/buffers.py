"""Texts of open documents; they take precedence over the files on disk."""

from dataclasses import dataclass

from cukereuse_engine.gherkin.read import content_hash


@dataclass(slots=True)
class Buffer:
    version: int
    text: str
    read: bool = False
    """True if the index has it."""
    known_hash: str = ""
    """The hash of the text as bytes, once it was requested."""

    def content(self) -> bytes:
        """The text as bytes on disk; half of a surrogate pair, which a client may send, is kept."""
        return self.text.encode("utf-8", "surrogatepass")

    def content_hash(self) -> str:
        if not self.known_hash:
            self.known_hash = content_hash(self.content())
        return self.known_hash
