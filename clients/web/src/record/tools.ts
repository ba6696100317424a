/** Dependencies of the record page that differ between our pages, the single-file viewer and other sites. */
import { type Progress, type Verified, verifyRecord } from "@boardkeeper/client/verifier";
import type { Library } from "./library";

export type Verify = (record: Uint8Array, how: { onProgress: Progress; signal: AbortSignal }) => Promise<Verified>;

export interface Tools {
  readonly library: Library;
  readonly verify: Verify;
}

/** Return a library of files that are fetched on demand, each once. */
export function fetchLibrary(addressOf: (name: string) => URL): Library {
  const files = new Map<string, Promise<unknown>>();
  return {
    read(name) {
      let file = files.get(name);
      if (!file) {
        const address = addressOf(encodeURIComponent(name));
        file = fetch(address, { credentials: "omit" }).then((answer) => {
          if (answer.status === 404) return undefined; // unknown title
          if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
          return answer.json();
        });
        files.set(name, file);
        file.catch(() => files.delete(name)); // allow another attempt
      }
      return file;
    },
  };
}

/** Records below this size in bytes are verified without a worker, whose start would take longer. */
const SMALL = 60_000;

/** Verify in a worker, or, if none can be started, in slices on the main thread. */
export function verifyInWorker(start: () => Worker): Verify {
  return async (record, how) => {
    if (record.length < SMALL) return verifyRecord(record, how);
    let worker: Worker;
    try {
      worker = start();
    } catch {
      return verifyRecord(record, how);
    }
    try {
      return await new Promise<Verified | undefined>((resolve, reject) => {
        how.signal.addEventListener("abort", () => reject(how.signal.reason), { once: true });
        worker.onerror = () => resolve(undefined);
        worker.onmessage = ({ data }: MessageEvent<{ done: number; of: number } | Verified>) => {
          if ("levels" in data) resolve(data);
          else how.onProgress(data.done, data.of);
        };
        worker.postMessage(record);
      }).then((verified) => verified ?? verifyRecord(record, how));
    } finally {
      worker.terminate();
    }
  };
}
