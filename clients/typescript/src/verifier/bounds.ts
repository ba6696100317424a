// Limits of the fields of an event's line (docs/record.md, 1.3), as patterns over the JSON text of its parts.
/** Return whether a line is within the limit of its kind. Undo events of 0.1.0 could exceed it. */
export const isShort = (line: string): boolean =>
  (line.length < 2 ** 18 ? 0 : new TextEncoder().encode(line).length) < 2 ** (/^.{0,230},"event":{"detail":{"first_v/.test(line) ? 25 : 20);
const list = (item: string): string => `\\[(${item}(,${item})*)?\\]`;
const WORD = '[ !#-[\\]-~]';
const [ID, TEXT, SEAT, NUMBER] = [`"${WORD}{1,200}"`, `"${WORD}{0,200}"`, "([1-9]|1[0-6])", "\\d{1,9}"];
const [SCALAR, COUNT, VERSION] = [`(-?${NUMBER}|${TEXT})`, "([1-9]\\d{0,4}|100000)", "[1-9]\\d{0,4}"];
const [IDS, BYTES, HASH] = [list(ID), '"([\\da-f]{2}){0,1024}"', '"[\\da-f]{64}"'];
const SEATS = `seats(?=\\.[0-9]+\\.)${Array.from({ length: 16 }, (_, at) => `(\\.${at + 1})?`).join("")}`; // ascending
const VISIBILITY = `"(public|count|nobody|(seat|secret)\\.${SEAT}|${SEATS}|as:${WORD}{1,200})"`;
const map = (value: string): string => `{(${ID}:${value}(,${ID}:${value})*)?}`;
const pattern = (text: string): RegExp => RegExp(`^${text}$`);

const EFFECT = pattern(`\\[("m",${ID},${COUNT},${ID},${ID}|"s",${ID},${SCALAR},${SCALAR}|"a",${SEAT},${TEXT},${TEXT}`
  + `|"d",${ID},${NUMBER},${IDS}|"r",${ID},${NUMBER},${IDS},${IDS}|"v",${ID},${VISIBILITY},${VISIBILITY})\\]`);
const LAYOUT = `{"decisions":${list(TEXT)},"markers":${list(`\\[${ID},${SCALAR},${VISIBILITY}\\]`)},"seats":${SEAT},`
  + `"zones":${list(`\\[${ID},${VISIBILITY},${map(COUNT)},(true|false),${NUMBER},${IDS}\\]`)}}`;
const SETUP = `{"edition":${TEXT},"options":${map(TEXT)},"players":${SEAT},"readings":${map(TEXT)}}`;
const CONTROL = `{"increment":${NUMBER},"kind":"(move|game)","on_expiry":"(bot|resign)","seconds":[1-9]\\d{0,8}}`;
const DETAILS: Record<string, RegExp> = {
  "game.GameCreated": pattern(`{"commitment":${HASH},"dice":${TEXT},"forked_game":"([\\da-f-]{36})?",`
    + `"forked_version":\\d{1,5},"layout":${LAYOUT},"position":(true|false),"rules_version":${TEXT},`
    + `"seats":${list('"(person|bot\\.[\\w.-]{1,64})"')},"server_build":${TEXT}(,"server_key":${HASH})?,`
    + `"setup":${SETUP}(,"stand_ins":\\[${SEAT}(,${SEAT})*\\])?(,"time_control":${CONTROL})?,"title":"[a-z][a-z0-9_]{0,63}"`
    + `(,"title_build":${TEXT})?}`),
  "game.SeatJoined": pattern(`{"entropy":${BYTES}}`),
  "game.GameStarted": pattern("{}"),
  "game.GameEnded": pattern(`{"ranks":${list(SEAT)},"secret":${BYTES}}`),
  "game.UndoRequested": pattern(`{"first_version":${VERSION}}`),
  "game.UndoConsented": pattern(`{"request_version":${VERSION}}`),
  "game.UndoDeclined": pattern(`{"request_version":${VERSION}}`),
  "game.Undone": pattern(`{"first_version":${VERSION},"last_version":${VERSION}}`),
  "game.SeatHandedToBot": pattern('{"bot":"[\\w.-]{1,64}"}'),
  "game.SeatTakenBack": pattern("{}"),
  "game.SeatResigned": pattern('{"bot":"[\\w.-]{0,64}"}'),
  "game.TimeExpired": pattern('{"bot":"[\\w.-]{0,64}","resigned":(true|false)}'),
};
const TOPIC = /^([a-z][a-z0-9_]{0,63}\.[A-Za-z][A-Za-z0-9]{0,99})?$/;
const GIVEN = /^[A-Za-z][A-Za-z0-9]{0,99}$/;

export const HEADER = pattern('{"format":[12],"game":"[\\da-f-]{36}","record":"boardkeeper-record",'
  + '"viewer":"(whole|spectator|seat\\.[1-9]\\d?)"}');
/** Describe why a header is invalid. */
export const whyNoRecord = (header: string): string => {
  const format = /^{"format":(\d{1,9}),/.exec(header)?.[1] ?? "";
  return ["", "1", "2"].includes(format) ? "the file is not a record of format 1 or 2, or its last line has no line end"
    : `the record has the format ${format}; this verifier reads the formats 1 and 2`;
};
/** Describe how another program converted a record, and what to do; empty if it was not converted. */
export const whyConverted = (record: Uint8Array): string => {
  const [first, second, third, fourth] = record;
  if (first === 0x1f && second === 0x8b) return "the record is compressed with gzip: decompress the file";
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return "the record begins with a byte order mark, which an editor has added: save the file as UTF-8 without it";
  if ([first, second, third, fourth].includes(0) || (first! >= 0xfe && second! >= 0xfe))
    return "the record was converted to UTF-16 by an editor or a shell: use the original file, which is UTF-8";
  return record[record.indexOf(0x0a) - 1] === 0x0d
    ? "the record has lines that end with CR LF, as after an edit or a transfer in text mode: use LF only" : "";
};
/** Return whether several seats share a view, which format 2 introduced. */
const hasSharedSight = ({ topic, detail, effects }: any): boolean => [
  ...effects.flatMap(([tag, , before, after]: any) => (tag === "v" ? [before, after] : [])),
  ...(topic === "game.GameCreated" ? [...detail.layout.zones.map((it: any) => it[1]),
    ...detail.layout.markers.map((it: any) => it[2])] : []),
].some((word) => word.startsWith("seats."));

/** Return whether every field of an event's line is within its limits, in a record of a format. */
export function isBounded({ seat, command_id, time, event, given }: any, format: number): boolean {
  const { topic, detail, effects } = event;
  return Number.isInteger(seat) && seat >= 0 && seat <= 16 && /^[ -~]{0,100}$/.test(command_id)
    && Number.isInteger(time) && time >= 0 && time <= 253_402_300_799_999 && TOPIC.test(topic)
    && (detail === null || (typeof detail === "object" && !Array.isArray(detail)))
    && (DETAILS[topic]?.test(JSON.stringify(detail)) ?? true)
    && effects.every((effect: unknown) => EFFECT.test(JSON.stringify(effect)))
    && (format > 1 || !hasSharedSight(event))
    && (typeof given !== "object" || given === null || (given.seat >= 1 && given.seat <= 16
      && given.commands.length >= 1 && given.commands.length <= 1000
      && given.commands.every((it: any) => it.length === 2 && GIVEN.test(it[0]) && JSON.stringify(it[1])[0] === "{")));
}
