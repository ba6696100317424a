"""The table of Orléans Stories as text for a terminal."""

from __future__ import annotations

from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.stories import menu
from boardkeeper.client.drawing.stories.altered import altered
from boardkeeper.client.drawing.stories.gives import about
from boardkeeper.client.drawing.stories.map import draw_map
from boardkeeper.client.drawing.stories.nations import draw_nations
from boardkeeper.client.drawing.stories.score import draw_score
from boardkeeper.client.drawing.stories.side import draw_all_seats
from boardkeeper.client.drawing.stories.table import (
    draw_all_deeds,
    draw_glance,
    draw_overview,
    draw_progress,
    draw_supplies,
    draw_table,
)
from boardkeeper.client.drawing.stories.words import CAPTIONS, NAMES, plurals

DRAWING = Drawing(
    table=draw_table,
    glance=draw_glance,
    overview=draw_overview,
    score=draw_score,
    views={
        "m": ("map", draw_map),
        "o": ("all_seats", draw_all_seats),
        "e": ("eras", draw_progress),
        "d": ("deeds", draw_all_deeds),
        "n": ("nations", draw_nations),
        "s": ("supplies", draw_supplies),
    },
    group=menu.group,
    withdrawal=menu.withdrawal,
    plurals=plurals,
    round_event="RoundBegun",
    quiet_events=frozenset(
        {"FollowerPlaced", "FollowerWithdrawn", "PlanningFinished", "PhaseBegun", "TechnologyKept"}
        | {"TakingBackFinished", "TradingFinished", "MessageChosen", "SilenceKept", "GameCreated"}
    ),
    captions=CAPTIONS,
    names=NAMES,
    about=about,
    altered=altered,
)
