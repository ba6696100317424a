/**
 * The state of one game: table, events, legal commands and selection. All events enter through {@link
 * TableSession.take}, in the order of versions and each once.
 */

import {
  BoardkeeperError,
  type Clocks,
  type Event,
  type Explained,
  type Game,
  GameStatus,
  type GetScoresResponse,
  KnownTable,
  Overloaded,
  type ScoreSheet,
  Seat,
  Timeline,
  Unavailable,
  type Viewer,
} from "@boardkeeper/client";
import { HIDDEN, Pieces } from "../stage/pieces";
import type { Words } from "../words/words";
import { Choosing, type Option, optionsOf, type Subject, subjectKey } from "./choosing";
import { hasCommandInForce, isNewsOfTheGame, touchedBy } from "./chronicle";
import { Countdown } from "./countdown";
import { Guide, type SeatGuide } from "./guide";
import { Pace } from "./pace";
import { standingOn } from "./standing";

/** The state of the connection. */
export type Connection = "connecting" | "live" | "waiting" | "ended";

const NEWEST = 40;

/** Milliseconds before an unanswered request is repeated. */
const AGAIN = 5000;

/** The source of a game: a server ({@link Viewer}) or a record. */
export type Source = Pick<Viewer, "game" | "table" | "scores" | "title" | "events" | "watch">;

interface Look {
  readonly table: KnownTable;
  readonly pieces: Pieces;
  /** Whether it contains all that the viewer may know; otherwise the rest is being requested. */
  readonly isWhole: boolean;
}

export class TableSession {
  game = $state.raw<Game | undefined>();
  guide = $state.raw<Guide | undefined>();
  connection = $state<Connection>("connecting");
  /** The error that prevents showing the game. */
  failure = $state.raw<unknown>();
  /** The error of the last action. */
  refused = $state.raw<BoardkeeperError | undefined>();
  /** The version on the board, and the newest known version. */
  shown = $state(0);
  head = $state(0);
  /** The oldest version that is loaded. */
  first = $state(0);
  choosing = $state.raw(new Choosing([]));
  /** Whether an action waits for its answer. */
  busy = $state(false);
  /** The version that the legal commands belong to. */
  private offeredAt = $state(0);
  touched = $state.raw<ReadonlySet<string>>(new Set());

  /** Whether the game is over and hidden information is revealed. */
  disclosed = $state(false);
  /** The score at the newest version, if the server reports one. */
  scores = $state.raw<ScoreSheet | undefined>();
  /** Remaining times, in a game with clocks. */
  countdown = $state.raw<Countdown | undefined>();
  /** The answer to the last "Why not?" question. */
  why = $state.raw<(Explained & { readonly about: Subject }) | undefined>();
  /** Whether the next click asks "Why not?". */
  asking = $state(false);

  /** The table on the board. Every change creates another object, so that Svelte sees it. */
  private look = $state.raw<Look | undefined>();
  private timeline!: Timeline;
  /** The known events. A new array with each addition only, so that derived values are not recomputed at each step. */
  private told = $state.raw<readonly Event[]>([]);
  private readonly ended = new AbortController();
  private readonly pace = new Pace(() => this.stepOn());
  private following = $state(true);
  private asked = 0;
  /** The version of the score, and that of the last event that can have changed it. */
  private scoredAt = 0;
  private changedAt = 0;
  private isCounting = false;
  /** Number of timelines so far: one for the game, and a second one after its end. */
  private begun = 0;
  /** Wake-up calls for requests that wait for the server. */
  private readonly missed: (() => void)[] = [];

  constructor(
    readonly viewer: Source,
    readonly words: Words,
  ) {}

  /** The own seat; 0 for spectators. */
  get seat(): number {
    return this.viewer instanceof Seat ? this.viewer.number : 0;
  }

  /** The own seat's catalogue entry. */
  get own(): SeatGuide | undefined {
    return this.guide?.seats.find(({ seat }) => seat === this.seat);
  }

  /** Whether a bot plays the own seat, temporarily or to the end. */
  get isAway(): boolean {
    return this.own?.handedOver === true || this.own?.resigned === true;
  }

  /** Whether the player has a seat in a running game and the newest version is shown. */
  get isSeated(): boolean {
    return this.seat > 0 && this.isPresent && this.game?.status === GameStatus.RUNNING;
  }

  /** Whether the own seat may have a command to undo. History that is not loaded may contain one. */
  get mayUndo(): boolean {
    return this.first > 1 || hasCommandInForce(this.events, this.seat);
  }

  /** Whether the own seat has legal commands. */
  get isOffered(): boolean {
    return this.seat > 0 && this.isLive && this.choosing.options.length > 0;
  }

