// Tests several hubs on one classic connection: calls, messages and recovery of each, and the handlers of a page.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { defineHub, type HubContext, HubException } from '../src/hub.ts';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { openPage, type Untyped } from './harness/classic-page.ts';
import { type Rig, startRig } from './harness/rig.ts';
import { makeTestHub } from './harness/test-hub.ts';
import { untilEqual } from './harness/until.ts';

const seen: string[] = [];
const resumedAt: unknown[] = [];
const trades = makeTestHub(seen);
const chat = defineHub({
  name: 'chat',
  methods: {
    say: ({ connection }, text) => connection.send('said', [text]),
    refuse: () => {
      throw new HubException('not today', { until: 'tomorrow' });
    },
  },
  onConnected: ({ id }) => void seen.push(`chat connected ${id}`),
  onDisconnected: ({ id }) => void seen.push(`chat disconnected ${id}`),
});
/** A hub that resumes by itself, with cursors that have to be escaped among others. */
const durable = defineHub({
  name: 'durable',
  recovery: {
    currentCursor: async () => '0|%',
    onResumed: (connection, cursor) => {
      resumedAt.push(cursor);
      connection.send('event', ['again'], '9|%');
    },
  },
});

let rig: Rig;
let base: string;
let chatLive: HubContext;
before(async () => {
  const hubs = [trades, chat, durable];
  rig = await startRig({
    mounts: [
      { path: '/hub', hub: trades },
      { path: '/all', hubs },
    ],
  });
  base = rig.url.replace('/hub', '');
  chatLive = rig.server.hub(chat);
});
after(() => rig.stop());
beforeEach(() => {
  seen.length = 0;
});

/** Opens a page whose proxies note what they hear. */
async function page(t: TestContext) {
  const { jQuery } = await openPage(t, `${base}/page`, `${base}/all/hubs`);
  const { connection } = jQuery as Untyped;
  const heard: string[] = [];
  return { connection, hub: connection.hub, trades: connection.trades, chat: connection.chat, heard };
}

for (const transport of ['webSockets', 'serverSentEvents', 'longPolling']) {
  it(`a page uses two hubs on one connection over ${transport}`, async (t) => {
    const { hub, trades: one, chat: other, heard } = await page(t);
    one.client.news = (text: string) => heard.push(`trades ${text}`);
    other.client.said = (text: string) => heard.push(`chat ${text}`);
    await hub.start({ transport });
    assert.equal(rig.server.connectionCount, 1);
    const { id } = hub;
    assert.deepEqual(seen.toSorted(), [`chat connected ${id}`, `connected ${id}`]);
    assert.equal(await one.server.echo('both'), 'both');
    await other.server.say('mine');
    await rig.live.broadcast('news', ['to all']);
    await chatLive.broadcast('said', ['to all']);
    await rig.live.broadcast('said', ['of the other hub']);
    await rig.live.broadcast('news', ['end']);
    await untilEqual(() => heard, ['chat mine', 'trades to all', 'chat to all', 'trades end']);
    const error = await other.server.refuse().then(assert.fail, (reason: unknown) => reason);
    assert.deepEqual(
      [error.message, error.source, JSON.stringify(error.data)],
      ['not today', 'HubException', '{"until":"tomorrow"}'],
    );
    hub.stop();
    const known = [`chat connected ${id}`, `chat disconnected ${id}`, `connected ${id}`, `disconnected ${id}`];
    await untilEqual(() => seen.toSorted(), known);
    await untilEqual(() => rig.server.connectionCount, 0);
  });
}

