/** The client: one service, its catalogue and its games. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Duration, FileDescriptorSet, Timestamp } from "@bufbuild/protobuf/wkt";
import { durationFromMs, FileDescriptorSetSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { type Asked, Connection, type OnConnection } from "./connection.js";
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

/** How to reach a service, and how to speak to it. */
export interface Connect {
  /** Where the service answers browsers, such as `https://play.example.org`; `location.origin` for its own pages. */
  readonly baseUrl?: string;
  /** The language of sentences. */
  readonly language?: "en" | "de";
  /** The key of a platform, which no page should have. */
  readonly key?: string;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** In place of Connect over `fetch`, in binary: any transport of Connect, such as gRPC's in Node. */
  readonly transport?: Transport;
  /** The deadline of one attempt, in milliseconds; 10 seconds unless said. */
  readonly timeoutMs?: number;
  /** How long a call is sent again while there is no answer, in milliseconds; 30 seconds unless said. */
  readonly patienceMs?: number;
  /** Told with the error when no answer comes and a call is sent again, once, and without one when there are answers again. */
  readonly onConnection?: OnConnection;
}

/** Who is to sit on a seat: {@link person}, {@link bot}, {@link automa} and {@link openSeat} make them. */
export type SeatRequest = MessageInitShape<typeof SeatRequestSchema>;

/**
 * A seat for somebody who plays through this client; its token comes back with the game. `entropy`, at most 64 bytes of
 * one's own, is mixed into the dice; fresh bytes of this machine are, unless it is given.
 */
export const person = (name: string, entropy: Uint8Array = randomBytes(ENTROPY_BYTES)): SeatRequest => ({
  name,
  entropy,
});

/** A seat that the service plays itself, by one of the kinds of bots that the title has (`Title.bots`). */
export const bot = (kind = "sensible", name = ""): SeatRequest => ({ bot: kind, name });

/** A seat that the rules play, where the title has such seats; the last ones need not be asked for. */
export const automa = (name = ""): SeatRequest => ({ bot: "automa", name });

/** A seat that somebody takes later by joining; the game waits for it. */
export const openSeat = (): SeatRequest => ({ open: true });

/** So many seconds for each decision; then a bot plays on, or the seat has to resign. */
export const perMove = (seconds: number, onExpiry: "bot" | "resign" = "bot"): TimeLimit => ({
  kind: "move",
  seconds,
  onExpiry,
});

/** So many seconds for the whole game, and some more after each turn. */
export const perGame = (seconds: number, increment = 0, onExpiry: "bot" | "resign" = "bot"): TimeLimit => ({
  kind: "game",
  seconds,
  increment,
  onExpiry,
});

/** What time people have to decide. */
export type TimeLimit = TimeControl | MessageInitShape<typeof TimeControlSchema>;

/** What new games and forks have in common. */
export interface NewTable extends Asked {
  /** Who plays, in the order of the seats. */
  readonly seats: readonly SeatRequest[];
  /** Whether anybody may watch, or only who has a seat or the platform's key. */
  readonly spectators?: boolean;
  readonly timeControl?: TimeLimit;
  /** Whether open seats are taken with an invitation only. */
  readonly byInvitation?: boolean;
  /** How long tokens of its seats hold, in milliseconds. */
  readonly seatTokenLifetimeMs?: number;
  /** Makes the same request one game, also across a crash of the caller; made here unless it is given. */
  readonly requestId?: string;
}

/** A new game of a title. */
export interface NewGame extends NewTable {
  readonly title: string;
  readonly edition?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly readings?: Readonly<Record<string, string>>;
}

/** A game that begins from the table of another one. */
export interface Fork extends NewTable {
  readonly gameId: string;
  /** The version to begin from; the present one unless said. */
  readonly version?: number | bigint;
  /** Of a seat: what it cannot know is dealt anew. Without one: what a spectator cannot know. */
  readonly token?: string;
}

/** A game that was just made, and its seats that belong to the maker. */
export interface Made {
  readonly gameId: string;
  readonly game: Game;
  readonly seats: readonly Seat[];
}

