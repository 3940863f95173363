// The published clients in a real browser, on pages of another origin: two classic hubs, and headers of the application.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type TestContext, test } from 'node:test';
import { defineHub } from '@tocsin/signalr';
import type { Page } from 'playwright-core';
import { clientScripts } from '../../packages/signalr/test/harness/classic-page.ts';
import { type Rig, startRig } from '../../packages/signalr/test/harness/rig.ts';
import { openBrowser, servePages, withoutBrowser } from '../harness/browser/browser.ts';
import { until } from '../harness/until.ts';

const orders = defineHub({
  name: 'orders',
  methods: {
    count: ({ connection }) => connection.send('counted', [3]),
    header: ({ connection: { request } }, name) => [request.transport, request.headers[String(name)] ?? null],
  },
});
const chat = defineHub({ name: 'chat', methods: { say: ({ connection }, text) => connection.send('said', [text]) } });

const classicPage = `<!doctype html><title>two hubs</title>
<script src="/jquery.js"></script><script src="/signalr.js"></script>
<script>
  var asked = new URLSearchParams(location.search), heard = [];
  document.write('<script src="' + asked.get('server') + '/signalr/hubs"></' + 'script>');
</script>
<script>
  $.connection.hub.url = asked.get('server') + '/signalr';
  $.connection.orders.client.counted = function (count) { heard.push('orders ' + count); };
  $.connection.chat.client.said = function (text) { heard.push('chat ' + text); };
  var connected = $.connection.hub.start({ transport: asked.get('transport') });
</script>`;

const corePage = '<!doctype html><title>headers</title><script src="/core.js"></script>';

async function setScene(t: TestContext): Promise<{ rig: Rig; origin: string; page: Page }> {
  const [jquery = '', classic = ''] = await clientScripts();
  const core = await readFile(
    createRequire(import.meta.url)
      .resolve('@microsoft/signalr')
      .replace(/cjs.index\.js$/, 'browser/signalr.js'),
    'utf8',
  );
  const files = { '/': classicPage, '/core': corePage, '/jquery.js': jquery, '/signalr.js': classic, '/core.js': core };
  const origin = await servePages(t, files);
  const rig = await startRig({
    mounts: [
      { path: '/hub', hub: orders },
      { path: '/signalr', hubs: [orders, chat] },
    ],
    allowedOrigins: [origin],
  });
  t.after(() => rig.stop());
  const browser = await openBrowser(t);
  return { rig, origin, page: await browser.newPage() };
}

test('a classic page uses two hubs on one connection, and a page adds headers of its own', {
  skip: withoutBrowser(),
}, async (t) => {
  const { rig, origin, page } = await setScene(t);
  const server = `http://127.0.0.1:${rig.port}`;
  for (const transport of ['webSockets', 'serverSentEvents', 'longPolling']) {
    await page.goto(`${origin}/?${new URLSearchParams({ server, transport })}`);
    assert.equal(await page.evaluate('connected.then(function (hub) { return hub.transport.name; })'), transport);
    await page.evaluate('$.connection.orders.server.count().then(function () {})');
    await page.evaluate('$.connection.chat.server.say("hello").then(function () {})');
    const heard = await until(
      () => page.evaluate('heard') as Promise<string[]>,
      (texts) => texts.length >= 2,
    );
    assert.deepEqual(heard, ['orders 3', 'chat hello'], transport);
    await page.evaluate('$.connection.hub.stop()');
  }
  await page.goto(`${origin}/core`);
  const answer = await page.evaluate(`(async function () {
    var connection = new signalR.HubConnectionBuilder().withUrl('${rig.url}', {
      transport: signalR.HttpTransportType.LongPolling,
      headers: { 'X-Tenant': 'north' },
    }).build();
    await connection.start();
    var answer = await connection.invoke('header', 'x-tenant');
    await connection.stop();
    return answer;
  })()`);
  assert.deepEqual(answer, ['LongPolling', 'north']);
});
