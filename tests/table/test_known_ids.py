"""Commands that name what there is not."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.known_ids import KnownIds


class Send(Struct, frozen=True):
    """Send somebody to a town, for so much; ``by`` may be left out, ``to`` may not."""

    who: str
    to: str
    coins: int = 0
    by: str = ""


KNOWN = KnownIds({"who": ["monk", "knight"], "to": iter(("Tours", "Blois")), "by": {"ship"}}, ["NO_SUCH_ROAD"])
JUDGED = Rejection("TOO_FAR", "roads.far", {"to": "Tours"})


def test_who_names_only_what_there_is_is_refused_as_judged() -> None:
    assert KNOWN.check(Send("monk", "Blois"), JUDGED) is JUDGED
    assert KNOWN.check(Send("knight", "Tours", by="ship"), JUDGED) is JUDGED


def test_the_first_id_that_nothing_has_is_named_with_those_that_there_are() -> None:
    unknown = Rejection("UNKNOWN_ID", "table.known_ids", {"field": "to", "id": "Rome", "known": "Blois, Tours"})
    assert KNOWN.check(Send("monk", "Rome"), JUDGED) == unknown
    assert KNOWN.check(Send("monk", "Rome", by="air"), JUDGED) == unknown
    by_air = KNOWN.check(Send("monk", "Tours", by="air"), JUDGED)
    assert by_air == Rejection("UNKNOWN_ID", "table.known_ids", {"field": "by", "id": "air", "known": "ship"})


def test_only_what_may_be_left_out_may_be_empty() -> None:
    assert KNOWN.check(Send("monk", "Tours", by=""), JUDGED) is JUDGED
    assert KNOWN.check(Send("monk", ""), JUDGED).values["field"] == "to"


def test_an_empty_id_may_be_known_but_is_not_among_those_that_there_are() -> None:
    known = KnownIds({"to": ["Tours", "", "Blois"]})
    assert known.check(Send("monk", ""), JUDGED) is JUDGED
    assert known.check(Send("monk", "Rome"), JUDGED).values["known"] == "Blois, Tours"


def test_a_refusal_that_says_it_already_stays() -> None:
    said = Rejection("NO_SUCH_ROAD", "roads.known", {"to": "Rome"})
    assert KNOWN.check(Send("monk", "Rome"), said) is said
    unknown = Rejection("UNKNOWN_TOWN", "roads.towns", {"to": "Rome"})
    assert KNOWN.check(Send("monk", "Rome"), unknown) is unknown
    assert KnownIds({"to": ["Tours"]}).check(Send("monk", "Rome"), said).code == "UNKNOWN_ID"
