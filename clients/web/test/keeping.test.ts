import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { GameStatus } from "@boardkeeper/client";
import { parse, toGame, toJoin, toNew } from "../src/app/routes.svelte.ts";
import { Seats, type StoredSeat } from "../src/app/seats.svelte.ts";
import { Invitations } from "../src/lobby/invitations.svelte.ts";
import { playerStatus, sortGames } from "../src/lobby/myGames.ts";

// Substitutes for browser APIs. Without Svelte's compiler, `$state` returns the value itself.
const stored = new Map<string, string>();
Object.assign(globalThis, {
  $state: Object.assign((value: unknown) => value, { raw: (value: unknown) => value }),
  addEventListener: () => {},
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  },
});
beforeEach(() => stored.clear());

const HERE = "https://games.example.org";
const seat = (game: string, number: number, server = HERE): StoredSeat => ({
  server,
  game,
  seat: number,
  token: `secret of ${game} ${number}`,
  name: "Anna",
  title: "one",
});

test("addresses are parsed as they are written", () => {
  assert.deepEqual(parse(""), { page: "lobby" });
  assert.deepEqual(parse("#/"), { page: "lobby" });
  assert.deepEqual(parse(toNew()), { page: "create" });
  assert.deepEqual(parse(toNew("a b")), { page: "create", like: "a b" });
  assert.deepEqual(parse(toGame("id", { version: 12, seat: 2 })), { page: "game", game: "id", version: 12, seat: 2 });
  assert.deepEqual(parse(toJoin("id", 3, "code/?&=#")), {
    page: "join",
    game: "id",
    seat: 3,
    invitation: "code/?&=#",
  });
  assert.deepEqual(parse("#/games/id?version=-1&seat=two"), { page: "game", game: "id" });
  assert.deepEqual(parse("#/games/id/more"), { page: "unknown" });
});

test("a malformed address is an unknown page", () => {
  assert.deepEqual(parse("#/games/%E0%A4%A"), { page: "unknown" });
});

test("seats are stored in order, each once", () => {
  const seats = new Seats();
  seats.add(seat("game", 3), seat("game", 1), seat("other", 1), seat("game", 1, "https://elsewhere.example.org"));
  seats.add({ ...seat("game", 3), token: "another" });
  assert.deepEqual(
    seats.of(HERE, "game").map(({ seat, token }) => [seat, token]),
    [
      [1, "secret of game 1"],
      [3, "another"],
    ],
  );
  assert.deepEqual(new Seats().of(HERE, "game"), seats.of(HERE, "game"));
  seats.forget(HERE, "game");
  assert.deepEqual(
    new Seats().all.map(({ server, game }) => [server, game]),
    [
      [HERE, "other"],
      ["https://elsewhere.example.org", "game"],
    ],
  );
});

test("seats are exported and imported as a file", () => {
  const seats = new Seats();
  seats.add(seat("game", 1), seat("game", 2));
  const file = seats.exportText();
  stored.clear();
  const imported = new Seats();
  imported.add(seat("other", 1));
  assert.equal(imported.importText(file), 2);
  assert.deepEqual(imported.of(HERE, "game"), seats.of(HERE, "game"));
  assert.equal(imported.of(HERE, "other").length, 1);
});

test("a file without seats, or with malformed ones, changes nothing", () => {
  const seats = new Seats();
  seats.add(seat("game", 1));
  const { token: _, ...incomplete } = seat("other", 1);
  for (const text of [
    "",
    "nothing",
    "null",
    "[]",
    JSON.stringify({ seats: [seat("other", 1)] }),
    JSON.stringify({ "boardkeeper-seats": 1, seats: [seat("other", 1), incomplete] }),
    JSON.stringify({ "boardkeeper-seats": 1, seats: [{ ...seat("other", 1), seat: "1" }] }),
  ]) {
    assert.throws(() => seats.importText(text), text);
  }
  assert.deepEqual(
    new Seats().all.map(({ game }) => game),
    ["game"],
  );
});

test("malformed entries of the browser's storage are ignored", () => {
  stored.set("boardkeeper.seats", '{"not": "a list"}');
  assert.deepEqual(new Seats().all, []);
  stored.set("boardkeeper.seats", JSON.stringify([seat("game", 1), { token: 1 }]));
  assert.equal(new Seats().all.length, 1);
});

test("an invitation is stored for its creator, and removed with its game", () => {
  const invitations = new Invitations();
  invitations.add({ server: HERE, game: "game", seat: 2, code: "first" });
  invitations.add({ server: HERE, game: "game", seat: 2, code: "second" });
  invitations.add({ server: HERE, game: "other", seat: 2, code: "third" });
  assert.equal(new Invitations().codeOf(HERE, "game", 2), "second");
  assert.equal(invitations.codeOf(HERE, "game", 1), undefined);
  invitations.forget(HERE, "game");
  assert.deepEqual(
    new Invitations().all.map(({ code }) => code),
    ["third"],
  );
});

test("games in which the player has to decide come first", () => {
  const game = (status: GameStatus, deciding: number[]) => ({ status, deciding });
  assert.equal(playerStatus(game(GameStatus.RUNNING, [1, 2]), [2]), "turn");
  assert.equal(playerStatus(game(GameStatus.RUNNING, [1]), [2]), "waiting");
  assert.equal(playerStatus(game(GameStatus.OPEN, []), [2]), "open");
  assert.equal(playerStatus(game(GameStatus.ENDED, []), [2]), "over");
  assert.equal(playerStatus(undefined, [2]), "unknown");
  assert.deepEqual(
    sortGames([
      { standing: "over", time: 9 },
      { standing: "turn", time: 1 },
      { standing: "waiting", time: 7 },
      { standing: "turn", time: 2 },
      { standing: "open", time: 8 },
    ]).map(({ time }) => time),
    [2, 1, 7, 8, 9],
  );
});
