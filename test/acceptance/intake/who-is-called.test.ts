// What could not be used of a report and changes who is called is said by one system alarm per caller.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'what changes who is called is said by a system alarm: one per caller, its text grows, it calls nobody',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const source = site.as(await site.keyFor(['alarms:write']));
    const alarmActions = [
      { type: 'CallUser', id: ana.id },
      { type: 'CallGroup', id: 7 },
    ];
    const id = await source.alarms.send({ path: 'pump', alarmActions });
    await ana.isCalled();
    const [first, ...others] = await site.alarms.fromTocsin();
    assert.equal(others.length, 0);
    assert.match(String(first?.path), /^system\/cannot-be-used\/key:\d+$/);
    const lines = [
      `Part of what ${String(first?.path).split('/')[2]} sends cannot be used, so others may be called than it asks for.`,
      `Alarm ${id}, "pump": alarmActions[1]: call group 7 does not exist.`,
    ];
    assert.equal(first?.message, lines.join('\n'));
    await source.alarms.send({ path: 'pump', alarmActions });
    const fan = await source.alarms.send({ path: 'fan', tagGroupId: 9 });
    const [grown] = await site.alarms.fromTocsin();
    assert.deepEqual(
      [grown?.id, grown?.state, String(grown?.message).split('\n')],
      [first?.id, 2, [...lines, `Alarm ${fan}, "fan": tagGroupId: tag group 9 does not exist.`]],
    );
    await site.alarms.send({ path: 'mine', alarmActions: [{ type: 'CallGroup', id: 8, flags: 2 }] });
    assert.equal((await site.alarms.fromTocsin()).length, 2, 'another caller has another one');
    await site.alarms.acknowledge(id);
    await ana.isNotCalled();
  },
);

testOnAnyStore('the text of such an alarm stays short', async (t, kind) => {
  const site = await startSite(t, kind);
  const batch = Array.from({ length: 100 }, (_, n) => ({ path: `tag ${n}`, alarmActions: [{ type: `Odd${n}` }] }));
  await site.ask('POST', '/alarms/batch', batch);
  const [alarm, ...others] = await site.alarms.fromTocsin();
  assert.equal(others.length, 0);
  const message = String(alarm?.message);
  assert.ok(message.length < 4_100, `${message.length} characters`);
  assert.match(message, /Odd0".*\n[\s\S]*There is more of this kind\.$/);
});
