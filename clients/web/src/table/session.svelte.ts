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
import { changedSubjects, changesGame, hasCommandInForce } from "./chronicle";
import { Countdown } from "./countdown";
import { Guide, type SeatGuide } from "./guide";
import { markerSubjects } from "./markerSubjects";
import { Pace } from "./pace";
import { type Option, optionsOf, Selection, type Subject, subjectKey } from "./selection";

/** The state of the connection. */
export type Connection = "connecting" | "live" | "waiting" | "ended";

const NEWEST = 40;

/** Milliseconds before an unanswered request is repeated. */
const RETRY_MS = 5000;

/** The source of a game: a server ({@link Viewer}) or a record. */
export type Source = Pick<Viewer, "game" | "table" | "scores" | "title" | "events" | "watch">;

interface View {
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
  error = $state.raw<BoardkeeperError | undefined>();
  /** The version on the board, and the newest known version. */
  shown = $state(0);
  head = $state(0);
  /** The oldest version that is loaded. */
  first = $state(0);
  selection = $state.raw(new Selection([]));
  /** Whether an action waits for its answer. */
  busy = $state(false);
  /** The version that the legal commands belong to. */
  private commandsVersion = $state(0);
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
  private view = $state.raw<View | undefined>();
  private timeline!: Timeline;
  /** The known events. A new array with each addition only, so that derived values are not recomputed at each step. */
  private known = $state.raw<readonly Event[]>([]);
  private readonly ended = new AbortController();
  private readonly pace = new Pace(() => this.showNext());
  private following = $state(true);
  private requests = 0;
  /** The version of the score, and that of the last event that can have changed it. */
  private scoredAt = 0;
  private changedAt = 0;
  private isCounting = false;
  /** Number of timelines so far: one for the game, and a second one after its end. */
  private timelines = 0;
  /** Wake-up calls for requests that wait for the server. */
  private readonly wakeUps: (() => void)[] = [];

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
  get hasCommands(): boolean {
    return this.seat > 0 && this.isLive && this.selection.options.length > 0;
  }

  /** Whether the own seat has to act: a decision, or a vote on an undo. */
  get mustAct(): boolean {
    if (this.seat === 0 || !this.isPresent || this.isAway) return false;
    return this.deciding.includes(this.seat) || this.game?.undoVote?.waiting.includes(this.seat) === true;
  }

  /** Whether commands can be selected now. Commands of an older version are shown but disabled. */
  get isReady(): boolean {
    return this.isLive && !this.busy && this.commandsVersion === this.head;
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
    return this.view?.table.decisions.flatMap((decision, index) => (decision ? [index + 1] : [])) ?? [];
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
    return this.known;
  }

  /** Load the game and follow it until {@link close}; `at` is the first version to show. */
  async open(at?: number): Promise<void> {
    try {
      const game = await this.viewer.game();
      const [answer, catalogue] = await Promise.all([
        this.viewer.table().then((answer) => {
          this.restartClocks(answer.clocks);
          return answer;
        }),
        this.viewer.title({ game }),
      ]);
      const { table, version } = answer;
      this.game = game;
      this.storeScores(answer);
      this.disclosed = this.isOver;
      this.guide = new Guide(catalogue, game, this.words);
      this.begin(KnownTable.of(table), Number(version));
      // An event arrived between the two answers. The stream starts after the table and does not repeat it.
      if (game.version < version) void this.retry(() => this.reloadGame());
      if (at !== undefined && at < this.head) await this.goTo(at);
      void this.follow();
      await this.loadNewest();
      await this.loadCommands();
    } catch (error) {
      if (!this.ended.signal.aborted) this.failure = error;
    }
  }

  close(): void {
    this.ended.abort();
    this.pace.stop();
  }

  private get opened(): View {
    if (this.view === undefined) throw new Error("the table is not there yet");
    return this.view;
  }

  // --- events ---------------------------------------------------------------------------------------------------------

  private begin(base: KnownTable, version: number): void {
    this.timelines++;
    this.timeline = new Timeline(base, version);
    this.known = [];
    this.first = version;
    this.head = this.timeline.last;
    this.shown = this.timeline.version;
    this.redraw(new Pieces(this.timeline.table));
  }

  private redraw(pieces = this.pieces): void {
    const { table } = this.timeline;
    this.view = { table, pieces, isWhole: table.lacks().size === 0 };
  }

