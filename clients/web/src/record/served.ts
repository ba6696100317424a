/** Tools for pages of this client: the library is fetched from files beside it, and a worker verifies records. */
import { fetched, inWorker, type Tools } from "./tools";

export const served: Tools = {
  library: fetched((name) => new URL(`titles/${name}.json`, document.baseURI)),
  verify: inWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })),
};
