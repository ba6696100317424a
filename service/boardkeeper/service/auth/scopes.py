"""The scopes of API keys, and the scope that each RPC needs."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.game.seat_actions import REQUESTED

CREATE = "create"
PLAY = "play"
WATCH = "watch"
HISTORY = "history"
IMPORT = "import"
OPERATE = "operate"
WEBHOOKS = "webhooks"

SCOPES: Mapping[str, str] = {
    CREATE: "create and fork games",
    PLAY: "join seats, and act for any person's seat: the platform needs no seat tokens",
    WATCH: "read and list games, read boards, watch games",
    HISTORY: "read events and records, verify them; `boardkeeper play` and `boardkeeper export` need it",
    IMPORT: "import records of games played elsewhere",
    OPERATE: "remove games, erase players, and see hidden information on request",
    WEBHOOKS: "manage webhooks of the platform",
}
"""All scopes with what each allows, in Markdown for the docs."""

NO_SCOPE = ""
"""RPCs with this scope need no key: they return nothing about games."""

RPC_SCOPES: Mapping[str, str] = {
    "Access.CreateAccessKey": OPERATE,
    "Access.ListAccessKeys": OPERATE,
    "Access.RotateAccessKey": OPERATE,
    "Access.RevokeAccessKey": OPERATE,
    "Access.LimitAccessKey": OPERATE,
    "Catalog.ListTitles": NO_SCOPE,
    "Catalog.GetTitle": NO_SCOPE,
    "Catalog.GetSchema": NO_SCOPE,
    "Feed.WatchGames": WATCH,
    "Games.CreateGame": CREATE,
    "Games.ForkGame": CREATE,
    "Games.GetGame": WATCH,
    "Games.ListGames": WATCH,
    "Games.JoinGame": PLAY,
    "Games.ReissueSeatToken": PLAY,
    "Games.CheckCommand": PLAY,
    "Games.ListLegalCommands": PLAY,
    "Games.ExplainRefusals": PLAY,
    **{f"Games.{action.__name__}": PLAY for action in REQUESTED},
    "Games.GetBoard": WATCH,
    "Games.GetTable": WATCH,
    "Games.GetScores": WATCH,
    "Games.WatchGame": WATCH,
    "Games.RemoveGame": OPERATE,
    "Games.Play": PLAY,  # its subscriptions need WATCH
    "Players.SetSeatPlayer": PLAY,
    "Players.ErasePlayer": OPERATE,
    "Players.CreateInvitation": PLAY,
    "Players.ListInvitations": PLAY,
    "Players.RevokeInvitation": PLAY,
    "Players.ListResults": WATCH,
    "Players.GetStandings": WATCH,
    "History.ListEvents": HISTORY,
    "History.GetRecord": HISTORY,
    "History.ImportRecord": IMPORT,
    "History.VerifyGame": HISTORY,
    "History.ListKeys": NO_SCOPE,
    **{
        f"Webhooks.{name}": WEBHOOKS
        for name in (
            "CreateWebhook",
            "ListWebhooks",
            "RotateWebhookSecret",
            "DeleteWebhook",
            "EnableWebhook",
            "TestWebhook",
            "ListDeadLetters",
            "ResendDeadLetters",
        )
    },
}
"""The scope that each RPC needs."""

SEAT_TOKEN_SCOPES = frozenset({PLAY, WATCH, HISTORY})
"""The scopes that a seat token has for its game."""
