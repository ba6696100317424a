"""``rejections.toml`` lists the rejections of a title, and a rejection names an unknown id."""

from __future__ import annotations

import pytest
from msgspec.structs import fields, replace
from tests.kit.adapters import EACH_TITLE
from tests.kit.coverage import DOMAIN
from tests.kit.families import rejections_of

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import published_rejections
from boardkeeper.testkit.coverage import rejection_codes
from boardkeeper.testkit.legal_checks import known_rules
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import default_setup


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_published_rejections_have_existing_rules_and_codes(adapter: Adapter) -> None:
    own = {code for code, _ in rejections_of(adapter.title)}
    kernel = rejection_codes(DOMAIN / "titlekit")
    published = published_rejections(adapter.folder)
    assert {code for code, _ in published} - kernel == own - kernel
    assert {rule for _, rule in published} <= known_rules(adapter.title)
    for names in published.values():
        assert names
        assert all(each.split() == sorted(each.split()) for each in names), names
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_a_rejection_names_the_unknown_id(adapter: Adapter) -> None:
    """An unknown id is not reported as a component of another player or in another place."""
    tried: set[tuple[str, str]] = set()
    unknown = 0
    with playout(adapter, 7, default_setup(adapter.title, adapter.players[-1])) as game:
        while not game.play.is_over():
            for seat in game.table.deciding():
                for command in game.play.legal(seat):
                    for field in fields(command):
                        kind = (type(command).__name__, field.name)
                        if type(getattr(command, field.name)) is not str or kind in tried:
                            continue
                        tried.add(kind)
                        rejection = game.play.decide(seat, replace(command, **{field.name: "missing"}))
                        game.play.recorder.rollback()
                        assert rejection is not None, kind
                        values = rejection.values
                        assert "missing" in values.values(), (kind, rejection)
                        if rejection.rule == "table.known_ids":
                            unknown += 1
                            assert rejection.code == "UNKNOWN_ID"
                            assert (values["field"], values["id"]) == (field.name, "missing")
                            known = values["known"].split(", ")
                            assert known == sorted(set(known))
                            assert getattr(command, field.name) in {*known, ""}
            game.step()
    assert len(tried) > 8, tried
    assert unknown > len(tried) / 2