/** Which games to list; all of them unless said. Times are of the service's clock. */
export interface Filter extends Asked {
  readonly title?: string;
  readonly status?: GameStatus;
  /** Only games whose id begins so: 4 characters or more. */
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

/** Which page of a list. */
export interface Page {
  /** The most entries; the service chooses unless said. */
  readonly pageSize?: number;
  /** What the page before said; empty: the first page. */
  readonly pageToken?: string;
}

/** Taking an open seat. */
export interface Join extends Asked {
  readonly gameId: string;
  /** The seat, from 1; 0, the default: any open one. */
  readonly seat?: number;
  readonly name: string;
  /** The code of an invitation. */
  readonly invitation?: string;
  /** What goes into the dice, as in {@link person}. */
  readonly entropy?: Uint8Array;
  readonly requestId?: string;
}

/** Of which edition to tell, and of which table: the defaults unless said. */
export interface TitleQuery extends Asked {
  readonly edition?: string;
  /** How many seats; the most that the edition is for unless said. */
  readonly players?: number;
  readonly options?: Readonly<Record<string, string>>;
  readonly readings?: Readonly<Record<string, string>>;
}

/** Which state of a game a read has to have seen; our own last write unless said. */
export interface Fresh extends Asked {
  readonly minVersion?: number | bigint;
}

/**
 * Make a client of a service. Nothing is sent before the first call.
 *
 * @example
 * const client = connect({ baseUrl: "http://localhost:50080" });
 * const { seats } = await client.createGame({ title: "orleans", seats: [person("Anna"), bot()] });
 * const { commands } = await seats[0].legalCommands();
 * await seats[0].submit(commands[0]);
 */
export const connect = (how: Connect = {}): Client => new Client(how);

/** A service. Every method throws a {@link BoardkeeperError} if it fails; calls without an answer are repeated. */
export class Client {
  /** @internal */
  readonly connection: Connection;
  /** @internal */
  readonly stubs;
  private readonly catalog;
  private readonly players;

  constructor({ baseUrl = globalThis.location?.origin, fetch, transport, onConnection, ...manners }: Connect) {
    if (transport === undefined && baseUrl === undefined)
      throw new TypeError("where is the service? baseUrl is missing");
    const { language = "en", timeoutMs = 10_000, patienceMs = 30_000, key = "" } = manners;
    this.connection = new Connection({ language, timeoutMs, patienceMs, key }, onConnection);
    const way =
      transport ?? createConnectTransport({ baseUrl: baseUrl ?? "", useBinaryFormat: true, ...(fetch && { fetch }) });
    this.stubs = { games: createClient(Games, way), history: createClient(History, way) };
    this.catalog = createClient(Catalog, way);
    this.players = createClient(Players, way);
  }

  /** Break off whatever is under way. The client cannot be used any more. */
  close(): void {
    this.connection.close();
  }

  // --- the catalogue ---------------------------------------------------------------------------------------------

  /** What can be played. */
  async titles(asked: Asked = {}): Promise<Title[]> {
    return (await this.connection.call((options) => this.catalog.listTitles({}, options), asked)).titles;
  }

  /** One title: editions, options, readings, an edition's components and rules, and what lies where on a table of it. */
  title(title: string, { signal, ...query }: TitleQuery = {}): Promise<GetTitleResponse> {
    return this.connection.call((options) => this.catalog.getTitle({ title, ...query }, options), { signal });
  }

  /** The message types of a title: what `outside` contains in commands, events and boards of other packages. */
  async schema(title: string, { signal }: Asked = {}): Promise<FileDescriptorSet> {
    const answer = await this.connection.call((options) => this.catalog.getSchema({ title }, options), { signal });
    return answer.schema ?? create(FileDescriptorSetSchema);
  }

  // --- games -----------------------------------------------------------------------------------------------------

  /** What a game is, who plays it, how far it is and who has to decide. */
  async game(gameId: string, { minVersion, token = "", signal }: Fresh & { token?: string } = {}): Promise<Game> {
    const request = { gameId, ...since(this.connection.atLeast(gameId, minVersion)) };
    return present(
      await this.connection.call((options) => this.stubs.games.getGame(request, options), { token, gameId, signal }),
    );
  }

