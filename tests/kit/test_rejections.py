"""The refusals that a title publishes are those that its rules give, and whoever names what there is not is told so."""

from __future__ import annotations

import pytest
from msgspec.structs import fields, replace
from tests.kit.adapters import adapters
from tests.kit.coverage import DOMAIN
from tests.kit.families import refusals_of

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import published_rejections
from boardkeeper.testkit.coverage import rejection_codes
from boardkeeper.testkit.legal_checks import known_rules
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import default_setup

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


@pytest.mark.parametrize("adapter", TITLES)
def test_published_refusals_cite_rules_and_codes_that_there_are(adapter: Adapter) -> None:
    own = {code for code, _ in refusals_of(adapter.title)}
    kernel = rejection_codes(DOMAIN / "titlekit")
    published = published_rejections(adapter.folder)
    assert {code for code, _ in published} - kernel == own - kernel
    assert {rule for _, rule in published} <= known_rules(adapter.title)
    for names in published.values():
        assert names
        assert all(each.split() == sorted(each.split()) for each in names), names
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("adapter", TITLES)
def test_what_there_is_not_is_named_in_the_refusal(adapter: Adapter) -> None:
    """Not as somebody else's, or as lying elsewhere: whoever wrote the command is told what there is not."""
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
                        rejection = game.play.decide(seat, replace(command, **{field.name: "nobody"}))
                        game.play.recorder.rollback()
                        assert rejection is not None, kind
                        assert "nobody" in rejection.values.values(), (kind, rejection)
                        if rejection.rule == "table.known_ids":
                            unknown += 1
                            values = rejection.values
                            assert (rejection.code, values["field"], values["id"]) == (
                                "UNKNOWN_ID",
                                field.name,
                                "nobody",
                            )
                            known = values["known"].split(", ")
                            assert known == sorted(set(known))
                            assert getattr(command, field.name) in {*known, ""}
            game.step()
    assert len(tried) > 8, tried
    assert unknown > len(tried) / 2
