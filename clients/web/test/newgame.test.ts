import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component, Game, GetTitleResponse, Title } from "@boardkeeper/client";
import { changedChoices, choicesOf, defaultChoice, existsIn, type Option, seatCounts } from "../src/lobby/choices.ts";
import { differenceRows } from "../src/lobby/differences.ts";
import { isLoopback } from "../src/lobby/loopback.ts";
import {
  changeSeat,
  hasLocalPlayer,
  rematchSeats,
  resizeSeats,
  type SeatDraft,
  seatRequests,
} from "../src/lobby/seating.ts";
import { defaultDraft, draftFromGame, fitDraft, newGameRequest, setupOf } from "../src/lobby/setup.ts";
import { describeTime, noTime, timeControlOf, timeDraftOf } from "../src/lobby/time.ts";

function option(id: string, choices: [string, number[]?][], more: Partial<Option> = {}): Option {
  return {
    id,
    text: `What about ${id}?`,
    choices: choices.map(([choice, players = []]) => ({ id: choice, text: `${choice}.`, players })),
    default: choices[0]?.[0] ?? "",
    rule: "",
    editions: [],
    ...more,
  } as unknown as Option;
}

function edition(id: string, playersMin: number, playersMax: number, readings: Record<string, string> = {}) {
  return { id, text: id, playersMin, playersMax, readings, rulebook: "", seatColors: [], supplies: [] };
}

const title = {
  id: "one",
  text: "One",
  editions: [edition("first", 2, 4, { reading: "other" }), edition("second", 1, 5), edition("four", 4, 4)],
  defaultEdition: "second",
  options: [
    option("opponent", [["off"], ["easy", [2]], ["hard", [2]]]),
    option("big", [
      ["few", [2, 3]],
      ["many", [4, 5]],
    ]),
    option("late", [["no"], ["yes"]], { editions: ["second"] }),
  ],
  readings: [option("reading", [["usual"], ["other"]])],
  bots: [
    { id: "sensible", text: "Good" },
    { id: "random", text: "Any" },
  ],
  alone: { opponent: "easy" },
} as unknown as Title;

const at = (id: string, seats: number) => {
  const found = title.editions.find((each) => each.id === id);
  assert.ok(found);
  return { title, edition: found, seats };
};
const [opponent, big, late] = title.options as [Option, Option, Option];
const [reading] = title.readings as [Option];
const possible = (it: Option, seats: number) =>
  choicesOf(it, at("second", seats))
    .filter(({ unavailable }) => unavailable === undefined)
    .map(({ choice }) => choice.id);

test("choices that do not fit the number of players have a reason and are no default", () => {
  assert.deepEqual(possible(big, 2), ["few"]);
  assert.deepEqual(possible(big, 5), ["many"]);
  assert.deepEqual(choicesOf(big, at("second", 5))[0]?.unavailable, { players: [2, 3] });
  assert.equal(defaultChoice(big, at("second", 5)), "many");
});

test("a solo game counts as two players and has an opponent, which other games do not have", () => {
  assert.deepEqual(possible(big, 1), ["few"]);
  assert.deepEqual(possible(opponent, 1), ["easy", "hard"]);
  assert.deepEqual(possible(opponent, 2), ["off"]);
  assert.deepEqual(possible(opponent, 3), ["off"]);
  assert.equal(defaultChoice(opponent, at("second", 1)), "easy");
});

test("an edition has its own readings and options", () => {
  assert.equal(defaultChoice(reading, at("first", 2)), "other");
  assert.equal(defaultChoice(reading, at("second", 2)), "usual");
  assert.equal(existsIn(late, at("first", 2).edition), false);
  assert.deepEqual(seatCounts(at("second", 1).edition), [1, 2, 3, 4, 5]);
});

