"""Types of ids in commands, events and boards. The API documents a field of such a type with the comment below."""

from __future__ import annotations

from typing import TypeAlias

Deed: TypeAlias = str  #: The beneficial deed id ("astronomy").
Follower: TypeAlias = str  #: The follower id ("farmer"; "own_farmer" for one in the colour of its seat).
Good: TypeAlias = str  #: The good id ("grain").
Place: TypeAlias = str  #: The id of the place, place tile or place card ("bathhouse").
Space: TypeAlias = str  #: The action space id ("knight"; "farmer_2" for the second farmer space).
