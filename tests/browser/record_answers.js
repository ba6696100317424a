// Records the bytes of all answers of the server, including those of open streams.
(() => {
  const answers = [];
  const originalFetch = globalThis.fetch;
  // Waits for the end of unary answers; of a stream, returns the bytes received so far.
  globalThis.recordedAnswers = async () => {
    await Promise.all(answers.map(({ streams, ended }) => streams || ended));
    const readable = answers.filter(({ streams, cut }) => streams || !cut);
    return readable.map(({ url, bytes }) => [url, btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))]);
  };
  globalThis.fetch = async (...request) => {
    const answer = await originalFetch(...request);
    if (!answer.body) return answer;
    const { url, status, statusText, headers } = answer;
    const streams = (headers.get("content-type") ?? "").startsWith("application/connect+");
    const [page, copy] = answer.body.tee();
    const recorded = { url, streams, bytes: [], cut: false };
    recorded.ended = (async () => {
      const reader = copy.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (const byte of part.value) recorded.bytes.push(byte); // push(...part.value) could exceed the limit of arguments
      }
    })().catch(() => {
      recorded.cut = true; // the page has cancelled it
    });
    answers.push(recorded);
    return new Response(page, { status, statusText, headers });
  };
})();
