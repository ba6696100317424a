"""The table of Orléans as text for a terminal."""

from __future__ import annotations

from boardkeeper.client.drawing.drawing import Drawing
from boardkeeper.client.drawing.orleans import menu
from boardkeeper.client.drawing.orleans.gives import about
from boardkeeper.client.drawing.orleans.map import draw_map, draw_ways
from boardkeeper.client.drawing.orleans.plurals import plurals
from boardkeeper.client.drawing.orleans.score import draw_score
from boardkeeper.client.drawing.orleans.table import (
    draw_all_deeds,
    draw_all_seats,
    draw_all_tracks,
    draw_glance,
    draw_overview,
    draw_supplies,
    draw_table,
)
from boardkeeper.client.drawing.orleans.words import CAPTIONS, NAMES
from boardkeeper.families.followers.data import OWN

DRAWING = Drawing(
    table=draw_table,
    glance=draw_glance,
    overview=draw_overview,
    score=draw_score,
    views={
        "m": ("map", draw_map),
        "w": ("ways", draw_ways),
        "o": ("all_seats", draw_all_seats),
        "d": ("deeds", draw_all_deeds),
        "t": ("tracks", draw_all_tracks),
        "s": ("supplies", draw_supplies),
    },
    group=menu.group,
    withdrawal=menu.withdrawal,
    plurals=plurals,
    round_event="HourGlassTurned",
    quiet_events=frozenset(
        {"FollowerPlaced", "FollowerWithdrawn", "PlanningFinished", "StoringFinished", "PhaseBegun"}
        | {"TechnologyKept", "TakingBackFinished", "GameCreated"}
    ),
    captions=CAPTIONS,
    names=NAMES,
    about=about,
    own=OWN,
)
