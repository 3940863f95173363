// The reply "1" without a code is accepted only while one text is open.

import assert from 'node:assert/strict';
import { sms, startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores(
  'the reply "1" takes the only open alarm, and is answered with a request for the code if there are two',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [sms('+33600000001', { timeToAck: 3600 })] });
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    const first = await story.raise(group);
    await ana.hasText(/Pump1/);
    assert.equal(await ana.texts(' 1 '), 'You have taken it. Thank you.');
    assert.equal((await story.alarm(first)).ackUser, 'ana');
    const other = await story.group('Fire', [await story.team('Brigade', [ana])]);
    const [second, third] = [await story.raise(group, { path: 'Two' }), await story.raise(other, { path: 'Three' })];
    const { code } = await ana.hasText(/./);
    assert.equal(await ana.texts('1'), 'Send the code of the message you answer as well.');
    assert.deepEqual([(await story.alarm(second)).ackUser, (await story.alarm(third)).ackUser], ['', '']);
    assert.equal(await ana.texts(`1 ${code}`), 'You have taken it. Thank you.');
    assert.equal(await ana.texts('1'), 'You have taken it. Thank you.');
    assert.deepEqual([(await story.alarm(second)).ackUser, (await story.alarm(third)).ackUser], ['ana', 'ana']);
  },
);
