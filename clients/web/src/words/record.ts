/** Texts of the record page. */
import type { Draw, LevelName } from "@boardkeeper/client/verifier";
import { problemInGerman } from "./problems";

type Kind = Draw["kind"];

interface RecordWords {
  title: string;
  lead: string;
  choose: string;
  drop: string;
  dropHere: string;
  loading: string;
  noRecord: string;
  notLoaded: (status: string) => string;
  whose: Readonly<Record<"whole" | "spectator", string>> & { seat: (seat: string) => string };
  check: string;
  checking: string;
  holds: string;
  holdsNotYet: string;
  fails: string;
  cutAt: (version: number) => string;
  problem: (line: number) => string;
  /** Messages of the verifier. */
  said: (message: string) => string;
  noLine: string;
  toVersion: (version: number) => string;
  levels: Readonly<Record<LevelName, string>>;
  statuses: Readonly<Record<"holds" | "fails" | "not yet" | "not checked", string>>;
  says: Readonly<Record<LevelName, string>>;
  partly: string;
  conservedPartly: string;
  decidedElsewhere: string;
  notReached: string;
  waits: Readonly<Record<string, string>>;
  key: string;
  keyHint: string;
  dice: string;
  noDice: string;
  diceHint: string;
  kinds: Readonly<Record<Kind, string>>;
  allDice: (count: number) => string;
  counter: string;
  lay: string;
  rejected: string;
  hmacOf: string;
  arithmetic: (value: string, bound: number, index: number) => string;
  limit: (limit: string) => string;
  picked: string;
  swapped: (place: number, index: number) => string;
}

export const en: RecordWords = {
  title: "Verify a game record",
  lead: "A record is a complete game in one file. This page replays and verifies it in your browser and uploads nothing.",
  choose: "Open a file …",
  drop: "or drop a file anywhere on this page",
  dropHere: "Drop the record to replay and verify it",
  loading: "Loading the record …",
  noRecord: "This file is not a game record of format 1 or 2.",
  notLoaded: (status) => `The record could not be loaded (${status}).`,
  whose: {
    whole: "the whole game",
    spectator: "as spectators saw it",
    seat: (seat) => `as seat ${seat} saw it`,
  },
  check: "Verification",
  checking: "Verifying …",
  holds: "This record has passed all checks of this page",
  holdsNotYet: "No errors found so far",
  fails: "This record is not valid",
  cutAt: (version) => `The board shows only the versions before the first error, up to version ${version}.`,
  problem: (line) => `Line ${line}`,
  said: (message) => message,
  noLine: "Whole record",
  toVersion: (version) => `go to version ${version}`,
  levels: {
    "well-formed": "Well-formed",
    chained: "Chained",
    signed: "Signed",
    conserved: "Conserved",
    fair: "Fair",
    decided: "Decided",
  },
  statuses: { holds: "passed", fails: "failed", "not yet": "not yet possible", "not checked": "not checked" },
  says: {
    "well-formed": "Every byte, line and field follows the record format.",
    chained: "Each line follows from the line before: no line was changed, removed or added.",
    signed: "The server that owns the key signed this record.",
    conserved: "No component appears or disappears.",
    fair: "Every draw and shuffle matches the dice.",
    decided: "Replaying the commands by the rules gives these events.",
  },
  partly: "checked in part",
  conservedPartly: "The components that move were checked with the dice. `boardkeeper verify` checks the rest.",
  decidedElsewhere: "This check needs the rules, which this page does not have. Run `boardkeeper verify FILE`.",
  notReached: "An earlier check failed.",
  waits: {
    "the whole record": "The dice can be verified only in the whole record of a finished game.",
    "the end of the game": "The secret of the dice is revealed when the game ends.",
  },
  key: "Signed with the key",
  keyHint: "Compare it with the keys that the server publishes.",
  dice: "Dice",
  noDice: "No draws were verified.",
  diceHint:
    "You can compute each draw again from the secret of the dice, revealed at the end of the game (docs/dice.md).",
  kinds: { draw: "draw", shuffle: "shuffle" },
  allDice: (count) => (count === 1 ? "1 draw" : `${count} draws`),
  counter: "counter",
  lay: "In the pile, sorted by id and numbered from 0",
  rejected: "discarded",
  hmacOf: "HMAC-SHA-256 of",
  arithmetic: (value, bound, index) => `0x${value} mod ${bound} = ${index}`,
  limit: (limit) => `values from 0x${limit} are discarded`,
  picked: "picked",
  swapped: (place, index) => `places ${place} and ${index} are swapped`,
};

