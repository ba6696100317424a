/** Web worker that verifies a record. */
import { verifyRecord } from "@boardkeeper/client/verifier";

addEventListener("message", async ({ data }: MessageEvent<Uint8Array>) => {
  postMessage(await verifyRecord(data, { onProgress: (done, of) => postMessage({ done, of }) }));
});
