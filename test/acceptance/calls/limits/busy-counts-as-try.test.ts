// A busy telephone is retried `countTry` times, `timeToRetry` apart.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../../harness/mail/post-office.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('each busy signal counts as one try', async (t, kind) => {
  const exchange = new PostOffice({ kind: 'failed', retry: 'later', outcome: 'busy', reason: 'busy' });
  const site = await startSite(t, kind, { openers: { sip: () => exchange } });
  await site.create('/providers', trunk);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 3, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await site.advance('10m');
  await site.expectWhatRings();
  assert.deepEqual(
    (await site.callHistories(`&userId=${ana.id}`)).map(
      ({ attempt, startTime, detail, status }) => `${attempt} ${String(startTime).slice(14, 19)} ${detail} ${status}`,
    ),
    ['1 00:00 busy 4', '2 01:00 busy 4', '3 02:00 busy 4'],
  );
  assert.ok((await site.systemAlarms()).includes(`system/nobody-took-it/group/${group}`));
});
