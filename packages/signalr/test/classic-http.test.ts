// Tests the responses to every request of classic ASP.NET SignalR 2: status, headers and bytes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { refusedUpgrade } from './harness/hand-socket.ts';
import { type Rig, settledLater, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { classicPoll: 300 } });
});
after(() => rig.stop());

const json = 'application/json; charset=UTF-8';

describe('negotiate', () => {
  it('the response has every field of the original', async () => {
    const { status, text, headers } = await new HandClient(rig.url).ask('negotiate');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), json);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(
      text,
      new RegExp(
        '^{"Url":"/hub","ConnectionToken":"[\\w.-]+","ConnectionId":"[\\w-]{22}","KeepAliveTimeout":20.0,' +
          '"DisconnectTimeout":30.0,"ConnectionTimeout":0.3,"TryWebSockets":true,"ProtocolVersion":"2.0",' +
          '"TransportConnectTimeout":5.0,"LongPollDelay":0.0}$',
      ),
    );
    assert.equal(rig.server.connectionCount, 0, 'nothing is kept');
  });

  it('the version of old clients is echoed, since they accept no other', async () => {
    for (const [asked, answered] of [
      ['1.2', '1.2'],
      ['1.3', '1.3'],
      ['1.4', '1.4'],
      ['1.5', '1.5'],
      ['2.0', '2.0'],
      ['2.1', '2.0'],
      ['9.0', '2.0'],
      ['1.0', '1.2'],
      ['nonsense', '1.2'],
    ] as const) {
      const { text } = await new HandClient(rig.url, { clientProtocol: asked }).ask('negotiate');
      assert.equal(JSON.parse(text).ProtocolVersion, answered, asked);
    }
  });

  it('negotiation of the two families is told apart by the request', async () => {
    const bare = await (await fetch(`${rig.url}/negotiate`)).text();
    assert.equal(JSON.parse(bare).ProtocolVersion, '1.2', 'a GET is classic');
    const posted = await new HandClient(rig.url).ask('negotiate', {}, { method: 'POST' });
    assert.equal(JSON.parse(posted.text).ProtocolVersion, '2.0', 'so is a POST with clientProtocol');
    const core = await (await fetch(`${rig.url}/negotiate?negotiateVersion=1`, { method: 'POST' })).text();
    assert.deepEqual([JSON.parse(core).negotiateVersion, JSON.parse(core).ProtocolVersion], [1, undefined]);
  });

  it('unknown hubs, malformed connection data and JSONP are refused', async () => {
    for (const [query, status, text] of [
      [{ connectionData: '[{"name":"other"}]' }, 400, "'other' Hub could not be resolved."],
      [{ connectionData: '{' }, 400, 'Protocol error: The connection data cannot be read.'],
      [{ connectionData: '[1]' }, 400, 'Protocol error: The connection data cannot be read.'],
      [{ callback: 'run' }, 403, 'Forbidden: JSONP is disabled.'],
    ] as const) {
      const answer = await new HandClient(rig.url, query).ask('negotiate');
      assert.deepEqual([answer.status, answer.text], [status, text]);
    }
  });
});

