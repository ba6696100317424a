/**
 * `<boardkeeper-table>`: a table in any page, live or as a replay (docs/embedding.md). It uses a shadow root with
 * separate styles, stores nothing, and cleans up when it is removed from the page.
 */
import { BoardkeeperError } from "@boardkeeper/client";
import { mount, unmount } from "svelte";
import "../app/app.css";
import "./embed.css";
import type { TableSession } from "../table/session.svelte";
import { type Language, languages, preferred } from "../words/words";
import Embedded from "./Embedded.svelte";
import { type Opened, open } from "./open";
import { Visibility } from "./visibility";

/** All styles; inserted by the build. */
declare const STYLES: string;

const REFLECTED = ["server", "game", "record", "seat", "skin", "theme"] as const;

let sheet: CSSStyleSheet | undefined;

function styles(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  return sheet;
}

export class BoardkeeperTable extends HTMLElement {
  static readonly observedAttributes = ["server", "game", "token", "record", "lang", "skin", "seat"];

  private secret = "";
  private shown: { opened: Promise<Opened>; view: Record<string, unknown>; stop: () => void } | undefined;
  private isDue = false;
  private readonly visibility = new Visibility();
  private readonly observer = new IntersectionObserver((entries) => {
    this.visibility.set(entries.at(-1)?.isIntersecting ?? false);
    if (this.visibility.isVisible && !this.shown) this.restart();
  });

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles()];
  }

  /** The seat token. As a property it does not appear in the page's markup. */
  get token(): string {
    return this.secret || (this.getAttribute("token") ?? "");
  }

  set token(value: string) {
    this.secret = value;
    this.restart();
  }

  /** @internal */
  connectedCallback(): void {
    this.observer.observe(this);
  }

  /** @internal */
  disconnectedCallback(): void {
    this.observer.disconnect();
    this.visibility.set(false);
    this.stop();
  }

  /** @internal */
  attributeChangedCallback(_: string, before: string | null, after: string | null): void {
    if (before !== after) this.restart();
  }

  private get language(): Language {
    const wanted = this.lang || this.closest("[lang]")?.getAttribute("lang");
    return preferred(wanted ? [wanted] : navigator.languages);
  }

  /** Reopen the table with the current attributes, once for all changes of a moment, when it becomes visible. */
  private restart(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      this.stop();
      if (this.isConnected && this.visibility.isVisible) this.start();
    });
  }

  private start(): void {
    const { language } = this;
    const text = (name: string) => this.getAttribute(name)?.trim() ?? "";
    const seat = Number(text("seat")) || 0;
    const server = new URL(text("server") || new URL("..", import.meta.url), document.baseURI).href.replace(/\/$/, "");
    const record = text("record") && new URL(text("record"), document.baseURI).href;
    const opened = open({ server, game: text("game"), token: this.token, seat, record, language }, this.visibility);
    let stopped = () => {};
    opened.catch((error: unknown) => this.fail(error));
    const view = mount(Embedded, {
      target: this.shadowRoot as ShadowRoot,
      props: {
        opening: opened,
        words: languages[language],
        lang: language,
        plain: text("skin") === "plain",
        seat,
        onsession: (session: TableSession) => (stopped = this.follow(session)),
      },
    });
    this.shown = { opened, view, stop: () => stopped() };
  }

  private stop(): void {
    const { shown } = this;
    if (!shown) return;
    this.shown = undefined;
    shown.stop();
    void unmount(shown.view);
    shown.opened.then(
      ({ close }) => close(),
      () => {},
    );
  }

  /** Dispatch events of the game to the page; the returned function stops it. */
  private follow(session: TableSession): () => void {
    let status = 0;
    return $effect.root(() => {
      $effect(() => {
        if (session.failure) this.fail(session.failure);
      });
      $effect(() => {
        const { head } = session;
        if (head === 0 || !session.game) return;
        if (status === 0) this.send("ready", { game: session.game.gameId, title: session.game.title, version: head });
        else {
          for (const { version, name, seat, sentence } of session.events) {
            if (Number(version) > status) this.send("event", { version: Number(version), name, seat, sentence });
          }
        }
        status = head;
      });
    });
  }

  private fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.send("error", { message, ...(error instanceof BoardkeeperError ? { reason: error.reason } : {}) });
  }

  private send(what: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`boardkeeper-${what}`, { detail, bubbles: true }));
  }
}

for (const name of REFLECTED) {
  Object.defineProperty(BoardkeeperTable.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: HTMLElement) {
      return this.getAttribute(name) ?? "";
    },
    set(this: HTMLElement, value: unknown) {
      if (value === undefined || value === null || value === "") this.removeAttribute(name);
      else this.setAttribute(name, String(value));
    },
  });
}

if (!customElements.get("boardkeeper-table")) customElements.define("boardkeeper-table", BoardkeeperTable);
