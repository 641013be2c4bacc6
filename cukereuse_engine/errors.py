"""Errors for users: what can't be done, and a hint."""


class CukereuseError(Exception):
    """An error whose message is for the user: what is wrong, and in `hint` what to do about it.

    The command line prints it without a traceback and exits with 2; the server shows it as a message.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message

    @property
    def sentences(self) -> str:
        """Message and hint inside of a paragraph. The message may quote another program, with its full stop."""
        return f"{self.message.removesuffix('.')}. {self.hint}".strip()

    def __reduce__(self) -> tuple[type["CukereuseError"], tuple[str, str]]:
        return type(self), (self.message, self.hint)  # keeps the hint across a process pool


class Cancelled(Exception):  # noqa: N818 - not an error
    """The user has stopped the work. Raised by `Stage.advance`, caught where the work was started."""
