/**
 * What can go wrong, as exceptions with fields instead of strings to parse.
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

/** What an error says beside its kind. */
export interface Told {
  /** The canonical gRPC code in words, such as `FAILED_PRECONDITION`. */
  readonly status: string;
  /** The service's stable word for what is wrong; empty if it gave none. */
  readonly reason: string;
  /** What it named beside, as short strings. */
  readonly values: ReadonlyMap<string, string>;
  /** What the service's log calls the call: name it to whoever runs the service. */
  readonly callId: string;
  /** The wait that the service asked for before another attempt, in milliseconds; 0: it said nothing. */
  readonly retryAfterMs: number;
  /** The fields of a request that are wrong, as paths (`seats[0].bot`), each with why. */
  readonly violations: ReadonlyMap<string, string>;
}

/** A call that did not succeed. `message` and `sentence` are for people, in the client's language where the service has it. */
export class BoardkeeperError extends Error implements Told {
  readonly status: string;
  readonly reason: string;
  readonly values: ReadonlyMap<string, string>;
  readonly callId: string;
  readonly retryAfterMs: number;
  readonly violations: ReadonlyMap<string, string>;

  constructor(
    readonly sentence: string,
    told: Partial<Told> = {},
    options?: ErrorOptions,
  ) {
    super(sentence, options);
    this.name = new.target.name;
    this.status = told.status ?? "UNKNOWN";
    this.reason = told.reason ?? "";
    this.values = told.values ?? new Map();
    this.callId = told.callId ?? "";
    this.retryAfterMs = told.retryAfterMs ?? 0;
    this.violations = told.violations ?? new Map();
  }
}

/** The rules forbid the command; nothing has changed. */
export class Rejected extends BoardkeeperError {
  /** What is wrong, as a stable word (`NOT_YOUR_TURN`): the same as `reason`. */
  get code(): string {
    return this.reason;
  }

  /** The id of the rule (`title.topic.rule`); empty if no rule of the title says it. */
  get rule(): string {
    return this.values.get("rule") ?? "";
  }

  /** Where the edition's rulebook has it; may be empty. */
  get reference(): string {
    return this.values.get("reference") ?? "";
  }

  /** Which command of several it was, from 0. */
  get index(): number {
    return Number(this.values.get("index") ?? 0);
  }
}

/** The game has moved on since `expectedVersion`: look again. */
export class VersionConflict extends BoardkeeperError {
  /** Where the game stands. */
  get version(): number {
    return Number(this.values.get("version") ?? 0);
  }
}

/** The request itself is malformed; `violations` say where, if it is about fields. */
export class BadRequest extends BoardkeeperError {}

/** There is no such game, title or version. */
export class NotFound extends BoardkeeperError {}

/** What is to be made is there already: a game of that id, or another request of that id. */
export class AlreadyExists extends BoardkeeperError {}

/** The call needs the token of a seat, or a key. */
export class Unauthenticated extends BoardkeeperError {}

/** The token belongs to another seat or game. */
export class PermissionDenied extends BoardkeeperError {}

/** Try later: the service has too much to do, or a limit was reached, which `values` name (`limit`, `most`, `by`). */
export class Overloaded extends BoardkeeperError {}

/**
 * No answer: the service is not there, shuts down, or took longer than the deadline. A command may or may not have been
 * carried out: send it again with the same id.
 */
export class Unavailable extends BoardkeeperError {}

/** What to say of a stream that the service ended before its time. */
export const endedEarly = (): Unavailable => new Unavailable("the service ended the stream", { status: "UNAVAILABLE" });

const KINDS: Partial<Record<Code, typeof BoardkeeperError>> = {
  [Code.FailedPrecondition]: Rejected,
  [Code.InvalidArgument]: BadRequest,
  [Code.OutOfRange]: BadRequest,
  [Code.NotFound]: NotFound,
  [Code.AlreadyExists]: AlreadyExists,
  [Code.Unauthenticated]: Unauthenticated,
  [Code.PermissionDenied]: PermissionDenied,
  [Code.ResourceExhausted]: Overloaded,
  [Code.Aborted]: Overloaded, // but for VERSION_CONFLICT
  [Code.Unavailable]: Unavailable,
  [Code.DeadlineExceeded]: Unavailable,
};

/** What Connect says where no answer of the service came, but something broke on the way to it: in Node, a reset is Aborted. */
const BROKEN_OFF = new Set([Code.Unknown, Code.Internal, Code.DataLoss, Code.Aborted]);

const VERSION_CONFLICT = "VERSION_CONFLICT";

type Find = <Desc extends DescMessage>(schema: Desc) => MessageShape<Desc> | undefined;

/** Whether an error was made by the service, and did not come up on the way. */
const isAnswer = (error: ConnectError): boolean => (error as unknown as { isWireError?: boolean }).isWireError === true;

/** Whether a request could not even be written. */
const isOurOwn = (cause: unknown): boolean => cause instanceof Error && /^(cannot encode|invalid)/.test(cause.message);

/** The exception for whatever a call has thrown. */
export function fromFailure(failure: unknown): BoardkeeperError {
  if (failure instanceof BoardkeeperError) return failure;
  const error = ConnectError.from(failure);
  const lost = BROKEN_OFF.has(error.code) && !isAnswer(error) && !isOurOwn(error.cause);
  return made(lost ? Code.Unavailable : error.code, error.rawMessage, (schema) => error.findDetails(schema)[0], error);
}

/** The exception for a status that came as a message, such as why a command would be rejected. */
export function fromStatus(status: Status): BoardkeeperError {
  const find: Find = (schema) => {
    for (const detail of status.details) {
      const found = anyUnpack(detail, schema);
      if (found) return found;
    }
    return undefined;
  };
  return made(status.code as Code, status.message, find);
}

function made(code: Code, text: string, find: Find, cause?: unknown): BoardkeeperError {
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
