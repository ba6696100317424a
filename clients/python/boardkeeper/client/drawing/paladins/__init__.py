"""The table of Paladins of the West Kingdom as text for a terminal."""

from __future__ import annotations

from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.paladins.altered import altered
from boardkeeper.client.drawing.paladins.cards import about
from boardkeeper.client.drawing.paladins.hand import draw_paladins
from boardkeeper.client.drawing.paladins.menu import group
from boardkeeper.client.drawing.paladins.opponent import draw_opponent
from boardkeeper.client.drawing.paladins.score import draw_score
from boardkeeper.client.drawing.paladins.table import (
    draw_glance,
    draw_main_board,
    draw_overview,
    draw_sides,
    draw_supplies,
    draw_table,
)
from boardkeeper.client.drawing.paladins.words import CAPTIONS, NAMES, plurals

DRAWING = Drawing(
    table=draw_table,
    glance=draw_glance,
    overview=draw_overview,
    score=draw_score,
    views={
        "m": ("main_board", draw_main_board),
        "o": ("all_sides", draw_sides),
        "p": ("all_paladins", draw_paladins),
        "g": ("opponent", draw_opponent),
        "s": ("supplies", draw_supplies),
    },
    group=group,
    plurals=plurals,
    round_event="RoundBegun",
    quiet_events=frozenset(
        {"WorkerPlaced", "ActionBegun", "PaladinsDrawn", "PaladinsSorted", "WorkerReturned", "GameCreated"}
    ),
    turns=frozenset({"act"}),
    captions=CAPTIONS,
    names=NAMES,
    about=about,
    altered=altered,
)