test("the request contains only possible choices that differ from the defaults", () => {
  const chosen = { opponent: "hard", big: "many", late: "yes" };
  assert.deepEqual(changedChoices(title.options, chosen, at("second", 2)), { late: "yes" });
  assert.deepEqual(changedChoices(title.options, chosen, at("second", 1)), { opponent: "hard", late: "yes" });
  assert.deepEqual(changedChoices(title.options, chosen, at("first", 4)), {});
  assert.deepEqual(changedChoices(title.readings, { reading: "usual" }, at("first", 4)), { reading: "usual" });
});

test("another edition keeps the players as far as it has seats", () => {
  const draft = defaultDraft(title, "Anna");
  assert.deepEqual(
    draft.seats.map(({ who, name }) => [who, name]),
    [
      ["me", "Anna"],
      ["bot", ""],
    ],
  );
  const four = fitDraft(draft, title, "four", "Anna");
  assert.equal(four.seats.length, 4);
  assert.deepEqual(four.seats[0], draft.seats[0]);
  assert.equal(
    fitDraft({ ...four, seats: resizeSeats(four.seats, 5, "", "random") }, title, "first", "").seats.length,
    4,
  );
});

test("another title starts with its own choices and bots", () => {
  const other = { ...title, id: "other", bots: [{ id: "clever", text: "" }], alone: {} } as unknown as Title;
  const draft = { ...defaultDraft(title, "Anna"), options: { late: "yes" } };
  const moved = fitDraft(draft, other, "second", "Anna");
  assert.deepEqual([moved.title, moved.options, moved.seats[1]?.bot], ["other", {}, "clever"]);
});

test("the request contains the seats of the form", () => {
  const seats: SeatDraft[] = [
    { who: "me", bot: "sensible", name: " Anna " },
    { who: "bot", bot: "random", name: "" },
    { who: "open", bot: "sensible", name: "left over" },
  ];
  const [me, bot, open] = seatRequests(seats);
  assert.equal(me?.name, "Anna");
  assert.ok((me?.entropy?.length ?? 0) > 0);
  assert.deepEqual(bot, { bot: "random", name: "" });
  assert.deepEqual(open, { open: true });
});

test("the creator has one seat", () => {
  const seats = resizeSeats([], 3, "Anna", "sensible");
  assert.deepEqual(
    changeSeat(seats, 2, { who: "me" }).map(({ who }) => who),
    ["here", "bot", "me"],
  );
  assert.equal(hasLocalPlayer(resizeSeats([{ who: "open", bot: "", name: "" }], 2, "", "")), false);
});

test("invitations need a creator with a seat and an open seat", () => {
  const draft = { ...defaultDraft(title, "Anna"), byInvitation: true };
  assert.equal(newGameRequest(draft, title).byInvitation, false);
  const seats = changeSeat(draft.seats, 1, { who: "open" });
  assert.equal(newGameRequest({ ...draft, seats }, title).byInvitation, true);
  assert.equal(newGameRequest({ ...draft, seats: changeSeat(seats, 0, { who: "open" }) }, title).byInvitation, false);
});

test("a rematch has the own seats, bots, and open seats for the others, without seats of the rules", () => {
  const seat = (number: number, more: object) => ({
    seat: number,
    name: "",
    bot: "",
    handedOver: false,
    resigned: false,
    ...more,
  });
  const game = {
    title: "one",
    edition: "first",
    options: { big: "many" },
    readings: {},
    timeControl: { kind: "move", seconds: 86_400, increment: 0, onExpiry: "resign" },
    seats: [
      seat(1, { name: "Anna" }),
      seat(2, { name: "Carl", bot: "sensible", handedOver: true }),
      seat(3, { bot: "random" }),
      seat(4, { name: "Bert" }),
      seat(5, { bot: "automa" }),
    ],
  } as unknown as Game;
  const own = [
    { seat: 1, name: "Anna" },
    { seat: 4, name: "Bert" },
  ];
  assert.deepEqual(
    rematchSeats(game, own).map(({ who, bot, name }) => [who, bot, name]),
    [
      ["me", "", "Anna"],
      ["open", "", ""],
      ["bot", "random", ""],
      ["here", "", "Bert"],
    ],
  );
  const draft = draftFromGame(game, own);
  const { options, timeControl } = newGameRequest(draft, title);
  assert.deepEqual(options, {}); // "many" is the default with four players
  assert.deepEqual(timeControl, { kind: "move", seconds: 86_400, increment: 0, onExpiry: "resign" });
  assert.equal(setupOf(draft, title)?.seats, 4);
});

