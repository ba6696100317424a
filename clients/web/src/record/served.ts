/** The tools of our own pages: names of titles are files beside the client, and records are verified in a worker. */
import { fetched, inWorker, named, type Tools } from "./tools";

const addresses = import.meta.glob<string>("../gen/*.json", { query: "?url", import: "default", eager: true });

export const served: Tools = {
  library: fetched(named(addresses)),
  verify: inWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })),
};
