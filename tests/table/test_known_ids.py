"""Commands with unknown ids are rejected for that."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.known_ids import KnownIds


class Wait(Struct, frozen=True):
    pass


class Send(Struct, frozen=True):
    """Send someone to a town for a number of coins; only ``by`` may be empty."""

    who: str
    to: str
    coins: int = 0
    by: str = ""


KNOWN = KnownIds({"who": ["monk", "knight"], "to": iter(("Tours", "Blois")), "by": {"ship"}}, ["NO_SUCH_ROAD"])
REJECTION = Rejection("TOO_FAR", "roads.far", {"to": "Tours"})


def test_a_command_with_known_ids_keeps_its_rejection() -> None:
    assert KNOWN.check(Send("monk", "Blois"), REJECTION) is REJECTION
    assert KNOWN.check(Send("knight", "Tours", by="ship"), REJECTION) is REJECTION
    assert KNOWN.check(Wait(), REJECTION) is REJECTION


def test_the_first_unknown_id_is_named_with_the_known_ones() -> None:
    unknown = Rejection("UNKNOWN_ID", "table.known_ids", {"field": "to", "id": "Rome", "known": "Blois, Tours"})
    assert KNOWN.check(Send("monk", "Rome"), REJECTION) == unknown
    assert KNOWN.check(Send("monk", "Rome", by="air"), REJECTION) == unknown
    by_air = KNOWN.check(Send("monk", "Tours", by="air"), REJECTION)
    assert by_air == Rejection("UNKNOWN_ID", "table.known_ids", {"field": "by", "id": "air", "known": "ship"})


def test_only_an_optional_id_may_be_empty() -> None:
    assert KNOWN.check(Send("monk", "Tours", by=""), REJECTION) is REJECTION
    assert KNOWN.check(Send("monk", ""), REJECTION).values["field"] == "to"


def test_a_known_empty_id_is_accepted_but_not_listed() -> None:
    known = KnownIds({"to": ["Tours", "", "Blois"]})
    assert known.check(Send("monk", ""), REJECTION) is REJECTION
    assert known.check(Send("monk", "Rome"), REJECTION).values["known"] == "Blois, Tours"


def test_a_rejection_for_an_unknown_id_is_kept() -> None:
    own = Rejection("NO_SUCH_ROAD", "roads.known", {"to": "Rome"})
    for command in (Send("monk", "Rome"), Send("monk", "Tours"), Wait()):
        assert KNOWN.check(command, own) is own
    unknown = Rejection("UNKNOWN_TOWN", "roads.towns", {"to": "Rome"})
    assert KNOWN.check(Send("monk", "Rome"), unknown) is unknown
    assert KnownIds({"to": ["Tours"]}).check(Send("monk", "Rome"), own).code == "UNKNOWN_ID"
