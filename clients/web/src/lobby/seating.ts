/** The players of a new game's seats. */
import { bot, type Game, openSeat, person, type SeatRequest } from "@boardkeeper/client";

/** The creator, another player at the same browser, an open seat, or a bot. */
export type Who = "me" | "here" | "open" | "bot";

export interface SeatDraft {
  who: Who;
  /** The id of the bot. */
  bot: string;
  name: string;
}

const AUTOMA = "automa";

/** Return `count` seats: existing ones first, then the creator in seat 1 and the best bot in each other seat. */
export function resizeSeats(seats: readonly SeatDraft[], count: number, me: string, best: string): SeatDraft[] {
  return Array.from({ length: count }, (_, index) => {
    const there = seats[index];
    if (there) return { ...there };
    return index === 0 ? { who: "me", bot: best, name: me } : { who: "bot", bot: best, name: "" };
  });
}

/** Return the seats after a change to one of them. The creator has only one seat. */
export function changeSeat(seats: readonly SeatDraft[], index: number, change: Partial<SeatDraft>): SeatDraft[] {
  return seats.map((seat, at) => {
    if (at === index) return { ...seat, ...change };
    return change.who === "me" && seat.who === "me" ? { ...seat, who: "here" } : seat;
  });
}

/** Return the seats as the server needs them, in order. */
export function seatRequests(seats: readonly SeatDraft[]): SeatRequest[] {
  return seats.map((seat) => {
    if (seat.who === "open") return openSeat();
    return seat.who === "bot" ? bot(seat.bot, seat.name.trim()) : person(seat.name.trim());
  });
}

/**
 * Return seats for a rematch: local players and bots keep their seats, and seats of other players become open. Automata
 * are left out, because the server adds them.
 */
export function rematchSeats(game: Pick<Game, "seats">, own: readonly { seat: number; name: string }[]): SeatDraft[] {
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
      // A bot that took over from a player is not a bot seat: the seat belongs to the player.
      return bot && !handedOver && !resigned ? { who: "bot", bot, name } : { who: "open", bot: "", name: "" };
    });
}

/** Return whether a player at this browser has a seat and can invite others. */
export function hasLocalPlayer(seats: readonly SeatDraft[]): boolean {
  return seats.some(({ who }) => who === "me" || who === "here");
}
