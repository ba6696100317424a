"""The differences between the two stories in the catalogue, with made-up rules to cite."""

from __future__ import annotations

import pytest

from boardkeeper.titlekit.title import Difference, Rule
from boardkeeper.titles.stories import differences

BOTH = {"settlers": "Vorbereitung", "england-vs-france": "Vorbereitung"}
RULES = {
    id: Rule(id, {}, BOTH)
    for id in ("stories.setup.material", "stories.setup.coins", "stories.fame.bonuses", "stories.eras.draw")
}


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Difference]:
    monkeypatch.setattr(differences, "rules", lambda: RULES)
    return {difference.id: difference for difference in differences.differences()}


def test_differences_list_players_components_and_tables(found: dict[str, Difference]) -> None:
    values = {id: difference.values for id, difference in found.items()}
    assert values["players"] == {"settlers": "2-4", "england-vs-france": "4-4"}
    assert values["component.event"] == {"settlers": "32", "england-vs-france": "0"}
    assert values["component.fame_tile"] == {"settlers": "13", "england-vs-france": "12"}
    assert values["table.game.start_coins"] == {"settlers": "0", "england-vs-france": "1"}
    assert values["table.expansion.from"] == {"settlers": "supply", "england-vs-france": "towns"}
    assert values["table.scoring.message"] == {"settlers": "", "england-vs-france": "20"}
    assert not [id for id in values if "provenance" in id or id.startswith(("reading.", "table.events"))]


def test_each_difference_cites_its_rules(found: dict[str, Difference]) -> None:
    assert found["table.game.start_coins"].rules == ("stories.setup.material", "stories.setup.coins")
    assert found["table.fame.bonus_spaces"].rules == ("stories.setup.material", "stories.fame.bonuses")
    assert found["component.event"].rules == found["players"].rules == ("stories.setup.material",)
    assert all(difference.references == BOTH for difference in found.values())
