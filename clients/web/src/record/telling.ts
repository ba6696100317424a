/** Every event of a record in plain words, and what its seats are called: a record has no names of people. */
import { type ExportedWords, type Names, Sentences, type Values } from "./sentences";

/** Who plays the seats of a game by the rules themselves, as `GameCreated.seats` says. */
const AUTOMA = "bot.automa";
const PERSON = "person";

/** What an event's line says of it. */
export interface Told {
  readonly topic: string;
  /** `null` where the viewer of the record may not know it. */
  readonly detail: Values | null;
}

/** The words of a game: its own, and those of its title if it is known here. */
export class Telling {
  private readonly game: Sentences;
  private readonly title: Sentences | undefined;

  constructor(
    game: ExportedWords,
    title: ExportedWords | undefined,
    /** What the title is called. */
    private readonly titleName: string,
  ) {
    this.game = new Sentences(game);
    this.title = title && new Sentences(title);
  }

  /** What the seats are called: "Seat 1", "Bot 2", or as the title calls who plays by the rules. */
  names(kinds: readonly string[]): string[] {
    return kinds.map((kind, index) => {
      const seat = index + 1;
      if (kind === PERSON) return this.game.seat(seat, []);
      const word = kind === AUTOMA ? this.title?.automaton : "";
      if (word) return kinds.filter((each) => each === AUTOMA).length === 1 ? word : `${word} ${seat}`;
      return this.game.say("seats", "bot", { seat }) ?? "";
    });
  }

  /** An event as a sentence; empty where its viewer may not know it. */
  sentence({ topic, detail }: Told, seat: number, names: Names): string {
    if (detail === null || topic === "") return "";
    const [owner = "", name = ""] = topic.split(".", 2);
    try {
      if (owner !== "game") return this.title?.event(name, seat, detail, names) ?? name;
      return this.game.event(name, seat, { ...detail, ...this.more(name, detail) }, names);
    } catch {
      return name; // whoever wrote that line knew another event by that name
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
