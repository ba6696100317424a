/** What the verifier finds wrong with a record, in German. It speaks English itself, as records do. */

const LINE = /^line (\d+): /;

/** What it says, without the line before it, and how that is said in German. */
const SAID: readonly (readonly [said: RegExp, german: string])[] = [
  [/^the record has more than (\d+) bytes$/, "Die Aufzeichnung hat mehr als $1 Bytes"],
  [
    /^no record of format 1 or 2, or one without its last line end$/,
    "Keine Aufzeichnung der Form 1 oder 2, oder eine ohne letztes Zeilenende",
  ],
  [
    /^a record of format (.*), which is not known here: 1 and 2 are$/,
    "Eine Aufzeichnung der Form $1, die hier nicht bekannt ist: 1 und 2 sind es",
  ],
  [/^too long, or not in canonical bytes$/, "Zu lang oder nicht in der einen gültigen Schreibweise"],
  [/^no event, or one that is out of bounds$/, "Kein Ereignis, oder eines außerhalb der Grenzen"],
  [/^the link does not follow$/, "Das Glied passt nicht an die Kette davor"],
  [/^an event follows the end$/, "Nach dem Ende folgt noch ein Ereignis"],
  [/^no seal of this$/, "Kein Siegel dieser Aufzeichnung"],
  [/^no Ed25519 key$/, "Kein Schlüssel nach Ed25519"],
  [/^no valid signature$/, "Keine gültige Unterschrift"],
  [
    /^signed by another key than the game's$/,
    "Mit einem anderen Schlüssel unterschrieben als mit dem, den die Partie nennt",
  ],
  [
    /^the secret is not the one that was promised$/,
    "Das Geheimnis ist nicht das, auf das sich der Dienst festgelegt hat",
  ],
  [/^more than (\d+) components$/, "Mehr als $1 Teile"],
  [/^more than lies there, or than can be checked$/, "Mehr, als dort liegt oder geprüft werden kann"],
  [/^the dice give (.*)$/, "Die Würfel ergeben $1"],
  [/^(\S+) does not hold (\S+)$/, "In $1 liegt kein $2"],
  [/^no hexadecimal$/, "Keine hexadezimalen Ziffern"],
  [/^a number is no integer of 53 bits$/, "Eine Zahl ist keine ganze Zahl mit 53 Bit"],
  [/^there is half a character$/, "Ein Zeichen ist nur halb da"],
  [/^too deep, or a name that is not ASCII$/, "Zu tief verschachtelt, oder ein Name, der nicht ASCII ist"],
  [/^not of the form of a record \((.*)\)$/s, "Nicht von der Form einer Aufzeichnung ($1)"],
];

/** The German of what the verifier says; what nobody has put into German stays as it is. */
export function problemInGerman(message: string): string {
  const line = LINE.exec(message);
  const rest = message.slice(line?.[0].length ?? 0);
  const found = SAID.find(([said]) => said.test(rest));
  const german = found ? rest.replace(found[0], found[1]) : rest;
  return line ? `Zeile ${line[1]}: ${german}` : german;
}
