// The published client of classic SignalR, unchanged, in a page without a browser.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import type { Row } from './alarm-desk.ts';
import { TestEventSource } from './event-source.ts';

// biome-ignore lint/suspicious/noExplicitAny: the published client has no types.
export type Untyped = any;

// Required rather than imported: its types would bring those of browsers into every file.
const { JSDOM } = createRequire(import.meta.url)('jsdom') as Untyped;

const scripts = ['jquery/dist/jquery.js', 'signalr/jquery.signalR.js'];

/** jQuery and the client, in the order a page loads them. */
export function clientScripts(): Promise<string[]> {
  return Promise.all(
    scripts.map((path) => readFile(new URL(`../../node_modules/${path}`, import.meta.url), { encoding: 'utf8' })),
  );
}

/** The window of a page at the address, with the client loaded and the server's script for its hubs; gone with the test. */
export async function openPage(t: TestContext, url: string, hubsScript: string): Promise<Untyped> {
  const { window } = new JSDOM('', { url, runScripts: 'outside-only', pretendToBeVisual: true });
  t.after(() => {
    window.jQuery.connection.hub.stop();
    window.close();
  });
  window.EventSource = TestEventSource;
  for (const script of await clientScripts()) window.eval(script);
  window.eval(await (await fetch(hubsScript)).text());
  // Quick enough for tests.
  window.jQuery.connection.hub.reconnectDelay = 100;
  window.jQuery.signalR.transports.longPolling.reconnectDelay = 100;
  return window;
}

export type ClassicClient = {
  readonly hub: Untyped;
  readonly server: Untyped;
  readonly alarms: Row[];
  readonly sounds: Row[];
};

/** Connected to the alarm hub, and gone with the test; `url` may be that of a proxy. */
export async function classicClient(
  t: TestContext,
  url: string,
  token: string,
  transport: string,
  mount = '/signalr',
): Promise<ClassicClient> {
  const { jQuery } = await openPage(t, `${url}/page`, `${url}${mount}/hubs`);
  const { hub, alarmHub } = jQuery.connection;
  const alarms: Row[] = [];
  alarmHub.client.onAlarm = (alarm: Row) => alarms.push(alarm);
  const sounds: Row[] = [];
  alarmHub.client.onSound = (sound: Row) => sounds.push(sound);
  hub.qs = { access_token: token };
  await hub.start({ transport });
  return { hub, server: alarmHub.server, alarms, sounds };
}
