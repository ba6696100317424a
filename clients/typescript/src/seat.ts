/** One's seat in a game: the place to play from. */
import type { CallOptions } from "@connectrpc/connect";
import type { Client } from "./client.js";
import type { Asked } from "./connection.js";
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

/** What a seat can submit: a command, or an entry of the legal ones. */
export type AnyCommand = Command | LegalCommand;

/** An act of a seat, which is carried out once, however often it has to be sent. */
export interface Act extends Asked {
  /** Made here unless it is given: to be safe across a crash of the caller, make it first and write it down. */
  readonly commandId?: string;
}

/** An act that depends on what is on the board. */
export interface Judged extends Act {
  /** Act only if the game is at this version; else a {@link VersionConflict} is thrown. */
  readonly expectedVersion?: number | bigint;
}

/** Which legal commands, and how much of them. */
export interface LegalAt extends At {
  readonly withEffects?: boolean;
}

/** Why things cannot be done. */
export interface Explained {
  /** The version of the game that this holds for. */
  readonly version: number;
  /** The decision that the seat has to take, by the title's name for it; empty: none. */
  readonly decision: string;
  /** The seats that have to decide now. */
  readonly deciding: readonly number[];
  /** What could be meant, the most telling first. */
  readonly explanations: readonly Explanation[];
}

/** A command that could be meant, and why it is refused. */
export interface Explanation {
  /** Absent where no command can be given now. */
  readonly command: Command | undefined;
  /** What it does, in the client's language; empty without one. */
  readonly sentence: string;
  /** Whether it can be given after all. */
  readonly legal: boolean;
  /** Why it is refused, a {@link Rejected} where the rules say so; absent if it can be given. */
  readonly refusal: BoardkeeperError | undefined;
}

/** A seat that one holds. */
export class Seat extends Viewer {
  constructor(
    client: Client,
    gameId: string,
    /** Its number, from 1. */
    readonly number: number,
    token: string,
  ) {
    super(client, gameId, token);
  }

  /**
   * Every command that the rules accept from the seat now, or accepted at a past version; `withEffects` also what each
   * would change at once, as far as the seat can know.
   */
  legalCommands({ withEffects = false, signal, ...at }: LegalAt = {}): Promise<ListLegalCommandsResponse> {
    const request = { gameId: this.gameId, seat: this.number, withEffects, ...this.at(at) };
    return this.client.connection.call((options) => this.client.stubs.games.listLegalCommands(request, options), {
      ...this.asks,
      signal,
    });
  }

  /** Why commands would be rejected, or nothing if they would be carried out; changes nothing. */
  async check(
    commands: AnyCommand | readonly AnyCommand[],
    { minVersion, expectedVersion, signal }: Omit<Judged, "commandId"> & { minVersion?: number | bigint } = {},
  ): Promise<Rejected | undefined> {
    const request = {
      gameId: this.gameId,
      seat: this.number,
      commands: plain(commands),
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
   * Why nothing else can be done about something now: about zones, markers and components (1 to 8 of their ids), such as the
   * piece that was clicked and where it should go. The most telling first, at most 20.
   */
  async explainRefusals(
    subjects: readonly string[],
    { minVersion, signal }: { minVersion?: number | bigint } & Asked = {},
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

  /** Carry out commands, all or nothing; throws {@link Rejected} if the rules forbid it, and then nothing has changed. */
  submit(
    commands: AnyCommand | readonly AnyCommand[],
    { expectedVersion, ...act }: Judged = {},
  ): Promise<SubmitCommandsResponse> {
    const request = { commands: plain(commands), ...expected(expectedVersion) };
    return this.act(act, (own, it) => this.client.stubs.games.submitCommands({ ...request, ...own }, it));
  }

  /**
   * Take back the seat's last commands that are in force, with whatever came after them. Where others have to consent the
   * answer is an open vote.
   */
  requestUndo({ expectedVersion, ...act }: Judged = {}): Promise<RequestUndoResponse> {
    const request = expected(expectedVersion);
    return this.act(act, (own, it) => this.client.stubs.games.requestUndo({ ...request, ...own }, it));
  }

  /** Consent to the undo that was requested at that version (the game's `undoVote` tells it), or decline it. */
  answerUndo(requestVersion: number | bigint, consent: boolean, act: Act = {}): Promise<AnswerUndoResponse> {
    const request = { requestVersion: BigInt(requestVersion), consent };
    return this.act(act, (own, it) => this.client.stubs.games.answerUndo({ ...request, ...own }, it));
  }

  /** Give up, for good: the seat ranks behind all who did not, and a bot plays on if the game does. */
  resign(act: Act = {}): Promise<ResignSeatResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.resignSeat(own, it));
  }

  /** Have a bot of that kind (empty: the title's best) play the seat until it is taken back. */
  handToBot(bot = "", act: Act = {}): Promise<HandSeatToBotResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.handSeatToBot({ bot, ...own }, it));
  }

  /** Play the seat again that was handed to a bot. */
  takeBack(act: Act = {}): Promise<TakeSeatBackResponse> {
    return this.act(act, (own, it) => this.client.stubs.games.takeSeatBack(own, it));
  }

  private async act<Answer extends { version: bigint }>(
    { commandId = newId(), signal }: Act,
    attempt: (own: { gameId: string; seat: number; commandId: string }, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const own = { gameId: this.gameId, seat: this.number, commandId };
    const answer = await this.client.connection.call((options) => attempt(own, options), { ...this.asks, signal });
    this.client.connection.wrote(this.gameId, answer.version);
    return answer;
  }
}

const expected = (version: number | bigint | undefined) =>
  version === undefined ? {} : { expectedVersion: BigInt(version) };

function plain(commands: AnyCommand | readonly AnyCommand[]): Command[] {
  const all: readonly AnyCommand[] = Array.isArray(commands) ? commands : [commands as AnyCommand];
  return all.flatMap((it) => {
    if (it.$typeName !== "boardkeeper.v1.LegalCommand") return [it];
    return it.command === undefined ? [] : [it.command];
  });
}
