/**
 * Folds the events of viewers forwards, backwards and in jumps, and compares the results with the tables that they see.
 *
 * node folds.ts FILE: each line is a JSON object for one viewer of one game: `tables` by version, the first of which is the
 * start of the fold, and the `events` after it, all messages in base64. Prints a JSON object for each line.
 */
import { readFileSync } from "node:fs";
import { EventSchema, type KnownMarker, KnownTable, type KnownZone, type Table, Timeline } from "@boardkeeper/client";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { fromBinary, toBinary, toJson } from "@bufbuild/protobuf";

interface View {
  tables: Record<string, string>;
  events: string[];
}

const bytes = (text: string): Uint8Array => Buffer.from(text, "base64");
const binary = (table: Table): string => Buffer.from(toBinary(TableSchema, table)).toString("latin1");

/** Zones and markers as text; they are immutable, so each is formatted once. */
const formatted = new WeakMap<object, string>();

function format(it: KnownZone | KnownMarker): string {
  const known = formatted.get(it);
  if (known !== undefined) return known;
  const result = JSON.stringify(it, (_, value) => (value instanceof Map ? [...value].sort() : value));
  formatted.set(it, result);
  return result;
}

const text = ({ zones, markers, decisions }: KnownTable): string =>
  [...Array.from(zones.values(), format), ...Array.from(markers.values(), format), ...decisions].join();

/** Describe the first difference. */
function difference(version: number, own: KnownTable, due: Table): string {
  const [is, should] = [own.message(), due].map((it) => {
    const { zones, markers, decisions } = toJson(TableSchema, it) as Record<string, unknown[]>;
    return [...(zones ?? []), ...(markers ?? []), decisions].map((it) => JSON.stringify(it));
  });
  const at = should!.findIndex((it, at) => it !== is![at]);
  return `version ${version}: expected ${should![at]}, found ${is![at]}`;
}

function compareView({ tables, events }: View) {
  const shown = new Map(
    Object.entries(tables).map(([version, it]) => [Number(version), fromBinary(TableSchema, bytes(it))]),
  );
  const first = Math.min(...shown.keys());
  const decoded = events.map((it) => fromBinary(EventSchema, bytes(it)));
  const timeline = new Timeline(KnownTable.of(shown.get(first)!), first);
  const problems: string[] = [];
  const forwards: string[] = [text(timeline.table)];
  let [asked, compared, spent] = [0, 0, 0];
  for (const event of decoded) {
    timeline.append(event);
    const begun = performance.now();
    timeline.goTo(timeline.last);
    spent += performance.now() - begun;
    const due = shown.get(timeline.version);
    if (timeline.table.lacks().size > 0) {
      asked++;
      if (due === undefined) problems.push(`version ${timeline.version} lacks ${[...timeline.table.lacks()]}`);
      else timeline.correct(timeline.version, KnownTable.of(due));
    }
    forwards.push(text(timeline.table));
    if (due !== undefined) {
      compared++;
      if (binary(due) !== binary(timeline.table.message())) {
        problems.push(difference(timeline.version, timeline.table, due));
      }
    }
  }
  const check = (way: string): void => {
    if (text(timeline.table) !== forwards[timeline.version - first])
      problems.push(`version ${timeline.version}, ${way}`);
  };
  while (timeline.version > first) {
    timeline.goTo(timeline.version - 1);
    check("backwards");
  }
  for (let at = 0, turns = 60; turns > 0; turns--) {
    at = (at + 7919 * turns) % forwards.length; // arbitrary versions
    timeline.goTo(first + at);
    check("in a jump");
  }
  timeline.goTo(timeline.last);
  const jumping = new Timeline(KnownTable.of(shown.get(first)!), first, decoded);
  const begun = performance.now();
  jumping.goTo(jumping.last);
  const whole = performance.now() - begun;
  return { problems, compared, asked, events: events.length, stepsMs: spent, wholeMs: whole };
}

for (const line of readFileSync(process.argv[2]!, "utf8").split("\n").filter(Boolean)) {
  console.log(JSON.stringify(compareView(JSON.parse(line) as View)));
}
