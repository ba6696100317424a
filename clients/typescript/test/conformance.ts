/**
 * The SDK as a client of the conformance kit: plays a game, watches it, and prints each event once.
 *
 * node conformance.ts: reads lines `ID URL SECONDS WAY` and plays a game at each URL, several at the same time, with a
 * timeout of SECONDS. `WAY` is the rpc that gives the seat: `JoinGame`, `ForkGame`, or else `CreateGame`. For each line it
 * prints a JSON object with the `id`, and the exit `status` and output (`out`, `err`) of a corresponding program.
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
  const print = (status: number, err = "") => console.log(JSON.stringify({ id, status, out: out.join("\n"), err }));
  game(baseUrl!, Number(seconds), way, (it) => out.push(it)).then(
    () => print(0),
    (error) => print(1, String(error)),
  );
}

async function game(baseUrl: string, seconds: number, way: string, write: (line: string) => void): Promise<void> {
  const client = connect({ baseUrl, timeoutMs: seconds * 1000 });
  const seat = await takeSeat(client, way);
  await play(seat);
  for await (const update of seat.watch()) {
    if (update.kind !== "event") continue;
    write(`${update.version}  ${update.event.sentence}`);
    const mustDecide = update.event.effects.some(
      ({ effect }) => effect.case === "ask" && effect.value.seat === seat.number && effect.value.after !== "",
    );
    if (mustDecide) await play(seat);
  }
  for (const { rank, seat: number } of (await seat.game()).standings) write(`rank ${rank}: seat ${number}`);
  client.close();
}

async function takeSeat(client: Client, way: string): Promise<Seat> {
  const own = way === "JoinGame" ? openSeat() : person("Anna");
  const created = await client.createGame({ title: "orleans", seats: [own, bot()] });
  const { gameId } = created.game;
  if (way === "JoinGame") return client.join({ gameId, name: "Anna" });
  if (way !== "ForkGame") return created.seats[0]!;
  return (await client.fork({ gameId, version: 1, seats: [own, bot()], token: created.seats[0]!.token })).seats[0]!;
}

async function play(seat: Seat): Promise<void> {
  for (;;) {
    const { commands, version } = await seat.legalCommands();
    if (commands.length === 0) return;
    const chosen = commands[Math.floor(Math.random() * commands.length)]!;
    try {
      await seat.submit(chosen, { expectedVersion: version });
    } catch (error) {
      // The board has changed, or the server rejects the command: list the commands again.
      if (!(error instanceof VersionConflict || error instanceof Rejected || error instanceof BadRequest)) throw error;
    }
  }
}
