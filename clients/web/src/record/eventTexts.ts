/** Sentences of a record's events, and names of its seats: a record has no names of players. */
import { type ExportedWords, type Names, Sentences, type Values } from "./sentences";

/** The kind of automaton seats in `GameCreated.seats`. */
const AUTOMA = "bot.automa";
const PERSON = "person";

/** The parts of an event's line that sentences use. */
export interface EventLine {
  readonly topic: string;
  /** `null` if the viewer of the record may not know it. */
  readonly detail: Values | null;
}

/** The texts of a game: general ones, and those of its title if it is known. */
export class EventTexts {
  private readonly game: Sentences;
  private readonly title: Sentences | undefined;

  constructor(
    game: ExportedWords,
    title: ExportedWords | undefined,
    /** The title's name. */
    private readonly titleName: string,
  ) {
    this.game = new Sentences(game);
    this.title = title && new Sentences(title);
  }

  /** Return the names of seats: "Seat 1", "Bot 2", or the title's name for its automaton. */
  names(kinds: readonly string[]): string[] {
    return kinds.map((kind, index) => {
      const seat = index + 1;
      if (kind === PERSON) return this.game.seat(seat, []);
      const word = kind === AUTOMA ? this.title?.automaton : "";
      if (word) return kinds.filter((each) => each === AUTOMA).length === 1 ? word : `${word} ${seat}`;
      return this.game.say("seats", "bot", { seat }) ?? "";
    });
  }

  /** Return the sentence of an event; empty if the viewer may not know it. */
  sentence({ topic, detail }: EventLine, seat: number, names: Names): string {
    if (detail === null || topic === "") return "";
    const [owner = "", name = ""] = topic.split(".", 2);
    try {
      if (owner !== "game") return this.title?.event(name, seat, detail, names) ?? name;
      return this.game.event(name, seat, { ...detail, ...this.more(name, detail) }, names);
    } catch {
      return name; // the line is of another version, where the event has other values
    }
  }

  private more(name: string, detail: Values): Values {
    if (name === "GameCreated") {
      const { players } = (detail.setup ?? {}) as Values;
      return { title_name: this.titleName, players };
    }
    if (name === "GameEnded") {
      const ranks = Array.isArray(detail.ranks) ? detail.ranks : [];
      const winners = ranks.flatMap((rank, index) => (rank === 1 ? [index + 1] : []));
      return { alone: winners.length === 1, winners };
    }
    if (name === "Undone") return { several: Number(detail.last_version) > Number(detail.first_version) };
    return {};
  }
}
