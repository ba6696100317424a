"""The registry entry of every title lists exactly what its rules can play."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from tests.kit.loops import check_each

from boardkeeper.game.automata import NoOpponentError, automaton_seats
from boardkeeper.game.choices import SOLO_SEATS, complete
from boardkeeper.table.table import Table
from boardkeeper.testkit.setups import player_counts
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import OptionMeta, Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title

PRINTINGS = [
    pytest.param(id, edition.id, players, id=f"{id}-{edition.id}-{players}")
    for id in TITLES
    for edition in load_meta(id).editions
    for players in range(edition.players[0], edition.players[1] + 1)
]


@pytest.mark.parametrize("title", TITLES)
def test_every_edition_has_a_file(title: str) -> None:
    meta = load_meta(title)
    assert meta.id == title
    assert {f"{edition.id}.toml" for edition in meta.editions} == {
        entry.name for entry in (files(TITLES[title]) / "editions").iterdir()
    }


@pytest.mark.parametrize("title", TITLES)
def test_titles_editions_and_bots_have_names_in_every_language(title: str) -> None:
    meta = load_meta(title)
    assert {bot.id for bot in meta.bots} >= {"random"}
    editions = (text for edition in meta.editions for text in (edition.text, edition.rulebook))
    for text in (meta.text, *editions, *(bot.text for bot in meta.bots)):
        assert all(text[language].strip() for language in LANGUAGES), text


@pytest.mark.parametrize("title", TITLES)
def test_maturity_has_an_id_and_a_sentence(title: str) -> None:
    meta = load_meta(title)
    assert meta.maturity in ("playable", "reconstructed")
    assert all(meta.maturity_text[language].endswith(".") for language in LANGUAGES)


@pytest.mark.parametrize(("title", "edition", "players"), PRINTINGS)
def test_every_edition_has_a_layout_for_each_number_of_players(title: str, edition: str, players: int) -> None:
    layout = load_title(title).layout(Setup(edition, players))
    assert layout.seats == players
    assert Table(layout).components()
    with pytest.raises(ValueError, match="players"):
        load_title(title).layout(Setup(edition, max(player_counts(load_meta(title))) + 1))


@pytest.mark.parametrize("title", TITLES)
def test_a_solo_game_has_an_automaton(title: str) -> None:
    meta = load_meta(title)
    for edition in meta.editions if meta.alone else ():
        setup = complete(meta, Setup(edition.id, 1))
        assert setup.players == SOLO_SEATS
        assert meta.alone.items() <= setup.options.items()
        assert list(load_title(title).automata(setup)) == [SOLO_SEATS]
    assert not load_title(title).automata(complete(meta, Setup("", player_counts(meta)[-1])))


@pytest.mark.parametrize("title", TITLES)
def test_a_solo_game_without_an_automaton_is_rejected(title: str) -> None:
    meta = load_meta(title)
    for option in (it for it in meta.options if it.id in meta.alone):
        rejected = []
        for choice in option.choices:
            try:
                played = automaton_seats(load_title(title), "", 1, {option.id: choice.id}, {})
            except NoOpponentError as error:
                rejected.append((choice.id, error.options))
            else:
                assert list(played) == [SOLO_SEATS]
        assert (option.default, (option.id,)) in rejected, "by default, games have no automaton"


@pytest.mark.parametrize("title", TITLES)
def test_options_and_readings_have_unique_names(title: str) -> None:
    meta = load_meta(title)
    names = [option.id for option in (*meta.options, *meta.readings)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("title", TITLES)
def test_editions_select_readings_that_exist(title: str) -> None:
    meta = load_meta(title)
    known = {reading.id: {choice.id for choice in reading.choices} for reading in meta.readings}
    for edition in meta.editions:
        for reading, choice in edition.readings.items():
            assert choice in known[reading], f"{edition.id}: {reading} = {choice}"


@pytest.mark.parametrize("title", TITLES)
def test_every_choice_is_valid_and_has_texts_in_every_language(title: str) -> None:
    rules = {rule.id for rule in load_title(title).rules()}
    meta = load_meta(title)

    def check(option: OptionMeta) -> None:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", option.id)
        assert option.default == option.choices[0].id
        assert len({choice.id for choice in option.choices}) == len(option.choices) > 1
        assert option.rule in rules
        assert not option.legacy_choice or option.legacy_choice in {choice.id for choice in option.choices}
        assert all(set(choice.players) <= set(player_counts(meta)) for choice in option.choices)
        assert set(option.editions) < {edition.id for edition in meta.editions}
        for language in LANGUAGES:
            assert option.text[language].rstrip()[-1] in "?.", option.text
            texts = [choice.text[language] for choice in option.choices]
            assert len(set(texts)) == len(texts)
            assert all(text.endswith(".") and len(text) < 200 for text in texts), texts

    check_each((*meta.options, *meta.readings), check)
