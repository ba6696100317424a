"""Exit statuses of the command line, and the error that ends a command."""

DONE = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 3
UNCHECKED = 5
"""A check was not possible, so it neither passed nor failed."""
INTERRUPTED = 130


class CommandError(Exception):
    """Ends the command with an exit status and a one-line message: what is wrong, and what the user can do."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


def count_noun(number: int, plural: str) -> str:
    """Return a number with its noun: "1 game" or "2 files of games". A noun without a final "s" does not change."""
    noun, *rest = plural.partition(" of ")
    return f"{number} {noun.removesuffix('s') if number == 1 else noun}{''.join(rest)}"
