/**
 * The SDK as a client of the conformance kit: plays a game, follows it, and tells each event once.
 *
 * node conformance.ts: reads lines `ID URL SECONDS WAY`, plays a game at each URL, several at once, waiting so many seconds for
 * an answer; it comes to it by the rpc `WAY` (`JoinGame`, `ForkGame`; else it makes it). It writes for each a line of JSON
 * with its `id`, the `status` that a program of its own would have ended with, and what it would have said (`out`, `err`).
 */
import { createInterface } from "node:readline";
import {
  BadRequest,
  bot,
  type Client,
  connect,
  openSeat,
  person,
  Rejected,
  type Seat,
  VersionConflict,
} from "@boardkeeper/client";

for await (const line of createInterface({ input: process.stdin })) {
  const [id, baseUrl, seconds, way = ""] = line.split(" ");
  const out: string[] = [];
  const tell = (status: number, err = "") => console.log(JSON.stringify({ id, status, out: out.join("\n"), err }));
  game(baseUrl!, Number(seconds), way, (it) => out.push(it)).then(
    () => tell(0),
    (error) => tell(1, String(error)),
  );
}

async function game(baseUrl: string, seconds: number, way: string, say: (line: string) => void): Promise<void> {
  const client = connect({ baseUrl, timeoutMs: seconds * 1000 });
  const seat = await seatBy(client, way);
  await play(seat);
  for await (const update of seat.watch()) {
    if (update.kind !== "event") continue;
    say(`${update.version}  ${update.event.sentence}`);
    const asks = update.event.effects.some(
      ({ effect }) => effect.case === "ask" && effect.value.seat === seat.number && effect.value.after !== "",
    );
    if (asks) await play(seat);
  }
  for (const { rank, seat: number } of (await seat.game()).standings) say(`rank ${rank}: seat ${number}`);
  client.close();
}

async function seatBy(client: Client, way: string): Promise<Seat> {
  const own = way === "JoinGame" ? openSeat() : person("Anna");
  const made = await client.createGame({ title: "orleans", seats: [own, bot()] });
  const { gameId } = made.game;
  if (way === "JoinGame") return client.join({ gameId, name: "Anna" });
  if (way !== "ForkGame") return made.seats[0]!;
  return (await client.fork({ gameId, version: 1, seats: [own, bot()], token: made.seats[0]!.token })).seats[0]!;
}

async function play(seat: Seat): Promise<void> {
  for (;;) {
    const { commands, version } = await seat.legalCommands();
    if (commands.length === 0) return;
    const chosen = commands[Math.floor(Math.random() * commands.length)]!;
    try {
      await seat.submit(chosen, { expectedVersion: version });
    } catch (error) {
      // The board has changed, or it is told otherwise: look again.
      if (!(error instanceof VersionConflict || error instanceof Rejected || error instanceof BadRequest)) throw error;
    }
  }
}
