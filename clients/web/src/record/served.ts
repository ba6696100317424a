/** The tools of our own pages: what is known of titles are files beside the client, and records are verified in a worker. */
import { fetched, inWorker, type Tools } from "./tools";

export const served: Tools = {
  library: fetched((name) => new URL(`titles/${name}.json`, document.baseURI)),
  verify: inWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })),
};
