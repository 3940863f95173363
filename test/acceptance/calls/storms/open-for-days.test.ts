// An alarm that nobody takes for hours: a decision reads what was done in its present round, and still knows what was done before.

import assert from 'node:assert/strict';
import { earlierIn } from '../../../../src/operations/calls/engine/rows/earlier-attempts.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

async function groupOf(site: Site, numbers: readonly object[]) {
  const ana = await site.person('ana', { numbers });
  return { ana, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

testOnStores('a notice is sent once for an alarm that is called for in rounds for hours', async (t, kind) => {
  const site = await startSite(t, kind);
  const notice = sms('+33600000001', { final: false });
  const { ana, group } = await groupOf(site, [voice('+33100000001', { countTry: 1 }), notice]);
  await site.alarms.raise(group, { priority: 2 });
  await site.advance('4h');
  const rows = await site.callHistories(`&userId=${ana.id}`);
  assert.equal(rows.filter(({ address }) => address === notice.address).length, 1);
  assert.ok(rows.length > 8, `${rows.length} calls`);
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const [cause] = await tables.all('call_causes');
  assert.ok(cause !== undefined && cause.round > 5);
  assert.equal(earlierIn(cause).length, 3, 'the notice, and the first call to each of the two people');
  await site.expectWhatRings();
});

testOnStores('the answer to a text of hours ago counts in the round in which it is given', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await groupOf(site, [sms('+33600000001', { countAck: 0, timeToAck: 30, timeToRetry: 60 })]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.hasText(/Pump1/);
  await site.advance('9m');
  // That of the second round: the first one is read in any case.
  const { code } = await ana.hasText(/Pump1/);
  await site.advance('3h');
  await site.expectWhatRings();
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  const [cause] = await tables.all('call_causes');
  assert.ok(cause !== undefined && cause.round > 3);
  await ana.texts(`2 ${code}`);
  await site.settle();
  const people = (await site.list('/calls')).items.flatMap((call) => call.people as readonly Row[]);
  assert.deepEqual(
    people.filter(({ user }) => user === 'ana').map(({ step }) => step),
    ['heard'],
  );
  await site.expectWhatRings();
});
