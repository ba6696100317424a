"""Games of bots (:mod:`boardkeeper.testkit.bot_games`)."""

from __future__ import annotations

from functools import partial

from boardkeeper.testkit import bot_games
from boardkeeper.titles.orleans.title import TITLE

play_out = partial(bot_games.play_bot_game, TITLE)
