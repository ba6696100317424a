/** The seats that this browser has tokens of. They stay here, can be taken elsewhere as a file, and go only to their service. */

export interface KeptSeat {
  /** The service that the game is on: the origin of its address. */
  readonly server: string;
  readonly game: string;
  readonly seat: number;
  readonly token: string;
  /** What the player is called there. */
  readonly name: string;
  /** The title's id. */
  readonly title: string;
}

const KEY = "boardkeeper.seats";

export class Seats {
  all = $state.raw<readonly KeptSeat[]>(read());

  constructor() {
    addEventListener("storage", (event) => {
      if (event.key === KEY) this.all = read(); // another tab has taken a seat
    });
  }

  /** The seats of a game that are played here, in order. */
  of(server: string, game: string): readonly KeptSeat[] {
    return this.all
      .filter((each) => each.server === server && each.game === game)
      .sort((one, other) => one.seat - other.seat);
  }

  add(...seats: readonly KeptSeat[]): void {
    const isNew = (old: KeptSeat) =>
      !seats.some(({ server, game, seat }) => old.server === server && old.game === game && old.seat === seat);
    this.keep([...read().filter(isNew), ...seats]);
  }

  forget(server: string, game: string): void {
    this.keep(read().filter((each) => each.server !== server || each.game !== game));
  }

  /** All of them as a file's text. */
  exported(): string {
    return JSON.stringify({ "boardkeeper-seats": 1, seats: this.all }, null, 2);
  }

  /** Add what such a file says; raises `Error` if it is none. Answers how many there were. */
  imported(text: string): number {
    const read: unknown = JSON.parse(text);
    const seats =
      typeof read === "object" && read !== null && "boardkeeper-seats" in read && "seats" in read
        ? read.seats
        : undefined;
    if (!Array.isArray(seats) || !seats.every(isSeat)) throw new Error("no seats");
    this.add(...seats);
    return seats.length;
  }

  private keep(seats: readonly KeptSeat[]): void {
    this.all = seats;
    try {
      localStorage.setItem(KEY, JSON.stringify(seats));
    } catch {
      // A browser that keeps nothing has them as long as the page is open.
    }
  }
}

function read(): readonly KeptSeat[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSeat) : [];
  } catch {
    return [];
  }
}

function isSeat(value: unknown): value is KeptSeat {
  if (typeof value !== "object" || value === null) return false;
  const { server, game, seat, token, name, title } = value as Record<string, unknown>;
  return [server, game, token, name, title].every((text) => typeof text === "string") && Number.isInteger(seat);
}
