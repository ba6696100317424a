/** Colours of style sheets as plain values: pictures support neither variables nor themes. */

/** Returns the value of a custom property. */
export type Look = (name: string) => string | undefined;

/** A colour of six hexadecimal digits, and its opacity from 0 to 1. */
export interface Color {
  readonly hex: string;
  readonly opacity: number;
}

const NAMES: Readonly<Record<string, string>> = { white: "#ffffff", black: "#000000" };

/** Return a value with its variables replaced and its theme selected; `undefined` if a variable is missing. */
export function resolveVariables(value: string, look: Look, isDark: boolean, depth = 0): string | undefined {
  const at = /\b(var|light-dark)\(/.exec(value);
  if (!at || depth > 20) return value.trim();
  const end = closingBracket(value, at.index + at[0].length);
  const [first = "", ...rest] = splitAtCommas(value.slice(at.index + at[0].length, end));
  let found: string | undefined;
  if (at[1] === "var") found = look(first) ?? (rest.length > 0 ? rest.join(",") : undefined);
  else found = isDark ? rest[0] : first;
  if (found === undefined) return undefined;
  return resolveVariables(value.slice(0, at.index) + found.trim() + value.slice(end + 1), look, isDark, depth + 1);
}

/** Parse a colour without variables; `undefined` for other values, such as `none`. */
export function parseColor(value: string): Color | undefined {
  const text = value.trim().toLowerCase();
  if (text === "transparent") return { hex: "#000000", opacity: 0 };
  const known = NAMES[text] ?? text;
  if (/^#[\da-f]{3}$/.test(known)) return { hex: known.replace(/[\da-f]/g, "$&$&"), opacity: 1 };
  if (/^#[\da-f]{6}$/.test(known)) return { hex: known, opacity: 1 };
  const call = /^([a-z-]+)\((.*)\)$/s.exec(text);
  if (!call) return undefined;
  const [, name = "", inside = ""] = call;
  if (name === "rgb" || name === "rgba" || name === "hsl" || name === "hsla") {
    const [one = 0, two = 0, three = 0, alpha = 1] = inside.split(/[\s,/]+/).map(number);
    const opacity = Math.round(alpha * 1000) / 1000;
    return { hex: name.startsWith("rgb") ? hexOf([one, two, three]) : hexOf(fromHue(one, two, three)), opacity };
  }
  if (name === "color-mix") return mix(splitAtCommas(inside));
  return undefined;
}

const number = (text: string) => (text.endsWith("%") ? Number.parseFloat(text) / 100 : Number.parseFloat(text));

function mix([, first = "", second = ""]: readonly string[]): Color | undefined {
  const share = /\s+([\d.]+)%\s*$/.exec(first.trim());
  const one = parseColor(first.trim().replace(/\s+[\d.]+%\s*$/, ""));
  const other = parseColor(second);
  if (!one || !other) return undefined;
  const part = share ? Number(share[1]) / 100 : 0.5;
  const opacity = one.opacity * part + other.opacity * (1 - part);
  if (opacity === 0) return { hex: "#000000", opacity: 0 };
  const [here, there] = [channels(one.hex), channels(other.hex)];
  // mix in proportion to opacity
  const each = here.map(
    (channel, at) => (channel * one.opacity * part + (there[at] ?? 0) * other.opacity * (1 - part)) / opacity,
  );
  return { hex: hexOf(each), opacity: Math.round(opacity * 1000) / 1000 };
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

const hexOf = (all: readonly number[]) =>
  `#${all
    .map((each) =>
      Math.min(255, Math.max(0, Math.round(each)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

/** Return RGB parts of a colour; hue is in degrees, saturation and lightness are fractions. */
function fromHue(hue: number, saturation: number, lightness: number): number[] {
  const far = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((turn) => {
    const at = (turn + hue / 30) % 12;
    return 255 * (lightness - far * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  });
}

/** Return the index of the bracket that closes the one before `from`. */
function closingBracket(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  throw new Error(`unclosed bracket in ${text}`);
}

/** Split at commas outside brackets. */
function splitAtCommas(text: string): string[] {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth++;
    else if (letter === ")") depth--;
    if (letter === "," && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((part) => part.trim());
}
