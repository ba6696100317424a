/** Verifies a record beside the page. */
import { verifyRecord } from "@boardkeeper/client/verifier";

addEventListener("message", async ({ data }: MessageEvent<Uint8Array>) => {
  postMessage(await verifyRecord(data, { onProgress: (done, of) => postMessage({ done, of }) }));
});
