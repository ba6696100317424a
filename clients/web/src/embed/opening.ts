/** What a table in another page shows: a game of a service, as a spectator or a seat sees it, or a record. */
import { type Client, connect, type Viewer } from "@boardkeeper/client";
import { type Verified, verifyRecord } from "@boardkeeper/client/verifier";
import { NoRecord, type ReadRecord, readRecord } from "../record/reading";
import { RecordSource, soundUntil } from "../record/source";
import { fetched } from "../record/tools";
import type { Source } from "../table/session.svelte";
import { type Language, languages } from "../words/words";
import { Slots, type Visibility, whileVisible } from "./visibility";

export interface Wanted {
  /** The service's address. */
  readonly server: string;
  readonly game: string;
  readonly token: string;
  /** The seat of the token; 0: whichever it is. */
  readonly seat: number;
  /** The address of a record, in place of a game. */
  readonly record: string;
  readonly language: Language;
}

export interface Opened {
  readonly source: Source;
  /** Of a record: what is found out about it. */
  readonly verified?: Verified;
  /** It is not looked at any more. */
  close(): void;
}

/** Of six connections that a browser opens to an origin so many follow games. */
const STREAMS = 4;

interface Shared {
  readonly client: Client;
  readonly slots: Slots;
  users: number;
}

const shared = new Map<string, Shared>();

/** One client for all tables of a service and language; what is returned with it gives it up. */
function clientOf(server: string, language: Language): { client: Client; slots: Slots; close: () => void } {
  const key = `${language} ${server}`;
  const found = shared.get(key) ?? {
    client: connect({ baseUrl: server, language }),
    slots: [...shared].find(([other]) => other.endsWith(` ${server}`))?.[1].slots ?? new Slots(STREAMS),
    users: 0,
  };
  shared.set(key, found);
  found.users++;
  let isOpen = true;
  return {
    client: found.client,
    slots: found.slots,
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (--found.users > 0) return;
      shared.delete(key);
      found.client.close();
    },
  };
}

/** Where this module came from, and what is known of titles beside it. (Vite would take an address made of it at once for a file.) */
const here = import.meta.url;
const library = fetched((name) => new URL(`../titles/${name}.json`, here));

/** Open what is wanted; throws if there is nothing to open. */
export function open(wanted: Wanted, visibility: Visibility): Promise<Opened> {
  if (wanted.record) return openRecord(wanted);
  if (wanted.game) return openGame(wanted, visibility);
  return Promise.reject(new Error(languages[wanted.language].nothingToShow));
}

async function openGame({ server, game, token, seat, language }: Wanted, visibility: Visibility): Promise<Opened> {
  const { client, slots, close } = clientOf(server, language);
  try {
    let viewer: Viewer = client.viewer(game, token);
    if (token) {
      const number = seat || Number(/^seat\.(\d+)$/.exec((await viewer.table()).table.viewer)?.[1] ?? 0);
      if (number > 0) viewer = client.seat(game, number, token);
    }
    const own = { watch: viewer.watch.bind(viewer), events: viewer.events.bind(viewer) };
    viewer.watch = (how = {}) => whileVisible(own, visibility, slots, how);
    return { source: viewer, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function openRecord({ record: address, language }: Wanted): Promise<Opened> {
  const words = languages[language].record;
  const answer = await fetch(address, { credentials: "omit" });
  if (!answer.ok) throw new Error(words.notLoaded(`${address}: ${answer.status}`));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let record: ReadRecord;
  try {
    record = readRecord(bytes);
  } catch (error) {
    throw error instanceof NoRecord ? new Error(words.noRecord) : error;
  }
  const verified = await verifyRecord(bytes);
  const until = soundUntil(record, verified);
  return { source: await RecordSource.of(record, library, language, until), verified, close: () => {} };
}
