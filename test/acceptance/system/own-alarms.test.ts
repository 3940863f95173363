// Every alarm of Tocsin's own that lasts is raised while its cause lasts, one occurrence, acknowledged like any other, and ended
// with it.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { watchEvents } from '../../../src/dispatch/event-watch.ts';
import { watchDescriptors } from '../../../src/dispatch/watches/descriptor-watch.ts';
import { watchDisk } from '../../../src/dispatch/watches/disk-watch.ts';
import type { LastingAlarm } from '../../../src/domain/alarms/own-alarms.ts';
import { watchBudget } from '../../../src/operations/calls/control/budget.ts';
import { reportNoAttempts } from '../../../src/operations/calls/delivery/attempt-faults.ts';
import { endRefusalAlarm } from '../../../src/operations/intake/refusals.ts';
import { noteHolidays } from '../../../src/operations/on-call/holidays.ts';
import { reportChannelDown } from '../../../src/operations/providers/channel-alarms.ts';
import { noteMailbox } from '../../../src/operations/providers/provider-alarms.ts';
import { noteUnopened } from '../../../src/operations/providers/unopened.ts';
import { setNodeScripts } from '../../../src/operations/scripts/node-scripts.ts';
import { noteHeardReports } from '../../../src/operations/sources/note-reports.ts';
import { noteSilence } from '../../../src/operations/sources/watch.ts';
import { beginBackup, endBackup, watchBackups } from '../../../src/operations/system/backups.ts';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import { beginPurge } from '../../../src/operations/system/purge-pace.ts';
import { noteStoreCheck } from '../../../src/operations/system/store-damage.ts';
import type { Store } from '../../../src/store/store.ts';
import { trunk } from '../../harness/mail/post-office.ts';
import { refuse } from '../../harness/site/refused-intakes.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type Cause = {
  readonly path: string;
  /** Lets the cause begin, or be noticed again while it lasts. */
  readonly begins: () => Promise<unknown>;
  readonly ends: () => Promise<unknown>;
};

const day = 86_400_000;
const node = 'plant';
const fail = (error: unknown): never => assert.fail(String(error));

/** A watch that looks at what `state` holds. */
type Watch = { poll(): Promise<void>; stop(): void };

function watched(t: TestContext, path: string, watch: Watch, set: (isWrong: boolean) => void): Cause {
  t.after(() => watch.stop());
  const look = async (isWrong: boolean) => {
    set(isWrong);
    // The watch over events looks twice.
    for (let n = 0; n < 2; n++) await watch.poll();
  };
  return { path, begins: () => look(true), ends: () => look(false) };
}

