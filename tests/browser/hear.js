// Keeps whatever the service tells the page, also of streams that go on, as it was on the wire.
(() => {
  const told = [];
  const fetched = globalThis.fetch;
  // An answer that is one message can be read once all of it has come, which we wait for; a stream tells what it has told.
  globalThis.toldByService = async () => {
    await Promise.all(told.map(({ streams, ended }) => streams || ended));
    const readable = told.filter(({ streams, cut }) => streams || !cut);
    return readable.map(({ url, bytes }) => [url, btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))]);
  };
  globalThis.fetch = async (...request) => {
    const answer = await fetched(...request);
    if (!answer.body) return answer;
    const { url, status, statusText, headers } = answer;
    const streams = (headers.get("content-type") ?? "").startsWith("application/connect+");
    const [theirs, ours] = answer.body.tee();
    const heard = { url, streams, bytes: [], cut: false };
    heard.ended = (async () => {
      const reader = ours.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (const byte of part.value) heard.bytes.push(byte); // a part may be longer than a call's arguments may be
      }
    })().catch(() => {
      heard.cut = true; // the page has ended it
    });
    told.push(heard);
    return new Response(theirs, { status, statusText, headers });
  };
})();
