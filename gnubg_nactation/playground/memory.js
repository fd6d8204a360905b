// The cache that the service worker keeps for offline use: a snapshot of Python with the package
// imported, which makes the next start much faster, and files that another app has shared.

// What the extension has of its own.
const SHIPPED = /^[a-z]+-extension:/.test(import.meta.url) ? new URL('snapshot.bin', import.meta.url).href : '';
// A cache takes no address of an extension.
const SNAPSHOT = new URL('memory', import.meta.url).href.replace(/^[a-z]+-extension:/, 'https:');
const CACHE = [new URL('..', import.meta.url).href, new URL('.', import.meta.url).pathname.split('/').at(-2)]
  .join(' '); // as service.js names it

/** Make the cache where no service worker does, and delete those of older versions. */
export async function makeRoom() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await caches.open(CACHE);
}

/** @type {() => Promise<Uint8Array | null>} */
async function kept() {
  try {
    const response = await caches.match(SNAPSHOT, { cacheName: CACHE }) ?? (SHIPPED ? await fetch(SHIPPED) : null);
    return response ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null; // this browser keeps nothing
  }
}

const PATIENCE = 10000; // milliseconds

/** What comes in time, or null: a browser whose store does not answer is not waited for. @type {<Kept>(answer: Promise<Kept>) => Promise<Kept | null>} */
export const inTime = (answer) => Promise.race([answer, new Promise((resolve) => { setTimeout(() => resolve(null), PATIENCE); })]);

/** The snapshot; null if there is none to be had. @type {() => Promise<Uint8Array | null>} */
export const recalled = () => inTime(kept());

export async function remember(/** @type {() => Uint8Array<ArrayBuffer>} */ make) {
  try {
    const memory = make();
    if (await caches.has(CACHE)) await (await caches.open(CACHE)).put(SNAPSHOT, new Response(memory));
  } catch {
    // No room, or this Pyodide makes no snapshots: the next start takes as long as this one.
  }
}

/** Delete a kept file, or else the snapshot. */
export async function forget(url = SNAPSHOT) {
  await (await caches.open(CACHE)).delete(url);
}

/** Let a function keep the files that another app has shared with this one; only if it returns true they go from here. @type {(take: (files: {name: string, file: Blob}[]) => Promise<boolean>) => Promise<void>} */
export async function takeShared(take) {
  const cache = await caches.open(CACHE);
  const shared = (await cache.keys()).filter(({ url }) => url.split('/').at(-3) === 'shared');
  const isTaken = await take(await Promise.all(shared.map(async (request) => (
    { name: decodeURIComponent(request.url.split('/').at(-1) || ''), file: await (/** @type {Response} */ (await cache.match(request))).blob() }))));
  if (isTaken) for (const request of shared) await cache.delete(request);
}