  private async follow(): Promise<void> {
    if (this.isOver) {
      this.connection = "ended";
      return;
    }
    try {
      for await (const update of this.viewer.watch({
        after: this.head,
        signal: this.ended.signal,
        onState: (state) => this.setConnection(state),
      })) {
        this.restartClocks(update.clocks);
        if (update.kind === "event") this.take([update.event]);
      }
      this.connection = "ended";
    } catch (error) {
      if (!this.ended.signal.aborted) this.failure = error;
    }
  }

  /** Restart the clocks. Updates without clocks (all but the newest of a batch) change nothing. */
  private restartClocks(clocks: Clocks | undefined): void {
    if (clocks) this.countdown = new Countdown(clocks, performance.now());
  }

  private setConnection(state: "live" | "waiting"): void {
    this.connection = state;
    if (state !== "live") return;
    for (const go of this.wakeUps.splice(0)) go();
  }

  /**
   * Repeat a request until it is answered: when the server is reachable again, or after a delay. Errors of the server
   * are shown; the request is dropped when the session closes.
   */
  private async retry(request: () => Promise<void>): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        return await request();
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (!(error instanceof BoardkeeperError)) throw error;
        if (!(error instanceof Unavailable) && !(error instanceof Overloaded)) {
          this.error = error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.wakeUps.push(resolve);
          setTimeout(resolve, RETRY_MS);
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
    if (next.length > 0) this.known = [...this.known, ...next];
    this.head = this.timeline.last;
    if (this.head === before) return;
    this.changedAt = Number(next.findLast(changesTable)?.version ?? this.changedAt);
    this.redraw();
    if (this.following) this.pace.start(this.head - this.shown);
    if (events.some(changesGame)) void this.retry(() => this.reloadGame());
    if (!this.following) {
      void this.loadCommands();
      void this.updateScores();
    }
  }

  private async reloadGame(): Promise<void> {
    const game = await this.viewer.game({ minVersion: this.head });
    if (this.game && game.version < this.game.version) return; // a later request was answered first
    const hasStarted = this.game?.status === GameStatus.OPEN && game.status === GameStatus.RUNNING;
    this.game = game;
    if (this.guide) this.guide = new Guide(this.guide.catalogue, game, this.words);
    if (this.isOver && !this.disclosed) await this.disclose();
    else if (hasStarted) {
      await this.loadScores(); // no score exists before the start
      await this.updateScores();
    }
  }

  /** Reload the table and all events: after the end nothing is hidden, in earlier versions too. */
  private async disclose(): Promise<void> {
    const answer = await this.viewer.table({ minVersion: this.head });
    this.storeScores(answer);
    const at = this.isPresent ? undefined : this.shown;
    this.begin(KnownTable.of(answer.table), Number(answer.version));
    await this.loadNewest();
    if (at !== undefined) await this.goTo(at); // keep the version that the player looks at
    this.disclosed = true;
  }

  /**
   * Request the score if events can have changed it. Only one request runs at a time; it covers all events before it.
   */
  private async updateScores(): Promise<void> {
    if (this.isCounting) return;
    this.isCounting = true;
    try {
      for (let requested = this.scoredAt; this.scores?.running && requested < this.changedAt; ) {
        requested = this.changedAt;
        await this.retry(() => this.loadScores());
      }
    } finally {
      this.isCounting = false;
    }
  }

  private async loadScores(): Promise<void> {
    this.storeScores(await this.viewer.scores({ minVersion: this.head }));
  }

  /** Store a score, unless a later version's is known: answers may arrive out of order. */
  private storeScores({ version, scoreSheet }: Pick<GetScoresResponse, "version" | "scoreSheet">): void {
    if (Number(version) < this.scoredAt) return;
    this.scoredAt = Number(version);
    this.scores = scoreSheet;
  }

  /** Load the newest events, for the log. */
  private async loadNewest(): Promise<void> {
    if (this.first <= 1) return;
    await this.loadFrom(Math.max(1, this.first - NEWEST));
  }

  /** Load all events from a version on. */
  loadFrom(version: number): Promise<void> {
    return this.retry(() => this.fetchFrom(version));
  }

