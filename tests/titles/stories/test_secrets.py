"""England vs. France: the viewers of nations, messages and looks."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail
from tests.titles.stories.nations import TEAMS, NationsGame, list_details, set_up_nations

from boardkeeper.families.followers.events import PhaseBegun
from boardkeeper.game.undo_effects import reveals_nothing
from boardkeeper.table.effects import Event
from boardkeeper.table.visibility import SPECTATOR, redact_effects, sees
from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

VIEWERS = (SPECTATOR, 1, 2, 3, 4)


def find_viewers(game: StoriesGame, event: Event) -> set[int]:
    """Return the viewers who see the detail of an event."""
    return {viewer for viewer in VIEWERS if redact_effects(game.table, event.effects, viewer)[1]}


def test_stories_secrets_nation() -> None:
    """Two cards of each nation, one for each seat; only its owner sees it."""
    game = set_up_nations()
    assert detail(game.laid, PhaseBegun) == PhaseBegun("secrets")
    nations = [next(iter(seat.nation.items)) for seat in game.t.seats]
    assert sorted(nations) == ["england", "england", "france", "france"]
    cards = [event for event in game.laid if event.name == "CardsDealt"]
    assert [event.seat for event in cards] == [1, 2, 3, 4]
    for event, nation in zip(cards, nations, strict=True):
        assert isinstance(event.detail, e.CardsDealt)
        assert event.detail.nation == nation
        assert find_viewers(game, event) == {event.seat}
    for seat in game.t.seats:
        assert {viewer for viewer in VIEWERS if sees(game.table, seat.nation, viewer)} == {seat.number}


def test_stories_secrets_missions_open() -> None:
    """One mission for each nation is public; the others stay hidden."""
    game = set_up_nations()
    (event,) = [event for event in game.laid if event.name == "SecretsDealt"]
    assert find_viewers(game, event) == set(VIEWERS)
    missions = detail([event], e.SecretsDealt).missions
    assert {nation: {mission: 1} for nation, mission in missions.items()} == {
        nation: dict(home.items) for nation, home in game.t.mission.items()
    }
    assert game.t.missions.total() == 6
    assert game.t.messages.total() == 4


def test_stories_secrets_message() -> None:
    """A seat keeps one of two messages; every viewer sees that, only the seat sees which."""
    game = set_up_nations()
    kept, returned = sorted(game.seat(2).dealt.items)
    assert game.legal(2) == [c.KeepMessage(kept), c.KeepMessage(returned)]
    events = game.do(2, c.KeepMessage(kept))
    assert [event.name for event in events] == ["MessageKept", "MessageChosen"]
    assert find_viewers(game, events[0]) == {2}
    assert find_viewers(game, events[1]) == set(VIEWERS)
    assert game.seat(2).message.items == {kept: 1}
    assert game.seat(2).returned.items == {returned: 1}
    assert game.t.phase.value == "secrets", "the other seats still choose"


def test_stories_secrets_message__first_round_begins_after_all_seats_have_chosen() -> None:
    game = set_up_nations()
    assert game.table.deciding() == [1, 2, 3, 4]
    for seat in (3, 1, 4, 2):
        events = game.do(seat, game.legal(seat)[1])
    assert "RoundBegun" in {event.name for event in events}
    assert {game.table.decisions[seat] for seat in range(1, 5)} == {"plan"}, "no followers are drawn in the first round"


def test_stories_secrets_message__only_a_dealt_message() -> None:
    game = set_up_nations()
    other = next(iter(game.seat(1).dealt.items))
    game.reject(2, c.KeepMessage(other), "stories.secrets.message", "NOT_DEALT")


# --- looking at a nation -------------------------------------------------------------------------------------


def create_look_game(look_is_public: str = "yes") -> NationsGame:
    """Seat 4 has just entered era II and may look at a nation card."""
    game = NationsGame(look_is_public=look_is_public).coins(4, 3).own(4, "pub").fill(4, "pub", "farmer").fame(4, 12)
    game.act(4, c.ConvertCoins("pub", 1))
    assert game.table.decisions[4] == "look"
    return game


def test_stories_secrets_look() -> None:
    """Every viewer sees the owner of the card; only the two seats know its nation."""
    game = create_look_game()
    assert game.seat(4).era_reached.value == 2
    assert game.legal(4) == [c.LookAtNation(1), c.LookAtNation(2), c.LookAtNation(3), c.DeclineBonus()]
    events = game.do(4, c.LookAtNation(2))
    shown, seen = events[:2]
    assert seen.detail == e.NationSeen(2)
    assert find_viewers(game, seen) == set(VIEWERS)
    assert shown.detail == e.NationShown(2, "france")
    assert find_viewers(game, shown) == {2, 4}
    assert {viewer for viewer in VIEWERS if sees(game.table, game.seat(2).nation, viewer)} == {2, 4}


def test_stories_secrets_look__repeated_look_shows_nothing_new() -> None:
    """A second look at the same card has no effect on the table, so no event may show the nation."""
    game = create_look_game()
    game.do(4, c.LookAtNation(2))
    game.coins(4, 12).own(4).fill(4, "pub", "farmer").fame(4, 24)
    game.act(4, c.ConvertCoins("pub", 1))
    events = game.do(4, c.LookAtNation(2))
    assert list_details(events, e.NationSeen) == [e.NationSeen(2)]
    assert list_details(events, e.NationShown) == []


def test_stories_nations_look_is_public() -> None:
    game = create_look_game()
    events = game.do(4, c.LookAtNation(2))
    (seen,) = [event for event in events if event.name == "NationSeen"]
    assert seen.detail == e.NationSeen(2)
    assert find_viewers(game, seen) == set(VIEWERS)


def test_stories_secrets_look__several_seats_at_one_card() -> None:
    game = create_look_game()
    game.do(4, c.LookAtNation(2))
    game.coins(3, 3).own(3, "library").fill(3, "library").fame(3, 12)
    game.act(3, c.UsePlace("library"))
    events = game.do(3, c.LookAtNation(2))
    (shown,) = [event for event in events if event.name == "NationShown"]
    assert find_viewers(game, shown) == {2, 3, 4}
    assert game.seat(2).nation.visibility == "seats.2.3.4"


def test_stories_secrets_look__not_at_own_or_unknown_seat() -> None:
    game = create_look_game()
    for seat in (0, 4, 5):
        game.reject(4, c.LookAtNation(seat), "stories.secrets.look", "NO_SUCH_SEAT")


def test_stories_secrets_look__is_optional() -> None:
    game = create_look_game()
    game.do(4, c.DeclineBonus())
    assert all(seat.nation.visibility == f"seat.{seat.number}" for seat in game.t.seats)


def test_stories_nations_look_is_secret() -> None:
    """Other viewers see the look, not the owner of the card; only the seat has a note of the nation."""
    game = create_look_game(look_is_public="no")
    events = game.do(4, c.LookAtNation(1))
    shown, seen = events[:2]
    assert seen.detail == e.NationSeen(0)
    assert find_viewers(game, shown) == {4}
    assert game.seat(1).nation.visibility == "seat.1"
    assert game.seat(4).noted.value == "1:england"
    assert {viewer for viewer in VIEWERS if sees(game.table, game.seat(4).noted, viewer)} == {4}


@pytest.mark.parametrize("look_is_public", ["yes", "no"])
def test_stories_nations_look_is_secret__cannot_be_undone_alone(look_is_public: str) -> None:
    """Else a seat could undo its look and look at the next card."""
    game = create_look_game(look_is_public)
    for other in (1, 3):
        events = game.do(4, c.LookAtNation(other))
        shown = [effect for event in events if event.name == "NationShown" for effect in event.effects]
        assert shown
        assert not reveals_nothing(game.table, shown)
        game.coins(4, 12).own(4).fill(4, "pub", "farmer").fame(4, 24)
        game.act(4, c.ConvertCoins("pub", 1))


def test_stories_nations_look_is_secret__several_notes() -> None:
    game = create_look_game(look_is_public="no")
    game.do(4, c.LookAtNation(1))
    game.coins(4, 12).own(4).fill(4, "pub", "farmer").fame(4, 24)
    game.act(4, c.ConvertCoins("pub", 1))
    shown, seen = game.do(4, c.LookAtNation(2))[:2]
    assert seen.detail == e.NationSeen(0)
    assert find_viewers(game, shown) == {4}
    assert game.seat(4).noted.value == "1:england 2:france"
    assert game.seat(4).noted.visibility == "secret.4"


# --- the end -------------------------------------------------------------------------------------------------


def test_stories_secrets_opened() -> None:
    """For the scoring all nations and all kept messages are opened, not the returned ones."""
    game = NationsGame().fame(1, 36)
    game.enter("declaring")
    assert game.play.is_over()
    for seat in game.t.seats:
        assert seat.nation.visibility == seat.message.visibility == "public"
        assert seat.returned.visibility == f"seat.{seat.number}"


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_legal_commands_do_not_depend_on_nations_or_messages(seat: int) -> None:
    other = ("france", "england", "england", "france")
    one, two = NationsGame(TEAMS), NationsGame(other, ("s9", "s10", "s11", "s12"))
    for game in (one, two):
        game.hold(1, "c3r3").hold(2, "c1r3").coins(seat, 5).own(seat, "pub").goods(seat, wood=3)
        game.fill(seat, "pub", "farmer").fill(seat, "territory").fill(seat, "fortress_building").fame(seat, 24)
        game.enter("actions", seat)
    assert one.legal(seat) == two.legal(seat)
    for game in (one, two):
        game.do(seat, c.ConvertCoins("pub", 1))
    assert one.legal(seat) == two.legal(seat)
    for game in (one, two):
        game.enter("declaring", seat)
    assert one.legal(seat) == two.legal(seat)
