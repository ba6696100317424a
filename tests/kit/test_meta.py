"""Every title's entry lists what its rules can play, and nothing else."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

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
CHOICES = [
    pytest.param(id, option, id=f"{id}-{option.id}")
    for id in TITLES
    for option in (*load_meta(id).options, *load_meta(id).readings)
]


@pytest.mark.parametrize("title", TITLES)
def test_the_editions_are_those_that_the_rules_have(title: str) -> None:
    meta = load_meta(title)
    assert meta.id == title
    assert {f"{edition.id}.toml" for edition in meta.editions} == {
        entry.name for entry in (files(TITLES[title]) / "editions").iterdir()
    }


@pytest.mark.parametrize("title", TITLES)
def test_titles_editions_and_bots_are_named_in_every_language(title: str) -> None:
    meta = load_meta(title)
    assert {bot.id for bot in meta.bots} >= {"random"}
    editions = (text for edition in meta.editions for text in (edition.text, edition.rulebook))
    for text in (meta.text, *editions, *(bot.text for bot in meta.bots)):
        assert all(text[language].strip() for language in LANGUAGES), text


@pytest.mark.parametrize("title", TITLES)
def test_how_far_a_title_is_a_word_says_to_programs_and_a_sentence_to_people(title: str) -> None:
    meta = load_meta(title)
    assert meta.maturity in ("playable", "reconstructed")
    assert all(meta.maturity_text[language].endswith(".") for language in LANGUAGES)


@pytest.mark.parametrize(("title", "edition", "players"), PRINTINGS)
def test_every_edition_lays_a_table_for_each_number_of_players(title: str, edition: str, players: int) -> None:
    layout = load_title(title).layout(Setup(edition, players))
    assert layout.seats == players
    assert Table(layout).components()
    with pytest.raises(ValueError, match="players"):
        load_title(title).layout(Setup(edition, max(player_counts(load_meta(title))) + 1))


@pytest.mark.parametrize("title", TITLES)
def test_whoever_plays_alone_plays_against_the_rules(title: str) -> None:
    meta = load_meta(title)
    for edition in meta.editions if meta.alone else ():
        setup = complete(meta, Setup(edition.id, 1))
        assert setup.players == SOLO_SEATS
        assert meta.alone.items() <= setup.options.items()
        assert list(load_title(title).automata(setup)) == [SOLO_SEATS]
    assert not load_title(title).automata(complete(meta, Setup("", player_counts(meta)[-1])))


@pytest.mark.parametrize("title", TITLES)
def test_whoever_plays_alone_is_refused_what_leaves_nobody_to_play_against(title: str) -> None:
    meta = load_meta(title)
    for option in (it for it in meta.options if it.id in meta.alone):
        refused = []
        for choice in option.choices:
            try:
                played = automaton_seats(load_title(title), "", 1, {option.id: choice.id}, {})
            except NoOpponentError as error:
                refused.append((choice.id, error.options))
            else:
                assert list(played) == [SOLO_SEATS]
        assert (option.default, (option.id,)) in refused, "else one would always play against the rules"


@pytest.mark.parametrize("title", TITLES)
def test_options_and_readings_have_names_of_their_own(title: str) -> None:
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


@pytest.mark.parametrize(("title", "option"), CHOICES)
def test_every_choice_is_explained_in_every_language(title: str, option: OptionMeta) -> None:
    rules = {rule.id for rule in load_title(title).rules()}
    assert re.fullmatch(r"[a-z][a-z0-9_]*", option.id)
    assert option.default == option.choices[0].id
    assert len({choice.id for choice in option.choices}) == len(option.choices) > 1
    assert option.rule in rules
    assert not option.legacy_choice or option.legacy_choice in {choice.id for choice in option.choices}
    assert all(set(choice.players) <= set(player_counts(load_meta(title))) for choice in option.choices)
    assert set(option.editions) < {edition.id for edition in load_meta(title).editions}
    for language in LANGUAGES:
        assert option.text[language].rstrip()[-1] in "?.", option.text
        texts = [choice.text[language] for choice in option.choices]
        assert len(set(texts)) == len(texts)
        assert all(text.endswith(".") and len(text) < 200 for text in texts), texts
