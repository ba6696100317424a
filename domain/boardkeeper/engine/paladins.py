"""Paladins of the West Kingdom with exact types: its commands, its boards, and games that return them."""

from __future__ import annotations

from typing import TypeAlias

from boardkeeper import engine
from boardkeeper.titles.paladins.board import (
    AreaSpace,
    AreaView,
    Board,
    FavourPlace,
    JarSpace,
    OpponentView,
    OrderPlace,
    OutsiderPlace,
    SeatView,
    SpaceView,
    TownsfolkPlace,
)
from boardkeeper.titles.paladins.commands import (
    AttackOutsider,
    BeginAction,
    ChoosePaladin,
    ChooseReward,
    ClearArea,
    ConvertOutsider,
    DiscardTownsfolk,
    ForgoReward,
    HireTownsfolk,
    KeepWorkers,
    Pass,
    PlaceJar,
    PlaceMonk,
    PlaceOutpost,
    PlaceWorker,
    PlaceWorkshop,
    ReturnWorker,
    TakeReward,
    TakeTavernCard,
    UseFavour,
    UseTownsfolk,
)

Command: TypeAlias = (
    ChoosePaladin
    | TakeTavernCard
    | BeginAction
    | UseFavour
    | PlaceWorker
    | Pass
    | ReturnWorker
    | KeepWorkers
    | HireTownsfolk
    | DiscardTownsfolk
    | PlaceWorkshop
    | ClearArea
    | PlaceMonk
    | PlaceOutpost
    | PlaceJar
    | AttackOutsider
    | ConvertOutsider
    | TakeReward
    | ChooseReward
    | ForgoReward
    | UseTownsfolk
)
"""A command of Paladins of the West Kingdom."""

Game: TypeAlias = engine.Game[Board, Command]
"""A game of Paladins of the West Kingdom."""

_TITLE = engine.TypedTitle[Board, Command]("paladins")

create, typed, action_space = _TITLE.create, _TITLE.typed, _TITLE.action_space

__all__ = [
    "AreaSpace",
    "AreaView",
    "AttackOutsider",
    "BeginAction",
    "Board",
    "ChoosePaladin",
    "ChooseReward",
    "ClearArea",
    "Command",
    "ConvertOutsider",
    "DiscardTownsfolk",
    "FavourPlace",
    "ForgoReward",
    "Game",
    "HireTownsfolk",
    "JarSpace",
    "KeepWorkers",
    "OpponentView",
    "OrderPlace",
    "OutsiderPlace",
    "Pass",
    "PlaceJar",
    "PlaceMonk",
    "PlaceOutpost",
    "PlaceWorker",
    "PlaceWorkshop",
    "ReturnWorker",
    "SeatView",
    "SpaceView",
    "TakeReward",
    "TakeTavernCard",
    "TownsfolkPlace",
    "UseFavour",
    "UseTownsfolk",
    "action_space",
    "create",
    "typed",
]
