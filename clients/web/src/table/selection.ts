/**
 * Selecting a command by clicks. The server reports what each command would change; those are its subjects, sources
 * before destinations. Every click on a subject narrows the options, and the last click carries out the command.
 */
import type { LegalCommand } from "@boardkeeper/client";

/**
 * A clickable thing: a zone, a component in a zone, a marker, or a printed word that a marker can have as its value.
 */
export type Subject =
  | { readonly zone: string; readonly component?: string }
  | { readonly marker: string; readonly word?: string };

/** Return a subject as a unique string. */
export function subjectKey(subject: Subject): string {
  if ("marker" in subject)
    return subject.word === undefined ? `m|${subject.marker}` : `w|${subject.marker}|${subject.word}`;
  return subject.component === undefined ? `z|${subject.zone}` : `p|${subject.zone}|${subject.component}`;
}

/** Return the subject of a key. */
export function subjectOf(key: string): Subject {
  const [kind, id = "", more] = key.split("|");
  if (kind === "m" || kind === "w") return more === undefined ? { marker: id } : { marker: id, word: more };
  return more === undefined ? { zone: id } : { zone: id, component: more };
}

/** A command and the subjects to click, in order, each once. */
export interface Option {
  readonly command: LegalCommand;
  readonly index: number;
  readonly subjects: readonly string[];
}

/**
 * Returns the subject that represents a marker's value, if there is one on the table; it can then be clicked as well.
 */
export type MarkerSubject = (marker: string, word: string) => Subject | undefined;

/** Return the commands as options. */
export function optionsOf(commands: readonly LegalCommand[], standing: MarkerSubject = () => undefined): Option[] {
  return commands.map((command, index) => ({ command, index, subjects: subjectsOf(command, standing) }));
}

function subjectsOf(command: LegalCommand, standing: MarkerSubject): string[] {
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
      add({ zone: effect.value.zone }); // random draws hide the component but not the zone
    } else if (effect.case === "set" && !isSame(effect.value.before, effect.value.after)) {
      const { marker, after } = effect.value;
      const word = after?.value.case === "word" ? after.value.value : "";
      const there: Subject | undefined = word ? (standing(marker, word) ?? { marker, word }) : undefined;
      if (there && "component" in there) add(there); // the card itself comes before the marker that refers to it
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

/** Return whether a printed word is a value of a marker that a command sets. */
function isValueOf(word: string, marker: string | undefined): boolean {
  return marker?.startsWith("m|") === true && word.startsWith(`w|${marker.slice(2)}|`);
}

/** The current selection. */
export class Selection {
  constructor(
    readonly options: readonly Option[],
    readonly picks: readonly string[] = [],
  ) {}

  /** The options that contain all selected subjects. */
  get remaining(): readonly Option[] {
    if (this.picks.length === 0) return this.options;
    return this.options.filter((option) => this.picks.every((pick) => option.subjects.includes(pick)));
  }

  /**
   * Clickable subjects: level 1 starts or continues a command, level 2 is an alternative. Subjects that all remaining
   * options share are left out, unless no other subject remains.
   */
  get lit(): Map<string, number> {
    const left = this.remaining;
    const lit = new Map<string, number>();
    for (const option of left) {
      const open = option.subjects.filter((key) => !this.picks.includes(key));
      open.forEach((key, place) => {
        const near = place === 0 || isValueOf(key, open[0]) ? 1 : 2;
        if ((lit.get(key) ?? 3) > near) lit.set(key, near);
      });
    }
    if (this.picks.length > 0 && left.length > 1) {
      const distinguishing = [...lit.keys()].filter((key) => left.some((option) => !option.subjects.includes(key)));
      if (distinguishing.length > 0)
        for (const key of [...lit.keys()]) if (!distinguishing.includes(key)) lit.delete(key);
    }
    return lit;
  }

  /** Return the selection after a click, and the command to carry out if it is unambiguous. */
  pick(key: string): { next: Selection; act?: Option } {
    if (this.picks.includes(key)) {
      const [only, ...more] = this.remaining;
      // A second click on a subject confirms the only remaining option, or cancels the selection.
      if (only && more.length === 0) return { next: new Selection(this.options), act: only };
      return {
        next: new Selection(
          this.options,
          this.picks.filter((pick) => pick !== key),
        ),
      };
    }
    const narrowed = new Selection(this.options, [...this.picks, key]);
    if (narrowed.remaining.length === 0)
      return this.options.some((option) => option.subjects.includes(key))
        ? new Selection(this.options).pick(key)
        : { next: this };
    const [only, ...more] = narrowed.remaining;
    if (only && more.length === 0 && this.picks.length > 0) return { next: new Selection(this.options), act: only };
    return { next: narrowed };
  }

  /** Return an empty selection. */
  clear(): Selection {
    return new Selection(this.options);
  }
}
