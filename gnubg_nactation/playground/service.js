// Keeps the playground for offline use. What is in folders named by content never changes; the
// page itself is kept with the version that it belongs to.

const CACHE = 'nactation-{version}';
const FILES = {files};
const SCOPE = new URL('./', location.href).href;
const isPython = (file) => file.startsWith('pyodide-');
const at = (file) => new URL(file, SCOPE).href;

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
  const old = (await caches.keys()).filter((name) => name.startsWith('nactation-') && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function reply(request) {
  const cache = await caches.open(CACHE);
  const url = request.mode === 'navigate' ? SCOPE : request.url.split('#')[0];
  const known = await cache.match(url);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && FILES.map(at).includes(url)) {
    await cache.put(url, response.clone()).catch(() => {}); // where there is no room, it is fetched each time
  }
  return response;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  // Nothing of another host is wanted, so nothing of another host is asked.
  event.respondWith(request.url.startsWith(SCOPE) ? reply(request) : Response.error());
});