/** How each cause begins and ends: one for every alarm of the catalogue that lasts, or this does not compile. */
const causes: Readonly<Record<LastingAlarm, (site: Site, t: TestContext) => Promise<Cause>>> = {
  'backup-old': async (site) => {
    const schedule = { node: 'here', everyMs: 3_600_000, folder: '/backups', isBusy: false };
    const look = async (problem: string | undefined, ms: number) => {
      site.app.clock.advance(ms);
      const begunAt = await site.app.store.write(beginBackup, schedule);
      if (begunAt !== undefined) await site.app.store.write(endBackup, { begunAt, problem });
      await site.app.store.write(watchBackups, {});
    };
    await look(undefined, 0);
    const fails = async () => {
      for (let hour = 0; hour < 3; hour++) await look('the disk is full', 3_600_000);
    };
    return { path: 'backup-old', begins: fails, ends: () => look(undefined, 3_600_000) };
  },
  budget: async (site) => {
    const set = async (budgetDay: number | null) => {
      await site.ask('PUT', '/callpolicy', {
        priorities: [{ priority: 1, untilAcknowledged: true }],
        tolls: { budgetDay },
      });
      await site.app.store.write(watchBudget, {});
    };
    return { path: 'budget', begins: () => set(0), ends: () => set(null) };
  },
  channel: async (site) => ({
    path: 'channel/sms',
    begins: () => site.app.store.write(reportChannelDown, { channel: 'sms', reason: 'no provider works' }),
    // The simulator serves it: the next audit notices.
    ends: () => site.advance('61s'),
  }),
  'disk-low': async (site, t) => {
    let used = 0;
    const watch = watchDisk(site.app.store, node, async () => used, fail);
    return watched(t, `disk-low/${node}`, watch, (isWrong) => (used = isWrong ? 0.93 : 0.5));
  },
  'no-free-line': async (site) => {
    const line = { name: 'One line', order: 1, channel: 'voice', kind: 'simulator', settings: {}, lines: 1 };
    await site.create('/providers', line);
    const people = [await site.person('ana'), await site.person('bo')];
    const group = await site.group('Pumps', [await site.team('Night', people)]);
    const alarms: number[] = [];
    let raised = 0;
    const waits = async () => {
      await site.settle();
      if (alarms.length > 0) return;
      alarms.push(await site.alarms.raise(group, { path: `a${raised++}`, priority: 3 }));
      await site.settle();
      // Who is called first stays on the line, and the other waits for it. Their numbers may have to rest before.
      const ringing = async () => {
        for (const person of people)
          if ((await person.messages()).some(({ state }) => state === 'ringing')) return person;
        return undefined;
      };
      let first = await ringing();
      for (; first === undefined; first = await ringing()) await site.advance('1s');
      await first.answers('1');
      await site.advance('2m');
    };
    const isFree = async () => {
      for (const id of alarms.splice(0)) await site.alarms.acknowledge(id);
      for (const person of people) await person.hangsUp().catch(() => {});
      await site.settle();
    };
    return { path: 'no-free-line/voice', begins: waits, ends: isFree };
  },
  'nobody-on-call': async (site) => {
    const group = await site.group('Empty', []);
    return { path: `nobody-on-call/${group}`, ...untilTaken(site, group) };
  },
  'nobody-took-it': async (site) => {
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    return { path: `nobody-took-it/group/${group}`, ...untilTaken(site, group) };
  },
  'few-descriptors': async (site, t) => {
    let open = 0;
    const watch = watchDescriptors(site.app.store, node, async () => ({ open, limit: 1_000 }), fail);
    return watched(t, `few-descriptors/${node}`, watch, (isWrong) => (open = isWrong ? 950 : 10));
  },
  'events-delayed': async (site, t) => {
    let delayMs = 0;
    const store = Object.create(site.app.store, {
      eventDelayMs: { value: () => delayMs },
      write: { value: site.app.store.write.bind(site.app.store) },
    }) as Store;
    const watch = watchEvents(store, node, fail);
    return watched(t, `events-delayed/${node}`, watch, (isWrong) => (delayMs = isWrong ? 20_000 : 0));
  },
  holidays: async (site) => {
    const url = 'https://192.0.2.1/days.ics';
    const id = await site.create('/schedules', { name: 'Programme', holidays: { icalUrl: url } });
    const note = (problem: string | undefined) =>
      site.app.store.write(noteHolidays, { id, url, dates: ['2026-12-25'], leftOut: [], problem });
    return { path: `holidays/${id}`, begins: () => note('it is not there'), ends: () => note(undefined) };
  },
  'intake-refused': async (site) => {
    const token = await site.keyFor(['alarms:write']);
    const actor = `key:${(await site.list('/auth/keys')).items.at(-1)?.id}`;
    return {
      path: `intake-refused/${actor}`,
      begins: () => refuse(site, { token, body: '{"path":"pump"', code: 'malformed-json' }),
      ends: () => site.app.store.write(endRefusalAlarm, { actor }),
    };
  },
  provider: async (site) => {
    const providerId = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'simulator' });
    const note = (problem: string | undefined) => site.app.store.write(noteMailbox, { providerId, problem });
    return { path: `provider/${providerId}/mailbox`, begins: () => note('no answer'), ends: () => note(undefined) };
  },
  'providers-unopened': async (site) => {
    const { store } = site.app;
    await site.create('/providers', trunk);
    const { id: providerId } = (await site.list('/providers?limit=10')).items.find(({ name }) => name === 'PBX') ?? {};
    const set = async (isUnopened: boolean) => {
      for (const id of ['b', 'c']) await store.write(announceNode, { id, name: id, address: 'http://127.0.0.1:9' });
      const unopened = isUnopened ? [{ providerId: Number(providerId), name: 'PBX', reason: 'another key' }] : [];
      await store.write(noteUnopened, { node: 'b', nodeName: 'b', unopened });
    };
    return { path: 'providers-unopened/b', begins: () => set(true), ends: () => set(false) };
  },
  'purge-waits': async (site, t) => {
    const tables = await tablesOf(site.app.environment);
    t.after(() => tables.close());
    const pass = () => site.app.store.write(beginPurge, { startedAt: 0 });
    await pass();
    const since = async (days: number, isTold: boolean) => {
      const now = site.app.clock.now();
      const pace = JSON.stringify({ asOf: now - days * day, at: now, waitedMs: 0, isTold });
      await tables.run(`update meta set value = '${pace}' where key = 'purge'`);
      await pass();
    };
    let isTold = false;
    return {
      path: 'purge-waits',
      begins: async () => {
        await since(10, isTold);
        isTold = true;
      },
      ends: async () => {
        await since(0, isTold);
        isTold = false;
      },
    };
  },
  'scripts-differ': async (site) => {
    const { store } = site.app;
    /** The node of the site has no folder of scripts. */
    const set = async (scripts: ReadonlyMap<number, undefined> | undefined) => {
      await store.write(announceNode, { id: 'b', name: 'b', address: 'http://127.0.0.1:9' });
      await store.write(setNodeScripts, { node: 'b', nodeName: 'b', scripts });
    };
    return { path: 'scripts-differ', begins: () => set(new Map([[1, undefined]])), ends: () => set(undefined) };
  },
  'set-aside': async (site) => ({
    path: 'set-aside/attempts',
    begins: () => site.app.store.write(reportNoAttempts, {}),
    ends: () => site.advance('61s'),
  }),
  'store-damaged': async (site) => ({
    path: 'store-damaged',
    begins: () => site.app.store.write(noteStoreCheck, { problem: 'malformed' }),
    ends: () => site.app.store.write(noteStoreCheck, { problem: undefined }),
  }),
  'source-silent': async (site, t) => {
    const tables = await tablesOf(site.app.environment);
    t.after(() => tables.close());
    await site.keyFor(['alarms:write']);
    const source = `key:${(await site.list('/auth/keys')).items.at(-1)?.id}`;
    const { store, clock } = site.app;
    const hear = () => {
      const at = clock.now();
      const report = { source, fedBy: undefined, firstAt: at, lastAt: at, gaps: { counts: [], ms: [] } };
      return store.write(noteHeardReports, { upSince: 0, reports: [report] });
    };
    await hear();
    const silence = async () => {
      const due = clock.now() - 1;
      await tables.run(`update source_reports set silent_at = ${due}, usual_ms = 1000, last_at = ${due - 1}`);
      await store.write(noteSilence, { upSince: 0 });
    };
    return { path: `source-silent/${source}`, begins: silence, ends: hear };
  },
};

