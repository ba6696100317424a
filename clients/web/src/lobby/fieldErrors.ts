/** Errors of form fields, from the field violations of the server. */
import { BoardkeeperError } from "@boardkeeper/client";

/** Error messages by field path (`seats[0].name`). */
export type FieldErrors = ReadonlyMap<string, string>;

export const noFieldErrors: FieldErrors = new Map();

/** Return the field errors of an error; empty if it has none. */
export function fieldErrors(error: unknown): FieldErrors {
  return error instanceof BoardkeeperError ? error.violations : noFieldErrors;
}

/** Return the message of an error, or `atFields` if the errors are shown at their fields. */
export function errorMessage(error: unknown, atFields = ""): string {
  if (atFields && fieldErrors(error).size > 0) return atFields;
  if (error instanceof BoardkeeperError) return error.sentence || error.message;
  return error instanceof Error ? error.message : String(error);
}

/** Return the id of the element that shows the error of a field. */
export function errorId(field: string): string {
  return `wrong-${field.replace(/[^a-z0-9_]+/gi, "-")}`;
}

/** Return the attributes that mark an input as invalid. */
export function errorAttributes(
  errors: FieldErrors,
  field: string,
): { "aria-invalid"?: true; "aria-describedby"?: string } {
  return errors.has(field) ? { "aria-invalid": true, "aria-describedby": errorId(field) } : {};
}
