/**
 * Sentences of events without a server. `boardkeeper/titlekit/sentences.py` describes the template language; the texts
 * are exported from there.
 */

/** The texts of one language, of all games or of a title. */
export interface ExportedWords {
  readonly forms: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly numbers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fallbacks: Readonly<Record<string, string>>;
  readonly joints: {
    readonly and: string;
    readonly nothing: string;
    readonly seat: string;
    readonly automaton?: string;
  };
  readonly templates: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Default values of members that a line may omit, by event. */
  readonly defaults: Readonly<Record<string, Values>>;
}

/** The members of an event's detail, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Names of the seats, from seat 1. */
export type Names = readonly string[];

/** A placeholder; `test` is `?` or `!` if it is only a condition. */
interface Field {
  readonly test: string;
  readonly name: string;
  readonly form: string;
}

/** Literals, fields and nested parts; `kind` is the opening bracket, empty for the whole template. */
interface Part {
  readonly kind: string;
  readonly items: (string | Field | Part)[];
}

const TOKEN = /\{([?!]?)(\w+)(?:\|(\w+))?\}|([[\]<>;])/g;
const CLOSES: Readonly<Record<string, string>> = { "]": "[", ">": ";", ";": ";" };

const isPart = (item: string | Field | Part): item is Part => typeof item === "object" && "items" in item;
const isField = (item: string | Field | Part): item is Field => typeof item === "object" && "name" in item;

/** Compile a template; throws an `Error` if its brackets do not match. */
export function parse(template: string): Part {
  const open: Part[] = [{ kind: "", items: [] }];
  const add = (item: string | Field | Part) => open.at(-1)?.items.push(item);
  const close = (bracket: string) => {
    const part = open.pop();
    if (!part || part.kind !== CLOSES[bracket]) throw new Error(`unmatched ${bracket} in ${template}`);
    add(part);
  };
  let at = 0;
  for (const token of template.matchAll(TOKEN)) {
    if (token.index > at) add(template.slice(at, token.index));
    at = token.index + token[0].length;
    const [, test = "", name = "", form = "", bracket] = token;
    if (bracket === undefined) add({ test, name, form });
    else if (bracket === "[") open.push({ kind: "[", items: [] });
    else if (bracket === "<") open.push({ kind: "<", items: [] }, { kind: ";", items: [] });
    else if (bracket === ";" && open.at(-1)?.kind !== ";") add(";");
    else {
      close(bracket);
      if (bracket === ";") open.push({ kind: ";", items: [] });
      else if (bracket === ">") {
        const entries = open.pop();
        if (entries) add(entries);
      }
    }
  }
  if (at < template.length) add(template.slice(at));
  const [whole, ...more] = open;
  if (!whole || more.length > 0) throw new Error(`unclosed bracket in ${template}`);
  return whole;
}

