/**
 * One game on the page: the table as it is looked at, the events so far, what its seat may do, and what was chosen of it.
 *
 * Whatever comes from the service goes in at {@link TableSession.take}, in the order of versions and each once, wherever it came
 * from; everything that is shown follows from there.
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

/** How it stands with the connection. */
export type Connection = "connecting" | "live" | "waiting" | "ended";

const NEWEST = 40;

/** After so long, in milliseconds, something is asked again that had no answer. */
const AGAIN = 5000;

/** Where a game comes from: a service, as {@link Viewer} asks it, or a record. */
export type Source = Pick<Viewer, "game" | "table" | "scores" | "title" | "events" | "watch">;

interface Look {
  readonly table: KnownTable;
  readonly pieces: Pieces;
  /** Whether all is told that the viewer may know; if not, it is being asked for. */
  readonly isWhole: boolean;
}

export class TableSession {
  game = $state.raw<Game | undefined>();
  guide = $state.raw<Guide | undefined>();
  connection = $state<Connection>("connecting");
  /** Why the game cannot be shown at all. */
  failure = $state.raw<unknown>();
  /** What the last thing that was tried came to, if it was refused. */
  refused = $state.raw<BoardkeeperError | undefined>();
  /** The version that is shown, and the newest that is known. */
  shown = $state(0);
  head = $state(0);
  /** The first version that can be gone back to without asking. */
  first = $state(0);
  choosing = $state.raw(new Choosing([]));
  /** Whether something was sent that is not answered yet. */
  busy = $state(false);
  /** The version that what can be chosen is of. */
  private offeredAt = $state(0);
  touched = $state.raw<ReadonlySet<string>>(new Set());

  /** Whether the game is over and all that was hidden is known. */
  disclosed = $state(false);
  /** The score as it stands at the newest version, where that is told. */
  scores = $state.raw<ScoreSheet | undefined>();
  /** What time the seats have left, in a game with clocks. */
  countdown = $state.raw<Countdown | undefined>();
  /** Why nothing can be done with something that was asked about. */
  why = $state.raw<(Explained & { readonly about: Subject }) | undefined>();
  /** Whether what is pointed at next is only asked about. */
  asking = $state(false);

  /** What is looked at: another object whenever anything of it has changed, so that whoever draws it hears of that. */
  private look = $state.raw<Look | undefined>();
  private timeline!: Timeline;
  /** Another list whenever there is more to tell: what follows from all events is not worked out anew for each step. */
  private told = $state.raw<readonly Event[]>([]);
  private readonly ended = new AbortController();
  private readonly pace = new Pace(() => this.stepOn());
  private following = $state(true);
  private asked = 0;
  /** The version that the score belongs to, and that of the last event that can have changed it. */
  private scoredAt = 0;
  private changedAt = 0;
  private isCounting = false;
  /** How many timelines have begun: each game has one, and a second one after its end. */
  private begun = 0;
  /** Who waits for the service to be heard again. */
  private readonly missed: (() => void)[] = [];

  constructor(
    readonly viewer: Source,
    readonly words: Words,
  ) {}

  /** The seat that is played here; 0: somebody looks on. */
  get seat(): number {
    return this.viewer instanceof Seat ? this.viewer.number : 0;
  }

  /** Who sits where one plays. */
  get own(): SeatGuide | undefined {
    return this.guide?.seats.find(({ seat }) => seat === this.seat);
  }

  /** Whether a bot plays for whoever has the seat here: until it is taken back, or to the end. */
  get isAway(): boolean {
    return this.own?.handedOver === true || this.own?.resigned === true;
  }

  /** Whether there is a seat here in a game that is being played, and nobody looks back. */
  get isSeated(): boolean {
    return this.seat > 0 && this.isPresent && this.game?.status === GameStatus.RUNNING;
  }

  /** Whether the seat here may have a command to undo: a part of the history that is not loaded may have one. */
  get mayUndo(): boolean {
    return this.first > 1 || hasCommandInForce(this.events, this.seat);
  }

  /** Whether there is something to choose from here. */
  get isOffered(): boolean {
    return this.seat > 0 && this.isLive && this.choosing.options.length > 0;
  }

  /** Whether the seat here is asked for something: a decision, or what it says to somebody's undo. */
  get isCalled(): boolean {
    if (this.seat === 0 || !this.isPresent || this.isAway) return false;
    return this.deciding.includes(this.seat) || this.game?.undoVote?.waiting.includes(this.seat) === true;
  }

  /** Whether something can be chosen now: what was offered at an older version is still shown, but counts no more. */
  get isReady(): boolean {
    return this.isLive && !this.busy && this.offeredAt === this.head;
  }

  get isLive(): boolean {
    return this.shown === this.head;
  }

  /** Whether the present is shown, or will be as soon as what has just happened was: nobody looks back. */
  get isPresent(): boolean {
    return this.following;
  }

  get isOver(): boolean {
    return this.game?.status === GameStatus.ENDED;
  }

  /** Whether the score is known line by line, or at least as a sum. */
  get hasScore(): boolean {
    return this.scores !== undefined && (this.scores.lines.length > 0 || hasPoints(this.scores));
  }

  /** The points of a seat, "?" for those that the viewer cannot know; empty if there is no score. */
  total(seat: number): string {
    const { scores } = this;
    if (scores === undefined || !hasPoints(scores)) return "";
    const hidden = scores.lines.filter(({ unknownSeats }) => unknownSeats.includes(seat)).length;
    if (hidden > 0 && hidden === scores.lines.length) return "?";
    return `${scores.totals[seat - 1] ?? 0}${hidden > 0 ? " + ?" : ""}`;
  }

