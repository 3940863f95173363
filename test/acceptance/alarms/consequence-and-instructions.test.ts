// What happens if nobody does anything, and what to do: texts of the definition, shown with the alarm in full.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  '2.6 consequence and instructions are kept, changed one by one, and shown in the full view',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const long = 'x'.repeat(65_536);
    const shown = async () => {
      const [alarm] = (await site.alarms.list('?view=full')).items;
      return [alarm?.consequence, alarm?.instructions];
    };
    const id = await site.alarms.send({ path: 'pump' });
    assert.deepEqual(await shown(), ['', '']);
    await site.alarms.send({ path: 'pump', consequence: 'The tank <b>overflows</b>', instructions: long });
    assert.deepEqual(await shown(), ['The tank <b>overflows</b>', long]);
    await site.alarms.send({ path: 'pump', instructions: 'Close the valve' });
    assert.deepEqual(await shown(), ['The tank <b>overflows</b>', 'Close the valve']);
    await site.alarms.send({ path: 'pump', consequence: '' });
    const { consequence, instructions } = await site.alarms.get(id);
    assert.deepEqual([consequence, instructions], ['', 'Close the valve']);
    const [plain] = (await site.alarms.list('')).items;
    assert.equal(Object.keys(plain ?? {}).length, 20, 'the twenty fields do not grow');
  },
);