/** An alarm for which everybody is called in vain, until somebody takes it at a console. */
function untilTaken(site: Site, group: number): Pick<Cause, 'begins' | 'ends'> {
  const alarms: number[] = [];
  let raised = 0;
  return {
    begins: async () => {
      alarms.push(await site.alarms.raise(group, { path: `a${raised++}`, priority: 3 }));
      await site.advance('2m');
    },
    ends: async () => {
      for (const id of alarms.splice(0)) await site.alarms.acknowledge(id);
      await site.settle();
    },
  };
}

async function own(site: Site, path: string) {
  const found = (await site.alarms.fromTocsin()).filter((alarm) => alarm.path === `system/${path}`);
  return found.map(({ id, state }) => ({ id, state }));
}

async function occurrences(site: Site, path: string): Promise<number> {
  const { items } = await site.alarms.histories('?limit=1000');
  return items.filter(({ tagName }) => tagName === `system/${path}`).length;
}

async function expectOneOccurrence(site: Site, { path, begins, ends }: Cause): Promise<void> {
  const before = await occurrences(site, path);
  await begins();
  const [raised, ...others] = await own(site, path);
  assert.deepEqual([raised?.state, others], [3, []], 'raised with its cause');
  await begins();
  await site.alarms.acknowledge(Number(raised?.id));
  for (let n = 0; n < 3; n++) await begins();
  assert.deepEqual(await own(site, path), [{ id: raised?.id, state: 1 }], 'stays acknowledged while its cause lasts');
  assert.equal(await occurrences(site, path), before + 1, 'one occurrence');
  await ends();
  assert.deepEqual(await own(site, path), [], 'ends with its cause');
}

for (const [name, causeOf] of Object.entries(causes)) {
  testOnStores(
    `the alarm ${name} lasts as long as its cause, is acknowledged once, and comes again with it`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      const cause = await causeOf(site, t);
      await expectOneOccurrence(site, cause);
      await expectOneOccurrence(site, cause);
      await site.expectWhatRings();
    },
  );
}

testOnAnyStore('an alarm that is raised again after each acknowledgement would be found', async (t, kind) => {
  const site = await startSite(t, kind);
  const begins = () => site.alarms.send({ path: 'pump', alarmActions: [{ type: 'CallGroup', id: 7 }] });
  await begins();
  const [{ path } = {}] = await site.alarms.dismissThoseFromTocsin();
  const cause = { path: String(path).slice('system/'.length), begins, ends: async () => {} };
  await assert.rejects(expectOneOccurrence(site, cause), /raised with its cause/);
});

testOnStores('the alarm about a disk ends with the node, which may start again under another name', async (t, kind) => {
  const site = await startSite(t, kind);
  const { store, clock } = site.app;
  const announce = (name: string) => store.write(announceNode, { id: name, name, address: 'http://127.0.0.1:9' });
  await announce('old');
  const disk = watchDisk(store, 'old', async () => 0.95, fail);
  await disk.poll();
  disk.stop();
  assert.equal((await own(site, 'disk-low/old')).length, 1);
  clock.advance(301_000);
  await announce('new');
  assert.deepEqual(
    (await own(site, 'disk-low/old')).filter(({ state }) => state !== 2),
    [],
  );
  await site.expectWhatRings();
});
