"""Town Hall and Gunpowder Tower: sending one or two followers to beneficial deeds."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.bindings import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.commands import Command, FinishDeeds, SendToDeed
from boardkeeper.titles.orleans.data import CITIZEN, Deed, is_marked
from boardkeeper.titles.orleans.events import DeedsFinished, FollowerSentToDeed
from boardkeeper.titles.orleans.offers import DeedOffer
from boardkeeper.titles.orleans.phases.development import advance_development
from boardkeeper.titles.orleans.phases.verbs import action

COINS = "coins"
DEVELOPMENT = "development"


def free_spaces(t: Orleans, deed: Deed, follower: str) -> int:
    """How many more followers of exactly that character a deed takes (orleans.deeds.exact_character)."""
    return deed.spaces.get(follower, 0) - t.deeds[deed.id].items.get(follower, 0)


def is_complete(t: Orleans, deed: Deed) -> bool:
    """Whether no space of a deed is free any more."""
    return all(free_spaces(t, deed, character) == 0 for character in deed.spaces)


def send(t: Orleans, seat: Seat, command: SendToDeed) -> Rejection | None:
    """Send a follower. Source: orleans.deeds.*, orleans.town_hall.*."""
    values = {"place": command.place, "space": command.space, "deed": command.deed}
    under_way = t.action_place.value
    if under_way and command.place != under_way:
        return Rejection("OTHER_PLACE", "orleans.deeds.same_place", values | {"under_way": under_way})
    place = action.usable(seat, command.place, "deeds")
    if isinstance(place, Rejection):
        return place
    rejection = why_not(t, place, command, values)
    if rejection:
        return rejection
    space = next(space for space in place.spaces if space.id == command.space)
    follower = space.occupant()
    deed = t.data.deeds[command.deed]
    t.move(follower, space.pile, t.deeds[deed.id])
    coins, development = reward_of(deed, command.reward)
    if coins:
        t.gain(seat, coins)
    completed = is_complete(t, deed)
    if completed:
        t.move(CITIZEN, t.deeds[deed.id], seat.citizens)
    t.emit(seat, FollowerSentToDeed(place.id, follower, deed.id, coins, development, completed))
    advance_development(t, seat, development)
    if not under_way and _sendable(t, place):
        t.set(t.action_place, place.id)
        t.ask(seat, "deed")
    else:
        _end(t, seat)
    return None


def why_not(t: Orleans, place: BoundPlace, command: SendToDeed, values: dict[str, str]) -> Rejection | None:
    """Why a follower of the place cannot go to the deed."""
    space = next((space for space in place.spaces if space.id == command.space), None)
    follower = space.occupant() if space else ""
    deed = t.data.deeds.get(command.deed)
    if not follower:
        return Rejection("SPACE_EMPTY", "orleans.deeds.follower_there", values)
    if is_marked(follower):
        return Rejection("MARKED_FOLLOWER", "orleans.deeds.no_own_followers", values | {"follower": follower})
    if deed is None or follower not in deed.spaces:
        return Rejection("WRONG_CHARACTER", "orleans.deeds.exact_character", values | {"follower": follower})
    if free_spaces(t, deed, follower) <= 0:
        return Rejection("DEED_FULL", "orleans.deeds.free_space", values | {"follower": follower})
    if command.reward != COINS and not (command.reward == DEVELOPMENT and deed.development):
        return Rejection("WRONG_REWARD", "orleans.deeds.reward_choice", values | {"reward": command.reward})
    return None


def offered(t: Orleans, seat: Seat, command: SendToDeed) -> DeedOffer:
    """Who would go, and what for: the command itself names neither."""
    spaces = seat.estate().places[command.place].spaces
    follower = next(space for space in spaces if space.id == command.space).occupant()
    deed = t.data.deeds[command.deed]
    coins, development = reward_of(deed, command.reward)
    left = sum(free_spaces(t, deed, character) for character in deed.spaces)
    return DeedOffer(command.place, command.space, follower, deed.id, coins, development, completes=left == 1)


def reward_of(deed: Deed, reward: str) -> tuple[int, int]:
    """Coins and development for a follower."""
    return (0, deed.development) if reward == DEVELOPMENT else (deed.coins, 0)


def finish(t: Orleans, seat: Seat, command: FinishDeeds) -> Rejection | None:
    """Leave the second follower where it is (orleans.town_hall.one_or_two)."""
    t.emit(seat, DeedsFinished(t.action_place.value))
    _end(t, seat)
    return None


def _end(t: Orleans, seat: Seat) -> None:
    t.set(t.action_place, "")
    action.end(t, seat)


def _sendable(t: Orleans, place: BoundPlace) -> list[Command]:
    commands: list[Command] = []
    for space in place.spaces:
        follower = space.occupant()
        for deed in t.data.deeds.values():
            if free_spaces(t, deed, follower) > 0:
                commands.append(SendToDeed(place.id, space.id, deed.id, COINS))
                if deed.development:
                    commands.append(SendToDeed(place.id, space.id, deed.id, DEVELOPMENT))
    return commands


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Every follower of the place with every deed that takes it."""
    return _sendable(t, place)


def legal_deed(t: Orleans, seat: Seat) -> list[Command]:
    """What the seat may do with the second follower of the action under way."""
    return [*_sendable(t, seat.estate().places[t.action_place.value]), FinishDeeds()]
