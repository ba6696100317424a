/** A game as somebody sees it. */
import type { Client, Fork, Fresh, Made } from "./client.js";
import type { Asked } from "./connection.js";
import type { GetTitleResponse } from "./gen/boardkeeper/v1/catalog_pb.js";
import type { Event } from "./gen/boardkeeper/v1/event_pb.js";
import type { Game } from "./gen/boardkeeper/v1/game_pb.js";
import type { GetBoardResponse, GetScoresResponse, GetTableResponse } from "./gen/boardkeeper/v1/games_pb.js";
import type { Table } from "./gen/boardkeeper/v1/table_pb.js";
import { putTogether } from "./records.js";
import { type Update, type Watch, watch } from "./watching.js";

const PAGE_SIZE = 500;

/** At which version to look: the present one unless said, and then at least that of our own last write. */
export interface At extends Fresh {
  readonly version?: number | bigint;
}

/** Which events. */
export interface Span extends Fresh {
  /** Only events after that version; 0, the default: from the first one. */
  readonly after?: number | bigint;
  /** Only events up to that version; what there is so far unless said. */
  readonly until?: number | bigint;
}

/** Who sees a game: the holder of a token, or a spectator. What it may not know is in no answer. */
export class Viewer {
  constructor(
    /** @internal */
    protected readonly client: Client,
    /** The game. */
    readonly gameId: string,
    /** What proves a seat; empty: a spectator's. Keep it secret. */
    readonly token: string = "",
  ) {}

  /** What a game is, who plays it, how far it is and who has to decide. */
  game(fresh: Fresh = {}): Promise<Game> {
    return this.client.game(this.gameId, { ...fresh, token: this.token });
  }

  /** The catalogue entry of the game's title, for the game's own setup. Who knows the `game` spares asking for it. */
  async title({ game, ...asked }: Asked & { readonly game?: Game } = {}): Promise<GetTitleResponse> {
    const { title, edition, options, readings, seats } = game ?? (await this.game(asked));
    return this.client.title(title, { edition, players: seats.length, options, readings, ...asked });
  }

  /** The title-neutral table: where folding effects begins (`KnownTable.of`). */
  async table({ signal, ...at }: At = {}): Promise<GetTableResponse & { table: Table }> {
    const request = { gameId: this.gameId, ...this.at(at) };
    const answer = await this.client.connection.call((it) => this.client.stubs.games.getTable(request, it), {
      ...this.asks,
      signal,
    });
    if (answer.table === undefined) throw new Error("the service answered without a table");
    return { ...answer, table: answer.table };
  }

  /**
   * The score line by line, also while the game is running, as far as this viewer can know it. It has no `scoreSheet`
   * before the start, and while the game is running if its title has none.
   */
  scores({ signal, ...at }: At = {}): Promise<GetScoresResponse> {
    const request = { gameId: this.gameId, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.getScores(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** The board in the words of the title. */
  board({ signal, ...at }: At = {}): Promise<GetBoardResponse> {
    const request = { gameId: this.gameId, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.getBoard(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** The events stored so far, in order, asked for a page at a time. To go on live, {@link watch}. */
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

  /** The events after a version, then live ones, without a gap or a repetition, however often the connection breaks. */
  watch(how: Watch = {}): AsyncGenerator<Update, void, undefined> {
    return watch(this.client.connection, this.client.stubs.games, this, how);
  }

  /** The record of the game, as a file to keep: whole if it has ended, else in the form for this viewer. */
  async record({ minVersion, signal }: Fresh = {}): Promise<Uint8Array<ArrayBuffer>> {
    const least = this.client.connection.atLeast(this.gameId, minVersion);
    const request = { gameId: this.gameId, ...(least !== undefined && { minVersion: least }) };
    return this.client.connection.call(
      async (options) => {
        const pieces: Uint8Array[] = [];
        for await (const { data } of this.client.stubs.history.getRecord(request, options)) pieces.push(data);
        return putTogether(pieces);
      },
      { ...this.asks, signal, long: true },
    );
  }

  /** Make a game that begins from this one's table; what this viewer cannot know is dealt anew. */
  fork(how: Omit<Fork, "gameId" | "token">): Promise<Made> {
    return this.client.fork({ ...how, gameId: this.gameId, token: this.token });
  }

  /** Make a code with which somebody takes a free seat, once; 0, the default, is any seat. */
  invite(how: Asked & { seat?: number; lifetimeMs?: number } = {}): Promise<string> {
    return this.client.invite(this.gameId, { ...how, token: this.token });
  }

  /** Who asks about what. */
  protected get asks(): { token: string; gameId: string } {
    return { token: this.token, gameId: this.gameId };
  }

  /** The version asked for, or else the least that will do. */
  protected at({ version, minVersion }: At): { version?: bigint; minVersion?: bigint } {
    if (version !== undefined) return { version: BigInt(version) };
    const least = this.client.connection.atLeast(this.gameId, minVersion);
    return least === undefined ? {} : { minVersion: least };
  }
}