  /** Whether the own seat has to act: a decision, or a vote on an undo. */
  get isCalled(): boolean {
    if (this.seat === 0 || !this.isPresent || this.isAway) return false;
    return this.deciding.includes(this.seat) || this.game?.undoVote?.waiting.includes(this.seat) === true;
  }

  /** Whether commands can be selected now. Commands of an older version are shown but disabled. */
  get isReady(): boolean {
    return this.isLive && !this.busy && this.offeredAt === this.head;
  }

  get isLive(): boolean {
    return this.shown === this.head;
  }

  /** Whether the newest version is shown, or will be after the running animation. */
  get isPresent(): boolean {
    return this.following;
  }

  get isOver(): boolean {
    return this.game?.status === GameStatus.ENDED;
  }

  /** Whether a score is known, line by line or as totals. */
  get hasScore(): boolean {
    return this.scores !== undefined && (this.scores.lines.length > 0 || hasPoints(this.scores));
  }

  /** Return the points of a seat: "?" if the viewer may not know them, empty if there is no score. */
  total(seat: number): string {
    const { scores } = this;
    if (scores === undefined || !hasPoints(scores)) return "";
    const hidden = scores.lines.filter(({ unknownSeats }) => unknownSeats.includes(seat)).length;
    if (hidden > 0 && hidden === scores.lines.length) return "?";
    return `${scores.totals[seat - 1] ?? 0}${hidden > 0 ? " + ?" : ""}`;
  }

  /** The result, best first, after the end; without points if they did not decide. */
  get standings(): readonly { seat: number; rank: number; points: number | undefined }[] {
    const { scores } = this;
    if (!this.isOver || scores === undefined) return [];
    return scores.ranks
      .map((rank, index) => ({ seat: index + 1, rank, points: hasPoints(scores) ? scores.totals[index] : undefined }))
      .sort((one, other) => one.rank - other.rank);
  }

  /** The winners as a sentence without a full stop; empty before the end. */
  get winners(): string {
    const first = this.standings.filter(({ rank }) => rank === 1);
    return first.length > 0 ? this.words.won(first.map(({ seat }) => this.guide?.nameOf(seat) ?? "")) : "";
  }

  /** The seats that have to decide at the shown version. */
  get deciding(): readonly number[] {
    return this.look?.table.decisions.flatMap((decision, index) => (decision ? [index + 1] : [])) ?? [];
  }

  /** The table at the shown version. */
  get table(): KnownTable {
    return this.opened.table;
  }

  /** Identities of the components on the table. */
  get pieces(): Pieces {
    return this.opened.pieces;
  }

  /** Whether the table contains all that the viewer may know; some events require another request. */
  get isWhole(): boolean {
    return this.opened.isWhole;
  }

  /** The known events, oldest first. */
  get events(): readonly Event[] {
    return this.told;
  }

  /** Load the game and follow it until {@link close}; `at` is the first version to show. */
  async open(at?: number): Promise<void> {
    try {
      const game = await this.viewer.game();
      const [answer, catalogue] = await Promise.all([
        this.viewer.table().then((answer) => {
          this.hearClocks(answer.clocks);
          return answer;
        }),
        this.viewer.title({ game }),
      ]);
      const { table, version } = answer;
      this.game = game;
      this.takeScores(answer);
      this.disclosed = this.isOver;
      this.guide = new Guide(catalogue, game, this.words);
      this.begin(KnownTable.of(table), Number(version));
      // An event arrived between the two answers. The stream starts after the table and does not repeat it.
      if (game.version < version) void this.patiently(() => this.again());
      if (at !== undefined && at < this.head) await this.goTo(at);
      void this.followOn();
      await this.recent();
      await this.ask();
    } catch (error) {
      if (!this.ended.signal.aborted) this.failure = error;
    }
  }

  close(): void {
    this.ended.abort();
    this.pace.stop();
  }

  private get opened(): Look {
    if (this.look === undefined) throw new Error("the table is not there yet");
    return this.look;
  }

  // --- what happens ---------------------------------------------------------------------------------------------------

  private begin(base: KnownTable, version: number): void {
    this.begun++;
    this.timeline = new Timeline(base, version);
    this.told = [];
    this.first = version;
    this.head = this.timeline.last;
    this.shown = this.timeline.version;
    this.redraw(new Pieces(this.timeline.table));
  }

  private redraw(pieces = this.pieces): void {
    const { table } = this.timeline;
    this.look = { table, pieces, isWhole: table.lacks().size === 0 };
  }

  private async followOn(): Promise<void> {
    if (this.isOver) {
      this.connection = "ended";
      return;
    }
    try {
      for await (const update of this.viewer.watch({
        after: this.head,
        signal: this.ended.signal,
        onState: (state) => this.heard(state),
      })) {
        this.hearClocks(update.clocks);
        if (update.kind === "event") this.take([update.event]);
      }
      this.connection = "ended";
    } catch (error) {
      if (!this.ended.signal.aborted) this.failure = error;
    }
  }

