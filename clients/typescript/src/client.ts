/** The client: a server with its catalogue and its games. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, FileDescriptorSet, Timestamp } from "@bufbuild/protobuf/wkt";
import { durationFromMs, FileDescriptorSetSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Connection, type OnConnection, type RequestOptions } from "./connection.js";
import { Catalog, type GetTitleResponse, type Title } from "./gen/boardkeeper/v1/catalog_pb.js";
import type { TimeControl, TimeControlSchema } from "./gen/boardkeeper/v1/event_pb.js";
import type { Game, GameOutcome, GameStatus } from "./gen/boardkeeper/v1/game_pb.js";
import {
  Games,
  type ListGamesResponse,
  type SeatRequestSchema,
  type SeatToken,
} from "./gen/boardkeeper/v1/games_pb.js";
import { History, type RecordKey } from "./gen/boardkeeper/v1/history_pb.js";
import { Players } from "./gen/boardkeeper/v1/players_pb.js";
import { newId, randomBytes } from "./ids.js";
import { Seat } from "./seat.js";
import { Viewer } from "./viewer.js";

const PAGE_SIZE = 200;
const ENTROPY_BYTES = 32;

/** Options of a connection. */
export interface Connect {
  /** The server's address for browsers, such as `https://play.example.org`; default: `location.origin`. */
  readonly baseUrl?: string;
  /** The language of sentences. */
  readonly language?: "en" | "de";
  /** An API key of a platform. Web pages must not have one. */
  readonly key?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces Connect over `fetch` in binary: any Connect transport, such as gRPC in Node. */
  readonly transport?: Transport;
  /** The deadline of one attempt, in milliseconds; default: 10 seconds. */
  readonly timeoutMs?: number;
  /** How long an unanswered call is retried, in milliseconds; default: 30 seconds. */
  readonly retryTimeoutMs?: number;
  /** @deprecated Use `retryTimeoutMs`. */
  readonly patienceMs?: number;
  /**
   * Called with the error when a call is retried, once per outage, and without an error when the server answers again.
   */
  readonly onConnection?: OnConnection;
}

/** The player of a new seat, made by {@link person}, {@link bot}, {@link automa} or {@link openSeat}. */
export type SeatRequest = MessageInitShape<typeof SeatRequestSchema>;

/**
 * A seat played through this client; its token is returned with the game. `entropy`, at most 64 bytes, is mixed into
 * the dice; default: fresh random bytes.
 */
export const person = (name: string, entropy: Uint8Array = randomBytes(ENTROPY_BYTES)): SeatRequest => ({
  name,
  entropy,
});

/** A seat played by one of the title's bots (`Title.bots`). */
export const bot = (kind = "sensible", name = ""): SeatRequest => ({ bot: kind, name });

/** A seat played by the rules, if the title has such seats. The last seats are added without a request. */
export const automa = (name = ""): SeatRequest => ({ bot: "automa", name });

/** An open seat: the game waits until a player joins. */
export const openSeat = (): SeatRequest => ({ open: true });

/** A time limit for each decision, in seconds. When time runs out, a bot takes over or the seat resigns. */
export const perMove = (seconds: number, onExpiry: "bot" | "resign" = "bot"): TimeLimit => ({
  kind: "move",
  seconds,
  onExpiry,
});

/** A time limit for the whole game, in seconds, with an increment after each turn. */
export const perGame = (seconds: number, increment = 0, onExpiry: "bot" | "resign" = "bot"): TimeLimit => ({
  kind: "game",
  seconds,
  increment,
  onExpiry,
});

/** A time control. */
export type TimeLimit = TimeControl | MessageInitShape<typeof TimeControlSchema>;

/** Fields that new games and forks share. */
export interface NewTable extends RequestOptions {
  /** The players, in the order of the seats. */
  readonly seats: readonly SeatRequest[];
  /** If true, anyone may watch; otherwise only seats and holders of the platform's key. */
  readonly spectators?: boolean;
  readonly timeControl?: TimeLimit;
  /** If true, joining requires an invitation. */
  readonly byInvitation?: boolean;
  /** Lifetime of the seat tokens, in milliseconds. */
  readonly seatTokenLifetimeMs?: number;
  /** Makes retries of the same request create one game only, also after a crash of the caller; default: a new id. */
  readonly requestId?: string;
}

/** A new game of a title. */
export interface NewGame extends NewTable {
  readonly title: string;
  readonly edition?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly readings?: Readonly<Record<string, string>>;
}

/** A game that starts from the table of another game. */
export interface Fork extends NewTable {
  readonly gameId: string;
  /** The version to start from; default: the newest. */
  readonly version?: number | bigint;
  /**
   * The token of a seat: information hidden from that seat is dealt again. Without a token: information hidden from
   * spectators.
   */
  readonly token?: string;
}

