"""The decisions that all titles have, with the functions that list and carry out their commands."""

from __future__ import annotations

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers.phases import actions, followers, planning, sacristy, technology
from boardkeeper.families.followers.phases.verbs import bathhouse, deeds
from boardkeeper.titlekit.turn_flow import Decisions

DECISIONS: Decisions = {
    "draw": (followers.legal_draw, {
        c.DrawFollowers: followers.draw_followers,
        c.TakeBackFollower: followers.take_back_follower,
    }),
    "take_back": (followers.legal_take_back, {
        c.TakeBackFollower: followers.take_back_follower,
        c.FinishTakingBack: followers.finish_taking_back,
    }),
    "plan": (planning.legal_plan, {
        c.PlaceFollower: planning.place_follower,
        c.WithdrawFollower: planning.withdraw_follower,
        c.FinishPlanning: planning.finish_planning,
        c.PlaceTechnology: technology.place_while_planning,
    }),
    "act": (actions.legal_act, {
        c.SendToDeed: deeds.send,
        c.PlaceTechnology: technology.reject_before_passing,
        c.Pass: actions.pass_turn,
    }),
    "deed": (deeds.legal_deed, {c.SendToDeed: deeds.send, c.FinishDeeds: deeds.finish}),
    "bathhouse": (bathhouse.legal_bathhouse, {c.PlaceDrawnFollower: bathhouse.place_drawn}),
    "technology": (technology.legal_technology, {
        c.PlaceTechnology: technology.place_technology,
        c.KeepTechnology: technology.keep_technology,
    }),
    "sacristy": (sacristy.legal_sacristy, {
        c.UseSacristy: sacristy.use_sacristy,
        c.SufferEvent: sacristy.suffer_event,
    }),
}  # fmt: skip
"""For each decision: the function that lists its commands, and the functions that carry them out."""
