// The published classic SignalR client in a real browser, on a page of another origin: all transports, over cuts and
// restarts.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { clientScripts } from '../../../packages/signalr/test/harness/classic-page.ts';
import { startProxy, type TcpProxy } from '../../../packages/signalr/test/harness/tcp-proxy.ts';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { openBrowser, servePages, withoutBrowser } from '../../harness/browser/browser.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { until } from '../../harness/until.ts';

const transports = ['webSockets', 'serverSentEvents', 'longPolling'] as const;
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `alarm ${n}`);

/** A page as an integrator would write it; the server's URL and the token are in its query string. */
const pageText = `<!doctype html><title>alarms</title>
<script src="/jquery.js"></script><script src="/signalr.js"></script>
<script>
  var asked = new URLSearchParams(location.search), heard = [], states = [];
  document.write('<script src="' + asked.get('server') + '/signalr/hubs"></' + 'script>');
</script>
<script>
  $.connection.hub.url = asked.get('server') + '/signalr';
  $.connection.hub.qs = { access_token: asked.get('token') };
  $.connection.hub.stateChanged(function (change) { states.push(change.newState); });
  $.connection.alarmHub.client.onAlarm = function (alarm) { heard.push(alarm.path); };
  var connected = $.connection.hub.start({ transport: asked.get('transport') });
</script>`;

type CallContext = { readonly site: Site; readonly proxy: TcpProxy; readonly pages: readonly Page[] };

/** Opens one page per transport, all connected through a proxy that can cut connections. */
async function setScene(t: TestContext): Promise<CallContext> {
  const [jquery = '', signalr = ''] = await clientScripts();
  const origin = await servePages(t, { '/': pageText, '/jquery.js': jquery, '/signalr.js': signalr });
  const overrides = { TOCSIN_ALLOWED_ORIGINS: origin, TOCSIN_PORT: String(await freePort()) };
  const site = await startSite(t, 'sqlite', { overrides });
  const proxy = await startProxy(Number(new URL(site.app.url).port));
  t.after(() => proxy.stop());
  const { token } = site;
  const open = async (transport: string): Promise<Page> => {
    const page = await (await openBrowser(t)).newPage();
    const query = new URLSearchParams({ server: `http://127.0.0.1:${proxy.port}`, token, transport });
    await page.goto(`${origin}/?${query}`);
    assert.equal(await page.evaluate('connected.then(function (hub) { return hub.transport.name; })'), transport);
    return page;
  };
  return { site, proxy, pages: await Promise.all(transports.map(open)) };
}

async function allHave(pages: readonly Page[], wished: readonly string[]): Promise<void> {
  for (const [index, page] of pages.entries()) {
    const heard = await until(
      () => page.evaluate('heard') as Promise<string[]>,
      (paths) => paths.length >= wished.length,
    );
    assert.deepEqual(heard, wished, transports[index]);
  }
}

test('a browser receives every alarm once, on every transport, over cut connections and a restart', {
  skip: withoutBrowser(),
}, async (t) => {
  const { site, proxy, pages } = await setScene(t);
  for (let n = 0; n < 3; n++) await site.alarms.send({ path: `alarm ${n}` });
  await allHave(pages, numbered(3));
  for (const page of pages) {
    const answer = await page.evaluate('$.connection.alarmHub.server.subscribe({ stations: [1] })');
    assert.match((answer as { position: string }).position, /^[\w-]{40,}$/);
  }
  proxy.cut();
  for (let n = 3; n < 6; n++) await site.alarms.send({ path: `alarm ${n}` });
  await allHave(pages, numbered(6));
  await site.restart();
  for (let n = 6; n < 9; n++) await site.alarms.send({ path: `alarm ${n}` });
  await allHave(pages, numbered(9));
  for (const page of pages) {
    const states = (await page.evaluate('states')) as number[];
    assert.ok(states.includes(2) && states.at(-1) === 1, `connected again after reconnecting: ${states}`);
  }
});
