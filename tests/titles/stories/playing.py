"""Games of Orléans Stories in process: set up, or played by bots (:mod:`boardkeeper.testkit.bot_games`)."""

from __future__ import annotations

from functools import partial

from boardkeeper.game.choices import complete
from boardkeeper.testkit import bot_games
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.title import TITLE

play_out = partial(bot_games.play_bot_game, TITLE)


def set_up_game(edition: str, players: int, seed: str, **choices: str) -> StoriesPlay:
    """Return a game after its set-up; ``choices`` are options and readings by id."""
    options = {option.id: choices[option.id] for option in TITLE.meta.options if option.id in choices}
    readings = {id: choice for id, choice in choices.items() if id not in options}
    setup = complete(TITLE.meta, Setup(edition, players, options, readings))
    play: StoriesPlay = bot_games.set_up_play(TITLE, setup, seed)
    play.recorder.take()
    return play
