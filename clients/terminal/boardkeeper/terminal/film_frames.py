"""Frames of a film, their index, and the animated picture."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from boardkeeper.terminal import record_files
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.environment import STANDARD
from boardkeeper.terminal.errors import DONE, USAGE, CommandError, count_noun
from boardkeeper.terminal.film_folder import FilmFolder
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.picture_files import GamePictures, check_drawable, open_pictures, picture_style
from boardkeeper.terminal.pictures import apng
from boardkeeper.terminal.pictures.board_pictures import Moment, PictureOptions
from boardkeeper.terminal.pictures.engine import digest_of_drawing
from boardkeeper.terminal.pictures.png import png

INDEX = "film.json"

_LAST_SHOWN = 5
"""Factor for the duration of the last frame."""

_REMARKS = 20
"""Maximum number of progress remarks."""


def draw_film(arguments: Arguments, output: Output) -> int:
    """Draw the missing frames, then the animated picture and the index."""
    if arguments.svg and arguments.apng:
        raise CommandError("--apng needs PNG frames: leave --svg out.", USAGE)
    if arguments.apng:
        check_drawable(arguments.apng)
    record_files.check_one_output(arguments.apng, STANDARD if arguments.json else None)
    folder = Path(arguments.out)
    begun = FilmFolder.at(arguments.out)
    with open_pictures(arguments, output) as drawn:
        private = drawn.is_private
        first, last = arguments.first or 1, arguments.last or begun.film.get("to") or drawn.last
        chosen = _frames(_asked(drawn, first, last), arguments.every)
        wish = _of_one_size(drawn, chosen, picture_style(arguments))
        begun.begin(_film(arguments, drawn, wish, first, last), private=private)
        frames = _index_of(chosen, arguments)
        try:
            kept = _draw(begun, drawn, wish, frames, private=private, output=output)
            if arguments.apng:
                _animate(arguments, folder, frames, private=private)
        except (CommandError, KeyboardInterrupt):
            output.remark(f"{folder}: the film is not finished. Run the same command again to continue.")
            raise
        index = {
            "game": drawn.game, "title": drawn.title, "every": arguments.every, "width": wish.width,
            "height": wish.paper or wish.height, "frames": frames,
        }  # fmt: skip
        text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
        record_files.save(text.encode(), str(folder / INDEX), private=private)
        begun.finished()
    output.record({"folder": str(folder), **{key: value for key, value in index.items() if key != "frames"},
                   "frames": len(frames), "kept": kept})  # fmt: skip
    output.remark(
        f"{folder}: game {index['game']}, {count_noun(len(frames), 'frames')} of {index['width']} × {index['height']}"
    )
    return DONE


def _film(arguments: Arguments, drawn: GamePictures, wish: PictureOptions, first: int, last: int) -> dict[str, Any]:
    """Return the parameters on which the frames depend."""
    return {
        "game": drawn.game, "of": drawn.source, "from": first, "to": last, "every": arguments.every,
        "format": "svg" if arguments.svg else "png", "width": wish.width, "height": wish.paper or wish.height,
        "dark": wish.dark, "seat": arguments.seat, "boards": list(wish.boards), "language": arguments.language,
        "drawing": digest_of_drawing(),
    }  # fmt: skip


def _index_of(chosen: Sequence[Sequence[Moment]], arguments: Arguments) -> list[dict[str, Any]]:
    """Return the entries of ``film.json``."""
    frames = []
    for number, events in enumerate(chosen, 1):
        seconds = arguments.seconds * (_LAST_SHOWN if number == len(chosen) else 1)
        frames.append(
            {"file": f"frame-{number:04}.{'svg' if arguments.svg else 'png'}", "version": events[-1].version,
             "seconds": round(seconds, 3), "seat": events[-1].seat,
             "sentences": [moment.sentence for moment in events if moment.sentence]}
        )  # fmt: skip
    return frames


def _draw(
    begun: FilmFolder,
    drawn: GamePictures,
    wish: PictureOptions,
    frames: Sequence[Mapping[str, Any]],
    *,
    private: bool,
    output: Output,
) -> int:
    """Draw the missing frames; return the number of frames that existed."""
    missing = [(number, frame) for number, frame in enumerate(frames, 1) if not begun.has(frame["file"])]
    kept = len(frames) - len(missing)
    if kept:
        output.remark(f"{kept} of {len(frames)} frames exist already")
    for number, frame in missing:
        svg = drawn.picture(frame["version"], wish).svg
        begun.save(frame["file"], svg.encode() if frame["file"].endswith("svg") else png(svg), private=private)
        if number % max(1, len(frames) // _REMARKS) == 0:
            output.remark(f"{number} of {len(frames)} frames, version {frame['version']}")
    return kept


def _asked(drawn: GamePictures, first: int, last: int) -> Sequence[Moment]:
    if not first <= last <= drawn.last:
        raise CommandError(f"versions {first} to {last} do not exist: the game has versions 1 to {drawn.last}.")
    return [moment for moment in drawn.moments() if first <= moment.version <= last]


def _frames(moments: Sequence[Moment], every: str) -> list[list[Moment]]:
    """Return the events of each frame: one event, or those of a command or a round."""
    frames: list[list[Moment]] = []
    for moment in moments:
        begins = every == "event" or (moment.begins if every == "command" else moment.round)
        if begins or not frames:
            frames.append([moment])
        else:
            frames[-1].append(moment)
    return frames


def _of_one_size(drawn: GamePictures, frames: Sequence[Sequence[Moment]], wish: PictureOptions) -> PictureOptions:
    """Return the style with the height of the last frame, because boards grow during a game."""
    if wish.height:
        return wish
    height = drawn.picture(frames[-1][-1].version, wish).height
    return replace(wish, paper=height + height % 2)


def _animate(arguments: Arguments, folder: Path, frames: Sequence[Mapping[str, Any]], *, private: bool) -> None:
    stream = io.BytesIO()
    seconds = [arguments.seconds] * (len(frames) - 1) + [arguments.seconds * _LAST_SHOWN]
    apng.write(stream, [folder / frame["file"] for frame in frames], seconds)
    record_files.save(stream.getvalue(), arguments.apng, private=private)
