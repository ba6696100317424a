"""``boardkeeper film``: a game as pictures in a row."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boardkeeper.client.cli import record_files
from boardkeeper.client.cli.output import DONE, USAGE, CommandError, Output
from boardkeeper.client.cli.pictured import Drawn, opened, wish_of
from boardkeeper.client.pictures import apng
from boardkeeper.client.pictures.drawn import Moment, Wish
from boardkeeper.client.pictures.png import png

INDEX = "film.json"

_LAST_SHOWN = 5
"""How many times as long as the others the last frame is shown."""

_TOLD = 20
"""How often one hears of a long film at most."""


def run(arguments: Namespace, output: Output) -> int:
    """Draw the frames one by one, then the index, then the film in one file."""
    if arguments.svg and arguments.apng:
        raise CommandError("--apng is made of frames in PNG: leave --svg out.", USAGE)
    if arguments.apng:
        record_files.check_writable(arguments.apng)
    folder = _folder(arguments.out)
    with opened(arguments, output) as drawn:
        moments = _asked(drawn, arguments.first or 1, arguments.last or drawn.last)
        chosen = _frames(moments, arguments.every)
        wish = _of_one_size(drawn, chosen, wish_of(arguments))
        frames = []
        for number, told in enumerate(chosen, 1):
            last = told[-1]
            name = f"frame-{number:04}.{'svg' if arguments.svg else 'png'}"
            svg = drawn.picture(last.version, wish).svg
            content = svg.encode() if arguments.svg else png(svg)
            record_files.save(content, str(folder / name), private=bool(arguments.seat))
            seconds = arguments.seconds * (_LAST_SHOWN if number == len(chosen) else 1)
            sentences = [moment.sentence for moment in told if moment.sentence]
            frames.append(
                {"file": name, "version": last.version, "seconds": round(seconds, 3), "seat": last.seat,
                 "sentences": sentences}
            )  # fmt: skip
            if number % max(1, len(chosen) // _TOLD) == 0:
                output.remark(f"{number} of {len(chosen)} frames, version {last.version}")
        index = {
            "game": drawn.game, "title": drawn.title, "every": arguments.every, "width": wish.width,
            "height": wish.paper or wish.height, "frames": frames,
        }  # fmt: skip
        text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
        record_files.save(text.encode(), str(folder / INDEX), private=bool(arguments.seat))
        if arguments.apng:
            _animate(arguments, folder, [str(frame["file"]) for frame in frames])
    output.record({"folder": str(folder), **{key: value for key, value in index.items() if key != "frames"},
                   "frames": len(frames)})  # fmt: skip
    output.remark(f"{folder}: game {index['game']}, {len(frames)} frames of {index['width']} × {index['height']}")
    return DONE


def _folder(name: str) -> Path:
    """The folder, made if it is not there: only an empty one, lest frames of two films lie in it."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CommandError(f"{name} is not empty: name another folder for the film.")
    except OSError as error:
        raise CommandError(f"cannot use {name} for the film: {error.strerror}.") from error
    return folder


def _asked(drawn: Drawn, first: int, last: int) -> Sequence[Moment]:
    if not first <= last <= drawn.last:
        raise CommandError(f"the game has the versions 1 to {drawn.last}, and none from {first} to {last}.")
    return [moment for moment in drawn.moments() if first <= moment.version <= last]


def _frames(moments: Sequence[Moment], every: str) -> list[list[Moment]]:
    """The events that each frame is drawn after: one, all that a command led to, or all of a round."""
    frames: list[list[Moment]] = []
    for moment in moments:
        begins = every == "event" or (moment.begins if every == "command" else moment.round)
        if begins or not frames:
            frames.append([moment])
        else:
            frames[-1].append(moment)
    return frames


def _of_one_size(drawn: Drawn, frames: Sequence[Sequence[Moment]], wish: Wish) -> Wish:
    """The wish for all frames: paper as high as the last one takes, for boards grow while a game is played."""
    if wish.height:
        return wish
    height = drawn.picture(frames[-1][-1].version, wish).height
    return replace(wish, paper=height + height % 2)


def _animate(arguments: Namespace, folder: Path, names: Sequence[str]) -> None:
    stream = io.BytesIO()
    seconds = [arguments.seconds] * (len(names) - 1) + [arguments.seconds * _LAST_SHOWN]
    apng.write(stream, [folder / name for name in names], seconds)
    record_files.save(stream.getvalue(), arguments.apng, private=bool(arguments.seat))
