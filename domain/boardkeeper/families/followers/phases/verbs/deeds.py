"""Sending one or two followers from a place to beneficial deeds."""

from __future__ import annotations

from boardkeeper.families.followers.commands import Command, FinishDeeds, SendToDeed
from boardkeeper.families.followers.data import Deed, is_marked
from boardkeeper.families.followers.events import DeedsFinished
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable, SentFollower
from boardkeeper.table.rejections import Rejection


def spaces_left(t: AnyTable, deed: Deed, follower: str) -> int:
    """Return how many more followers of exactly this character a deed takes. Source: deeds.exact_character."""
    return deed.spaces.get(follower, 0) - t.deeds[deed.id].items.get(follower, 0)


def is_complete(t: AnyTable, deed: Deed) -> bool:
    """Return whether all spaces of a deed are occupied."""
    return all(spaces_left(t, deed, character) == 0 for character in deed.spaces)


def send(t: AnyTable, seat: AnySeat, command: SendToDeed) -> Rejection | None:
    """Send a follower to a deed. Source: deeds.*, town_hall.*."""
    values = {"place": command.place, "space": command.space, "deed": command.deed}
    unfinished = t.action_place.value
    if unfinished and command.place != unfinished:
        return Rejection("OTHER_PLACE", t.rule("deeds.same_place"), values | {"under_way": unfinished})
    place = action.find_usable_place(t, seat, command.place, "deeds")
    if isinstance(place, Rejection):
        return place
    rejection = find_rejection(t, place, command, values)
    if rejection:
        return rejection
    space = next(space for space in place.spaces if space.id == command.space)
    follower = space.occupant()
    t.move(follower, space.pile, t.deeds[command.deed])
    interrupts = t.hooks.reward(t, seat, SentFollower(place.id, follower, command.deed, command.reward))
    if unfinished or not legal(t, seat, place):
        _end(t, seat)
        return None
    t.set(t.action_place, place.id)
    if interrupts:
        action.end(t, seat)
    else:
        resume(t, seat)
    return None


def resume(t: AnyTable, seat: AnySeat) -> None:
    """Ask for the second follower of the unfinished action. Source: town_hall.one_or_two."""
    t.ask(seat, "deed")


def find_rejection(t: AnyTable, place: AnyPlace, command: SendToDeed, values: dict[str, str]) -> Rejection | None:
    """Return why a follower of the place cannot go to the deed, or ``None``."""
    space = next((space for space in place.spaces if space.id == command.space), None)
    follower = space.occupant() if space else ""
    deed = t.data.deeds.get(command.deed)
    if not follower:
        return Rejection("SPACE_EMPTY", t.rule("deeds.follower_there"), values)
    if is_marked(follower):
        return Rejection("MARKED_FOLLOWER", t.rule("deeds.no_own_followers"), values | {"follower": follower})
    if deed is None or follower not in deed.spaces:
        return Rejection("WRONG_CHARACTER", t.rule("deeds.exact_character"), values | {"follower": follower})
    if spaces_left(t, deed, follower) <= 0:
        return Rejection("DEED_FULL", t.rule("deeds.free_space"), values | {"follower": follower})
    if command.reward not in deed.rewards:
        return Rejection("WRONG_REWARD", t.rule("deeds.reward_choice"), values | {"reward": command.reward})
    return None


def finish(t: AnyTable, seat: AnySeat, command: FinishDeeds) -> Rejection | None:
    """End the action and leave the second follower where it is. Source: town_hall.one_or_two."""
    t.emit(seat, DeedsFinished(t.action_place.value))
    _end(t, seat)
    return None


def _end(t: AnyTable, seat: AnySeat) -> None:
    t.set(t.action_place, "")
    action.end(t, seat)


def legal(t: AnyTable, seat: AnySeat, place: AnyPlace) -> list[Command]:
    """Return a command for each follower of the place and each deed that takes it."""
    commands: list[Command] = []
    for space in place.spaces:
        follower = space.occupant()
        for deed in t.data.deeds.values():
            if spaces_left(t, deed, follower) > 0:
                commands += [SendToDeed(place.id, space.id, deed.id, reward) for reward in deed.rewards]
    return commands


def legal_deed(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands for the second follower of the unfinished action."""
    return [*legal(t, seat, seat.estate().places[t.action_place.value]), FinishDeeds()]
