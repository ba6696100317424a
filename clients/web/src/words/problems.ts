/** The problems that the verifier finds in a record, in German. Its own messages are English. */

const LINE = /^line (\d+): /;

/** Each English message, without the line number before it, and its German text. */
const SAID: readonly (readonly [said: RegExp, german: string])[] = [
  [/^the record has more than (\d+) bytes$/, "Die Aufzeichnung hat mehr als $1 Bytes"],
  [
    /^the file is not a record of format 1 or 2, or its last line has no line end$/,
    "Keine Aufzeichnung im Format 1 oder 2, oder eine ohne letztes Zeilenende",
  ],
  [
    /^the record has the format (.*); this verifier reads the formats 1 and 2$/,
    "Die Aufzeichnung hat das Format $1; geprüft werden hier die Formate 1 und 2",
  ],
  [
    /^the record is compressed with gzip: decompress the file$/,
    "Die Aufzeichnung ist mit gzip komprimiert: Bitte die Datei entpacken",
  ],
  [
    /^the record begins with a byte order mark, which an editor has added: save the file as UTF-8 without it$/,
    "Die Aufzeichnung beginnt mit einer Bytereihenfolgemarke aus einem Editor: Bitte ohne diese als UTF-8 speichern",
  ],
  [
    /^the record was converted to UTF-16 by an editor or a shell: use the original file, which is UTF-8$/,
    "Ein Editor oder eine Shell hat die Aufzeichnung in UTF-16 umgewandelt: Bitte die ursprüngliche Datei in UTF-8 nehmen",
  ],
  [
    /^the record has lines that end with CR LF, as after an edit or a transfer in text mode: use LF only$/,
    "Die Zeilen enden mit CR LF, wie nach einem Editor oder einer Übertragung im Textmodus: Erlaubt ist nur LF",
  ],
  [
    /^the line is too long, or not written in the canonical form$/,
    "Die Zeile ist zu lang oder nicht in der einen gültigen Schreibweise",
  ],
  [
    /^the line is not an event, or a field is out of bounds$/,
    "Die Zeile ist kein Ereignis, oder ein Feld liegt außerhalb der Grenzen",
  ],
  [/^the link does not match this event and the link before it$/, "Das Glied passt nicht an die Kette davor"],
  [/^an event follows the end of the game$/, "Nach dem Ende folgt noch ein Ereignis"],
  [/^the seal does not match the record$/, "Das Siegel passt nicht zur Aufzeichnung"],
  [/^the key in the seal is not an Ed25519 key$/, "Der Schlüssel im Siegel ist keiner nach Ed25519"],
  [/^the signature is not valid$/, "Die Unterschrift ist nicht gültig"],
  [
    /^the record is signed with another key than the game's$/,
    "Mit einem anderen Schlüssel unterschrieben als mit dem, den die Partie nennt",
  ],
  [
    /^the secret does not match the commitment in the first event$/,
    "Das Geheimnis ist nicht das, auf das sich der Server festgelegt hat",
  ],
  [/^the game has more than (\d+) components$/, "Das Spiel hat mehr als $1 Teile"],
  [
    /^an effect takes more components than a zone holds, or is too much to check$/,
    "Es werden mehr Teile genommen, als dort liegen oder geprüft werden können",
  ],
  [/^the dice give (.*)$/, "Die Würfel ergeben $1"],
  [/^(\S+) does not hold (\S+)$/, "In $1 liegt kein $2"],
  [/^a value is not hexadecimal$/, "Ein Wert ist nicht hexadezimal"],
  [/^a number is not an integer of at most 53 bits$/, "Eine Zahl ist keine ganze Zahl mit höchstens 53 Bit"],
  [/^a text is not valid Unicode$/, "Ein Text ist kein gültiges Unicode"],
  [/^a value is nested too deeply, or a name is not ASCII$/, "Zu tief verschachtelt, oder ein Name ist nicht ASCII"],
  [/^the file does not have the form of a record \((.*)\)$/s, "Die Datei hat nicht die Form einer Aufzeichnung ($1)"],
];

/** Return a message of the verifier in German, or unchanged if it has no German text. */
export function problemInGerman(message: string): string {
  const line = LINE.exec(message);
  const rest = message.slice(line?.[0].length ?? 0);
  const found = SAID.find(([said]) => said.test(rest));
  const german = found ? rest.replace(found[0], found[1]) : rest;
  return line ? `Zeile ${line[1]}: ${german}` : german;
}
