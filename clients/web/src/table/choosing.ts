/**
 * How clicks become a command. What a command would change is told by the service; so each has its subjects: what is taken
 * first, then where it goes or what it alters. Every click on one of them narrows what can be meant, and the last one acts.
 */
import type { LegalCommand } from "@boardkeeper/client";

/** Something on the table that can be clicked: a zone, a component in a zone, a marker, or a word printed that a marker can say. */
export type Subject =
  | { readonly zone: string; readonly component?: string }
  | { readonly marker: string; readonly word?: string };

/** One word for a subject. */
export function subjectKey(subject: Subject): string {
  if ("marker" in subject)
    return subject.word === undefined ? `m|${subject.marker}` : `w|${subject.marker}|${subject.word}`;
  return subject.component === undefined ? `z|${subject.zone}` : `p|${subject.zone}|${subject.component}`;
}

/** The subject that such a word is of. */
export function subjectOf(key: string): Subject {
  const [kind, id = "", more] = key.split("|");
  if (kind === "m" || kind === "w") return more === undefined ? { marker: id } : { marker: id, word: more };
  return more === undefined ? { zone: id } : { zone: id, component: more };
}

/** A command and what has to be clicked for it, in order, each once. */
export interface Option {
  readonly command: LegalCommand;
  readonly index: number;
  readonly subjects: readonly string[];
}

/** What on the table stands for that word of a marker, if something does: then that can be clicked, too. */
export type Standing = (marker: string, word: string) => Subject | undefined;

/** The commands as options. */
export function optionsOf(commands: readonly LegalCommand[], standing: Standing = () => undefined): Option[] {
  return commands.map((command, index) => ({ command, index, subjects: subjectsOf(command, standing) }));
}

function subjectsOf(command: LegalCommand, standing: Standing): string[] {
  const keys: string[] = [];
  const add = (subject: Subject) => {
    const key = subjectKey(subject);
    if (!keys.includes(key)) keys.push(key);
  };
  for (const { effect } of command.effects) {
    if (effect.case === "move") {
      const { component, source, target } = effect.value;
      if (source === target) continue;
      add({ zone: source, component });
      add({ zone: target });
    } else if (effect.case === "draw" || effect.case === "shuffle") {
      add({ zone: effect.value.zone }); // what chance picks is not told, but where it does
    } else if (effect.case === "set" && !isSame(effect.value.before, effect.value.after)) {
      const { marker, after } = effect.value;
      const word = after?.value.case === "word" ? after.value.value : "";
      const there: Subject | undefined = word ? (standing(marker, word) ?? { marker, word }) : undefined;
      if (there && "component" in there) add(there); // a card that is meant is taken before anything that says so
      add({ marker });
      if (there) add(there);
    }
  }
  return keys;
}

function isSame(
  one: { value: { value?: unknown } } | undefined,
  other: { value: { value?: unknown } } | undefined,
): boolean {
  return one?.value.value === other?.value.value;
}

/** Whether a word is the one that such a marker is to say: it stands for the marker, and begins what the marker begins. */
function isSaidBy(word: string, marker: string | undefined): boolean {
  return marker?.startsWith("m|") === true && word.startsWith(`w|${marker.slice(2)}|`);
}

/** What is meant so far. */
export class Choosing {
  constructor(
    readonly options: readonly Option[],
    readonly picks: readonly string[] = [],
  ) {}

  /** The options that have everything that was picked. */
  get left(): readonly Option[] {
    if (this.picks.length === 0) return this.options;
    return this.options.filter((option) => this.picks.every((pick) => option.subjects.includes(pick)));
  }

  /**
   * What can be clicked next: 1 where a command begins or goes on at once, 2 where it may be clicked too. What tells no two of
   * the options that are left apart is not lit, unless nothing else is left to click.
   */
  get lit(): Map<string, number> {
    const left = this.left;
    const lit = new Map<string, number>();
    for (const option of left) {
      const open = option.subjects.filter((key) => !this.picks.includes(key));
      open.forEach((key, place) => {
        const near = place === 0 || isSaidBy(key, open[0]) ? 1 : 2;
        if ((lit.get(key) ?? 3) > near) lit.set(key, near);
      });
    }
    if (this.picks.length > 0 && left.length > 1) {
      const telling = [...lit.keys()].filter((key) => left.some((option) => !option.subjects.includes(key)));
      if (telling.length > 0) for (const key of [...lit.keys()]) if (!telling.includes(key)) lit.delete(key);
    }
    return lit;
  }

  /** A click: what is meant now, and the option to act upon, if the click leaves no doubt. */
  pick(key: string): { next: Choosing; act?: Option } {
    if (this.picks.includes(key)) {
      const [only, ...more] = this.left;
      // A second click on the same thing says yes to the one thing that can be meant, or takes the first click back.
      if (only && more.length === 0) return { next: new Choosing(this.options), act: only };
      return {
        next: new Choosing(
          this.options,
          this.picks.filter((pick) => pick !== key),
        ),
      };
    }
    const narrowed = new Choosing(this.options, [...this.picks, key]);
    if (narrowed.left.length === 0)
      return this.options.some((option) => option.subjects.includes(key))
        ? new Choosing(this.options).pick(key)
        : { next: this };
    const [only, ...more] = narrowed.left;
    if (only && more.length === 0 && this.picks.length > 0) return { next: new Choosing(this.options), act: only };
    return { next: narrowed };
  }

  /** Nothing is meant any more. */
  cleared(): Choosing {
    return new Choosing(this.options);
  }
}
