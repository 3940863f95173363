// The published client of classic SignalR against the server: connecting, calling, being called, and coming back.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openPage, type Untyped } from './harness/classic-page.ts';
import { people, type Rig, startRig } from './harness/rig.ts';
import { startProxy } from './harness/tcp-proxy.ts';
import { untilEqual } from './harness/until.ts';

const transports = ['webSockets', 'serverSentEvents', 'longPolling'] as const;

async function connect(t: TestContext, rig: Rig, transport: string | string[], port = rig.port) {
  const url = `http://127.0.0.1:${port}`;
  const { jQuery } = await openPage(t, `${url}/page`, `${url}/hub/hubs`);
  const { hub, trades } = jQuery.connection as Untyped;
  const heard: unknown[] = [];
  const states: string[] = [];
  trades.client.news = (...args: unknown[]) => heard.push(...args);
  hub.reconnecting(() => states.push('reconnecting'));
  hub.reconnected(() => states.push('reconnected'));
  hub.disconnected(() => states.push('disconnected'));
  await hub.start({ transport });
  return { hub, server: trades.server, heard, states };
}

describe('the published client', () => {
  for (const transport of transports) {
    it(`connects by ${transport}, calls, is called, and leaves`, async (t) => {
      const rig = await startRig();
      t.after(() => rig.stop());
      const { hub, server, heard } = await connect(t, rig, transport);
      assert.equal(hub.transport.name, transport);
      assert.deepEqual(rig.seen, [`connected ${hub.id}`]);
      assert.equal(JSON.stringify(await server.echo({ a: [1, null, 'é'] })), '{"a":[1,null,"é"]}');
      await assert.rejects(async () => server.refuse(), { message: 'not today', source: 'HubException' });
      await assert.rejects(async () => server.fail(), /There was an error invoking Hub method 'trades.fail'/);
      for (let n = 0; n < 50; n++) await rig.live.broadcast('news', [n]);
      await untilEqual(
        () => heard,
        Array.from({ length: 50 }, (_, n) => n),
      );
      hub.stop();
      await untilEqual(() => rig.seen.length, 2);
      await untilEqual(() => rig.server.connectionCount, 0);
      assert.deepEqual(rig.troubles.map(String), ['Error: a secret of the server']);
    });

    it(`comes back by ${transport} after its connection was cut, and has missed nothing`, async (t) => {
      const rig = await startRig();
      const proxy = await startProxy(rig.port);
      t.after(async () => {
        await proxy.stop();
        await rig.stop();
      });
      const { heard, states, hub } = await connect(t, rig, transport, proxy.port);
      await rig.live.broadcast('news', ['before']);
      await untilEqual(() => heard, ['before']);
      proxy.cut();
      for (const news of ['one', 'two']) await rig.live.broadcast('news', [news]);
      await untilEqual(() => states.at(-1), 'reconnected');
      await rig.live.broadcast('news', ['after']);
      await untilEqual(() => heard, ['before', 'one', 'two', 'after']);
      assert.deepEqual(rig.seen, [`connected ${hub.id}`], 'it is the same connection');
    });
  }

  it('takes long polling where there are no WebSockets', async (t) => {
    const rig = await startRig({ transports: ['LongPolling'] });
    t.after(() => rig.stop());
    const { hub, heard } = await connect(t, rig, ['webSockets', 'longPolling']);
    assert.equal(hub.transport.name, 'longPolling');
    await rig.live.broadcast('news', ['heard']);
    await untilEqual(() => heard, ['heard']);
  });

  it('pings with its token in the query, and is refused without one', async (t) => {
    const rig = await startRig({ authenticate: people({ secret: { id: 'anna' } }) });
    t.after(() => rig.stop());
    const url = `http://127.0.0.1:${rig.port}`;
    const { jQuery } = await openPage(t, `${url}/page`, `${url}/hub/hubs`);
    const { hub, trades } = jQuery.connection as Untyped;
    trades.client.news = () => {};
    await assert.rejects(async () => hub.start(), /Error during negotiation request/);
    hub.qs = { access_token: 'secret' };
    await hub.start();
    await jQuery.signalR.transports._logic.pingServer(hub);
    assert.equal(await trades.server.whoAmI(), 'anna');
  });

  it('is asked by the hub to stop, and does', async (t) => {
    const rig = await startRig();
    t.after(() => rig.stop());
    const { server, states } = await connect(t, rig, 'webSockets');
    server.goAway(false).fail(() => {});
    await untilEqual(() => states, ['disconnected']);
    await untilEqual(() => rig.server.connectionCount, 0);
  });
});
