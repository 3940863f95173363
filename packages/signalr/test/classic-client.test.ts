// The published client of classic ASP.NET SignalR 2: falling back, tokens and stopping.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openPage, type Untyped } from './harness/classic-page.ts';
import { people, type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

async function connect(t: TestContext, rig: Rig, transport: string | string[]) {
  const url = `http://127.0.0.1:${rig.port}`;
  const { jQuery } = await openPage(t, `${url}/page`, `${url}/hub/hubs`);
  const { hub, trades } = jQuery.connection as Untyped;
  const heard: unknown[] = [];
  const states: string[] = [];
  trades.client.news = (...args: unknown[]) => heard.push(...args);
  hub.disconnected(() => states.push('disconnected'));
  await hub.start({ transport });
  return { hub, server: trades.server, heard, states };
}

describe('the published client', () => {
  it('falls back to long polling where the server has no WebSockets', async (t) => {
    const rig = await startRig({ transports: ['LongPolling'] });
    t.after(() => rig.stop());
    const { hub, heard } = await connect(t, rig, ['webSockets', 'longPolling']);
    assert.equal(hub.transport.name, 'longPolling');
    await rig.live.broadcast('news', ['heard']);
    await untilEqual(() => heard, ['heard']);
  });

  it('the client pings with its token in the query, and is refused without one', async (t) => {
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

  it('stops when the hub closes its connection for good', async (t) => {
    const rig = await startRig();
    t.after(() => rig.stop());
    const { server, states } = await connect(t, rig, 'webSockets');
    server.goAway(false).fail(() => {});
    await untilEqual(() => states, ['disconnected']);
    await untilEqual(() => rig.server.connectionCount, 0);
  });
});
