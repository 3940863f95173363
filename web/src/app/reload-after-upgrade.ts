// Reloads the page when a screen cannot be loaded: a page that was opened before the server was upgraded asks for files of
// the version before.

const key = 'tocsin.reloadedAt';
/** A reload that did not help is not repeated at once. */
const pauseMs = 10_000;

export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < pauseMs) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
