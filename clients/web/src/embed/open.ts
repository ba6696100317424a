/** Opens the content of an embedded table: a game of a server as a spectator or seat sees it, or a record. */
import { type Client, connect, type Viewer } from "@boardkeeper/client";
import { type Verified, verifyRecord } from "@boardkeeper/client/verifier";
import { NoRecord, type ReadRecord, readRecord } from "../record/readRecord";
import { RecordSource, soundUntil } from "../record/recordSource";
import { fetchLibrary } from "../record/tools";
import type { Source } from "../table/session.svelte";
import { type Language, languages } from "../words/words";
import { Slots, type Visibility, whileVisible } from "./visibility";

export interface OpenRequest {
  /** The server's address. */
  readonly server: string;
  readonly game: string;
  readonly token: string;
  /** The seat of the token; 0 lets the server find it. */
  readonly seat: number;
  /** The address of a record, instead of a game. */
  readonly record: string;
  readonly language: Language;
}

export interface Opened {
  readonly source: Source;
  /** The verification result of a record. */
  readonly verified?: Verified;
  /** Release all resources. */
  close(): void;
}

/** Number of streams; browsers allow six connections to an origin. */
const STREAMS = 4;

interface Shared {
  readonly client: Client;
  readonly slots: Slots;
  users: number;
}

const shared = new Map<string, Shared>();

/** Return a client that all tables of a server and language share, with a function that releases it. */
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

/** The address of this module; the library is beside it. Vite would resolve a direct expression at build time. */
const here = import.meta.url;
const library = fetchLibrary((name) => new URL(`../titles/${name}.json`, here));

/** Open a game or record; throws if nothing is specified. */
export function open(wanted: OpenRequest, visibility: Visibility): Promise<Opened> {
  if (wanted.record) return openRecord(wanted);
  if (wanted.game) return openGame(wanted, visibility);
  return Promise.reject(new Error(languages[wanted.language].nothingToShow));
}

async function openGame({ server, game, token, seat, language }: OpenRequest, visibility: Visibility): Promise<Opened> {
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

async function openRecord({ record: address, language }: OpenRequest): Promise<Opened> {
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