describe('requests of a connection', () => {
  it('are refused as by the original', async () => {
    const client = await HandClient.negotiated(rig.url);
    const stranger = new HandClient(rig.url);
    for (const path of ['connect', 'start', 'reconnect', 'poll', 'send', 'abort']) {
      for (const transport of ['foreverFrame', 'carrierPigeon', '']) {
        const { status, text } = await client.ask(path, { transport });
        assert.deepEqual([status, text], [400, 'Protocol error: Unknown transport.'], path);
      }
      const missing = await stranger.ask(path, { transport: 'longPolling' });
      assert.deepEqual([missing.status, missing.text], [400, 'Protocol error: Missing connection token.'], path);
      const forged = await stranger.ask(path, { transport: 'longPolling', connectionToken: `${client.token}x` });
      assert.deepEqual([forged.status, forged.text], [400, 'The ConnectionId is in the incorrect format.'], path);
    }
    assert.equal((await client.ask('connect', { transport: 'webSockets' })).status, 400, 'no upgrade');
    const upgrade = await refusedUpgrade(client.address('connect', { transport: 'longPolling' }));
    assert.deepEqual(upgrade, { status: 400, text: 'Protocol error: Unknown transport.' });
    const forgedUpgrade = await refusedUpgrade(
      client.address('connect', { transport: 'webSockets', connectionToken: 'x' }),
    );
    assert.deepEqual(forgedUpgrade, { status: 400, text: 'The ConnectionId is in the incorrect format.' });
  });

  it('ping without a connection token', async () => {
    const { status, text, headers } = await new HandClient(rig.url).ask('ping');
    assert.deepEqual([status, text, headers.get('content-type')], [200, '{ "Response": "pong" }', json]);
  });

  it('are recognised by the end of their path, also below the address of the script', async () => {
    const client = await HandClient.negotiated(`${rig.url}/js`);
    const frames = await client.started();
    frames.call('echo', ['hello']);
    await untilEqual(() => frames.texts.join(), '{"R":"hello","I":"0"}');
    assert.equal((await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' })).status, 200);
    assert.equal((await client.ask('negotiate/else')).status, 404);
  });

  it('get the script for their hub at both of its addresses', async () => {
    for (const path of ['hubs', 'js', 'Hubs']) {
      const { status, text, headers } = await new HandClient(rig.url).ask(path);
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/javascript; charset=UTF-8']);
      assert.match(text, /proxies\['trades'\] = this\.createHubProxy\('trades'\);/);
      assert.match(text, /'echo': caller\(proxies\['trades'\], 'echo'\)/);
      assert.match(text, /\$\.hubConnection\('\/hub', \{ useDefaultPath: false \}\)/);
    }
    assert.equal((await new HandClient(rig.url).ask('hubs', {}, { method: 'POST' })).status, 405);
  });
});

describe('long polling', () => {
  it('connects, starts, polls from cursor to cursor and aborts', async () => {
    const client = await HandClient.negotiated(rig.url);
    const greeting = await client.poll('connect');
    assert.equal(greeting.headers.get('content-type'), json);
    assert.match(greeting.text, /^\{"C":"[^"]+","S":1,"M":\[\]\}$/);
    assert.ok(!rig.seen.includes(`connected ${client.id}`), 'not before start');
    const started = await client.start('longPolling');
    assert.deepEqual([started.status, started.text], [200, '{ "Response": "started" }']);
    assert.equal(started.headers.get('content-type'), json);
    assert.ok(rig.seen.includes(`connected ${client.id}`));
    const waiting = client.poll('poll', cursorOf(greeting.text));
    await rig.live.broadcast('news', [1, { two: 2 }]);
    await rig.live.broadcast('news', ['three']);
    const news = await waiting;
    assert.match(news.text, /^\{"C":"[^"]+","M":\[\{"H":"trades","M":"news","A":\[1,\{"two":2\}\]\}/);
    let pushes = JSON.parse(news.text).M;
    if (pushes.length === 1)
      pushes = [...pushes, ...JSON.parse((await client.poll('poll', cursorOf(news.text))).text).M];
    assert.deepEqual(pushes.at(-1), { H: 'trades', M: 'news', A: ['three'] });
    const aborted = await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
    assert.deepEqual([aborted.status, aborted.text, aborted.headers.get('content-type')], [200, '', 'text/plain']);
    await untilEqual(() => rig.seen.includes(`disconnected ${client.id}`), true);
  });

  it('responds to a poll without messages after the poll interval, with its cursor', async () => {
    const client = await HandClient.negotiated(rig.url);
    const cursor = cursorOf((await client.poll('connect')).text);
    await client.start('longPolling');
    assert.equal((await settledLater(rig, client.poll('poll', cursor))).text, `{"C":"${cursor}","M":[]}`);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  });

  it('sends messages of a lost response again', async () => {
    const client = await HandClient.negotiated(rig.url);
    const cursor = cursorOf((await client.poll('connect')).text);
    await client.start('longPolling');
    await rig.live.broadcast('news', [1]);
    const first = await client.poll('poll', cursor);
    await rig.live.broadcast('news', [2]);
    const again = await client.poll('reconnect', cursor);
    assert.deepEqual(
      JSON.parse(again.text).M.map(({ A }: { A: unknown }) => A),
      [[1], [2]],
    );
    await rig.live.broadcast('news', [3]);
    const onward = await client.poll('poll', cursorOf(again.text));
    assert.deepEqual(
      JSON.parse(onward.text).M.map(({ A }: { A: unknown }) => A),
      [[3]],
    );
    assert.equal(JSON.parse(first.text).M.length, 1);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  });

  it('accepts the messageId in the query, as old clients send it', async () => {
    const client = await HandClient.negotiated(rig.url, { clientProtocol: '1.3' });
    const cursor = cursorOf((await client.ask('connect', { transport: 'longPolling' })).text);
    await untilEqual(() => rig.seen.includes(`connected ${client.id}`), true);
    await rig.live.broadcast('news', [1]);
    const { text } = await client.ask('poll', { transport: 'longPolling', messageId: cursor });
    assert.deepEqual(JSON.parse(text).M, [{ H: 'trades', M: 'news', A: [1] }]);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  });
});

describe('server-sent events', () => {
  it('open with `initialized` and the init message, and carry one message each', async () => {
    const client = await HandClient.negotiated(rig.url);
    const events = await client.events();
    assert.equal(events.response.headers.get('content-type'), 'text/event-stream; charset=UTF-8');
    assert.equal(events.response.headers.get('x-content-type-options'), 'nosniff');
    await untilEqual(() => /^data: initialized\n\ndata: \{"C":"[^"]+","S":1,"M":\[\]\}\n\n$/.test(events.text), true);
    await client.start('serverSentEvents');
    events.text = '';
    await rig.live.broadcast('news', ['a\nb']);
    await untilEqual(
      () => /^data: \{"C":"[^"]+","M":\[\{"H":"trades","M":"news","A":\["a\\nb"\]\}\]\}\n\n$/.test(events.text),
      true,
    );
    await client.ask('abort', { transport: 'serverSentEvents' }, { method: 'POST' });
    await untilEqual(() => events.isOver, true);
  });

  it('resume after the cursor, without a second init message', async () => {
    const client = await HandClient.negotiated(rig.url);
    const events = await client.events();
    await untilEqual(() => events.text.includes('"S":1'), true);
    await client.start('serverSentEvents');
    await rig.live.broadcast('news', ['heard']);
    await untilEqual(() => events.text.includes('heard'), true);
    const last = events.text.trim().split('\n\ndata: ').at(-1) ?? '';
    events.stop();
    await rig.live.broadcast('news', ['missed']);
    const back = await client.events('reconnect', { messageId: cursorOf(last) });
    await untilEqual(() => back.text.includes('missed'), true);
    assert.ok(!back.text.includes('heard') && !back.text.includes('"S"'), back.text);
    assert.equal(rig.seen.filter((line) => line === `connected ${client.id}`).length, 1);
    back.stop();
  });
});

describe('WebSockets', () => {
  it('carry messages and call results unframed', async () => {
    const client = await HandClient.negotiated(rig.url);
    const frames = await client.webSocket();
    await untilEqual(() => /^\{"C":"[^"]+","S":1,"M":\[\]\}$/.test(frames.texts[0] ?? ''), true);
    await client.start('webSockets');
    frames.call('echo', [{ deep: [1] }], 7);
    frames.call('pushMe', ['x'], 8, 'TRADES');
    await untilEqual(() => frames.texts.length, 4);
    assert.equal(frames.texts[1], '{"R":{"deep":[1]},"I":"7"}');
    assert.match(frames.texts[2] ?? '', /^\{"C":"[^"]+","M":\[\{"H":"trades","M":"pushed","A":\["x"\]\}\]\}$/);
    assert.equal(frames.texts[3], '{"I":"8"}');
    await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
    await untilEqual(() => typeof frames.closeCode, 'number');
  });

  it('close on a message that is too large, and ignore messages that are no calls', async () => {
    const client = await HandClient.negotiated(rig.url);
    const frames = await client.started();
    for (const text of ['', 'nonsense', '[]', '{"H":"trades"}', 'null']) frames.socket.send(text);
    frames.call('echo', ['still there']);
    await untilEqual(() => frames.texts, ['{"R":"still there","I":"0"}']);
    frames.call('echo', ['x'.repeat(64 * 1024)]);
    await untilEqual(() => frames.closeCode, 1009);
    await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
  });

  it('start with the init message before protocol 1.4, and with the start request after, once', async () => {
    for (const clientProtocol of ['1.3', '1.4', '1.5', '2.0', '2.1']) {
      const client = await HandClient.negotiated(rig.url, { clientProtocol });
      const frames = await client.webSocket();
      const isConnected = () => rig.seen.filter((line) => line === `connected ${client.id}`).length;
      await untilEqual(() => frames.texts.length, 1);
      if (clientProtocol === '1.3') await untilEqual(isConnected, 1);
      else assert.equal(isConnected(), 0, clientProtocol);
      for (const _ of [1, 2]) assert.equal((await client.start('webSockets')).text, '{ "Response": "started" }');
      assert.equal(isConnected(), 1, clientProtocol);
      await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
    }
  });
});

it('a client that falls back connects again with another transport, on the same connection', async () => {
  const client = await HandClient.negotiated(rig.url);
  const frames = await client.webSocket();
  await untilEqual(() => frames.texts.length, 1);
  assert.match((await client.poll('connect')).text, /"S":1/);
  await untilEqual(() => frames.closeCode, 1006);
  await client.start('longPolling');
  assert.equal(rig.seen.filter((line) => line === `connected ${client.id}`).length, 1);
  await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
});

describe('calls by POST', () => {
  it('get the result, the message of a HubException, or no details', async () => {
    const client = await HandClient.negotiated(rig.url);
    await client.poll('connect');
    await client.start('longPolling');
    for (const [method, args, answer] of [
      ['echo', [[1, 'two']], '{"R":[1,"two"],"I":"0"}'],
      ['ECHO', [null], '{"I":"0"}'],
      ['nothing', [], '{"I":"0"}'],
      ['refuse', [], '{"I":"0","H":true,"E":"not today"}'],
      ['fail', [], '{"I":"0","E":"There was an error invoking Hub method \'Trades.fail\'."}'],
      ['missing', [], '{"I":"0","E":"\'missing\' method could not be resolved."}'],
      ['count', [3], '{"I":"0","E":"\'count\' method could not be resolved."}'],
    ] as const) {
      const { status, text, headers } = await client.send('longPolling', { H: 'Trades', M: method, A: args, I: 0 });
      assert.deepEqual([status, text, headers.get('content-type')], [200, answer, json]);
    }
    const other = await client.send('longPolling', { H: 'other', M: 'echo', A: [], I: '1' });
    assert.equal(other.text, '{"I":"1","E":"\'other\' Hub could not be resolved."}');
    assert.equal((await client.send('longPolling', 'no call')).text, '');
    const huge = await client.send('longPolling', { H: 'trades', M: 'echo', A: ['x'.repeat(65_536)], I: 0 });
    assert.equal(huge.status, 413);
    await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
    assert.equal((await client.send('longPolling', { H: 'trades', M: 'echo', A: [], I: 0 })).status, 404);
  });

  it('work for a client that is not subscribed, which gets no broadcasts', async () => {
    const client = await HandClient.negotiated(rig.url, { connectionData: '[]' });
    const frames = await client.started();
    await rig.live.broadcast('news', [1]);
    frames.call('echo', [1]);
    await untilEqual(() => frames.texts, ['{"R":1,"I":"0"}']);
    assert.ok(!rig.seen.includes(`connected ${client.id}`));
    await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
  });

  it('join groups, which end with the connection', async () => {
    const [inside, outside] = [await HandClient.negotiated(rig.url), await HandClient.negotiated(rig.url)];
    const [first, second] = [await inside.started(), await outside.started()];
    first.call('join', ['red']);
    await untilEqual(() => first.texts, ['{"I":"0"}']);
    await rig.live.sendTo({ groups: ['red'] }, 'news', ['for red']);
    await rig.live.broadcast('news', ['for all']);
    await untilEqual(() => [first.texts.length, second.texts.length], [3, 1]);
    assert.match(first.texts[1] ?? '', /for red/);
    assert.match(second.texts[0] ?? '', /for all/);
    for (const client of [inside, outside]) {
      await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
    }
  });
});
