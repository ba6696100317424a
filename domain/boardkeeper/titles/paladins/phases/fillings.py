"""Which actions of the player board a seat can begin with its workers.

The rules ask for each listing, so these functions are not methods of the data, which is not compiled.
Source: paladins.workers.colours, .criminals.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.titles.paladins.data import BIT, CRIMINAL, Action, Data, Filling, PossibleFillings


def find_filling(action: Action, workshops: int, workers: int) -> Filling | None:
    """Return the filling of an action with this number of workers, or ``None``. ``workshops``: a mask of its spaces."""
    for filling in action.fillings[workshops]:
        if filling.workers == workers:
            return filling
    return None


def is_possible(filling: Filling, workers: Mapping[str, int]) -> bool:
    """Return whether the workers are enough; criminals replace missing colours.

    No two spaces of an action need the same colour.
    """
    colours, total = _colours_and_total(workers)
    return _is_enough(filling, colours, workers.get(CRIMINAL, 0), total)


def _colours_and_total(workers: Mapping[str, int]) -> tuple[int, int]:
    colours = total = 0
    for worker, count in workers.items():
        colours |= BIT[worker]
        total += count
    return colours, total


def _is_enough(filling: Filling, colours: int, criminals: int, total: int) -> bool:
    return total >= filling.workers and (filling.colour_mask & ~colours).bit_count() <= criminals


def possible_fillings(data: Data, workers: Mapping[str, int]) -> tuple[PossibleFillings, ...]:
    """Return the actions of the player board that some workers can begin, in order, with their fillings."""
    colours, total = _colours_and_total(workers)
    most = data.most_slots  # more workers than an action has spaces make no difference, so there are few keys
    key = (colours, min(workers.get(CRIMINAL, 0), most), min(total, most))
    possible = data.possible_fillings.get(key)
    if possible is None:
        possible = data.possible_fillings[key] = _find_possible_fillings(data, *key)
    return possible


def _find_possible_fillings(data: Data, colours: int, criminals: int, total: int) -> tuple[PossibleFillings, ...]:
    found: list[PossibleFillings] = []
    for id, action in data.actions.items():
        fillings: dict[int, list[Filling]] = {}
        is_any_possible = False
        for workshops, every in action.fillings.items():
            fillings[workshops] = []
            for filling in every:
                if _is_enough(filling, colours, criminals, total):
                    fillings[workshops].append(filling)
                    is_any_possible = True
        if is_any_possible:
            found.append((id, fillings))
    return tuple(found)
