// A key bound to stations can call only people of its stations, and learns nothing about others.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a key bound to a station neither calls nor sees people of another station', async (t, kind) => {
  const site = await startSite(t, kind);
  const theirs = await site.create('/stations', { name: 'Theirs' });
  const secret = await site.person('secret', { stationIds: [1], numbers: [voice('+33699999999')] });
  const group = await site.group('Ours', [await site.team('T', [secret])]);
  const scopes = ['alarms:write', 'alarms:read', 'calls:read', 'calls:send', 'directory:read'];
  const bound = site.as(await site.keyFor(scopes, [theirs]));
  const alarmActions = [
    { type: 'CallUser', id: secret.id },
    { type: 'CallGroup', id: group },
  ];
  const body = { path: 'x', stationId: theirs, alarmActions };
  const explained = await bound.request('POST', '/explain', body);
  assert.equal(explained.status, 200, explained.text);
  assert.doesNotMatch(explained.text, /secret|99999999/);
  const { warnings } = await bound.alarms.report(body);
  assert.match(warnings ?? '', /does not exist/);
  await secret.isNotCalled();
  await site.expectWhatRings();
});
