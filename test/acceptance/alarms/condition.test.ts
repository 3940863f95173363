// The condition of an alarm: the value decides whether the alarm is raised, unless the report contains `raised`.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

/** Sends the report; returns the state and the value that the alarm has then. */
async function report(site: Site, body: object): Promise<unknown[]> {
  const { state, value } = await site.alarms.get(await site.alarms.send(body));
  return [state, value];
}

testOnAnyStore('each kind of condition raises the alarm on exactly the values that meet it', async (t, kind) => {
  const site = await startSite(t, kind);
  const cases: readonly [condition: string, meets: readonly string[], not: readonly string[]][] = [
    ['1', ['1', '1.0', '01', ' 1 '], ['0', '', '11', 'one']],
    ['open', ['open'], ['OPEN', 'closed', '']],
    ['!=0', ['1', '-1', 'off'], ['0', '0.0', '-0']],
    ['>80', ['80.1', '1e3'], ['80', '79', 'ERROR', '']],
    ['>= 80', ['80', '80.0'], ['79.999', 'NaN']],
    ['<-5', ['-5.1'], ['-5', '0', 'cold']],
    ['<=0.5', ['0.5', '-3'], ['0.51']],
    ['&4', ['4', '7', '12'], ['3', '8', '0', 'x']],
    ['!&4', ['3', '8', '0'], ['4', '7', 'x']],
    ['9007199254740993', ['9007199254740993'], ['9007199254740992']],
  ];
  const asked = cases.flatMap(([condition, meets, not]) => [
    ...meets.map((value) => ({ condition, value, expected: 3 })),
    ...not.map((value) => ({ condition, value, expected: 0 })),
  ]);
  await Promise.all(
    asked.map(async ({ condition, value, expected }) => {
      const path = `${condition} on ${value}`;
      const [state] = await report(site, { path, eventCondition: { value: condition }, value });
      assert.equal(state, expected, path);
    }),
  );
});

testOnAnyStore('the condition is stored, and each later value is compared with it', async (t, kind) => {
  const site = await startSite(t, kind);
  const path = 'Boiler';
  assert.deepEqual(await report(site, { path, eventCondition: { value: '>80' }, value: '20' }), [0, '20']);
  assert.deepEqual(await report(site, { path, value: '90' }), [3, '90']);
  assert.deepEqual(await report(site, { path, value: '95' }), [3, '95']);
  assert.deepEqual(await report(site, { path, value: '60' }), [2, '60']);
  assert.deepEqual(
    await report(site, { path, value: '60', eventCondition: { value: '<70' } }),
    [3, '60'],
    'a new condition',
  );
  assert.deepEqual(await report(site, { path, value: '60', eventCondition: { value: '' } }), [3, '60']);
  assert.deepEqual(await report(site, { path, value: '' }), [3, ''], 'no condition any more: what is sent is raised');
});

testOnAnyStore('a report with `raised` overrides the condition', async (t, kind) => {
  const site = await startSite(t, kind);
  const eventCondition = { value: '>80' };
  assert.deepEqual(await report(site, { path: 'a', eventCondition, value: '20', raised: true }), [3, '20']);
  assert.deepEqual(await report(site, { path: 'a', value: '99', raised: false }), [2, '99']);
  assert.deepEqual(await report(site, { path: 'b', eventCondition, value: '99', raised: false }), [0, '99']);
  assert.deepEqual(await report(site, { path: 'c', value: '5' }), [3, '5'], 'a value without a condition');
  assert.deepEqual(await report(site, { path: 'd', eventCondition }), [3, ''], 'a condition without a value');
  assert.deepEqual(await report(site, { path: 'e', eventCondition, value: null }), [3, ''], 'null is no value');
  assert.deepEqual(
    await report(site, { path: 'f', eventCondition, value: '', raised: null }),
    [0, ''],
    'an empty one is',
  );
  const blank = { path: 'g', eventCondition: { value: '  ' }, value: '7' };
  assert.deepEqual(await report(site, blank), [3, '7'], 'a condition of white space is none');
});

testOnAnyStore(
  'a value that cannot be compared neither raises nor ends the alarm, and is recorded once per value',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const path = 'Boiler';
    assert.deepEqual(await report(site, { path, eventCondition: { value: '>80' }, value: 'ERROR' }), [0, 'ERROR']);
    assert.deepEqual(await report(site, { path, value: '90' }), [3, '90']);
    const { warnings } = await site.alarms.report({ path, value: 'ERROR' });
    assert.match(warnings ?? '', /^value: cannot be held against the condition >80/);
    assert.deepEqual(await report(site, { path, value: 'ERROR' }), [3, 'ERROR']);
    const values = ['NaN', 'NaN', '91', '20'].map((value) => ({ path, value }));
    for (const value of values) await site.request('POST', '/tags/values', [value]);
    const events = await site.alarms.timeline(1);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['raised', 'value-unclear', 'value-unclear', 'returned'],
    );
  },
);
