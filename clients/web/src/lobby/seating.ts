/** Who is to sit where in a new game. */
import { bot, type Game, openSeat, person, type SeatRequest } from "@boardkeeper/client";

/** Whoever makes the game, somebody else at the same browser, whoever takes the seat later, or a bot. */
export type Who = "me" | "here" | "open" | "bot";

export interface SeatDraft {
  who: Who;
  /** The kind of bot. */
  bot: string;
  name: string;
}

const AUTOMA = "automa";

/** So many seats: those that there are, and for new ones first whoever makes the game and then the bot that plays best. */
export function seated(seats: readonly SeatDraft[], count: number, me: string, best: string): SeatDraft[] {
  return Array.from({ length: count }, (_, index) => {
    const there = seats[index];
    if (there) return { ...there };
    return index === 0 ? { who: "me", bot: best, name: me } : { who: "bot", bot: best, name: "" };
  });
}

/** The seats after one of them has got somebody else: whoever makes the game sits in one of them. */
export function changed(seats: readonly SeatDraft[], index: number, change: Partial<SeatDraft>): SeatDraft[] {
  return seats.map((seat, at) => {
    if (at === index) return { ...seat, ...change };
    return change.who === "me" && seat.who === "me" ? { ...seat, who: "here" } : seat;
  });
}

/** What to ask the service for, in the order of the seats. */
export function requested(seats: readonly SeatDraft[]): SeatRequest[] {
  return seats.map((seat) => {
    if (seat.who === "open") return openSeat();
    return seat.who === "bot" ? bot(seat.bot, seat.name.trim()) : person(seat.name.trim());
  });
}

/**
 * The seats of a game once more: those that are played here, the bots, and whoever else played as an open seat. Seats that the
 * rules play are left out, since they take them by themselves.
 */
export function again(game: Pick<Game, "seats">, own: readonly { seat: number; name: string }[]): SeatDraft[] {
  let mine = false;
  return game.seats
    .filter(({ bot }) => bot !== AUTOMA)
    .map(({ seat, name, bot, handedOver, resigned }): SeatDraft => {
      const kept = own.find((each) => each.seat === seat);
      if (kept) {
        const who = mine ? "here" : "me";
        mine = true;
        return { who, bot: "", name: kept.name };
      }
      // A bot that plays for a person came later; the seat is that person's.
      return bot && !handedOver && !resigned ? { who: "bot", bot, name } : { who: "open", bot: "", name: "" };
    });
}

/** Whether somebody at this browser has a seat, who could invite others. */
export function somebodyHere(seats: readonly SeatDraft[]): boolean {
  return seats.some(({ who }) => who === "me" || who === "here");
}
