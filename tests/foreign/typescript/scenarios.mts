// Runs the scenarios of tests/foreign/expectations.py with connect-node, and prints one JSON line for each.
// Usage: scenarios.mts HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE

import { readFileSync } from "node:fs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Code, ConnectError, createClient, encodeBinaryHeader, type Transport } from "@connectrpc/connect";
import { compressionGzip, createGrpcTransport } from "@connectrpc/connect-node";
import { Games, type PlayRequestSchema } from "../../../clients/examples/typescript/gen/boardkeeper/v1/games_pb.js";
import { History } from "../../../clients/examples/typescript/gen/boardkeeper/v1/history_pb.js";
import { ErrorInfoSchema } from "../../../clients/examples/typescript/gen/google/rpc/error_details_pb.js";

const LIMIT = 256 * 1024 - 4; // the field's header takes 4 bytes
const [address, gameId, token, file] = process.argv.slice(2) as [string, string, string, string];
const record = readFileSync(file);
const parts = Array.from({ length: Math.ceil(record.length / 65_536) }, (_, at) =>
  record.subarray(at * 65_536, (at + 1) * 65_536),
);
const options = { baseUrl: `http://${address}`, pingIntervalMs: 30_000 };
const transport: Transport = createGrpcTransport(options);
const games = createClient(Games, transport);
const history = createClient(History, transport);
const compressing = createClient(Games, createGrpcTransport({ ...options, sendCompression: compressionGzip }));
const wrongKey = { authorization: `Bearer bk_000000000000_${"a".repeat(49)}`, "accept-language": "de" };
let imported = "";

async function unary(): Promise<string> {
  const { game } = await games.getGame({ gameId }, { timeoutMs: 360_000_000 });
  return game?.title ?? "";
}

async function metadata(): Promise<string> {
  // One value: `Headers` would join two with a comma, which gRPC's C core does not split.
  const trace = encodeBinaryHeader(Uint8Array.from({ length: 256 }, (_, at) => at));
  const headers = { "x-request-id": "foreign-metadata", "trace-bin": trace };
  let trailers = new Headers();
  await games.getGame({ gameId }, { headers, onTrailer: (it) => (trailers = it) });
  return trailers.get("x-request-id") ?? "";
}

async function tooMuchMetadata(): Promise<string> {
  const headers = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}`, "1"]));
  await games.getGame({ gameId }, { headers });
  return "";
}

async function unimplemented(): Promise<string> {
  const method = { ...Games.method.getGame, name: "NoSuchMethod" };
  await transport.unary(method, undefined, undefined, undefined, {});
  return "";
}

async function deadline(): Promise<string> {
  const headers = { "x-request-id": "foreign-deadline" };
  await games.getGame({ gameId, minVersion: 1_000_000n, wait: { seconds: 30n } }, { headers, timeoutMs: 200 });
  return "";
}

async function cancelled(): Promise<string> {
  const abort = new AbortController();
  const headers = { "x-request-id": "foreign-cancelled" };
  for await (const _ of games.watchGame({ gameId }, { headers, signal: abort.signal })) abort.abort();
  return "";
}

/**
 * Make a call, and make it again if Node.js refuses it: it does so, without sending anything, if the server's GOAWAY
 * arrives between the choice of the connection and the request.
 */
async function called<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!ConnectError.from(error).rawMessage.includes("NGHTTP2_REFUSED_STREAM")) throw error;
    return await call();
  }
}

/** Open streams and cancel each after its first message, then make another call. */
async function cancelMany(): Promise<void> {
  for (let at = 0; at < 300; at++) {
    const abort = new AbortController();
    await called(() => games.watchGame({ gameId }, { signal: abort.signal })[Symbol.asyncIterator]().next());
    abort.abort();
    await called(() => games.getGame({ gameId }));
  }
}

async function oversized(client: typeof games, size: number): Promise<string> {
  await client.getGame({ gameId: "x".repeat(size) });
  return "";
}

async function clientStream(): Promise<string> {
  async function* requests() {
    for (const data of parts) yield { data };
  }
  const { game } = await history.importRecord(requests());
  imported = game?.gameId ?? "";
  return "imported";
}

async function serverStream(): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const { data } of history.getRecord({ gameId: imported })) {
    if (read.length === 0) await games.getGame({ gameId }); // over the same connection, while the stream is not read
    read.push(data);
  }
  return Buffer.concat(read).equals(record) ? "same" : "different";
}

async function rejectedWhileSending(): Promise<string> {
  async function* requests() {
    for (let at = 0; at < 1_000; at++) yield { data: parts[0] };
  }
  await history.importRecord(requests(), { headers: wrongKey });
  return "";
}

async function duplex(): Promise<string> {
  let [outcomes, rest, turn] = [0, 0, 0];
  let next = Promise.withResolvers<void>();
  async function* requests() {
    for (; turn < 10; await next.promise) {
      const action = { gameId, seat: 1, commandId: `duplex-${turn}` };
      const value = turn % 2 ? { case: "takeSeatBack", value: action } : { case: "handSeatToBot", value: action };
      yield { request: { case: "action", value: { action: value } } } as MessageInitShape<typeof PlayRequestSchema>;
    }
  }
  for await (const { response } of games.play(requests(), { headers: { authorization: `Bearer ${token}` } })) {
    if (response.case === "outcome" && response.value.commandId === `duplex-${turn}`) outcomes++;
    else rest++;
    turn++;
    if (turn === 5) await cancelMany();
    next.resolve();
    next = Promise.withResolvers<void>();
  }
  return `${outcomes} outcomes, then ${rest}`;
}

async function many(): Promise<string> {
  const answers = await Promise.all(Array.from({ length: 300 }, () => games.getGame({ gameId })));
  return String(answers.length);
}

const scenarios: Record<string, () => Promise<string>> = {
  unary,
  metadata,
  rejected: async () => String(await games.getGame({ gameId }, { headers: wrongKey })),
  too_much_metadata: tooMuchMetadata,
  unimplemented,
  deadline,
  cancelled,
  request_at_limit: () => oversized(games, LIMIT),
  request_beyond_limit: () => oversized(games, LIMIT + 1),
  compressed: () => oversized(compressing, LIMIT),
  compressed_beyond_limit: () => oversized(compressing, 40 * LIMIT),
  client_stream: clientStream,
  server_stream: serverStream,
  rejected_while_sending: rejectedWhileSending,
  duplex,
  many,
};
for (const [scenario, run] of Object.entries(scenarios)) {
  const line = { scenario, code: 0 as Code | 0, message: "", value: "" };
  try {
    line.value = await run();
  } catch (caught) {
    const error = ConnectError.from(caught);
    line.code = error.code;
    line.message = error.rawMessage;
    line.value = error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
  }
  console.log(JSON.stringify(line));
}
process.exit(); // do not wait for the idle connections
