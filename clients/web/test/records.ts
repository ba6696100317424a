// Prints what a page without a server shows of records, for tests/client/test_records_in_pages.py: the sentences of lines,
// or the tables of whole records. node … test/records.ts (sentences|tables) LIBRARY FILE…
import { readFileSync } from "node:fs";
import { TableSchema } from "@boardkeeper/client/gen/boardkeeper/v1/table_pb";
import { toBinary } from "@bufbuild/protobuf";
import { EventTexts } from "../src/record/eventTexts.ts";
import { readRecord } from "../src/record/readRecord.ts";
import { RecordSource } from "../src/record/recordSource.ts";
import type { ExportedWords } from "../src/record/sentences.ts";

const [what, folder = "", ...files] = process.argv.slice(2);

function read(name: string): unknown {
  try {
    return JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
  } catch {
    return undefined;
  }
}
const words = (name: string) => read(name) as ExportedWords;

const print = (value: unknown) => console.log(JSON.stringify(value));

if (what === "sentences") {
  for (const file of files) {
    const [head = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    const { title, names, called, language } = JSON.parse(head);
    const texts = new EventTexts(words(`words.${language}`), words(`${title}.${language}`), called);
    print(lines.map((line) => JSON.parse(line)).map((event) => texts.sentence(event, event.seat, names)));
  }
} else {
  for (const file of files) {
    const record = readRecord(readFileSync(file));
    const source = await RecordSource.of(record, { read: async (name) => read(name) }, "en");
    const game = await source.game();
    const tables: Record<number, string> = {};
    for (let version = source.last; version > 0; version -= 13) {
      const { table } = await source.table({ version });
      tables[version] = Buffer.from(toBinary(TableSchema, table)).toString("base64");
    }
    const sentences: string[] = [];
    for await (const { sentence } of source.events()) sentences.push(sentence);
    const seats = game.seats.map(({ displayName }) => displayName);
    print({ version: Number(game.version), brokenAt: record.brokenAt, seats, ranks: source.ranks, tables, sentences });
  }
}
