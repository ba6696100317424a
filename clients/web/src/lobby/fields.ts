/** What the service finds wrong with a request, told where it was filled in. */
import { BoardkeeperError } from "@boardkeeper/client";

/** The fields that are wrong, as paths (`seats[0].name`), each with why. */
export type Wrong = ReadonlyMap<string, string>;

export const nothingWrong: Wrong = new Map();

/** The fields that an error is about; none if it is about something else. */
export function wrongIn(error: unknown): Wrong {
  return error instanceof BoardkeeperError ? error.violations : nothingWrong;
}

/** What an error says to people; of fields that are wrong, `atFields`, since each is told where it is filled in. */
export function saidBy(error: unknown, atFields = ""): string {
  if (atFields && wrongIn(error).size > 0) return atFields;
  if (error instanceof BoardkeeperError) return error.sentence || error.message;
  return error instanceof Error ? error.message : String(error);
}

/** The id of the element that says what is wrong with a field. */
export function idOf(field: string): string {
  return `wrong-${field.replace(/[^a-z0-9_]+/gi, "-")}`;
}

/** What ties an input to what is wrong with it. */
export function marked(wrong: Wrong, field: string): { "aria-invalid"?: true; "aria-describedby"?: string } {
  return wrong.has(field) ? { "aria-invalid": true, "aria-describedby": idOf(field) } : {};
}