  /** Restart the clocks. Updates without clocks (all but the newest of a batch) change nothing. */
  private hearClocks(clocks: Clocks | undefined): void {
    if (clocks) this.countdown = new Countdown(clocks, performance.now());
  }

  private heard(state: "live" | "waiting"): void {
    this.connection = state;
    if (state !== "live") return;
    for (const go of this.missed.splice(0)) go();
  }

  /**
   * Repeat a request until it is answered: when the server is reachable again, or after a delay. Errors of the server
   * are shown; the request is dropped when the session closes.
   */
  private async patiently(question: () => Promise<void>): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        return await question();
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (!(error instanceof BoardkeeperError)) throw error;
        if (!(error instanceof Unavailable) && !(error instanceof Overloaded)) {
          this.refused = error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.missed.push(resolve);
          setTimeout(resolve, AGAIN);
        });
      }
    }
  }

  /** Add new events. Known events are ignored; events after a gap are ignored too, because the stream repeats them. */
  take(events: readonly Event[]): void {
    const before = this.head;
    const next: Event[] = [];
    for (const event of events) {
      if (Number(event.version) !== this.timeline.last + 1) continue;
      this.timeline.append(event);
      next.push(event);
    }
    if (next.length > 0) this.told = [...this.told, ...next];
    this.head = this.timeline.last;
    if (this.head === before) return;
    this.changedAt = Number(next.findLast(changesTheTable)?.version ?? this.changedAt);
    this.redraw();
    if (this.following) this.pace.hurry(this.head - this.shown);
    if (events.some(isNewsOfTheGame)) void this.patiently(() => this.again());
    if (!this.following) {
      void this.ask();
      void this.count();
    }
  }

  private async again(): Promise<void> {
    const game = await this.viewer.game({ minVersion: this.head });
    if (this.game && game.version < this.game.version) return; // a later request was answered first
    const hasStarted = this.game?.status === GameStatus.OPEN && game.status === GameStatus.RUNNING;
    this.game = game;
    if (this.guide) this.guide = new Guide(this.guide.catalogue, game, this.words);
    if (this.isOver && !this.disclosed) await this.disclose();
    else if (hasStarted) {
      await this.askScores(); // no score exists before the start
      await this.count();
    }
  }

  /** Reload the table and all events: after the end nothing is hidden, in earlier versions too. */
  private async disclose(): Promise<void> {
    const answer = await this.viewer.table({ minVersion: this.head });
    this.takeScores(answer);
    const at = this.isPresent ? undefined : this.shown;
    this.begin(KnownTable.of(answer.table), Number(answer.version));
    await this.recent();
    if (at !== undefined) await this.goTo(at); // keep the version that the player looks at
    this.disclosed = true;
  }

  /**
   * Request the score if events can have changed it. Only one request runs at a time; it covers all events before it.
   */
  private async count(): Promise<void> {
    if (this.isCounting) return;
    this.isCounting = true;
    try {
      for (let asked = this.scoredAt; this.scores?.running && asked < this.changedAt; ) {
        asked = this.changedAt;
        await this.patiently(() => this.askScores());
      }
    } finally {
      this.isCounting = false;
    }
  }

  private async askScores(): Promise<void> {
    this.takeScores(await this.viewer.scores({ minVersion: this.head }));
  }

  /** Store a score, unless a later version's is known: answers may arrive out of order. */
  private takeScores({ version, scoreSheet }: Pick<GetScoresResponse, "version" | "scoreSheet">): void {
    if (Number(version) < this.scoredAt) return;
    this.scoredAt = Number(version);
    this.scores = scoreSheet;
  }

  /** Load the newest events, for the log. */
  private async recent(): Promise<void> {
    if (this.first <= 1) return;
    await this.reach(Math.max(1, this.first - NEWEST));
  }

  /** Load all events from a version on. */
  reach(version: number): Promise<void> {
    return this.patiently(() => this.fetchFrom(version));
  }

  private async fetchFrom(version: number): Promise<void> {
    if (version >= this.first) return;
    const { begun } = this;
    const upTo = this.timeline.last;
    const [{ table }, events] = await Promise.all([
      this.viewer.table({ version }),
      all(this.viewer.events({ after: version, until: upTo })),
    ]);
    if (begun !== this.begun) return this.fetchFrom(version); // this answer belongs to the old timeline, which hides information
    if (version >= this.first) return; // another request was faster
    const later = this.told.filter((event) => Number(event.version) > upTo);
    const at = this.shown;
    const timeline = new Timeline(KnownTable.of(table), version, [...events, ...later]);
    timeline.goTo(at);
    this.timeline = timeline;
    this.told = [...events, ...later];
    this.first = version;
    this.pieces.agree(timeline.table);
    this.redraw();
    void this.patiently(() => this.complete(at));
  }

  // --- history
  // ---------------------------------------------------------------------------------------------------------

  /** Show the table at a version. */
  async goTo(version: number): Promise<void> {
    const to = Math.max(1, Math.min(version, this.head));
    if (to < this.first) await this.reach(1);
    if (to < this.first) return; // loading has failed
    this.pace.stop();
    this.following = to === this.head;
    this.asking = false;
    this.show(to);
    if (!this.following) return;
    void this.count();
    await this.ask();
  }

  private stepOn(): boolean {
    if (this.shown < this.head) this.show(this.shown + 1);
    if (this.shown === this.head && this.following) {
      void this.ask();
      void this.count();
    }
    return this.shown < this.head;
  }

  private show(version: number): void {
    const from = this.timeline.version;
    this.timeline.goTo(version);
    const { pieces } = this;
    const { table } = this.timeline;
    const event =
      version === from + 1
        ? this.timeline.event(version)
        : version === from - 1
          ? this.timeline.event(from)
          : undefined;
    if (event === undefined) pieces.agree(table);
    else if (version > from) pieces.forwards(event.effects, table);
    else pieces.backwards(event.effects, table);
    this.touched = touchedBy(version > from ? event : undefined);
    this.shown = version;
    this.redraw();
    void this.patiently(() => this.complete(version));
    if (!this.isLive) this.choosing = new Choosing([]);
  }

  /** Request the table if effects do not contain all that the viewer may know. */
  private async complete(version: number): Promise<void> {
    const { timeline } = this;
    if (this.isWhole) return;
    const { table } = await this.viewer.table({ version });
    if (timeline !== this.timeline) return;
    timeline.correct(version, KnownTable.of(table));
    if (timeline.version < version) return;
    this.pieces.agree(timeline.table);
    this.redraw();
  }

  // --- playing --------------------------------------------------------------------------------------------------------

  /** Load the legal commands of the own seat. */
  ask(): Promise<void> {
    return this.patiently(() => this.askNow());
  }

  private async askNow(): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isLive) return;
    const asked = ++this.asked;
    if (!this.table.decisions[viewer.number - 1]) {
      this.choosing = new Choosing([]);
      return;
    }
    const legal = await viewer.legalCommands({ minVersion: this.head, withEffects: true });
    if (asked !== this.asked || !this.isLive || Number(legal.version) !== this.head) return;
    this.offeredAt = this.head;
    this.choosing = new Choosing(optionsOf(legal.commands, this.guide && standingOn(this.table, this.guide)));
  }

  /** Handle a click on a subject. */
  async pick(subject: Subject): Promise<void> {
    if (!this.isReady) return;
    this.refused = undefined;
    const { next, act } = this.choosing.pick(subjectKey(subject));
    this.choosing = next;
    if (act) await this.act(act);
  }

  /** Carry out an option. */
  async act({ command }: Option): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isReady) return;
    await this.attempt(async () => this.take((await viewer.submit(command)).events));
  }

  /** Run an action of the own seat; errors are shown. */
  async attempt(what: (seat: Seat) => Promise<unknown>): Promise<void> {
    if (!(this.viewer instanceof Seat) || this.busy) return;
    this.busy = true;
    this.refused = undefined;
    this.why = undefined;
    this.choosing = this.choosing.cleared();
    try {
      await what(this.viewer);
    } catch (error) {
      if (!(error instanceof BoardkeeperError)) throw error;
      this.refused = error;
    } finally {
      this.busy = false;
    }
    await this.ask();
  }

  /** Ask why no command can use a subject. */
  async explain(subject: Subject): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isLive) return;
    this.asking = false;
    const ids = "marker" in subject ? [subject.word, subject.marker] : [subject.component, subject.zone];
    const known = ids.flatMap((id) => (id === undefined || id === HIDDEN ? [] : [id]));
    this.refused = undefined;
    try {
      this.why = { ...(await viewer.explainRefusals(known)), about: subject };
    } catch (error) {
      if (!(error instanceof BoardkeeperError)) throw error;
      this.refused = error;
    }
  }
}

/** Return whether points decided: all are 0 if the game ended for another reason, such as a resignation. */
function hasPoints({ lines, totals }: ScoreSheet): boolean {
  return lines.length > 0 || totals.some((points) => points !== 0);
}

/** Return whether an event changed zones or markers; other events change no score. */
function changesTheTable({ effects }: Event): boolean {
  return effects.some(({ effect }) => effect.case !== "ask");
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