/** A new game, and those of its seats whose tokens were returned. */
export interface Made {
  readonly gameId: string;
  readonly game: Game;
  readonly seats: readonly Seat[];
}

/** Filter for a list of games; default: all games. Times are those of the server's clock. */
export interface Filter extends RequestOptions {
  readonly title?: string;
  readonly status?: GameStatus;
  /** A prefix of the game id, at least 4 characters. */
  readonly idPrefix?: string;
  readonly playerId?: string;
  readonly deciding?: boolean;
  readonly outcome?: GameOutcome;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  readonly endedAfter?: Date;
  readonly endedBefore?: Date;
}

/** A page of a list. */
export interface Page {
  /** The largest number of entries; the server has a default. */
  readonly pageSize?: number;
  /** The `nextPageToken` of the previous page; empty for the first page. */
  readonly pageToken?: string;
}

/** A request to join a game. */
export interface Join extends RequestOptions {
  readonly gameId: string;
  /** The seat, from 1; 0, the default, selects any open seat. */
  readonly seat?: number;
  readonly name: string;
  /** The code of an invitation. */
  readonly invitation?: string;
  /** Entropy for the dice, as in {@link person}. */
  readonly entropy?: Uint8Array;
  readonly requestId?: string;
}

/** Edition and setup of a catalogue entry; the title has defaults. */
export interface TitleQuery extends RequestOptions {
  readonly edition?: string;
  /** The number of seats; default: the most that the edition supports. */
  readonly players?: number;
  readonly options?: Readonly<Record<string, string>>;
  readonly readings?: Readonly<Record<string, string>>;
}

/** The least version that a read must reflect; default: that of the client's last write. */
export interface Fresh extends RequestOptions {
  readonly minVersion?: number | bigint;
}

/**
 * Return a client of a server. It sends nothing before the first call.
 *
 * @example
 * const client = connect({ baseUrl: "http://localhost:50080" });
 * const { seats } = await client.createGame({ title: "orleans", seats: [person("Anna"), bot()] });
 * const { commands } = await seats[0].legalCommands();
 * await seats[0].submit(commands[0]);
 */
export const connect = (how: Connect = {}): Client => new Client(how);

/**
 * A connection to a server. Every method throws a {@link BoardkeeperError} on failure; unanswered calls are retried.
 */
export class Client {
  /** @internal */
  readonly connection: Connection;
  /** @internal */
  readonly stubs;
  private readonly catalog;
  private readonly players;

  constructor({ baseUrl = globalThis.location?.origin, fetch, transport, onConnection, ...settings }: Connect) {
    if (transport === undefined && baseUrl === undefined)
      throw new TypeError("baseUrl is missing: pass the address of the server");
    const { language = "en", timeoutMs = 10_000, patienceMs = 30_000, key = "" } = settings;
    const { retryTimeoutMs = patienceMs } = settings;
    this.connection = new Connection({ language, timeoutMs, retryTimeoutMs, key }, onConnection);
    const rpc =
      transport ?? createConnectTransport({ baseUrl: baseUrl ?? "", useBinaryFormat: true, ...(fetch && { fetch }) });
    this.stubs = { games: createClient(Games, rpc), history: createClient(History, rpc) };
    this.catalog = createClient(Catalog, rpc);
    this.players = createClient(Players, rpc);
  }

  /** Abort all running calls. The client cannot be used afterwards. */
  close(): void {
    this.connection.close();
  }

  // --- the catalogue ---------------------------------------------------------------------------------------------

  /** Return the titles of the server. */
  async titles(callOptions: RequestOptions = {}): Promise<Title[]> {
    return (await this.connection.call((options) => this.catalog.listTitles({}, options), callOptions)).titles;
  }

  /** Return a title's catalogue entry: editions, options, readings, components, rules and layout. */
  title(title: string, { signal, ...query }: TitleQuery = {}): Promise<GetTitleResponse> {
    return this.connection.call((options) => this.catalog.getTitle({ title, ...query }, options), { signal });
  }

  /** Return the message types of a title, for the `outside` fields of commands, events and boards of other packages. */
  async schema(title: string, { signal }: RequestOptions = {}): Promise<FileDescriptorSet> {
    const answer = await this.connection.call((options) => this.catalog.getSchema({ title }, options), { signal });
    return answer.schema ?? create(FileDescriptorSetSchema);
  }

  // --- games -----------------------------------------------------------------------------------------------------

  /** Return a game: its setup, players, status and the seats that have to decide. */
  async game(gameId: string, { minVersion, token = "", signal }: Fresh & { token?: string } = {}): Promise<Game> {
    const request = { gameId, ...minVersionField(this.connection.atLeast(gameId, minVersion)) };
    return requireGame(
      await this.connection.call((options) => this.stubs.games.getGame(request, options), { token, gameId, signal }),
    );
  }

