// Keeps the playground for offline use. Files in folders named after their content never change;
// the page is kept with its version. Other pages and playgrounds of the host are left alone.

/** @type {string[]} */
const FILES = [/* files */];
const SCOPE = new URL('./', location.href).href;
const OURS = `${SCOPE} nactation-`; // with a space, so that no name begins another folder's name
const CACHE = `${OURS}{version}`;
const isLarge = (/** @type {string} */ file) => /^(pyodide|engine)-/.test(file);
const at = (/** @type {string} */ file) => new URL(file, SCOPE).href;
const SHARED = at('shared/'); // below it are files that another app has shared
const PAGE = [SCOPE, at('index.html')];
const KEPT = FILES.map(at);

// Python and the engine are large, and the first page fetches them anyway; later they are taken from
// the older cache, or fetched if they have changed.
async function install() {
  const isUpdate = (await caches.keys()).some((name) => name.startsWith(OURS) && name !== CACHE);
  const cache = await caches.open(CACHE);
  await cache.addAll([SCOPE, ...FILES.filter((file) => !isLarge(file)).map(at)]
    .map((url) => new Request(url, { cache: 'no-cache' })));
  for (const url of FILES.filter(isLarge).map(at)) {
    const kept = await caches.match(url);
    if (kept) await cache.put(url, kept);
    else if (isUpdate) await cache.add(url).catch(() => {}); // or the next start could not be offline
  }
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  for (const name of old) {
    await keepShared(await caches.open(name));
    await caches.delete(name);
  }
  await service.clients.claim();
}

/** Keep the shared files that the library has not taken. @type {(old: Cache) => Promise<void>} */
async function keepShared(old) {
  const cache = await caches.open(CACHE);
  for (const request of await old.keys()) {
    const file = request.url.startsWith(SHARED) && await old.match(request);
    if (file) await cache.put(request, file).catch(() => {}); // there may be no room
  }
}

/** The address under which a response is kept; empty for other pages. @type {(request: Request) => string} */
function keptAs({ method, mode, url, headers }) {
  if (method !== 'GET' || headers.has('range')) return '';
  const [address] = url.split('#');
  if (mode === 'navigate' && PAGE.includes(address.split('?')[0])) return SCOPE;
  return KEPT.includes(address) ? address : '';
}

const PATIENCE = 10000; // milliseconds
let isDeaf = false; // the cache has not answered in time, and not since then

/** What the cache answers, or nothing: one that does not answer is waited for once, not for each file. To keep a file takes as long as its download. @type {<Kept>(answer: Promise<Kept>, isDownload?: boolean) => Promise<Kept | undefined>} */
const inTime = (answer, isDownload = false) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => {
    isDeaf ||= !isDownload;
    resolve(undefined);
  }, isDeaf ? 0 : PATIENCE);
  answer.then((kept) => {
    isDeaf = false;
    resolve(kept);
  }, reject).finally(() => clearTimeout(timer));
});

async function answerOf(/** @type {Request} */ request, /** @type {string} */ address) {
  const opening = caches.open(CACHE);
  const looking = opening.then((cache) => cache.match(address)).catch(() => undefined); // a store that fails holds nothing
  const kept = await inTime(looking);
  if (kept) return kept;
  try {
    const response = await fetch(request);
    if (response.ok && address !== SCOPE) {
      const copy = response.clone();
      const keeping = opening.then((cache) => cache.put(address, copy)).catch(() => {}); // without room it is fetched each time
      await inTime(keeping, true);
    }
    return response;
  } catch (error) {
    const late = await looking; // offline
    if (late) return late;
    throw error;
  }
}

/** Keep files that another app shares, until the library takes them. @type {(request: Request) => Promise<Response>} */
async function takeShared(request) {
  const cache = await caches.open(CACHE);
  const files = /** @type {File[]} */ ((await request.formData()).getAll('files'));
  for (const [number, file] of files.entries()) {
    await cache.put(`${SHARED}${Date.now()}-${number}/${encodeURIComponent(file.name)}`, new Response(file));
  }
  return Response.redirect(`${SCOPE}#library`, 303);
}

/** TypeScript takes a worker for a window. @type {any} */
const service = self;
service.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
service.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
service.addEventListener('fetch', (/** @type {any} */ event) => {
  if (event.request.method === 'POST' && event.request.url === at('share')) {
    event.respondWith(takeShared(event.request));
    return;
  }
  const address = keptAs(event.request);
  if (address) event.respondWith(answerOf(event.request, address));
});
