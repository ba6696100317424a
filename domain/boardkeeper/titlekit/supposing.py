"""Tables that look alike to somebody: what others decided in secret is made up, beside what is dealt anew.

A title in which nothing hidden is decided, but only dealt, needs none of this: see
:meth:`boardkeeper.titlekit.title.Title.unknown`.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from boardkeeper.table.dice import Dice
from boardkeeper.titlekit.title import Play


@runtime_checkable
class SupposingTitle(Protocol):
    """A title that says what else others may have decided in secret, as no title has to."""

    def suppose(self, play: Play, viewer: int, dice: Dice) -> None:
        """Make the table another one that may lie there for all that a viewer knows.

        What was dealt is dealt anew (:func:`boardkeeper.table.forking.redeal`), what was decided is drawn from what
        its seat could have decided, and every marker that he does not see says what is true then. What the viewer sees
        stays as it is. What comes of it follows from that and from ``dice`` alone, so that nothing true is told; and
        nothing is recorded.
        """
