// Keeps whatever the service tells the page, also of streams that go on, as it was on the wire.
(() => {
  const told = [];
  const fetched = globalThis.fetch;
  globalThis.toldByService = () =>
    told.map(({ url, bytes }) => [url, btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))]);
  globalThis.fetch = async (...request) => {
    const answer = await fetched(...request);
    if (!answer.body) return answer;
    const heard = { url: answer.url, bytes: [] };
    told.push(heard);
    const [theirs, ours] = answer.body.tee();
    (async () => {
      const reader = ours.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) heard.bytes.push(...part.value);
    })().catch(() => {}); // the page has ended it
    const { status, statusText, headers } = answer;
    return new Response(theirs, { status, statusText, headers });
  };
})();