describe('a client by hand', () => {
  const names = (...hubs: string[]) => ({ connectionData: JSON.stringify(hubs.map((name) => ({ name }))) });

  it('hears only the hubs it subscribed to, and calls all of them', async () => {
    const client = await HandClient.negotiated(`${base}/all`, names('CHAT'));
    const frames = await client.started();
    await rig.live.broadcast('news', ['not subscribed']);
    frames.call('pushMe', ['not subscribed'], 0, 'trades');
    frames.call('say', ['subscribed'], 1, 'chat');
    frames.call('echo', [1], 2, 'nowhere');
    await untilEqual(() => frames.texts.length, 4);
    assert.deepEqual(
      frames.texts.map((text) => JSON.parse(text)).map(({ I, E, M }) => [I, E ?? M?.[0].A]),
      [
        ['0', undefined],
        [undefined, ['subscribed']],
        ['1', undefined],
        ['2', "'nowhere' Hub could not be resolved."],
      ],
    );
    assert.deepEqual(seen, [`chat connected ${client.id}`]);
    await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
    const refused = await new HandClient(`${base}/all`, names('chat', 'nowhere')).ask('negotiate');
    assert.deepEqual([refused.status, refused.text], [400, "'nowhere' Hub could not be resolved."]);
  });

  it('resumes each of its hubs where it was', async () => {
    const client = await HandClient.negotiated(`${base}/all`, names('durable', 'chat', 'trades'));
    let cursor = cursorOf((await client.poll('connect')).text);
    await client.start('longPolling');
    /** Polls with a response that is lost, reconnects, and returns what arrives then. */
    const afterLoss = async (count: number): Promise<string[]> => {
      resumedAt.length = 0;
      await client.poll('poll', cursor);
      const heard: string[] = [];
      for (let path: 'reconnect' | 'poll' = 'reconnect'; heard.length < count; path = 'poll') {
        const { text } = await client.poll(path, cursor);
        heard.push(...JSON.parse(text).M.map(({ H, A }: { H: string; A: unknown[] }) => `${H} ${A}`));
        cursor = cursorOf(text);
      }
      return heard.toSorted();
    };
    await rig.live.broadcast('news', [1]);
    cursor = cursorOf((await client.poll('poll', cursor)).text);
    for (const number of [2, 3]) await chatLive.broadcast('said', [number]);
    await rig.live.broadcast('news', [4]);
    assert.deepEqual(await afterLoss(4), ['chat 2', 'chat 3', 'durable again', 'trades 4']);
    assert.deepEqual(resumedAt, ['0|%']);
    await chatLive.broadcast('said', ['after']);
    assert.deepEqual(await afterLoss(2), ['chat after', 'durable again']);
    assert.deepEqual(resumedAt, ['9|%']);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  });

  it('stays connected without any hub, and with a cursor that it made up', async () => {
    const client = await HandClient.negotiated(`${base}/all`, { connectionData: '[]' });
    const cursor = cursorOf((await client.poll('connect')).text);
    assert.notEqual(cursor, '', 'clients would connect again and again');
    await client.start('longPolling');
    assert.match((await client.send('longPolling', { H: 'trades', M: 'echo', A: [1], I: 0 })).text, /"R":1/);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
    const liar = await HandClient.negotiated(`${base}/all`, names('chat', 'trades'));
    const events = await liar.events('reconnect', { messageId: 'a|%' });
    await untilEqual(() => seen.filter((line) => line.endsWith(`connected ${liar.id}`)).length, 2);
    await chatLive.broadcast('said', ['heard']);
    await untilEqual(() => events.text.includes('"heard"'), true);
    events.stop();
    await liar.ask('abort', { transport: 'serverSentEvents' }, { method: 'POST' });
  });
});

describe('the handlers of a page', () => {
  it('are removed by off, one by one or all of an event', async (t) => {
    const { hub, trades: proxy, heard } = await page(t);
    const noted = (name: string) => () => heard.push(name);
    const removed = noted('removed');
    proxy.client.news = noted('client');
    proxy.on('news', noted('kept'));
    proxy.on('news', removed);
    proxy.off('news', removed);
    await hub.start();
    await rig.live.broadcast('news', []);
    await untilEqual(() => heard.toSorted(), ['client', 'kept']);
    proxy.off('news');
    await rig.live.broadcast('news', []);
    assert.equal(await proxy.server.echo('the broadcast was sent before this'), 'the broadcast was sent before this');
    assert.equal(heard.length, 2);
    hub.stop();
    await untilEqual(() => rig.live.size, 0);
  });

  it('that are in client are called again after stop and start, each once', async (t) => {
    const { hub, trades: proxy, heard } = await page(t);
    for (const round of ['first', 'second', 'third']) {
      proxy.client.news = () => heard.push(`client ${round}`);
      proxy.on('news', () => heard.push(`on ${round}`));
      await hub.start();
      await rig.live.broadcast('news', []);
      await untilEqual(() => heard.toSorted(), [`client ${round}`, `on ${round}`]);
      assert.equal(await proxy.server.echo('nothing more'), 'nothing more');
      assert.equal(heard.length, 2, round);
      proxy.off('news');
      hub.stop();
      await untilEqual(() => rig.live.size, 0);
      heard.length = 0;
    }
    proxy.client.news = () => heard.push('client');
    void hub.start();
    hub.stop();
    await hub.start();
    await rig.live.broadcast('news', []);
    assert.equal(await proxy.server.echo('nothing more'), 'nothing more');
    assert.deepEqual(heard, ['client'], 'also after a start that was stopped at once');
  });
});
