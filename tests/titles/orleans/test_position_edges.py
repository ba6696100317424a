"""How far a position may go: what is just possible is accepted, and one step further is a problem, told in full."""

from __future__ import annotations

import pytest
from tests.titles.orleans.boards import Sheet
from tests.titles.orleans.test_position_problems import HARVEST, TORTURE, Make, Spoil, decider, of, problems


def food_due(decision: str, count: int) -> Spoil:
    """Let the seat that is struck owe so many food items."""
    return of(decision, lambda sheet, seat: sheet.set(f"seats.{seat}.food_due", count))


POSSIBLE: tuple[tuple[str, Make, Spoil], ...] = (
    ("all the food of the harvest is due", HARVEST, food_due("harvest", 1)),
    ("tortured for the first of two food items", TORTURE, food_due("torture", 1)),
    ("a debt of a whole food item", TORTURE, of("torture", lambda s, seat: s.set(f"seats.{seat}.debt", 5))),
)
"""What is just possible: what it is, a good position, and what a test does to it."""

BEYOND: tuple[tuple[str, str, Make, Spoil], ...] = (
    ("event_seats", "must be 1 while it strikes seat 2", HARVEST, lambda s: s.set("event_seats", 0)),
    ("event_seats", "must be 1 while it strikes seat 2", HARVEST, lambda s: s.set("event_seats", 2)),
    ("seats[1].passed", "everybody has passed before the event", HARVEST, lambda s: s.set("seats.1.passed", False)),
    ("seats[?].food_due", "must be 1 to 1", HARVEST, food_due("harvest", 0)),
    ("seats[?].food_due", "must be 1 to 1", HARVEST, food_due("harvest", 2)),
    ("seats[?].food_due", "is more than the harvest still asks for", TORTURE, food_due("torture", 2)),
)
"""One step too far: the field, the whole message, a good position, and what a test does to it."""


@pytest.mark.parametrize(("make", "change"), [case[1:] for case in POSSIBLE], ids=[case[0] for case in POSSIBLE])
def test_what_is_just_possible_is_no_problem(make: Make, change: Spoil) -> None:
    setup, board = make()
    sheet = Sheet(board)
    change(sheet)
    assert problems(setup, sheet.board()) == ()


@pytest.mark.parametrize(("field", "message", "make", "change"), BEYOND)
def test_one_step_further_is_the_only_problem(field: str, message: str, make: Make, change: Spoil) -> None:
    setup, board = make()
    sheet = Sheet(board)
    change(sheet)
    if "?" in field:
        decision = next(seat.decision for seat in board.seats if seat.decision)
        field = field.replace("?", str(decider(board, decision)))
    assert [(problem.field, problem.message) for problem in problems(setup, sheet.board())] == [(field, message)]
