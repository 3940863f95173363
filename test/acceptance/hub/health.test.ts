// The hub tells consoles that its node takes no alarms, cannot read them or cannot call, and when it can again.

import assert from 'node:assert/strict';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { freeze } from '../../harness/site/store-faults.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

testOnAnyStore(
  'a node whose database stands still says on the hub that it takes and reads no alarms, and when it does again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const health: Row[] = [];
    const asking = await hubClient(t, site.app.url, site.token);
    asking.connection.on('onHealth', (told) => health.push(told));
    const other = await hubClient(t, site.app.url, site.token);
    other.connection.on('onHealth', () => assert.fail('who does not ask is told nothing'));
    await other.connection.invoke('subscribe', { changes: true });
    await asking.connection.invoke('subscribe', { health: true });
    const told = (takesAlarms: boolean, readsAlarms: boolean) =>
      until(
        () => health.at(-1),
        (newest) => newest?.takesAlarms === takesAlarms && newest.readsAlarms === readsAlarms,
      );
    const first = await told(true, true);
    assert.deepEqual(first?.calling, []);
    // Connected before, and asks when the database stands still already.
    const meanwhile = await hubClient(t, site.app.url, site.token);
    const database = freeze(site.app.store);
    await told(false, false);
    const greeted = new Promise((resolve) => meanwhile.connection.on('onHealth', resolve));
    const subscribed = meanwhile.connection.invoke('subscribe', { health: true });
    assert.deepEqual(await greeted, health.at(-1));
    site.app.clock.advance(60_000);
    database.thaw();
    const again = await told(true, true);
    await subscribed;
    assert.notEqual(again?.takesSince, first?.takesSince);
    // Whoever subscribes later is told at once how it is.
    const late = await hubClient(t, site.app.url, site.token);
    const greeting = new Promise((resolve) => late.connection.on('onHealth', resolve));
    await late.connection.invoke('subscribe', { health: true });
    assert.deepEqual(await greeting, health.at(-1));
  },
);
