"""The rules know what the catalogue lets one choose, and the family is told of it."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, fields

from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.game.choices import complete
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories.data import Readings, data_for
from boardkeeper.titles.stories.meta import META

STORIES = [(edition.id, players) for edition in META.editions for players in range(edition.players[0], 5)]
OF_THE_FAMILY = {field.name for field in fields(FollowersReadings)} & {field.name for field in fields(Readings)}


@pytest.mark.parametrize(("story", "players"), STORIES)
def test_a_new_game_has_data_for_all_that_was_chosen(story: str, players: int) -> None:
    setup = complete(META, Setup(story, players))
    assert asdict(data_for(setup).chosen) == asdict(Readings())
    assert data_for(setup) is data_for(complete(META, Setup(story, players)))


@pytest.mark.parametrize("data_set", ["reconstructed-1", "reconstructed-2"])
def test_a_game_has_the_data_set_that_was_chosen(data_set: str) -> None:
    data = data_for(complete(META, Setup("settlers", 2, {"data_set": data_set})))
    assert ("trading_house" in data.places) == (data_set == "reconstructed-2")
    assert data.fame_bonuses[-1] == (78 if data_set == "reconstructed-2" else 40)


@pytest.mark.parametrize("name", sorted(OF_THE_FAMILY))
def test_the_family_reads_its_rules_as_was_chosen(name: str) -> None:
    (reading,) = (reading for reading in META.readings if reading.id == name)
    for choice in reading.choices:
        data = data_for(complete(META, Setup("settlers", 2, {}, {name: choice.id})))
        assert getattr(data.readings, name) == choice.id
