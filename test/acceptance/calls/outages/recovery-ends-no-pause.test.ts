// A channel that works again is used at once by those who waited for it, and by nobody else.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const provider = (channel: string, fault: string) => ({
  name: channel,
  channel,
  kind: 'simulator',
  settings: { fault },
});

testOnAnyStore('e-mail that fails and works again each minute ends no pause of a telephone call', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', provider('voice', 'none'));
  const mails = await site.create('/providers', provider('email', 'none'));
  const ana = await site.person('ana', {
    numbers: [voice('+33100000001'), { channel: 'email', address: 'ana@example.org' }],
  });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 1 });
  let calls = 0;
  for (let minute = 0; minute < 15; minute++) {
    await site.ask('PUT', `/providers/${mails}`, provider('email', minute % 2 === 0 ? 'dead' : 'none'));
    await site.ask('POST', `/providers/${mails}/test`);
    await site.settle();
    if ((await ana.messages()).some(({ state }) => state === 'ringing')) {
      calls++;
      await ana.hears();
    }
    await site.advance('1m');
  }
  // At once, after the pause of five minutes, and at most once more.
  assert.ok(calls >= 2 && calls <= 3, `${calls} calls in fifteen minutes to who has heard it each time`);
  await site.expectWhatRings();
});
