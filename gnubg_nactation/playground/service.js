// Keeps the playground for offline use. What is in folders named by content never changes; the
// page itself is kept with the version that it belongs to. Other pages of the host, also those
// below this folder, and other playgrounds of the host are left alone.

/** @type {string[]} */
const FILES = [/* files */];
const SCOPE = new URL('./', location.href).href;
const OURS = `${SCOPE} nactation-`; // with a space, so that no name begins another folder's name
const CACHE = `${OURS}{version}`;
const isPython = (/** @type {string} */ file) => file.startsWith('pyodide-');
const at = (/** @type {string} */ file) => new URL(file, SCOPE).href;
const PAGE = [SCOPE, at('index.html')];
const KEPT = FILES.map(at);

// Python is large: the page fetches it anyway, and then it is kept, or it is here already.
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SCOPE, ...FILES.filter((file) => !isPython(file)).map(at)]
    .map((url) => new Request(url, { cache: 'no-cache' })));
  for (const url of FILES.filter(isPython).map(at)) {
    const known = await caches.match(url);
    if (known) await cache.put(url, known);
  }
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await service.clients.claim();
}

/** The address under which the answer to a request is kept; nothing for what is not ours. @type {(request: Request) => string} */
function keptAs({ method, mode, url, headers }) {
  if (method !== 'GET' || headers.has('range')) return '';
  if (mode === 'navigate') return PAGE.includes(url.split(/[?#]/)[0]) ? SCOPE : '';
  const [address] = url.split('#');
  return KEPT.includes(address) ? address : '';
}

async function answerOf(/** @type {Request} */ request, /** @type {string} */ address) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(address);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && address !== SCOPE) {
    await cache.put(address, response.clone()).catch(() => {}); // where there is no room, it is fetched each time
  }
  return response;
}

/** A worker is not a window, as TypeScript would have it. @type {any} */
const service = self;
service.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
service.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
service.addEventListener('fetch', (/** @type {any} */ event) => {
  const address = keptAs(event.request);
  if (address) event.respondWith(answerOf(event.request, address));
});
