/**
 * The seats whose tokens this browser stores. Tokens are sent only to their server; players can export them as a file.
 */

export interface StoredSeat {
  /** The origin of the server that has the game. */
  readonly server: string;
  readonly game: string;
  readonly seat: number;
  readonly token: string;
  /** The player's name in the game. */
  readonly name: string;
  /** The id of the title. */
  readonly title: string;
}

const KEY = "boardkeeper.seats";

export class Seats {
  all = $state.raw<readonly StoredSeat[]>(read());

  constructor() {
    addEventListener("storage", (event) => {
      if (event.key === KEY) this.all = read(); // another tab has stored a seat
    });
  }

  /** Return the seats of a game that this browser plays, in order. */
  of(server: string, game: string): readonly StoredSeat[] {
    return this.all
      .filter((each) => each.server === server && each.game === game)
      .sort((one, other) => one.seat - other.seat);
  }

  add(...seats: readonly StoredSeat[]): void {
    const isNew = (old: StoredSeat) =>
      !seats.some(({ server, game, seat }) => old.server === server && old.game === game && old.seat === seat);
    this.store([...read().filter(isNew), ...seats]);
  }

  forget(server: string, game: string): void {
    this.store(read().filter((each) => each.server !== server || each.game !== game));
  }

  /** Return all seats as the text of a file. */
  exportText(): string {
    return JSON.stringify({ "boardkeeper-seats": 1, seats: this.all }, null, 2);
  }

  /** Add the seats of an exported file and return their number; throws an `Error` for another file. */
  importText(text: string): number {
    const read: unknown = JSON.parse(text);
    const seats =
      typeof read === "object" && read !== null && "boardkeeper-seats" in read && "seats" in read
        ? read.seats
        : undefined;
    if (!Array.isArray(seats) || !seats.every(isSeat)) throw new Error("no seats");
    this.add(...seats);
    return seats.length;
  }

  private store(seats: readonly StoredSeat[]): void {
    this.all = seats;
    try {
      localStorage.setItem(KEY, JSON.stringify(seats));
    } catch {
      // Without storage the seats last as long as the page.
    }
  }
}

function read(): readonly StoredSeat[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSeat) : [];
  } catch {
    return [];
  }
}

function isSeat(value: unknown): value is StoredSeat {
  if (typeof value !== "object" || value === null) return false;
  const { server, game, seat, token, name, title } = value as Record<string, unknown>;
  return [server, game, token, name, title].every((text) => typeof text === "string") && Number.isInteger(seat);
}