  private async fetchFrom(version: number): Promise<void> {
    if (version >= this.first) return;
    const { timelines } = this;
    const upTo = this.timeline.last;
    const [{ table }, events] = await Promise.all([
      this.viewer.table({ version }),
      all(this.viewer.events({ after: version, until: upTo })),
    ]);
    if (timelines !== this.timelines) return this.fetchFrom(version); // this answer belongs to the old timeline, which hides information
    if (version >= this.first) return; // another request was faster
    const later = this.known.filter((event) => Number(event.version) > upTo);
    const at = this.shown;
    const timeline = new Timeline(KnownTable.of(table), version, [...events, ...later]);
    timeline.goTo(at);
    this.timeline = timeline;
    this.known = [...events, ...later];
    this.first = version;
    this.pieces.match(timeline.table);
    this.redraw();
    void this.retry(() => this.complete(at));
  }

  // --- history --------------------------------------------------------------------------------------------------------

  /** Show the table at a version. */
  async goTo(version: number): Promise<void> {
    const to = Math.max(1, Math.min(version, this.head));
    if (to < this.first) await this.loadFrom(1);
    if (to < this.first) return; // loading has failed
    this.pace.stop();
    this.following = to === this.head;
    this.asking = false;
    this.show(to);
    if (!this.following) return;
    void this.updateScores();
    await this.loadCommands();
  }

  private showNext(): boolean {
    if (this.shown < this.head) this.show(this.shown + 1);
    if (this.shown === this.head && this.following) {
      void this.loadCommands();
      void this.updateScores();
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
    if (event === undefined) pieces.match(table);
    else if (version > from) pieces.stepForward(event.effects, table);
    else pieces.stepBackward(event.effects, table);
    this.touched = changedSubjects(version > from ? event : undefined);
    this.shown = version;
    this.redraw();
    void this.retry(() => this.complete(version));
    if (!this.isLive) this.selection = new Selection([]);
  }

  /** Request the table if effects do not contain all that the viewer may know. */
  private async complete(version: number): Promise<void> {
    const { timeline } = this;
    if (this.isWhole) return;
    const { table } = await this.viewer.table({ version });
    if (timeline !== this.timeline) return;
    timeline.correct(version, KnownTable.of(table));
    if (timeline.version < version) return;
    this.pieces.match(timeline.table);
    this.redraw();
  }

  // --- commands -------------------------------------------------------------------------------------------------------

  /** Load the legal commands of the own seat. */
  loadCommands(): Promise<void> {
    return this.retry(() => this.loadCommandsOnce());
  }

  private async loadCommandsOnce(): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isLive) return;
    const request = ++this.requests;
    if (!this.table.decisions[viewer.number - 1]) {
      this.selection = new Selection([]);
      return;
    }
    const legal = await viewer.legalCommands({ minVersion: this.head, withEffects: true });
    if (request !== this.requests || !this.isLive || Number(legal.version) !== this.head) return;
    this.commandsVersion = this.head;
    this.selection = new Selection(optionsOf(legal.commands, this.guide && markerSubjects(this.table, this.guide)));
  }

  /** Handle a click on a subject. */
  async pick(subject: Subject): Promise<void> {
    if (!this.isReady) return;
    this.error = undefined;
    const { next, act } = this.selection.pick(subjectKey(subject));
    this.selection = next;
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
    this.error = undefined;
    this.why = undefined;
    this.selection = this.selection.clear();
    try {
      await what(this.viewer);
    } catch (error) {
      if (!(error instanceof BoardkeeperError)) throw error;
      this.error = error;
    } finally {
      this.busy = false;
    }
    await this.loadCommands();
  }

  /** Ask why no command can use a subject. */
  async explain(subject: Subject): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isLive) return;
    this.asking = false;
    const ids = "marker" in subject ? [subject.word, subject.marker] : [subject.component, subject.zone];
    const known = ids.flatMap((id) => (id === undefined || id === HIDDEN ? [] : [id]));
    this.error = undefined;
    try {
      this.why = { ...(await viewer.explainRefusals(known)), about: subject };
    } catch (error) {
      if (!(error instanceof BoardkeeperError)) throw error;
      this.error = error;
    }
  }
}

/** Return whether points decided: all are 0 if the game ended for another reason, such as a resignation. */
function hasPoints({ lines, totals }: ScoreSheet): boolean {
  return lines.length > 0 || totals.some((points) => points !== 0);
}

/** Return whether an event changed zones or markers; other events change no score. */
function changesTable({ effects }: Event): boolean {
  return effects.some(({ effect }) => effect.case !== "ask");
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
