"""Properties of every game of every title. Each function checks one, and raises ``AssertionError``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEvent
from boardkeeper.game.forking import fork_game
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.sentences import offered_command
from boardkeeper.table.decoding import decode
from boardkeeper.table.effects import Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR, hides_detail, redact_effect, viewer_name
from boardkeeper.table.visible_table import visible_table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.client_table import ClientTable, follow
from boardkeeper.testkit.games import SECRET, check, finish_game, give, record
from boardkeeper.testkit.histories import eager_history, start_game
from boardkeeper.testkit.legal_checks import check_agreement, mutations
from boardkeeper.testkit.playouts import Playout, check_same_events, playout, store_and_load
from boardkeeper.testkit.sentence_checks import NAMES, check_sentence
from boardkeeper.testkit.setups import default_setup, random_setup
from boardkeeper.testkit.twin_games import Twins, start_twin
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.rules_catalogue import LANGUAGES, kernel_rules
from boardkeeper.titlekit.title import Play, Setup

AT_END = 80
"""The number of events between two comparisons of clients' tables. They are also compared after each reveal."""


# --- random games ------------------------------------------------------------------------------------------------


def check_ends(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check that a random game ends, with standings for all seats."""
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            assert not game.play.standings()
            game.step()
            if len(game.commands) % 20 == 1:
                adapter.holds(game.play, setup)
        assert game.table.deciding() == []
        adapter.ended(game.play, setup, game.events)
        standings = game.play.standings()
        assert sorted(standing.seat for standing in standings) == list(range(1, setup.players + 1))
        assert standings[0].rank == 1
        assert [standing.rank for standing in standings] == sorted(standing.rank for standing in standings)
        assert [standing.points for standing in standings] == sorted((x.points for x in standings), reverse=True)
        adapter.holds(game.play, setup)


def check_conservation(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check after each event that no component was made or lost."""
    with playout(adapter, seed, setup) as game:
        game.finish()
        table = Table(game.layout)
        components = table.components()
        sealed: list[dict[str, int]] | None = None
        for index, event in enumerate(game.events):
            table.apply_all(event.effects)
            assert table.components() == components, f"event {index}: {event}"
            held = [table.zones[zone].counts() for zone in adapter.sealed]
            if sealed is None:
                sealed = held
            assert held == sealed, f"event {index}: {event} opened one of {adapter.sealed}"


def check_replay_and_revert(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check that the stored effects give the same tables as the rules, and can be reverted."""
    with playout(adapter, seed, setup) as game:
        digests = {len(game.events): game.table.digest()}
        while not game.play.is_over():
            game.step()
            if game.random.random() < 0.05:
                digests[len(game.events)] = game.table.digest()
        digests[len(game.events)] = game.table.digest()
        history = [store_and_load(adapter, event) for event in game.events]
        check_same_events(game.events, history)
        layout = decode(msgspec.json.encode(game.layout), TableLayout)
        table = Table(layout)
        digests[0] = table.digest()
        for index, event in enumerate(history, 1):
            table.apply_all(event.effects)
            if index in digests:
                assert table.digest() == digests[index], f"applied up to event {index}: {event}"
        for index in range(len(history), 0, -1):
            if index in digests:
                assert table.digest() == digests[index], f"reverted to event {index}"
            table.revert_all(history[index - 1].effects)
        assert table.contents() == Table(layout).contents()


def check_legal_commands(adapter: Adapter, seed: int, setup: Setup) -> int:
    """Check legal commands in random positions (:func:`check_agreement`), and return the number of tries."""
    tried = 0
    with playout(adapter, seed, setup) as game:
        foreign = dict.fromkeys(command for seat in range(1, setup.players + 1) for command in game.play.legal(seat))
        while not game.play.is_over():
            if game.random.random() < 0.04:
                pool = list(foreign)
                tried += check_agreement(game, game.random.sample(pool, min(25, len(pool))))
            _, command = game.choose()
            foreign[command] = None
            game.step()
        tried += check_agreement(game, list(foreign)[-25:])
    return tried


def check_loaded_game_continues(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check that a loaded game lists the same commands in the same order, and draws the same."""
    with playout(adapter, seed, setup) as game:
        game.finish()
        for _ in range(6):
            at = game.random.randrange(len(game.commands))
            start, count = game.marks[at]
            table = game.at(count)
            play = game.bind(table)
            again = list(game.events[:count])
            for (seat, command), (_, upto) in zip(game.commands[start:][:40], game.marks[at + 1 :], strict=False):
                listed = play.legal(seat)
                assert command in listed, f"after {count} events seat {seat} may not {command}"
                assert play.decide(seat, command) is None
                again += play.recorder.take()
                check_same_events(game.events[:upto], again)


def check_simultaneous_order(adapter: Adapter, seed: int, setup: Setup) -> int:
    """Check that the order in which seats decide at the same time does not change the table.

    The order of each seat's own commands stays the same. Returns the number of tries.
    """
    tried = 0
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            together = adapter.simultaneous(game.play, setup)
            if together is None:
                game.step()
                continue
            before = (len(game.commands), len(game.events))
            while adapter.simultaneous(game.play, setup) == together:
                game.step()
            if len(game.commands) - before[0] > 1 and game.random.random() < 0.5:
                _permute(game, *before)
                tried += 1
    return tried


def _permute(game: Playout[Play], commands: int, events: int) -> None:
    """Give the commands after the first ``commands`` of a game in another order, which must give the same table.

    ``events`` is the number of events before them.
    """
    waiting: dict[int, list[tuple[int, int]]] = {}
    for index, (seat, _) in enumerate(game.commands[commands:], commands):
        waiting.setdefault(seat, []).append((seat, index))
    table = game.at(events)
    play = game.bind(table)
    order: list[int] = []
    while waiting:
        seat = game.random.choice(list(waiting))
        _, index = waiting[seat].pop(0)
        if not waiting[seat]:
            del waiting[seat]
        order.append(index)
        command = game.commands[index][1]
        rejection = play.decide(seat, command)
        assert rejection is None, f"commands {order}: seat {seat} may not {command}: {rejection}"
        play.recorder.take()
    assert table.contents() == game.table.contents(), f"commands in the order {order}"


def find_unplayed(adapter: Adapter, seeds: range) -> set[str]:
    """Return the commands and events that no eager game with these seeds has, except ``adapter.hardly_played``."""
    wanted = {*adapter.title.commands, *adapter.title.events} - set(adapter.hardly_played)
    for seed in seeds:
        if not wanted:
            break
        players = adapter.players[seed % len(adapter.players)]
        setup = random_setup(adapter.title, seed, players) if seed % 2 else default_setup(adapter.title, players)
        with playout(adapter, 2 * seed + 1, setup) as game:
            game.finish()
        wanted -= {type(command).__name__ for _, command in game.commands}
        wanted -= {event.name for event in game.events}
    return wanted


def find_unplayed_choices(adapter: Adapter) -> set[tuple[str, str]]:
    """Return the editions, and the choices of options and readings, that varied games do not reach."""
    meta = adapter.title.meta
    seen: set[tuple[str, str]] = set()
    for seed in range(2, 200, 3):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        seen |= {("edition", setup.edition), *setup.options.items(), *setup.readings.items()}
    wanted = {("edition", edition.id) for edition in meta.editions}
    wanted |= {(option.id, choice.id) for option in (*meta.options, *meta.readings) for choice in option.choices}
    return wanted - seen


# --- hidden information ------------------------------------------------------------------------------------------


class HiddenEvent(NamedTuple):
    """An event of a title whose detail some viewer does not get."""

    event: str
    viewer: int
    hidden: Sequence[str]
    """The zones and markers that hide it, each with its visibility."""
    public: Sequence[str]
    """The zones and markers with public changes in it. There must be none."""


def hidden_events(events: Sequence[GameEvent]) -> Iterator[HiddenEvent]:
    """Yield the title's events whose detail is hidden from a viewer, once for each such viewer."""
    created = events[0].detail
    assert isinstance(created, GameCreated)
    table = Table(created.layout)
    for event in events[1:]:
        table.apply_all(event.effects)
        if isinstance(event.detail, GAME_EVENTS):  # every viewer gets the detail of these
            continue
        for viewer in range(len(table.decisions)):
            hidden = [effect for effect in event.effects if hides_detail(table, effect, viewer)]
            if hidden:
                changes = (it for it in event.effects if isinstance(it, Move | Set))
                public = [it for it in changes if redact_effect(table, it, SPECTATOR) is it]
                topic = f"{event.topic} at {event.originator_version}"
                yield HiddenEvent(topic, viewer, _subjects(table, hidden), _subjects(table, public))


def _subjects(table: Table, effects: Iterable[Effect]) -> list[str]:
    """Return the zones and markers of effects, each with its visibility."""
    found: dict[str, str] = {}
    for effect in effects:
        match effect:
            case Move():
                zones = table.zones[effect.source], table.zones[effect.target]
                found |= {f"zone {zone.id}": zone.visibility for zone in zones}
            case Set():
                found[f"marker {effect.marker}"] = table.markers[effect.marker].visibility
            case Draw() | Shuffle():
                found[f"zone {effect.zone}"] = table.zones[effect.zone].visibility
            case Reveal():
                found[effect.subject] = effect.after
    return [f"{subject} ({visibility})" for subject, visibility in found.items()]


def check_own_event(hidden: HiddenEvent) -> None:
    """Check that an event that is hidden from a viewer changes nothing public: the viewer does not get the event."""
    assert not hidden.public, (
        f"{hidden.event} is hidden from the viewer {viewer_name(hidden.viewer)}, because it changes "
        f"{', '.join(hidden.hidden)}. It also has changes that every viewer sees: {', '.join(hidden.public)}. "
        "Put them into an event of their own: call emit between the hidden and the public changes."
    )


def check_client_tables(events: list[GameEvent]) -> Counter[tuple[int, str]]:
    """Check that clients that apply the effects they receive have the same table as their viewers see.

    Returns how often each viewer had to read the table again, by viewer and event.
    """
    seats = len(events[0].detail.seats)  # type: ignore[attr-defined]
    read_again: Counter[tuple[int, str]] = Counter()
    for version, (table, known) in enumerate(follow(events, (OPERATOR, SPECTATOR, *range(1, seats + 1))), 1):
        shows = any(isinstance(effect, Reveal) for effect in events[version - 1].effects)
        if not shows and version % AT_END and version < len(events):
            continue
        for viewer, client in known.items():
            assert not list(client.differences(table)), (version, viewer)
            if client.missing():
                assert shows, (version, viewer, client.missing())
                read_again[viewer, type(events[version - 1].detail).__name__] += 1
                known[viewer] = ClientTable(visible_table(table, viewer))
            assert known[viewer].seen() == visible_table(table, viewer), (version, viewer)
    return read_again


def check_twins(twins: Twins) -> None:
    """Check that a viewer gets equal results in two games that differ only in what it cannot see."""
    games = [start_twin(twins, which) for which in range(2)]
    _same_answers(games, twins.viewer)
    for step in twins.steps:
        for game, command in zip(games, step.commands, strict=True):
            give(game, step.seat, command)
        _same_answers(games, twins.viewer)


def _same_answers(games: Sequence[Game], viewer: int) -> None:
    one, other = (_answers(game, viewer) for game in games)
    for what, answer in one.items():
        assert other[what] == answer, f"{what}: {answer} here, {other[what]} if what viewer {viewer} cannot see differs"


def _answers(game: Game, viewer: int) -> dict[str, object]:
    """Return everything that the rules compute for a viewer."""
    play = game.play
    assert play is not None
    answers: dict[str, object] = {"board": play.board(viewer), "table": visible_table(game.table, viewer)}
    if viewer != SPECTATOR and game.table.decisions[viewer]:
        legal = list(play.legal(viewer))
        answers["legal commands"] = legal
        answers["previews"] = [preview(play, viewer, command) for command in legal]
        answers["sentences"] = [
            game.title.sentence("en", NAMES, viewer, offered_command(play, viewer, it)) for it in legal
        ]
    return answers


# --- whole games with their records ----------------------------------------------------------------------------------


def check_undo_and_record(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check that a game with undos can be loaded, and that its record is valid."""
    events = eager_history(adapter, setup, Random(seed), undos=2, may_be_short=True)
    game = Game.load(adapter.title, SECRET, events)
    assert game.status == ENDED
    report = check(adapter.title, record(events))
    assert report.holds, report.problems


def check_fork_and_record(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check that all seats and the operator can fork a game or get a reason, and that the forks' records are valid."""
    chance = Random(seed)
    game, history = start_game(adapter.title, setup)
    for _ in range(chance.randrange(1, 30)):
        if game.status != ENDED:
            seat = chance.choice(game.table.deciding())
            history += give(game, seat, adapter.eager(chance, game.play, seat, game.legal(seat)))
    if game.status == ENDED:
        return
    for viewer in (OPERATOR, *range(1, setup.players + 1)):
        fork = fork_game(Game.load(adapter.title, SECRET, history), viewer, chance.randbytes(16))
        if isinstance(fork, Rejection):
            assert viewer != OPERATOR, fork
            assert fork.rule in kernel_rules(), fork
            continue
        before, after = visible_table(game.table, viewer), visible_table(Table(fork.layout), viewer)
        assert before == after, f"what viewer {viewer} sees has changed in its fork"
        forked, events = start_game(adapter.title, setup, fork)
        report = check(adapter.title, record(events + finish_game(forked, chance)))
        assert report.holds, report.problems


def check_sentences(adapter: Adapter, seed: int, setup: Setup) -> None:
    """Check the sentences of all events, legal commands and rejections of a game in every language."""
    say, explain = adapter.title.sentence, adapter.title.explain
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            seat = game.table.deciding()[0]
            legal = list(game.play.legal(seat))
            for language in LANGUAGES:
                texts = [say(language, NAMES, seat, offered_command(game.play, seat, command)) for command in legal]
                assert len(set(texts)) == len(texts), f"two legal commands have the same sentence: {texts}"
                for sentence in texts:
                    check_sentence(sentence, ends="")
            for command in mutations(game.random, adapter, legal):
                rejection = game.play.decide(seat, command)
                game.play.recorder.rollback()
                if rejection is not None and rejection.rule not in kernel_rules():
                    for language in LANGUAGES:
                        check_sentence(explain(language, NAMES, rejection), ends=".")
            game.step()
        for event in game.events:
            for language in LANGUAGES:
                check_sentence(say(language, NAMES, event.seat, event.detail), ends=".")
