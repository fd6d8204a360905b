// The memory of a Python that has loaded the program: the next one starts by copying it, which
// takes a fraction of the time. It is kept beside what the service worker keeps for offline use,
// and goes with that.

const URL_OF_IT = new URL('memory', import.meta.url).href;
const CACHE = [new URL('..', import.meta.url).href, new URL('.', import.meta.url).pathname.split('/').at(-2)]
  .join(' '); // as service.js names it

/** @type {() => Promise<Uint8Array | null>} */
export async function recalled() {
  try {
    const found = await caches.match(URL_OF_IT, { cacheName: CACHE });
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null; // this browser keeps nothing
  }
}

export async function remember(/** @type {() => Uint8Array<ArrayBuffer>} */ make) {
  try {
    const memory = make();
    if (await caches.has(CACHE)) await (await caches.open(CACHE)).put(URL_OF_IT, new Response(memory));
  } catch {
    // It keeps nothing, or is full, or this Pyodide cannot tell its memory: the next start takes as long as this one.
  }
}

export async function forget() {
  await (await caches.open(CACHE)).delete(URL_OF_IT);
}
