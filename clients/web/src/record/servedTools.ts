/** Tools for pages of this client: the library is fetched from files beside it, and a worker verifies records. */
import { fetchLibrary, type Tools, verifyInWorker } from "./tools";

export const served: Tools = {
  library: fetchLibrary((name) => new URL(`titles/${name}.json`, document.baseURI)),
  verify: verifyInWorker(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })),
};
