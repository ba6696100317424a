"""Orléans Stories with exact types: its commands, its boards, and games that return them."""

from __future__ import annotations

from typing import TypeAlias

from boardkeeper import engine
from boardkeeper.families.followers.board import PlaceView, SpaceView
from boardkeeper.titles.stories.board import (
    AreaView,
    Board,
    BonusTilesView,
    CardsView,
    DeedView,
    EventsView,
    NationScoreView,
    NationView,
    ScoreView,
    SeatView,
)
from boardkeeper.titles.stories.commands import (
    AdvanceEra,
    Build,
    BuyGood,
    Conquer,
    ConvertCoins,
    DeclareMission,
    DeclineBonus,
    DrawFollowers,
    EnterTown,
    ExchangeGoods,
    Expand,
    FinishDeeds,
    FinishPlanning,
    FinishTakingBack,
    FinishTrading,
    GiveGood,
    KeepFollower,
    KeepMessage,
    KeepSilent,
    KeepTechnology,
    LookAtNation,
    Pass,
    PayCoins,
    PlaceDrawnFollower,
    PlaceFollower,
    PlaceTechnology,
    ProduceGoods,
    RazeFortress,
    RecruitFollower,
    ReturnSettler,
    SellGood,
    SendToDeed,
    SufferEvent,
    SurrenderCitizen,
    SurrenderFortress,
    SurrenderPlaceCard,
    SurrenderSettler,
    SurrenderTechnology,
    TakeBackFollower,
    TakeBonus,
    TakeCitizen,
    TakeCoins,
    TakeFollower,
    TakeGood,
    TakePlaceCard,
    UnlockPlace,
    UsePlace,
    UseSacristy,
    WithdrawFollower,
)

Command: TypeAlias = (
    TakeBackFollower
    | DrawFollowers
    | FinishTakingBack
    | KeepFollower
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
    | Expand
    | Conquer
    | EnterTown
    | Build
    | TakePlaceCard
    | ProduceGoods
    | ConvertCoins
    | ExchangeGoods
    | SellGood
    | BuyGood
    | FinishTrading
    | UnlockPlace
    | AdvanceEra
    | TakeCitizen
    | TakeGood
    | TakeCoins
    | RazeFortress
    | LookAtNation
    | TakeBonus
    | DeclineBonus
    | GiveGood
    | PayCoins
    | TakeFollower
    | ReturnSettler
    | KeepMessage
    | DeclareMission
    | KeepSilent
    | SurrenderSettler
    | SurrenderFortress
    | SurrenderPlaceCard
    | SurrenderCitizen
)
"""A command of Orléans Stories."""

Game: TypeAlias = engine.Game[Board, Command]
"""A game of Orléans Stories."""

_TITLE = engine.TypedTitle[Board, Command]("stories")

create, typed, action_space = _TITLE.create, _TITLE.typed, _TITLE.action_space

__all__ = [
    "AdvanceEra",
    "AreaView",
    "Board",
    "BonusTilesView",
    "Build",
    "BuyGood",
    "CardsView",
    "Command",
    "Conquer",
    "ConvertCoins",
    "DeclareMission",
    "DeclineBonus",
    "DeedView",
    "DrawFollowers",
    "EnterTown",
    "EventsView",
    "ExchangeGoods",
    "Expand",
    "FinishDeeds",
    "FinishPlanning",
    "FinishTakingBack",
    "FinishTrading",
    "Game",
    "GiveGood",
    "KeepFollower",
    "KeepMessage",
    "KeepSilent",
    "KeepTechnology",
    "LookAtNation",
    "NationScoreView",
    "NationView",
    "Pass",
    "PayCoins",
    "PlaceDrawnFollower",
    "PlaceFollower",
    "PlaceTechnology",
    "PlaceView",
    "ProduceGoods",
    "RazeFortress",
    "RecruitFollower",
    "ReturnSettler",
    "ScoreView",
    "SeatView",
    "SellGood",
    "SendToDeed",
    "SpaceView",
    "SufferEvent",
    "SurrenderCitizen",
    "SurrenderFortress",
    "SurrenderPlaceCard",
    "SurrenderSettler",
    "SurrenderTechnology",
    "TakeBackFollower",
    "TakeBonus",
    "TakeCitizen",
    "TakeCoins",
    "TakeFollower",
    "TakeGood",
    "TakePlaceCard",
    "UnlockPlace",
    "UsePlace",
    "UseSacristy",
    "WithdrawFollower",
    "action_space",
    "create",
    "typed",
]
