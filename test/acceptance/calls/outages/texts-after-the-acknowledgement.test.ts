// Texts that wait, for a provider that is slow or does not work: none goes out after somebody has taken the alarm.

import assert from 'node:assert/strict';
import { takeAttempts } from '../../../../src/operations/calls/delivery/take-attempts.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, sms } from '../../../harness/site/site-phones.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

const texts = (more: object, fault = 'none') => ({
  name: 'Texts',
  channel: 'sms',
  kind: 'simulator',
  settings: { fault },
  ...more,
});

async function tenPeople(site: Site) {
  const people: Person[] = [];
  for (let n = 0; n < 10; n++)
    people.push(await site.person(`p${n}`, { numbers: [sms(`+3360000000${n}`, { countTry: 3, timeToRetry: 60 })] }));
  return { people, group: await site.group('Pumps', [await site.team('Night', people)]) };
}

async function sent(people: readonly Person[]): Promise<number> {
  const messages = await Promise.all(people.map((person) => person.messages()));
  return messages.flat().length;
}

testOnStores(
  'texts that wait for the rate of their provider are not sent after the acknowledgement',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/providers', texts({ perSecond: 1 }));
    const { people, group } = await tenPeople(site);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    await site.advance('3s');
    await site.alarms.acknowledge(alarm);
    await site.settle();
    const before = await sent(people);
    assert.ok(before > 0 && before < 10, `${before} texts before`);
    await site.advance('20m');
    assert.equal(await sent(people), before);
  },
);

testOnStores(
  'texts of several rounds that no provider carried are not sent after the acknowledgement',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const provider = await site.create('/providers', texts({}, 'dead'));
    const { people, group } = await tenPeople(site);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    await site.advance('12m');
    await site.alarms.acknowledge(alarm);
    await site.ask('PUT', `/providers/${provider}`, texts({}));
    await site.ask('POST', `/providers/${provider}/test`);
    await site.advance('20m');
    assert.equal(await sent(people), 0);
    await site.expectWhatRings();
  },
);

testOnAnyStore('a text that was not sent before the alarm was taken is not sent any more', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 600 })] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await site.expectWhatRings();
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const take = () =>
    site.app.store.write(takeAttempts, {
      node: 'x',
      nodeName: 'x',
      leaseMs: 10_000,
      replyCodes: ['1234'],
      heldAttemptIds: [],
    });
  const ended = async () => {
    const [row] = await tables.all('call_attempts');
    return [row?.outcome, row?.detail];
  };
  const now = site.app.clock.now();
  await tables.run(
    `update call_causes set state = 'done', ended_at = ${now}, end_reason = '{"code":"taken","by":"bo"}'`,
  );
  const open = 'ended_at = null, outcome = null, announced = null, announced_causes = null, lease_by = null';
  // The decider has not looked at what was taken just now.
  await tables.run(`update call_attempts set state = 'due', ${open}, lease_until = null`);
  assert.deepEqual(await take(), []);
  assert.deepEqual(await ended(), ['cancelled', 'taken by bo']);
  // A node crashed while it sent the text.
  await tables.run(
    `update call_attempts set state = 'started', ${open}, lease_until = ${now - 1}, cancel_reason = null`,
  );
  assert.deepEqual(await take(), []);
  assert.deepEqual(await ended(), ['cancelled', 'taken by bo']);
});