export const de: RecordWords = {
  title: "Eine Aufzeichnung prüfen",
  lead: "Eine Aufzeichnung ist eine ganze Partie als eine Datei. Diese Seite spielt sie nach und prüft sie ganz allein: Nichts wird irgendwohin geschickt.",
  choose: "Datei öffnen …",
  drop: "oder irgendwo auf dieser Seite fallen lassen",
  dropHere: "Aufzeichnung fallen lassen: Sie wird nachgespielt und geprüft",
  loading: "Die Aufzeichnung wird gelesen …",
  noRecord: "Das ist keine Aufzeichnung im Format 1 oder 2.",
  notLoaded: (status) => `Die Aufzeichnung ließ sich nicht laden (${status}).`,
  whose: {
    whole: "die ganze Partie",
    spectator: "wie Zuschauer sie sahen",
    seat: (seat) => `wie Platz ${seat} sie sah`,
  },
  check: "Prüfung",
  checking: "Wird geprüft …",
  holds: "Diese Aufzeichnung besteht alle Prüfungen dieser Seite",
  holdsNotYet: "So weit sie reicht, stimmt an dieser Aufzeichnung alles",
  fails: "Diese Aufzeichnung stimmt nicht",
  cutAt: (version) => `Gezeigt wird, was vor dem ersten Fehler liegt: bis Version ${version}.`,
  problem: (line) => `Zeile ${line}`,
  said: problemInGerman,
  noLine: "Als Ganzes",
  toVersion: (version) => `zu Version ${version}`,
  levels: {
    "well-formed": "Wohlgeformt",
    chained: "Verkettet",
    signed: "Unterschrieben",
    conserved: "Erhalten",
    fair: "Ehrlich gewürfelt",
    decided: "Regelgerecht",
  },
  statuses: { holds: "stimmt", fails: "stimmt nicht", "not yet": "noch nicht", "not checked": "nicht geprüft" },
  says: {
    "well-formed": "Alle Bytes, Zeilen und Felder entsprechen dem Format.",
    chained: "Jede Zeile folgt aus der vorigen: Nichts wurde geändert, weggelassen oder eingefügt.",
    signed: "Der Server, dem der Schlüssel gehört, hat diese Aufzeichnung unterschrieben.",
    conserved: "Kein Teil entsteht oder verschwindet.",
    fair: "Jede Ziehung und jedes Mischen entspricht den Würfeln.",
    decided: "Die Befehle führen nach den Regeln zu diesen Ereignissen.",
  },
  partly: "zum Teil geprüft",
  conservedPartly: "Teile, die bewegt werden, wurden mit den Würfeln geprüft. Den Rest prüft `boardkeeper verify`.",
  decidedElsewhere: "Dafür braucht es die Regeln, die diese Seite nicht hat. `boardkeeper verify DATEI` prüft es.",
  notReached: "Vorher stimmt etwas nicht.",
  waits: {
    "the whole record": "Die Würfel lassen sich in der ganzen Aufzeichnung prüfen, wenn die Partie zu Ende ist.",
    "the end of the game": "Das Geheimnis der Würfel wird am Ende der Partie offengelegt.",
  },
  key: "Unterschrieben mit dem Schlüssel",
  keyHint: "Vergleiche ihn mit den Schlüsseln, die der Server veröffentlicht.",
  dice: "Würfel",
  noDice: "Keine Ziehung wurde geprüft.",
  diceHint:
    "Jede Ziehung lässt sich aus dem Geheimnis der Würfel nachrechnen, das am Ende offengelegt wurde (docs/dice.md).",
  kinds: { draw: "Ziehung", shuffle: "Mischen" },
  allDice: (count) => (count === 1 ? "1 Ziehung" : `${count} Ziehungen`),
  counter: "Zähler",
  lay: "Im Stapel, nach Ids sortiert und von 0 an nummeriert",
  rejected: "verworfen",
  hmacOf: "HMAC-SHA-256 von",
  arithmetic: (value, bound, index) => `0x${value} mod ${bound} = ${index}`,
  limit: (limit) => `Werte ab 0x${limit} werden verworfen`,
  picked: "gezogen",
  swapped: (place, index) => `die Stellen ${place} und ${index} werden vertauscht`,
};
