// A cause of a call whose row cannot be read: what else is done with it, or beside it, goes on.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const breakCall = (site: Site, where: string) =>
  executeSql(site.app, `update call_causes set entered = '{' where ended_at is null and ${where}`);
const repairCall = (site: Site) => executeSql(site.app, "update call_causes set entered = '[]' where entered = '{'");

const ownPaths = async (site: Site): Promise<readonly string[]> =>
  (await site.alarms.fromTocsin()).map(({ path }) => String(path));

/** Advances the clock by steps until the phone of the person has shown a text that matches. */
async function untilCalled(site: Site, person: Awaited<ReturnType<Site['person']>>, about: RegExp): Promise<void> {
  await until(
    async () => {
      site.app.clock.advance(5_000);
      await site.app.poll();
      return person.messages();
    },
    (messages) => messages.some(({ text }) => about.test(text)),
  );
}

testOnStores(
  'somebody who rang for it is free for others when the call ends, and an alarm says so',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
    const fans = await site.group('Fans', [await site.team('Day', [ana])]);
    await site.alarms.raise(pumps, { path: 'Lamp', alarmMessage: 'Lamp', priority: 3 });
    await ana.isCalled();
    await breakCall(site, `target_id = ${pumps}`);
    await site.ask('POST', `/simulator/phones/${ana.id}/hangup`);
    await until(
      () => ownPaths(site),
      (paths) => paths.includes(`system/set-aside/group/${pumps}`),
    );
    const alarmActions = [{ type: 'CallGroup', id: fans }];
    await site.ask('POST', '/alarms', { path: 'Fan', alarmMessage: 'fan', priority: 1, alarmActions });
    await untilCalled(site, ana, /fan/);
    await repairCall(site);
    await site.expectWhatRings();
  },
);

testOnStores(
  'an alarm of it that becomes more urgent is taken in, and so are the others of its batch',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
    const fans = await site.group('Fans', [await site.team('Day', [bo])]);
    await site.alarms.raise(pumps, { path: 'Lamp', alarmMessage: 'Lamp', priority: 3 });
    await ana.isCalled();
    await breakCall(site, `target_id = ${pumps}`);
    const batch = [
      { path: 'Lamp', priority: 1, alarmActions: [{ type: 'CallGroup', id: pumps }] },
      { path: 'Fan', alarmMessage: 'fan', priority: 1, alarmActions: [{ type: 'CallGroup', id: fans }] },
    ];
    const ids = await site.ask<readonly unknown[]>('POST', '/alarms/batch', batch);
    assert.ok(
      ids.every((id) => typeof id === 'number'),
      JSON.stringify(ids),
    );
    await untilCalled(site, bo, /fan/);
    await repairCall(site);
    await site.expectWhatRings();
  },
);

testOnStores('the server starts though the call of the last resort cannot be read', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(pumps);
  await ana.isCalled();
  await ana.hangsUp();
  await breakCall(site, `target_id = ${pumps}`);
  await site.app.poll();
  await until(site.admin.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await breakCall(site, `target_kind = 'last-resort'`);
  await site.restart();
  assert.equal((await site.app.request('GET', '/health/ready')).status, 200);
  await repairCall(site);
  await site.expectWhatRings();
});

testOnStores(
  'a cause that waits for it is called for, also if its alarm has returned to normal meanwhile',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(pumps, { path: 'Lamp', alarmMessage: 'Lamp' });
    await ana.isCalled();
    await ana.hangsUp();
    await breakCall(site, `target_id = ${pumps}`);
    const alarmActions = [{ type: 'CallGroup', id: pumps }];
    await site.ask('POST', '/alarms', { path: 'Gas', alarmMessage: 'Gas leak', priority: 1, alarmActions });
    await until(
      () => ownPaths(site),
      (paths) => paths.includes(`system/set-aside/group/${pumps}`),
    );
    await site.ask('POST', '/alarms', { path: 'Gas', raised: false });
    await repairCall(site);
    await untilCalled(site, ana, /Gas leak/);
    await site.expectWhatRings();
  },
);
