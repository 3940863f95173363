// The reply "1" without a code is accepted only while one text is open.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'the reply "1" takes the only open alarm, and is answered with a request for the code if there are two',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const first = await site.alarms.raise(group);
    await ana.hasText(/Pump1/);
    assert.equal(await ana.texts(' 1 '), 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(first)).ackUser, 'ana');
    const other = await site.group('Fire', [await site.team('Brigade', [ana])]);
    const [second, third] = [
      await site.alarms.raise(group, { path: 'Two' }),
      await site.alarms.raise(other, { path: 'Three' }),
    ];
    const { code } = await ana.hasText(/./);
    assert.equal(await ana.texts('1'), 'Send the code of the message you answer as well.');
    assert.deepEqual([(await site.alarms.get(second)).ackUser, (await site.alarms.get(third)).ackUser], ['', '']);
    assert.equal(await ana.texts(`1 ${code}`), 'You have taken it. Thank you.');
    assert.equal(await ana.texts('1'), 'You have taken it. Thank you.');
    assert.deepEqual([(await site.alarms.get(second)).ackUser, (await site.alarms.get(third)).ackUser], ['ana', 'ana']);
  },
);