  /** Iterate over the games that match a filter, newest first. Pages are requested as needed. */
  async *games(filter: Filter = {}): AsyncGenerator<Game, void, undefined> {
    let pageToken = "";
    do {
      const page = await this.gamesPage({ ...filter, pageSize: PAGE_SIZE, pageToken });
      yield* page.games;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /** Return one page of games. `nextPageToken` of the answer selects the next page of the same filter. */
  gamesPage({ signal, ...filter }: Filter & Page = {}): Promise<ListGamesResponse> {
    const times: Record<string, Timestamp> = {};
    for (const [name, it] of Object.entries(filter)) if (it instanceof Date) times[name] = timestampFromDate(it);
    const request = { ...filter, ...times } as object;
    return this.connection.call((options) => this.stubs.games.listGames(request, options), { signal });
  }

  /** Create a game with seats numbered from 1 in the order of `seats`. It starts when no seat is open. */
  async createGame({ title, edition, options, readings, signal, ...table }: NewGame): Promise<Made> {
    const request = { title, ...withoutUndefined({ edition, options, readings }), ...tableFields(table) };
    return this.toMade(await this.connection.call((it) => this.stubs.games.createGame(request, it), { signal }));
  }

  /** Create a game from a version of another game. */
  async fork({ gameId, version, token = "", signal, ...table }: Fork): Promise<Made> {
    const request = { gameId, ...(version !== undefined && { version: BigInt(version) }), ...tableFields(table) };
    const callOptions = { token, gameId, signal };
    return this.toMade(
      await this.connection.call((options) => this.stubs.games.forkGame(request, options), callOptions),
    );
  }

  /** Take an open seat. */
  async join({ gameId, seat = 0, name, invitation = "", signal, ...more }: Join): Promise<Seat> {
    const { entropy = randomBytes(ENTROPY_BYTES), requestId = newId() } = more;
    const request = { gameId, seat, name, invitation, entropy, requestId };
    const answer = await this.connection.call((options) => this.stubs.games.joinGame(request, options), {
      gameId,
      signal,
    });
    return this.seatOf(gameId, answer.seatToken as SeatToken);
  }

  /** Return a seat for a token that was stored earlier. */
  seat(gameId: string, seat: number, token: string): Seat {
    return new Seat(this, gameId, seat, token);
  }

  /** Return the view of a game for a token, or of a spectator. */
  viewer(gameId: string, token = ""): Viewer {
    return new Viewer(this, gameId, token);
  }

  /**
   * Create an invitation code for an open seat, usable once; 0 is any seat. It requires a token of the game, or a key.
   */
  async invite(
    gameId: string,
    {
      seat = 0,
      token = "",
      lifetimeMs,
      signal,
    }: RequestOptions & { seat?: number; token?: string; lifetimeMs?: number } = {},
  ): Promise<string> {
    const request = { gameId, seat, ...durationField("lifetime", lifetimeMs) };
    const callOptions = { token, gameId, signal };
    return (await this.connection.call((options) => this.players.createInvitation(request, options), callOptions)).code;
  }

  /** Return the public keys of the server's record signatures. */
  async recordKeys(callOptions: RequestOptions = {}): Promise<RecordKey[]> {
    return (await this.connection.call((options) => this.stubs.history.listKeys({}, options), callOptions)).keys;
  }

  private seatOf(gameId: string, { seat, token }: SeatToken): Seat {
    return this.seat(gameId, seat, token);
  }

  private toMade(answer: { game?: Game | undefined; seatTokens: SeatToken[] }): Made {
    const game = requireGame(answer);
    return { gameId: game.gameId, game, seats: answer.seatTokens.map((it) => this.seatOf(game.gameId, it)) };
  }
}

/** Remove undefined fields, which requests must not have. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, it]) => it !== undefined)) as never;
}

const minVersionField = (minVersion: bigint | undefined) => (minVersion === undefined ? {} : { minVersion });

const durationField = <Name extends string>(name: Name, ms: number | undefined) =>
  (ms === undefined ? {} : { [name]: durationFromMs(ms) }) as { [It in Name]?: Duration };

function tableFields({
  seats,
  spectators,
  timeControl,
  byInvitation = false,
  seatTokenLifetimeMs,
  requestId,
}: NewTable) {
  return {
    seats: seats.map((it) => ({ ...it })) as SeatRequest[],
    byInvitation,
    requestId: requestId ?? newId(),
    ...withoutUndefined({ spectators, timeControl }),
    ...durationField("seatTokenLifetime", seatTokenLifetimeMs),
  };
}

function requireGame({ game }: { game?: Game | undefined }): Game {
  if (game === undefined) throw new Error("the server answered without a game");
  return game;
}
