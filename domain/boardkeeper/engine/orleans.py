"""Orléans with exact types: its commands, its boards, and games that return them."""

from __future__ import annotations

from typing import TypeAlias

from boardkeeper import engine
from boardkeeper.families.followers.board import DeedView, PlaceView, SpaceView
from boardkeeper.titles.orleans.board import Board, HourGlassView, ScoreView, SeatView, WayView
from boardkeeper.titles.orleans.commands import (
    BuyDevelopment,
    DrawFollowers,
    FinishDeeds,
    FinishPlanning,
    FinishStoring,
    FinishTakingBack,
    GiveFood,
    KeepFollower,
    KeepTechnology,
    Pass,
    PayForFood,
    PlaceDrawnFollower,
    PlaceFollower,
    PlaceTechnology,
    RecruitFollower,
    SendToDeed,
    StoreFollower,
    SufferEvent,
    SurrenderDevelopment,
    SurrenderFollower,
    SurrenderGood,
    SurrenderPlaceTile,
    SurrenderTechnology,
    SurrenderTradingStation,
    TakeBackFollower,
    Travel,
    UsePlace,
    UseSacristy,
    WithdrawFollower,
)

Command: TypeAlias = (
    TakeBackFollower
    | DrawFollowers
    | FinishTakingBack
    | KeepFollower
    | StoreFollower
    | FinishStoring
    | PlaceFollower
    | WithdrawFollower
    | FinishPlanning
    | UsePlace
    | SendToDeed
    | FinishDeeds
    | PlaceDrawnFollower
    | Pass
    | PlaceTechnology
    | KeepTechnology
    | UseSacristy
    | SufferEvent
    | SurrenderTechnology
    | RecruitFollower
    | Travel
    | BuyDevelopment
    | GiveFood
    | PayForFood
    | SurrenderTradingStation
    | SurrenderFollower
    | SurrenderDevelopment
    | SurrenderGood
    | SurrenderPlaceTile
)
"""A command of Orléans."""

Game: TypeAlias = engine.Game[Board, Command]
"""A game of Orléans."""

_TITLE = engine.TypedTitle[Board, Command]("orleans")

create, typed, action_space = _TITLE.create, _TITLE.typed, _TITLE.action_space

__all__ = [
    "Board",
    "BuyDevelopment",
    "Command",
    "DeedView",
    "DrawFollowers",
    "FinishDeeds",
    "FinishPlanning",
    "FinishStoring",
    "FinishTakingBack",
    "Game",
    "GiveFood",
    "HourGlassView",
    "KeepFollower",
    "KeepTechnology",
    "Pass",
    "PayForFood",
    "PlaceDrawnFollower",
    "PlaceFollower",
    "PlaceTechnology",
    "PlaceView",
    "RecruitFollower",
    "ScoreView",
    "SeatView",
    "SendToDeed",
    "SpaceView",
    "StoreFollower",
    "SufferEvent",
    "SurrenderDevelopment",
    "SurrenderFollower",
    "SurrenderGood",
    "SurrenderPlaceTile",
    "SurrenderTechnology",
    "SurrenderTradingStation",
    "TakeBackFollower",
    "Travel",
    "UsePlace",
    "UseSacristy",
    "WayView",
    "WithdrawFollower",
    "action_space",
    "create",
    "typed",
]
