// Latched alarms (`resettable: false`) stay active until an operator resets them after the source is back to normal.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const state = async (site: Site, id: number) => (await site.alarms.get(id)).state;

const fire = { path: 'Fire', alarmMessage: 'Fire in hall 2', eventCondition: { resettable: false } };

testOnAnyStore(
  'a latched alarm stays active after the return to normal until an operator resets it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(fire);
    const early = await site.request('POST', `/alarms/${id}/reset`);
    assert.deepEqual([early.status, await state(site, id)], [422, 3], 'the condition still holds');
    site.app.clock.advance(60_000);
    await site.alarms.send({ path: 'Fire', raised: false });
    assert.equal(await state(site, id), 3, 'the return is recorded, the alarm stays');
    assert.deepEqual(
      (await site.alarms.histories()).items.map(({ resetTime }) => resetTime),
      [undefined],
    );
    await site.alarms.acknowledge(id);
    assert.equal(await state(site, id), 1);
    site.app.clock.advance(60_000);
    assert.equal((await site.request('POST', `/alarms/${id}/reset`)).text, 'true');
    assert.equal(await state(site, id), 0);
    const [entry] = (await site.alarms.histories()).items;
    assert.deepEqual(
      [entry?.resetTime, entry?.alarmDuration, entry?.interventionDuration],
      ['2026-11-15T13:02:00.000+01:00', '00:02:00', '00:01:00'],
    );
    assert.equal((await site.request('POST', `/alarms/${id}/reset`)).status, 409);
  },
);

testOnAnyStore(
  'a latched alarm that is reset first still needs an acknowledgement; raised again, it refuses a reset',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(fire);
    await site.alarms.send({ path: 'Fire', raised: false });
    await site.alarms.send({ path: 'Fire', raised: true });
    assert.equal((await site.request('POST', `/alarms/${id}/reset`)).status, 422, 'it holds again');
    assert.equal((await site.alarms.histories()).items.length, 1, 'and is still the same occurrence');
    await site.alarms.send({ path: 'Fire', raised: false });
    await site.request('POST', `/alarms/${id}/reset`);
    assert.equal(await state(site, id), 2);
    await site.alarms.acknowledge(id);
    assert.equal(await state(site, id), 0);
  },
);
