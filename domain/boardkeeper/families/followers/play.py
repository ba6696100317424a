"""Which functions of the family carry out and list commands; a title's play adds and replaces entries."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers.phases import actions, followers, planning, sacristy, technology
from boardkeeper.families.followers.phases.verbs import bathhouse, deeds
from boardkeeper.table.course import Decide, Legal

DECIDE: Mapping[tuple[str, type[Struct]], Decide] = {
    ("draw", c.DrawFollowers): followers.draw_followers,
    ("draw", c.TakeBackFollower): followers.take_back_follower,
    ("take_back", c.TakeBackFollower): followers.take_back_follower,
    ("take_back", c.FinishTakingBack): followers.finish_taking_back,
    ("plan", c.PlaceFollower): planning.place_follower,
    ("plan", c.WithdrawFollower): planning.withdraw_follower,
    ("plan", c.FinishPlanning): planning.finish_planning,
    ("plan", c.PlaceTechnology): technology.place_while_planning,
    ("act", c.SendToDeed): deeds.send,
    ("act", c.PlaceTechnology): technology.refuse_before_passing,
    ("act", c.Pass): actions.pass_turn,
    ("deed", c.SendToDeed): deeds.send,
    ("deed", c.FinishDeeds): deeds.finish,
    ("bathhouse", c.PlaceDrawnFollower): bathhouse.place_drawn,
    ("technology", c.PlaceTechnology): technology.place_technology,
    ("technology", c.KeepTechnology): technology.keep_technology,
    ("sacristy", c.UseSacristy): sacristy.use_sacristy,
    ("sacristy", c.SufferEvent): sacristy.suffer_event,
}
"""By the open decision and the kind of command."""

LEGAL: Mapping[str, Legal] = {
    "draw": followers.legal_draw,
    "take_back": followers.legal_take_back,
    "plan": planning.legal_plan,
    "act": actions.legal_act,
    "deed": deeds.legal_deed,
    "bathhouse": bathhouse.legal_bathhouse,
    "technology": technology.legal_technology,
    "sacristy": sacristy.legal_sacristy,
}
"""By the open decision."""
