// In ten situations a server has nothing to do, and uses next to no processor time in a whole second.

import type { TestContext } from 'node:test';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { expectIdleSecond } from '../../harness/site/at-rest.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function pumps(site: Site) {
  const ana = await site.person('ana');
  return { ana, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

type Situation = (site: Site, t: TestContext) => Promise<unknown>;

/** A situation in which phones of the site may ring at the end. */
const withPhones =
  (happens: Situation): Situation =>
  async (site, t) => {
    await happens(site, t);
    await site.expectWhatRings();
  };

/** Brings the site into each situation, by the end of the test's name. */
const situations: Readonly<Record<string, Situation>> = {
  'that was just started': async () => {},
  'with two values of one active alarm in quick succession': async (site) => {
    for (const value of ['90', '91']) await site.alarms.send({ path: 'Boiler', alarmMessage: 'hot', value });
    await site.advance('5s');
  },
  'while a phone rings': withPhones(async (site) => {
    const { ana, group } = await pumps(site);
    await site.alarms.raise(group);
    await ana.isCalled();
  }),
  'after somebody took the alarm': withPhones(async (site) => {
    const { ana, group } = await pumps(site);
    await site.alarms.raise(group);
    await ana.isCalled();
    await ana.takes();
  }),
  'after everybody declined': withPhones(async (site) => {
    const { ana, group } = await pumps(site);
    await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await ana.declines();
  }),
  'while a call waits for a duty to begin': withPhones(async (site) => {
    const ana = await site.person('ana');
    const team = await site.team('Night', [ana]);
    await site.schedule(team, '22:00', '23:00');
    await site.alarms.raise(await site.group('Pumps', [team]));
    await site.settle();
  }),
  'with a provider that is down': withPhones(async (site) => {
    const settings = { fault: 'dead' };
    await site.create('/providers', { name: 'voice', channel: 'voice', kind: 'simulator', settings });
    const { group } = await pumps(site);
    const alarm = await site.alarms.raise(group);
    await until(
      async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items,
      (rows) => rows.some(({ outcome }) => outcome === 'providerDown'),
    );
  }),
  'with a call that cannot be read': withPhones(async (site) => {
    const { ana, group } = await pumps(site);
    await site.alarms.raise(group);
    await ana.isCalled();
    await ana.hangsUp();
    await executeSql(site.app, `update call_causes set entered = '{' where target_id = ${group}`);
    await until(
      async () => {
        await site.app.poll();
        return site.alarms.fromTocsin();
      },
      (alarms) => alarms.some(({ path }) => String(path).includes('set-aside')),
    );
  }),
  'with a console that watches everything': async (site, t) => {
    const { connection } = await hubClient(t, site.app.url, site.token);
    await connection.invoke('subscribe', { changes: true, calls: true });
    await site.alarms.send({ path: 'Pump' });
  },
  'with the demo plant': (site) => site.ask('POST', '/demo'),
};

for (const [situation, happens] of Object.entries(situations))
  testOnAnyStore(`a server ${situation} is at rest`, async (t, kind) => {
    const site = await startSite(t, kind);
    await happens(site, t);
    await expectIdleSecond();
  });