test("the time control is requested in seconds, and converted back to the form", () => {
  assert.equal(timeControlOf(noTime()), undefined);
  for (const draft of [
    { ...noTime(), kind: "move" as const, minutes: 1.5, onExpiry: "resign" as const },
    { ...noTime(), kind: "game" as const, minutes: 45, increment: 20 },
    { ...noTime(), kind: "days" as const, days: 7 },
  ]) {
    assert.deepEqual(timeDraftOf(timeControlOf(draft)), draft);
  }
  assert.deepEqual(timeControlOf({ ...noTime(), kind: "move", minutes: Number.NaN })?.seconds, 0);
  const words = {
    move: (time: string) => `${time} a move`,
    game: (time: string, increment: number) => `${time} + ${increment}`,
    minutes: (count: number) => `${count} min`,
    days: (count: number) => `${count} d`,
  };
  assert.equal(describeTime({ kind: "move", seconds: 172_800, increment: 0, onExpiry: "bot" }, words), "2 d a move");
  assert.equal(describeTime({ kind: "game", seconds: 90, increment: 5, onExpiry: "bot" }, words), "1.5 min + 5");
});

test("differences of editions are shown with names, not ids", () => {
  const catalogue = {
    title,
    components: [{ id: "guild_hall", text: "Guildhall" }],
    differences: [
      { id: "players", values: { first: "2-4", second: "1-5" }, references: { first: "p. 1", second: "a; b; c" } },
      { id: "reading.reading", values: { first: "other", second: "usual" }, references: {} },
      { id: "component.guild_hall", values: { first: "1", second: "2" }, references: {} },
      { id: "component.any_town", values: { second: "2" }, references: {} },
      { id: "component.mill", values: { second: "1" }, references: {} },
      { id: "table.places.guild_hall.is_red", values: { first: "True", second: "guild_hall, 3" }, references: {} },
      { id: "table.places.guild_hall.en", values: { first: "Guildhall", second: "Guild Hall" }, references: {} },
      { id: "table.places.guild_hall.de", values: { first: "Gildenhaus", second: "Gilde" }, references: {} },
    ],
  } as unknown as GetTitleResponse;
  const rows = differenceRows(catalogue, { yes: "yes", no: "no", language: "de" }, [
    { id: "mill", text: "Mill" },
    { id: "guild_hall", text: "of another edition" },
  ] as Component[]);
  assert.deepEqual(
    rows.map(({ kind, path, values }) => [kind, path, values]),
    [
      ["players", [], ["2–4", "1–5", ""]],
      ["reading", ["What about reading?"], ["other.", "usual.", ""]],
      ["component", ["Guildhall"], ["1", "2", ""]],
      ["component", ["any town"], ["", "2", ""]],
      ["component", ["Mill"], ["", "1", ""]],
      ["table", ["places", "Guildhall", "is red"], ["yes", "Guildhall, 3", ""]],
      ["table", ["places", "Guildhall"], ["Gildenhaus", "Gilde", ""]],
    ],
  );
  assert.deepEqual(rows[0]?.references, ["p. 1", "a; b; …", ""]);
});

test("loopback addresses are recognized", () => {
  const own = ["localhost", "games.localhost", "127.0.0.1", "127.1.2.3", "[::1]"];
  assert.deepEqual(own.map(isLoopback), [true, true, true, true, true]);
  const reachable = ["games.example.org", "192.168.1.20", "localhost.example.org", "127.example.org"];
  assert.deepEqual(reachable.map(isLoopback), [false, false, false, false]);
});
