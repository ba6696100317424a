"""Options and readings of the catalogue reach the rules of the title and of the family."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, fields

from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.game.choices import complete
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories.data import Readings, data_for
from boardkeeper.titles.stories.meta import META

STORIES = [(edition.id, players) for edition in META.editions for players in range(edition.players[0], 5)]
FAMILY_READINGS = {field.name for field in fields(FollowersReadings)} & {field.name for field in fields(Readings)}


@pytest.mark.parametrize(("story", "players"), STORIES)
def test_default_choices_give_the_default_readings(story: str, players: int) -> None:
    setup = complete(META, Setup(story, players))
    assert asdict(data_for(setup).chosen) == asdict(Readings())
    assert data_for(setup) is data_for(complete(META, Setup(story, players)))


@pytest.mark.parametrize("data_set", ["reconstructed-1", "reconstructed-2"])
def test_game_has_the_chosen_data_set(data_set: str) -> None:
    data = data_for(complete(META, Setup("settlers", 2, {"data_set": data_set})))
    assert ("trading_house" in data.places) == (data_set == "reconstructed-2")
    assert data.fame_bonuses[-1] == (78 if data_set == "reconstructed-2" else 40)


@pytest.mark.parametrize("name", sorted(FAMILY_READINGS))
def test_family_rules_use_the_chosen_reading(name: str) -> None:
    (reading,) = (reading for reading in META.readings if reading.id == name)
    for choice in reading.choices:
        data = data_for(complete(META, Setup("settlers", 2, {}, {name: choice.id})))
        assert getattr(data.readings, name) == choice.id