  /** All games that fit, the newest first, asked for a page at a time. */
  async *games(filter: Filter = {}): AsyncGenerator<Game, void, undefined> {
    let pageToken = "";
    do {
      const page = await this.gamesPage({ ...filter, pageSize: PAGE_SIZE, pageToken });
      yield* page.games;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /** One page of the games that fit, for who shows a list of them. Its `nextPageToken` asks for the next one, with the same filter. */
  gamesPage({ signal, ...filter }: Filter & Page = {}): Promise<ListGamesResponse> {
    const times: Record<string, Timestamp> = {};
    for (const [name, it] of Object.entries(filter)) if (it instanceof Date) times[name] = timestampFromDate(it);
    const request = { ...filter, ...times } as object;
    return this.connection.call((options) => this.stubs.games.listGames(request, options), { signal });
  }

  /** Make a game; seats are numbered from 1 in the given order. It starts when no seat is open. */
  async createGame({ title, edition, options, readings, signal, ...table }: NewGame): Promise<Made> {
    const request = { title, ...given({ edition, options, readings }), ...laid(table) };
    return this.made(await this.connection.call((it) => this.stubs.games.createGame(request, it), { signal }));
  }

  /** Make a game that begins from the table of another one, at a version or at present. */
  async fork({ gameId, version, token = "", signal, ...table }: Fork): Promise<Made> {
    const request = { gameId, ...(version !== undefined && { version: BigInt(version) }), ...laid(table) };
    const asked = { token, gameId, signal };
    return this.made(await this.connection.call((options) => this.stubs.games.forkGame(request, options), asked));
  }

  /** Take an open seat. */
  async join({ gameId, seat = 0, name, invitation = "", signal, ...more }: Join): Promise<Seat> {
    const { entropy = randomBytes(ENTROPY_BYTES), requestId = newId() } = more;
    const request = { gameId, seat, name, invitation, entropy, requestId };
    const answer = await this.connection.call((options) => this.stubs.games.joinGame(request, options), {
      gameId,
      signal,
    });
    return this.held(gameId, answer.seatToken as SeatToken);
  }

  /** A seat that one holds already: the token is what its game or joining gave. */
  seat(gameId: string, seat: number, token: string): Seat {
    return new Seat(this, gameId, seat, token);
  }

  /** A game as somebody sees it: who has that token, or without one a spectator. */
  viewer(gameId: string, token = ""): Viewer {
    return new Viewer(this, gameId, token);
  }

  /** Make a code with which somebody takes a free seat, once; 0 is any seat. Needs a token of the game, or a key. */
  async invite(
    gameId: string,
    { seat = 0, token = "", lifetimeMs, signal }: Asked & { seat?: number; token?: string; lifetimeMs?: number } = {},
  ): Promise<string> {
    const request = { gameId, seat, ...lasting("lifetime", lifetimeMs) };
    const asked = { token, gameId, signal };
    return (await this.connection.call((options) => this.players.createInvitation(request, options), asked)).code;
  }

  /** The public keys with which the service signs records. */
  async recordKeys(asked: Asked = {}): Promise<RecordKey[]> {
    return (await this.connection.call((options) => this.stubs.history.listKeys({}, options), asked)).keys;
  }

  private held(gameId: string, { seat, token }: SeatToken): Seat {
    return this.seat(gameId, seat, token);
  }

  private made(answer: { game?: Game | undefined; seatTokens: SeatToken[] }): Made {
    const game = present(answer);
    return { gameId: game.gameId, game, seats: answer.seatTokens.map((it) => this.held(game.gameId, it)) };
  }
}

/** The fields that have a value: a request must not have others. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, it]) => it !== undefined)) as never;
}

const since = (minVersion: bigint | undefined) => (minVersion === undefined ? {} : { minVersion });

const lasting = <Name extends string>(name: Name, ms: number | undefined) =>
  (ms === undefined ? {} : { [name]: durationFromMs(ms) }) as { [It in Name]?: Duration };

function laid({ seats, spectators, timeControl, byInvitation = false, seatTokenLifetimeMs, requestId }: NewTable) {
  return {
    seats: seats.map((it) => ({ ...it })) as SeatRequest[],
    byInvitation,
    requestId: requestId ?? newId(),
    ...given({ spectators, timeControl }),
    ...lasting("seatTokenLifetime", seatTokenLifetimeMs),
  };
}

function present({ game }: { game?: Game | undefined }): Game {
  if (game === undefined) throw new Error("the service answered without a game");
  return game;
}
