/** A seat in a game. */
import type { CallOptions } from "@connectrpc/connect";
import type { Client } from "./client.js";
import type { RequestOptions } from "./connection.js";
import { type BoardkeeperError, fromStatus, Rejected } from "./errors.js";
import type { Command, LegalCommand } from "./gen/boardkeeper/v1/command_pb.js";
import type {
  AnswerUndoResponse,
  HandSeatToBotResponse,
  ListLegalCommandsResponse,
  RequestUndoResponse,
  ResignSeatResponse,
  SubmitCommandsResponse,
  TakeSeatBackResponse,
} from "./gen/boardkeeper/v1/games_pb.js";
import { newId } from "./ids.js";
import { type At, Viewer } from "./viewer.js";

/** A command, or an entry of the legal commands. */
export type AnyCommand = Command | LegalCommand;

/** Options of an action. Retries with the same id carry it out once. */
export interface Act extends RequestOptions {
  /** Default: a new id. To be safe across a crash of the caller, create and store it before the call. */
  readonly commandId?: string;
}

/** An action that depends on the state of the game. */
export interface ConditionalAct extends Act {
  /** Act only at this version; otherwise throw a {@link VersionConflict}. */
  readonly expectedVersion?: number | bigint;
}

/** The former name of {@link ConditionalAct}. @deprecated */
export type Judged = ConditionalAct;

/** Options of a list of legal commands. */
export interface LegalAt extends At {
  readonly withEffects?: boolean;
}

/** Reasons why commands are impossible. */
export interface Explained {
  /** The version that the answer refers to. */
  readonly version: number;
  /** The name of the seat's decision; empty if it has none. */
  readonly decision: string;
  /** The seats that have to decide. */
  readonly deciding: readonly number[];
  /** Possible commands, most relevant first. */
  readonly explanations: readonly Explanation[];
}

/** A command, and the reason why it is rejected. */
export interface Explanation {
  /** Absent if the seat cannot give any command now. */
  readonly command: Command | undefined;
  /** A description in the client's language; empty without a command. */
  readonly sentence: string;
  /** Whether the command is legal after all. */
  readonly legal: boolean;
  /** The reason, a {@link Rejected} if it comes from the rules; absent for a legal command. */
  readonly refusal: BoardkeeperError | undefined;
}

/** A seat of this client. */
export class Seat extends Viewer {
  constructor(
    client: Client,
    gameId: string,
    /** The number, from 1. */
    readonly number: number,
    token: string,
  ) {
    super(client, gameId, token);
  }

  /**
   * Return all legal commands of the seat, now or at a past version; `withEffects` adds the immediate effects, as far
   * as the seat may know them.
   */
  legalCommands({ withEffects = false, signal, ...at }: LegalAt = {}): Promise<ListLegalCommandsResponse> {
    const request = { gameId: this.gameId, seat: this.number, withEffects, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.listLegalCommands(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** Return the errors of commands without carrying them out; empty if they would succeed. */
  async check(
    commands: AnyCommand | readonly AnyCommand[],
    { minVersion, expectedVersion, signal }: Omit<ConditionalAct, "commandId"> & { minVersion?: number | bigint } = {},
  ): Promise<Rejected | undefined> {
    const request = {
      gameId: this.gameId,
      seat: this.number,
      commands: commandsOf(commands),
      ...this.at(minVersion === undefined ? {} : { minVersion }),
      ...expected(expectedVersion),
    };
    try {
      await this.client.connection.call((options) => this.client.stubs.games.checkCommand(request, options), {
        ...this.asks,
        signal,
      });
    } catch (error) {
      if (error instanceof Rejected) return error;
      throw error;
    }
    return undefined;
  }

  /**
   * Explain why no other command can use zones, markers or components (1 to 8 ids), such as a clicked component and its
   * target. At most 20 answers, most relevant first.
   */
  async explainRefusals(
    subjects: readonly string[],
    { minVersion, signal }: { minVersion?: number | bigint } & RequestOptions = {},
  ): Promise<Explained> {
    const request = {
      gameId: this.gameId,
      seat: this.number,
      subjects: [...subjects],
      ...this.at(minVersion === undefined ? {} : { minVersion }),
    };
    const { version, decision, deciding, explanations } = await this.client.connection.call(
      (options) => this.client.stubs.games.explainRefusals(request, options),
      { ...this.asks, signal },
    );
    return {
      version: Number(version),
      decision,
      deciding,
      explanations: explanations.map(({ command, sentence, legal, status }) => ({
        command,
        sentence,
        legal,
        refusal: status === undefined ? undefined : fromStatus(status),
      })),
    };
  }

  /** Carry out all commands or none; throws {@link Rejected} if the rules reject one. */
  submit(
    commands: AnyCommand | readonly AnyCommand[],
    { expectedVersion, ...act }: ConditionalAct = {},
  ): Promise<SubmitCommandsResponse> {
    const request = { commands: commandsOf(commands), ...expected(expectedVersion) };
    return this.act(act, (own, it) => this.client.stubs.games.submitCommands({ ...request, ...own }, it));
  }

  /**
   * Undo the seat's last commands and everything after them. If other players have to agree, the answer is an open
   * vote.
   */
  requestUndo({ expectedVersion, ...act }: ConditionalAct = {}): Promise<RequestUndoResponse> {
    const request = expected(expectedVersion);
    return this.act(act, (own, it) => this.client.stubs.games.requestUndo({ ...request, ...own }, it));
  }

  /** Agree to the undo requested at a version (`undoVote` of the game has it), or decline it. */
  answerUndo(requestVersion: number | bigint, consent: boolean, act: Act = {}): Promise<AnswerUndoResponse> {
    const request = { requestVersion: BigInt(requestVersion), consent };
    return this.act(act, (own, it) => this.client.stubs.games.answerUndo({ ...request, ...own }, it));
  }

  /** Resign permanently: the seat ranks behind all that did not, and a bot takes over if the game continues. */
  resign(act: Act = {}): Promise<ResignSeatResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.resignSeat(own, it));
  }

  /** Let a bot play the seat until {@link takeBack}; an empty `bot` is the title's best one. */
  handToBot(bot = "", act: Act = {}): Promise<HandSeatToBotResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.handSeatToBot({ bot, ...own }, it));
  }

  /** Take the seat back from a bot. */
  takeBack(act: Act = {}): Promise<TakeSeatBackResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.takeSeatBack(own, it));
  }

  private async act<Answer extends { version: bigint }>(
    { commandId = newId(), signal }: Act,
    attempt: (own: { gameId: string; seat: number; commandId: string }, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const own = { gameId: this.gameId, seat: this.number, commandId };
    const answer = await this.client.connection.call((options) => attempt(own, options), { ...this.asks, signal });
    this.client.connection.recordWrite(this.gameId, answer.version);
    return answer;
  }
}

const expected = (version: number | bigint | undefined) =>
  version === undefined ? {} : { expectedVersion: BigInt(version) };

function commandsOf(commands: AnyCommand | readonly AnyCommand[]): Command[] {
  const all: readonly AnyCommand[] = Array.isArray(commands) ? commands : [commands as AnyCommand];
  return all.flatMap((it) => {
    if (it.$typeName !== "boardkeeper.v1.LegalCommand") return [it];
    return it.command === undefined ? [] : [it.command];
  });
}
