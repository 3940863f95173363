// Keeps the shell of the console, so that it opens without the server and says so; never alarms, nor any other answer of
// the interface.

const cacheName = 'tocsin-shell';
const page = new URL('alarms', self.registration.scope).href;

self.addEventListener('install', (event) => event.waitUntil(keepPage().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length);
  if (request.mode === 'navigate' && isScreen(path)) {
    event.respondWith(fetch(request).catch(() => keptPage()));
    event.waitUntil(keepPage().catch(() => undefined));
  } else if (request.method === 'GET' && path.startsWith('assets/')) event.respondWith(readAsset(request));
});

/** All screens are one page; the reference of the interface is another. */
function isScreen(path) {
  return /^(?!docs$)[a-z]*$/.test(path);
}

/** Keeps the page as the server has it now; with another page come other assets, and the old ones go. */
async function keepPage() {
  const response = await fetch(page, { cache: 'no-cache' });
  if (!response.ok) return;
  const cache = await caches.open(cacheName);
  const kept = await cache.match(page);
  const isNew = kept?.headers.get('etag') !== response.headers.get('etag');
  if (isNew) for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(page, response);
}

async function keptPage() {
  const kept = await caches.match(page);
  return kept ?? Response.error();
}

/** Assets have a hash of their content in their names and never change. */
async function readAsset(request) {
  const kept = await caches.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(cacheName)).put(request, response.clone());
  return response;
}