  /** The result, best first, once the game is over; without points where none decide. */
  get standings(): readonly { seat: number; rank: number; points: number | undefined }[] {
    const { scores } = this;
    if (!this.isOver || scores === undefined) return [];
    return scores.ranks
      .map((rank, index) => ({ seat: index + 1, rank, points: hasPoints(scores) ? scores.totals[index] : undefined }))
      .sort((one, other) => one.rank - other.rank);
  }

  /** Who has won, as a sentence without its full stop; empty before the end. */
  get winners(): string {
    const first = this.standings.filter(({ rank }) => rank === 1);
    return first.length > 0 ? this.words.won(first.map(({ seat }) => this.guide?.nameOf(seat) ?? "")) : "";
  }

  /** The seats that have to decide on the table as it is shown; none before it is there. */
  get deciding(): readonly number[] {
    return this.look?.table.decisions.flatMap((decision, index) => (decision ? [index + 1] : [])) ?? [];
  }

  /** The table as it is shown. */
  get table(): KnownTable {
    return this.opened.table;
  }

  /** Which piece on it is which. */
  get pieces(): Pieces {
    return this.opened.pieces;
  }

  /** Whether the table as it is shown is all that may be known of it: after few events the rest has to be asked for. */
  get isWhole(): boolean {
    return this.opened.isWhole;
  }

  /** The events that are known, the oldest first. */
  get events(): readonly Event[] {
    return this.told;
  }

  /** Show the game and go on with it until {@link close}; `at` is the version to begin with. */
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
      // Something happened between the two answers. The stream begins after the table and does not repeat it.
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

  /** Clocks count from when they come. What brings none, such as all but the newest of many events, changes nothing. */
  private hearClocks(clocks: Clocks | undefined): void {
    if (clocks) this.countdown = new Countdown(clocks, performance.now());
  }

  private heard(state: "live" | "waiting"): void {
    this.connection = state;
    if (state !== "live") return;
    for (const go of this.missed.splice(0)) go();
  }

  /**
   * Ask until there is an answer: again as soon as the service is heard, or after a while. What it refuses is shown, and what
   * is not answered any more because nobody looks is dropped.
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

  /** Take in events that are new; others, and those before which something is missing, come again by the stream. */
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
    if (this.game && game.version < this.game.version) return; // a later question was answered first
    const hasStarted = this.game?.status === GameStatus.OPEN && game.status === GameStatus.RUNNING;
    this.game = game;
    if (this.guide) this.guide = new Guide(this.guide.catalogue, game, this.words);
    if (this.isOver && !this.disclosed) await this.disclose();
    else if (hasStarted) {
      await this.askScores(); // before the start there is no score
      await this.count();
    }
  }

  /** After the end nothing is hidden any more, in the past neither: ask for the table and the events again. */
  private async disclose(): Promise<void> {
    const answer = await this.viewer.table({ minVersion: this.head });
    this.takeScores(answer);
    const at = this.isPresent ? undefined : this.shown;
    this.begin(KnownTable.of(answer.table), Number(answer.version));
    await this.recent();
    if (at !== undefined) await this.goTo(at); // the end does not interrupt a look at the past
    this.disclosed = true;
  }

  /** Ask for the running score if events can have changed it. One call at a time covers all events that came before it. */
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

  /** Store the score of an answer, unless a later version's is known: answers may arrive in another order than asked. */
  private takeScores({ version, scoreSheet }: Pick<GetScoresResponse, "version" | "scoreSheet">): void {
    if (Number(version) < this.scoredAt) return;
    this.scoredAt = Number(version);
    this.scores = scoreSheet;
  }

  /** The sentences of the newest events, which are shown from the beginning on. */
  private async recent(): Promise<void> {
    if (this.first <= 1) return;
    await this.reach(Math.max(1, this.first - NEWEST));
  }

  /** Know everything from that version on. */
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
    if (begun !== this.begun) return this.fetchFrom(version); // the answer still hides what the new timeline shows
    if (version >= this.first) return; // somebody was faster
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

  // --- looking back ---------------------------------------------------------------------------------------------------

  /** Show the table at that version. */
  async goTo(version: number): Promise<void> {
    const to = Math.max(1, Math.min(version, this.head));
    if (to < this.first) await this.reach(1);
    if (to < this.first) return; // it could not be had
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

  /** Effects do not always tell all that a viewer may know; then the service is asked for the table. */
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

  /** Ask what the seat may do now. */
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

  /** A click on something that is lit. */
  async pick(subject: Subject): Promise<void> {
    if (!this.isReady) return;
    this.refused = undefined;
    const { next, act } = this.choosing.pick(subjectKey(subject));
    this.choosing = next;
    if (act) await this.act(act);
  }

  /** Carry out one of the options. */
  async act({ command }: Option): Promise<void> {
    const { viewer } = this;
    if (!(viewer instanceof Seat) || !this.isReady) return;
    await this.attempt(async () => this.take((await viewer.submit(command)).events));
  }

  /** Do something for the seat; a refusal is shown, and nothing is lost. */
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

  /** Ask why nothing can be done with something. */
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

/** Whether points decided: they are all 0 where the game ended for another reason, such as a resignation. */
function hasPoints({ lines, totals }: ScoreSheet): boolean {
  return lines.length > 0 || totals.some((points) => points !== 0);
}

/** Whether an event changed zones or markers: decisions alone change no score. */
function changesTheTable({ effects }: Event): boolean {
  return effects.some(({ effect }) => effect.case !== "ask");
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
