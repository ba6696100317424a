"""Exit statuses of the command line, and the error that ends a command."""

DONE = 0
FAILED = 1
USAGE = 2
UNREACHABLE = 3
UNCHECKED = 5
"""A check could not be made, so it neither passed nor failed."""
INTERRUPTED = 130


class CommandError(Exception):
    """End the command with an exit status and one line: what is wrong, and what to do about it."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


def count_noun(number: int, plural: str) -> str:
    """Return a number with its noun: "1 game" or "2 files of games". A noun without a final "s" does not change."""
    noun, *rest = plural.partition(" of ")
    return f"{number} {noun.removesuffix('s') if number == 1 else noun}{''.join(rest)}"
