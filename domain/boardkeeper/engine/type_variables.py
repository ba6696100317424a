"""The types of a title's boards and commands, for classes that return them.

Their default, for games of any title, is ``Struct``. They are covariant: a function for games of any title also takes
those of one title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # type checkers know its defaults; no package needs to be installed

    BoardT_co = TypeVar("BoardT_co", bound=Struct, covariant=True, default=Struct)
    CommandT_co = TypeVar("CommandT_co", bound=Struct, covariant=True, default=Struct)
else:
    from typing import TypeVar

    BoardT_co = TypeVar("BoardT_co", bound=Struct, covariant=True)
    CommandT_co = TypeVar("CommandT_co", bound=Struct, covariant=True)
