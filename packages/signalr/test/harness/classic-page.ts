// The published client of classic ASP.NET SignalR 2, unchanged, in a page without a browser.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { TestEventSource } from './event-source.ts';

// biome-ignore lint/suspicious/noExplicitAny: the published client has no types.
export type Untyped = any;

const load = createRequire(import.meta.url);
// Loaded rather than imported: its types would bring those of browsers into every file.
const { JSDOM } = load('jsdom') as Untyped;

const scripts = ['jquery/dist/jquery.js', 'signalr/jquery.signalR.js'];

/** jQuery and the client, in the order a page loads them. */
export function clientScripts(): Promise<string[]> {
  return Promise.all(scripts.map((path) => readFile(load.resolve(path), 'utf8')));
}

/** Opens a page at the address, loads the client and the server's proxy script, and closes the page after the test. */
export async function openPage(t: TestContext, url: string, hubsScript: string): Promise<Untyped> {
  const { window } = new JSDOM('', { url, runScripts: 'outside-only', pretendToBeVisual: true });
  t.after(() => {
    // There is no hub when its script could not be loaded.
    window.jQuery?.connection?.hub?.stop?.();
    window.close();
  });
  window.EventSource = TestEventSource;
  for (const script of await clientScripts()) window.eval(script);
  window.eval(await (await fetch(hubsScript)).text());
  // Short delays for the tests.
  window.jQuery.connection.hub.reconnectDelay = 100;
  window.jQuery.signalR.transports.longPolling.reconnectDelay = 100;
  return window;
}
