/** Errors of form fields, from the field violations of the server. */
import { BoardkeeperError } from "@boardkeeper/client";

/** Error messages by field path (`seats[0].name`). */
export type Wrong = ReadonlyMap<string, string>;

export const nothingWrong: Wrong = new Map();

/** Return the field errors of an error; empty if it has none. */
export function wrongIn(error: unknown): Wrong {
  return error instanceof BoardkeeperError ? error.violations : nothingWrong;
}

/** Return the message of an error, or `atFields` if the errors are shown at their fields. */
export function saidBy(error: unknown, atFields = ""): string {
  if (atFields && wrongIn(error).size > 0) return atFields;
  if (error instanceof BoardkeeperError) return error.sentence || error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Return the id of the element that shows the error of a field. */
export function idOf(field: string): string {
  return `wrong-${field.replace(/[^a-z0-9_]+/gi, "-")}`;
}

/** Return the attributes that mark an input as invalid. */
export function marked(wrong: Wrong, field: string): { "aria-invalid"?: true; "aria-describedby"?: string } {
  return wrong.has(field) ? { "aria-invalid": true, "aria-describedby": idOf(field) } : {};
}
