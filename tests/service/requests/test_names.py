"""Names of seats: people can use their own names, but no name that looks like another one of the game."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import grpc
import pytest
from tests.databases.database_access import db_argument
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.rival_services import install_rival_title

from boardkeeper.service.requests.seat_names import BadNameError, check_name_differs, normalize_name
from boardkeeper.service.storage.admin import erase_name
from boardkeeper.v1 import games_pb2

SEAT = games_pb2.SeatRequest
INVALID = grpc.StatusCode.INVALID_ARGUMENT
CYRILLIC_ANNA = "\u0410nna"

LEGITIMATE = (
    "Anna",
    "Anna-Lena",
    "Zoë",
    "José",
    "Łukasz",
    "Nguyễn",
    "İbrahim",
    "ʻOkina",
    "Đặng",
    "O'Neil",
    "D’Arcy",
    "Ольга",
    "Ѐлена",
    "Μαρία",
    "Արամ",
    "მარიამ",
    "אבי",
    "שָׁלוֹם",
    "محمد",
    "علی\u200cرضا",
    "ﷴ",
    "प्रिया",
    "ক্ষেত্রজ্ঞ",
    "தமிழ்",
    "สมชาย",
    "བསྟན་འཛིན་",
    "አበበ",
    "ខ្មែរ",
    "မြန်မာ",
    "李雷",
    "サトウ",
    "김철수",
    "ᏣᎳᎩ",
    "Seat",
    "Seaton",
    "Bot",
    "Botond",
    "Anna B.",
    "山田　太郎",
    "Tanaka 太郎",
    "李 Lee",
    "Jean-Luc 2",
    "Ada & Bob",
    "Anna ❤️",
    "辻\U000e0100",
    "",
)

REJECTED = (
    "A\u200bnna",  # zero width space
    "A\u00adnna",  # soft hyphen
    "Anna\ufeff",
    "e\u200dva",  # a joiner that joins nothing
    "\u200cAnna",
    "\u3164",  # hangul fillers
    "\u115f\u1160",
    "\uffa0",
    "\u2800\u2800",  # braille without a dot
    "Anna\u2800",
    "a\ufe0f",  # a selector that selects nothing
    "Anna\u202e",  # directions
    "\u2066Anna\u2069",
    "\U000e0041nna",  # tags
    "Anna\n",
    "\ue000nna",  # of private use
    "Z" + "\u0301\u0302\u0303\u0304\u0305\u0306",
    "e" + "\u0323" * 3,
    "a\u20dd",
    "\u0301a",
    "...",
    "7",
    "❤️",
    CYRILLIC_ANNA,
    "Р\u0430ul",  # Latin after Cyrillic
    "\u03a1aul",  # Latin after Greek
    "Seat 2",
    "seat2",
    "SEAT.  16",
    "Platz 1",
    "Bot 3",
    "x" * 65,
)

ALIKE = (
    ("Anna", "Anna"),
    ("Anna", "ANNA"),
    ("Ida", "lda"),
    ("mia", "rnia"),
    ("Tom", "Torn"),
    ("\u0421\u043e\u0440", "Cop"),  # Cyrillic and Latin
    ("Max", "\u041c\u0430\u0445"),
    ("O'Neil", "O’Neil"),
    ("ﬁona", "fiona"),
    ("Zoë", unicodedata.normalize("NFD", "Zoë")),
)

APART = (("Anna", "Hanna"), ("Zoë", "Zoe"), ("李雷", "李雪"), ("Anna", "Anna B."), ("", ""), ("Jo", "Jon"))


@pytest.mark.parametrize("name", LEGITIMATE)
def test_accepted_names(name: str) -> None:
    normal = normalize_name(name)
    assert normal == unicodedata.normalize("NFC", name).replace("\u3000", " ")
    assert normalize_name(normal) == normal


@pytest.mark.parametrize("name", REJECTED, ids=ascii)
def test_rejected_names(name: str) -> None:
    with pytest.raises(BadNameError) as caught:
        normalize_name(name)
    assert caught.value.problem.german != caught.value.problem


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_the_same(one: str, other: str) -> None:
    for name, beside in ((one, other), (other, one)):
        with pytest.raises(BadNameError):
            check_name_differs(name, ["Somebody", beside])


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_differ(one: str, other: str) -> None:
    check_name_differs(one, [other])
    check_name_differs(other, [one])


@pytest.mark.socket
async def test_names_are_checked_in_all_calls(api: Api) -> None:
    german = (("accept-language", "de"),)
    async with grpc_error(INVALID) as problems:
        request = games_pb2.CreateGameRequest(title="orleans", seats=[SEAT(name="Ada"), SEAT(name="A\u200bda")])
        await api.games.CreateGame(request, metadata=german)
    assert problems[0].violations == {"seats[1].name": "darf keine unsichtbaren Zeichen enthalten"}
    async with grpc_error(INVALID) as problems:
        await api.create(SEAT(name="Max"), SEAT(name="\u041c\u0430\u0445"))
    assert problems[0].violations == {
        "seats[1].name": "looks too much like the name of another seat of this game; choose another name"
    }
    game, _ = await api.create(SEAT(name="Max"), SEAT(name="Ben", open=True), SEAT(open=True))
    async with grpc_error(INVALID) as problems:
        await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, seat=2, name="\u041c\u0430\u0445"))
    assert list(problems[0].violations) == ["name"]
    async with grpc_error(INVALID):
        seats = [SEAT(name="Max"), SEAT(name="max"), SEAT()]
        await api.games.ForkGame(games_pb2.ForkGameRequest(game_id=game.game_id, seats=seats))
    joining = games_pb2.JoinGameRequest(game_id=game.game_id, seat=2, name="Ben", request_id="a-request-id-of-a-test")
    first = await api.games.JoinGame(joining)
    assert (await api.games.JoinGame(joining)).seat_token == first.seat_token, "the name does not conflict with itself"


@pytest.mark.socket
async def test_the_name_of_the_automaton_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install_rival_title(monkeypatch)
    taken = "looks too much like the name of another seat of this game; choose another name"
    async with run_server(tmp_path / "games.db") as api:
        for name in ("Rival", "rivale"):  # in any language, because other players may use another one
            async with grpc_error(INVALID) as problems:
                await api.games.CreateGame(games_pb2.CreateGameRequest(title="tiny", seats=[SEAT(name=name)]))
            assert problems[0].violations == {"seats[0].name": taken}
        seats = [SEAT(name="Ada"), SEAT(name="Rivale", bot="automa")]
        await api.games.CreateGame(games_pb2.CreateGameRequest(title="tiny", seats=seats, options={"rival": "meek"}))
        free = games_pb2.CreateGameRequest(title="tiny", seats=[SEAT(open=True)])
        game = (await api.games.CreateGame(free)).game
        async with grpc_error(INVALID) as problems:
            await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, name="Rival"))
        assert problems[0].violations == {"name": taken}
        without = games_pb2.CreateGameRequest(title="tiny", seats=[SEAT(name="Rival"), SEAT()])
        await api.games.CreateGame(without)  # without an automaton the name is free


@pytest.mark.socket
async def test_a_name_is_erased_in_any_unicode_normalization(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        await api.create(SEAT(name=unicodedata.normalize("NFD", "Zoë")), SEAT(name="Bob"))
    for typed in (unicodedata.normalize("NFD", "Bob"), unicodedata.normalize("NFD", "Zoë")):
        assert len(erase_name(db_argument(tmp_path / "games.db"), typed)) == 1


@pytest.mark.socket
async def test_errors_are_in_the_language_of_the_client(api: Api) -> None:
    game, _ = await api.create()
    german = ("accept-language", "de")
    board = games_pb2.GetBoardRequest(game_id=game.game_id)
    async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG") as wrong:
        await api.games.GetBoard(board, metadata=(("authorization", "Bearer of-nobody"), german))
    async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING") as missing:
        await api.games.GetBoard(board, metadata=(("authorization", "of another form"), german))
    async with grpc_error(grpc.StatusCode.OUT_OF_RANGE) as beyond:
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id, version=999), metadata=(german,))
    async with grpc_error(grpc.StatusCode.NOT_FOUND) as unknown:
        other = game.game_id[:-1] + ("0" if game.game_id[-1] != "0" else "1")
        await api.games.GetGame(games_pb2.GetGameRequest(game_id=other), metadata=(german,))
    assert [wrong[0].text, missing[0].text[:31], beyond[0].text[-25:], unknown[0].text[:13]] == [
        "Das Token ist nicht das irgendeines Platzes dieses Spiels.",
        "Dem Aufruf fehlt das Token des ",
        "Version 999 hat es nicht.",
        "Es gibt kein ",
    ]
