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

_LAST_FRAME_FACTOR = 5
"""The last frame is shown this many times longer than the others."""

_MAX_REMARKS = 20


def draw_film(arguments: Arguments, output: Output) -> int:
    """Draw the missing frames, then save the animated picture and the index."""
    if arguments.svg and arguments.apng:
        raise CommandError("--apng needs PNG frames: leave --svg out.", USAGE)
    if arguments.apng:
        check_drawable(arguments.apng)
    record_files.check_one_output(arguments.apng, STANDARD if arguments.json else None)
    path = Path(arguments.out)
    folder = FilmFolder.open(arguments.out)
    with open_pictures(arguments, output) as pictures:
        private = pictures.is_private
        first, last = arguments.first or 1, arguments.last or folder.parameters.get("to") or pictures.last
        chosen = _group_by_frame(_moments_between(pictures, first, last), arguments.every)
        options = _with_common_height(pictures, chosen, picture_style(arguments))
        folder.begin(_parameters(arguments, pictures, options, first, last), private=private)
        frames = _index_of(chosen, arguments)
        try:
            existing = _draw(folder, pictures, options, frames, private=private, output=output)
            if arguments.apng:
                _animate(arguments, path, frames, private=private)
        except (CommandError, KeyboardInterrupt):
            output.remark(f"{path}: the film is not finished. Run the same command again to continue.")
            raise
        index = {
            "game": pictures.game, "title": pictures.title, "every": arguments.every, "width": options.width,
            "height": options.paper or options.height, "frames": frames,
        }  # fmt: skip
        text = json.dumps(index, ensure_ascii=False, indent=1) + "\n"
        record_files.save(text.encode(), str(path / INDEX), private=private)
        folder.remove_progress()
    output.record({"folder": str(path), **{key: value for key, value in index.items() if key != "frames"},
                   "frames": len(frames), "kept": existing})  # fmt: skip
    output.remark(
        f"{path}: game {index['game']}, {count_noun(len(frames), 'frames')} of {index['width']} × {index['height']}"
    )
    return DONE


def _parameters(
    arguments: Arguments, pictures: GamePictures, options: PictureOptions, first: int, last: int
) -> dict[str, Any]:
    """Return the parameters on which the frames depend."""
    return {
        "game": pictures.game, "of": pictures.source, "from": first, "to": last, "every": arguments.every,
        "format": "svg" if arguments.svg else "png", "width": options.width, "height": options.paper or options.height,
        "dark": options.dark, "seat": arguments.seat, "boards": list(options.boards), "language": arguments.language,
        "drawing": digest_of_drawing(),
    }  # fmt: skip


def _index_of(chosen: Sequence[Sequence[Moment]], arguments: Arguments) -> list[dict[str, Any]]:
    """Return the entries of the frames in ``film.json``."""
    frames = []
    for number, events in enumerate(chosen, 1):
        seconds = arguments.seconds * (_LAST_FRAME_FACTOR if number == len(chosen) else 1)
        frames.append(
            {"file": f"frame-{number:04}.{'svg' if arguments.svg else 'png'}", "version": events[-1].version,
             "seconds": round(seconds, 3), "seat": events[-1].seat,
             "sentences": [moment.sentence for moment in events if moment.sentence]}
        )  # fmt: skip
    return frames


def _draw(
    folder: FilmFolder,
    pictures: GamePictures,
    options: PictureOptions,
    frames: Sequence[Mapping[str, Any]],
    *,
    private: bool,
    output: Output,
) -> int:
    """Draw the missing frames. Return the number of frames that existed before."""
    missing = [(number, frame) for number, frame in enumerate(frames, 1) if not folder.has(frame["file"])]
    existing = len(frames) - len(missing)
    if existing:
        output.remark(f"{existing} of {len(frames)} frames exist already")
    for number, frame in missing:
        svg = pictures.picture(frame["version"], options).svg
        folder.save(frame["file"], svg.encode() if frame["file"].endswith("svg") else png(svg), private=private)
        if number % max(1, len(frames) // _MAX_REMARKS) == 0:
            output.remark(f"{number} of {len(frames)} frames, version {frame['version']}")
    return existing


def _moments_between(pictures: GamePictures, first: int, last: int) -> Sequence[Moment]:
    if not first <= last <= pictures.last:
        raise CommandError(f"versions {first} to {last} do not exist: the game has versions 1 to {pictures.last}.")
    return [moment for moment in pictures.moments() if first <= moment.version <= last]


def _group_by_frame(moments: Sequence[Moment], every: str) -> list[list[Moment]]:
    """Return the events of each frame: one event, or those of a command or a round."""
    frames: list[list[Moment]] = []
    for moment in moments:
        begins = every == "event" or (moment.begins if every == "command" else moment.round)
        if begins or not frames:
            frames.append([moment])
        else:
            frames[-1].append(moment)
    return frames


def _with_common_height(
    pictures: GamePictures, frames: Sequence[Sequence[Moment]], options: PictureOptions
) -> PictureOptions:
    """Return the options with the height of the last frame, because boards grow during a game."""
    if options.height:
        return options
    height = pictures.picture(frames[-1][-1].version, options).height
    return replace(options, paper=height + height % 2)


def _animate(arguments: Arguments, folder: Path, frames: Sequence[Mapping[str, Any]], *, private: bool) -> None:
    stream = io.BytesIO()
    seconds = [arguments.seconds] * (len(frames) - 1) + [arguments.seconds * _LAST_FRAME_FACTOR]
    apng.write(stream, [folder / frame["file"] for frame in frames], seconds)
    record_files.save(stream.getvalue(), arguments.apng, private=private)