/** Return whether a value is not empty, zero or false. */
function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isTable(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function isTable(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function need(values: Values, name: string): unknown {
  if (!(name in values)) throw new Error(`${name} is missing`);
  return values[name];
}

/** Return the parts of a list, `<…;…>`. */
const entriesOf = (list: Part): Part[] => list.items.filter(isPart);

/** Return whether an optional part is rendered. */
function appears(part: Part, values: Values): boolean {
  const fields = part.items.filter(isField);
  const tests = fields.filter(({ test }) => test);
  if (tests.length > 0) return tests.every(({ test, name }) => hasContent(need(values, name)) === (test === "?"));
  const lists = part.items.filter(isPart).filter(({ kind }) => kind === "<");
  return (
    fields.every(({ name }) => hasContent(need(values, name))) &&
    lists.every((list) => entriesOf(list).some((entry) => appears(entry, values)))
  );
}

/** Renders sentences in one language. */
export class Sentences {
  private readonly parsed = new Map<string, Part>();

  constructor(private readonly words: ExportedWords) {}

  /** The name of the automaton's seat; empty if there is no word for it. */
  get automaton(): string {
    return this.words.joints.automaton ?? "";
  }

  /** Render a template; returns `undefined` if it does not exist, and throws an `Error` if a value is missing. */
  say(group: string, id: string, values: Values, names: Names = []): string | undefined {
    const part = this.template(group, id);
    return part && this.render(part, values, names);
  }

  /** Return the name of a seat; empty for 0, the table as a whole. */
  seat(seat: number, names: Names): string {
    return seat === 0 ? "" : names[seat - 1] || fill(this.words.joints.seat, seat);
  }

  /**
   * Return an event as a sentence, or its readable name if it has no template. Throws an `Error` if a value is missing.
   */
  event(name: string, seat: number, detail: Values, names: Names): string {
    const values = { ...this.words.defaults[name], ...detail, seat: this.seat(seat, names) };
    return this.say("events", name, values, names) || this.name(name);
  }

  /** Return a form of a component's name, or its readable id. */
  name(id: string, form = "name"): string {
    return own(own(this.words.forms, form), id) ?? fill(this.words.fallbacks[form] ?? "{}", id.replaceAll("_", " "));
  }

  private template(group: string, id: string): Part | undefined {
    const text = own(own(this.words.templates, group), id);
    if (text === undefined) return undefined;
    const key = `${group} ${id}`;
    const part = this.parsed.get(key) ?? parse(text);
    this.parsed.set(key, part);
    return part;
  }

  private render(part: Part, values: Values, names: Names): string {
    let text = "";
    for (const item of part.items) {
      if (typeof item === "string") text += item;
      else if (!isPart(item)) text += item.test ? "" : this.value(need(values, item.name), item.form, names);
      else if (item.kind === "<") {
        const entries = entriesOf(item).filter((entry) => appears(entry, values));
        text += this.joined(entries.map((entry) => this.render(entry, values, names)));
      } else if (appears(item, values)) text += this.render(item, values, names);
    }
    return text;
  }

  private joined(texts: readonly string[]): string {
    if (texts.length < 2) return texts.join("");
    return `${texts.slice(0, -1).join(", ")} ${this.words.joints.and} ${texts.at(-1)}`;
  }

  private value(value: unknown, form: string, names: Names): string {
    const { joints, templates, numbers } = this.words;
    if (form === "seat") {
      return this.joined((Array.isArray(value) ? value : [value]).map((seat) => this.seat(Number(seat), names)));
    }
    const part = (values: Values) => this.say("parts", form, values, names) ?? "";
    if (Array.isArray(value) && isTable(value[0])) return this.joined(value.map(part));
    if ((Array.isArray(value) || isTable(value)) && own(templates.parts, form) !== undefined) {
      const pairs = Array.isArray(value) ? value.map((entry, at) => [at + 1, entry]) : Object.entries(value);
      return this.joined(pairs.map(([key, entry]) => part({ key, value: entry }))) || joints.nothing;
    }
    if (isTable(value))
      return this.counted(
        Object.entries(value).map(([id, count]) => [id, Number(count)]),
        form,
      );
    if (Array.isArray(value)) {
      const counts = new Map<string, number>();
      for (const component of value) counts.set(String(component), (counts.get(String(component)) ?? 0) + 1);
      return this.counted(counts, form);
    }
    const text = String(value);
    if (!form) return text;
    const unit = own(numbers, form);
    return unit && /^-*\d+$/.test(text) ? number(Number(text), unit) : this.name(text, form);
  }

  private counted(counts: Iterable<readonly [string, number]>, form: string): string {
    const texts: string[] = [];
    for (const [id, count] of counts) {
      if (count) texts.push(count === 1 ? this.name(id, form) : `${count} ${this.name(id, "many")}`);
    }
    return this.joined(texts) || this.words.joints.nothing;
  }
}

/** Return an own property of an object: names come from untrusted files. */
function own<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

const fill = (text: string, value: unknown): string => text.split("{}").join(String(value));

function number(value: number, unit: Readonly<Record<string, string>>): string {
  if (value === 0 && unit.none !== undefined) return unit.none;
  return fill((value === 1 ? unit.one : unit.many) ?? "{}", value);
}
