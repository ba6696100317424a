/**
 * Exceptions of failed calls, with structured fields.
 *
 * @module
 */

import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";

/** Details of an error. */
export interface ErrorDetails {
  /** The gRPC status code as a word, such as `FAILED_PRECONDITION`. */
  readonly status: string;
  /** The server's stable error reason; empty if it gave none. */
  readonly reason: string;
  /** Details as short strings, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** The id of the call in the server's log, for reports to its operator. */
  readonly callId: string;
  /** The delay that the server requested before a retry, in milliseconds; 0 if none. */
  readonly retryAfterMs: number;
  /** Messages by path of an invalid field (`seats[0].bot`). */
  readonly violations: ReadonlyMap<string, string>;
}

/** The former name of {@link ErrorDetails}. @deprecated */
export type Told = ErrorDetails;

/** A failed call. `message` and `sentence` are readable texts, in the client's language if the server has it. */
export class BoardkeeperError extends Error implements ErrorDetails {
  readonly status: string;
  readonly reason: string;
  readonly values: ReadonlyMap<string, string>;
  readonly callId: string;
  readonly retryAfterMs: number;
  readonly violations: ReadonlyMap<string, string>;

  constructor(
    readonly sentence: string,
    details: Partial<ErrorDetails> = {},
    options?: ErrorOptions,
  ) {
    super(sentence, options);
    this.name = new.target.name;
    this.status = details.status ?? "UNKNOWN";
    this.reason = details.reason ?? "";
    this.values = details.values ?? new Map();
    this.callId = details.callId ?? "";
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.violations = details.violations ?? new Map();
  }
}

/** The rules reject the command; nothing has changed. */
export class Rejected extends BoardkeeperError {
  /** The stable reason (`NOT_YOUR_TURN`), equal to `reason`. */
  get code(): string {
    return this.reason;
  }

  /** The id of the rule (`title.topic.rule`); empty if no rule of the title applies. */
  get rule(): string {
    return this.values.get("rule") ?? "";
  }

  /** The place in the edition's rulebook; may be empty. */
  get reference(): string {
    return this.values.get("reference") ?? "";
  }

  /** The index of the rejected command, from 0. */
  get index(): number {
    return Number(this.values.get("index") ?? 0);
  }
}

/** The game has changed since `expectedVersion`: load it again. */
export class VersionConflict extends BoardkeeperError {
  /** The current version of the game. */
  get version(): number {
    return Number(this.values.get("version") ?? 0);
  }
}

/** The request is invalid; `violations` lists its invalid fields. */
export class BadRequest extends BoardkeeperError {}

/** The game, title or version does not exist. */
export class NotFound extends BoardkeeperError {}

/** A game or request with this id already exists. */
export class AlreadyExists extends BoardkeeperError {}

/** The call requires a seat token or an API key. */
export class Unauthenticated extends BoardkeeperError {}

/** The token belongs to another seat or game. */
export class PermissionDenied extends BoardkeeperError {}

/** The server is overloaded, or a limit was reached (`values` has `limit`, `most`, `by`): retry later. */
export class Overloaded extends BoardkeeperError {}

/**
 * The server is unreachable, shuts down, or exceeded the deadline. A command may have been carried out: send it again
 * with the same id.
 */
export class Unavailable extends BoardkeeperError {}

/** The error for a stream that the server ended early. */
export const endedEarly = (): Unavailable => new Unavailable("the server ended the stream", { status: "UNAVAILABLE" });

const KINDS: Partial<Record<Code, typeof BoardkeeperError>> = {
  [Code.FailedPrecondition]: Rejected,
  [Code.InvalidArgument]: BadRequest,
  [Code.OutOfRange]: BadRequest,
  [Code.NotFound]: NotFound,
  [Code.AlreadyExists]: AlreadyExists,
  [Code.Unauthenticated]: Unauthenticated,
  [Code.PermissionDenied]: PermissionDenied,
  [Code.ResourceExhausted]: Overloaded,
  [Code.Aborted]: Overloaded, // except VERSION_CONFLICT
  [Code.Unavailable]: Unavailable,
  [Code.DeadlineExceeded]: Unavailable,
};

/** Connect's codes for failures between client and server; in Node, a connection reset is Aborted. */
const LOST_CODES = new Set([Code.Unknown, Code.Internal, Code.DataLoss, Code.Aborted]);

const VERSION_CONFLICT = "VERSION_CONFLICT";

type Find = <Desc extends DescMessage>(schema: Desc) => MessageShape<Desc> | undefined;

/** Return whether the server sent the error; otherwise it occurred in between. */
const isAnswer = (error: ConnectError): boolean => (error as unknown as { isWireError?: boolean }).isWireError === true;

/** Return whether the cause is a request that could not be encoded. */
const isEncodingError = (cause: unknown): boolean =>
  cause instanceof Error && /^(cannot encode|invalid)/.test(cause.message);

/** Convert a failure of a call to an exception. */
export function fromFailure(failure: unknown): BoardkeeperError {
  if (failure instanceof BoardkeeperError) return failure;
  const error = ConnectError.from(failure);
  const lost = LOST_CODES.has(error.code) && !isAnswer(error) && !isEncodingError(error.cause);
  return createError(
    lost ? Code.Unavailable : error.code,
    error.rawMessage,
    (schema) => error.findDetails(schema)[0],
    error,
  );
}

/** Convert a status message to an exception, such as the reason why a command would be rejected. */
export function fromStatus(status: Status): BoardkeeperError {
  const find: Find = (schema) => {
    for (const detail of status.details) {
      const found = anyUnpack(detail, schema);
      if (found) return found;
    }
    return undefined;
  };
  return createError(status.code as Code, status.message, find);
}

function createError(code: Code, text: string, find: Find, cause?: unknown): BoardkeeperError {
  const info = find(ErrorInfoSchema);
  const delay = find(RetryInfoSchema)?.retryDelay;
  const violations = find(BadRequestSchema)?.fieldViolations ?? [];
  const isConflict = code === Code.Aborted && info?.reason === VERSION_CONFLICT;
  const Kind = isConflict ? VersionConflict : (KINDS[code] ?? BoardkeeperError);
  const status = (Code[code] ?? "Unknown").replace(/\B[A-Z]/g, "_$&").toUpperCase();
  return new Kind(
    find(LocalizedMessageSchema)?.message || text || status,
    {
      status,
      reason: info?.reason ?? "",
      values: new Map(Object.entries(info?.metadata ?? {})),
      callId: find(RequestInfoSchema)?.requestId ?? "",
      retryAfterMs: delay === undefined ? 0 : Number(delay.seconds) * 1000 + delay.nanos / 1e6,
      violations: new Map(violations.map((it) => [it.field, it.description])),
    },
    cause === undefined ? undefined : { cause },
  );
}
