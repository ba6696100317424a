"""Points during an inquisition that waits for a player."""

from __future__ import annotations

from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.titles.paladins import scoring


def test_townsfolk_in_an_inquisition_still_count_as_hired() -> None:
    game = PaladinsGame(2).turn(1).townsfolk(1, "squire_1", "conspirator_1")
    seat = game.seat(1)
    game.bring("hunter_saracen", seat.converted)
    before = scoring.sheet(game.t, seat)
    assert before.outsiders == {"hunter_saracen": 1}

    for card in ("squire_1", "conspirator_1"):
        game.t.move(card, seat.townsfolk, seat.inquiry)

    assert scoring.sheet(game.t, seat) == before
