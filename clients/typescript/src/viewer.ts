/** A viewer's access to a game. */
import type { Client, Fork, Fresh, Made } from "./client.js";
import type { RequestOptions } from "./connection.js";
import type { GetTitleResponse } from "./gen/boardkeeper/v1/catalog_pb.js";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import type { Game } from "./gen/boardkeeper/v1/game_pb.js";
import type { GetBoardResponse, GetScoresResponse, GetTableResponse } from "./gen/boardkeeper/v1/games_pb.js";
import type { Table } from "./gen/boardkeeper/v1/table_pb.js";
import { joinRecord } from "./records.js";
import { type Update, type Watch, watch } from "./watching.js";

const PAGE_SIZE = 500;

/** The version to read; default: the newest, at least that of the client's last write. */
export interface At extends Fresh {
  readonly version?: number | bigint;
}

/** A range of events. */
export interface Span extends Fresh {
  /** Only events after this version; default: 0. */
  readonly after?: number | bigint;
  /** Only events up to this version; default: the newest. */
  readonly until?: number | bigint;
}

/** A viewer of a game: the holder of a token, or a spectator. Answers contain nothing that the viewer may not know. */
export class Viewer {
  constructor(
    /** @internal */
    protected readonly client: Client,
    /** The game's id. */
    readonly gameId: string,
    /** The seat token; empty for spectators. Keep it secret. */
    readonly token: string = "",
  ) {}

  /** Return the game: its setup, players, status and the seats that have to decide. */
  game(fresh: Fresh = {}): Promise<Game> {
    return this.client.game(this.gameId, { ...fresh, token: this.token });
  }

  /** Return the catalogue entry of the game's title for its setup. Passing the `game` saves a request. */
  async title({ game, ...callOptions }: RequestOptions & { readonly game?: Game } = {}): Promise<GetTitleResponse> {
    const { title, edition, options, readings, seats } = game ?? (await this.game(callOptions));
    return this.client.title(title, { edition, players: seats.length, options, readings, ...callOptions });
  }

  /** Return the title-neutral table, the start for applying effects (`KnownTable.of`). */
  async table({ signal, ...at }: At = {}): Promise<GetTableResponse & { table: Table }> {
    const request = { gameId: this.gameId, ...this.at(at) };
    const answer = await this.client.connection.call((it) => this.client.stubs.games.getTable(request, it), {
      ...this.asks,
      signal,
    });
    if (answer.table === undefined) throw new Error("the server answered without a table");
    return { ...answer, table: answer.table };
  }

  /**
   * Return the score line by line, final or running, as far as the viewer may know it. `scoreSheet` is missing before
   * the start, and during games of titles without a running score.
   */
  scores({ signal, ...at }: At = {}): Promise<GetScoresResponse> {
    const request = { gameId: this.gameId, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.getScores(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** Return the board in the title's terms. */
  board({ signal, ...at }: At = {}): Promise<GetBoardResponse> {
    const request = { gameId: this.gameId, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.getBoard(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** Iterate over the stored events, in order. Pages are requested as needed. Use {@link watch} for live events. */
  async *events({ after = 0, until, minVersion, signal }: Span = {}): AsyncGenerator<Event, void, undefined> {
    const last = until === undefined ? undefined : BigInt(until);
    const pageSize = last === undefined ? PAGE_SIZE : Math.max(1, Math.min(PAGE_SIZE, Number(last - BigInt(after))));
    const least = this.client.connection.atLeast(this.gameId, minVersion);
    let pageToken = "";
    do {
      const request = {
        gameId: this.gameId,
        afterVersion: BigInt(after),
        pageSize,
        pageToken,
        ...(least !== undefined && { minVersion: least }),
      };
      const page = await this.client.connection.call((it) => this.client.stubs.history.listEvents(request, it), {
        ...this.asks,
        signal,
      });
      for (const event of page.events) {
        if (last !== undefined && event.version > last) return;
        yield event;
      }
      if (last !== undefined && (page.events.at(-1)?.version ?? 0n) >= last) return;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  /**
   * Iterate over the events after a version and then live ones, without gaps or repetitions, across broken connections.
   */
  watch(how: Watch = {}): AsyncGenerator<Update, void, undefined> {
    return watch(this.client.connection, this.client.stubs.games, this, how);
  }

  /** Return the record of the game as a file: whole after the end, otherwise redacted for this viewer. */
  async record({ minVersion, signal }: Fresh = {}): Promise<Uint8Array<ArrayBuffer>> {
    const least = this.client.connection.atLeast(this.gameId, minVersion);
    const request = { gameId: this.gameId, ...(least !== undefined && { minVersion: least }) };
    return this.client.connection.call(
      async (options) => {
        const pieces: Uint8Array[] = [];
        for await (const { data } of this.client.stubs.history.getRecord(request, options)) pieces.push(data);
        return joinRecord(pieces);
      },
      { ...this.asks, signal, long: true },
    );
  }

  /** Create a game from this one's table; information hidden from this viewer is dealt again. */
  fork(how: Omit<Fork, "gameId" | "token">): Promise<Made> {
    return this.client.fork({ ...how, gameId: this.gameId, token: this.token });
  }

  /** Create an invitation code for an open seat, usable once; 0, the default, is any seat. */
  invite(how: RequestOptions & { seat?: number; lifetimeMs?: number } = {}): Promise<string> {
    return this.client.invite(this.gameId, { ...how, token: this.token });
  }

  /** Credentials of all requests. */
  protected get asks(): { token: string; gameId: string } {
    return { token: this.token, gameId: this.gameId };
  }

  /** Return the requested version, or else the least acceptable one. */
  protected at({ version, minVersion }: At): { version?: bigint; minVersion?: bigint } {
    if (version !== undefined) return { version: BigInt(version) };
    const least = this.client.connection.atLeast(this.gameId, minVersion);
    return least === undefined ? {} : { minVersion: least };
  }
}
