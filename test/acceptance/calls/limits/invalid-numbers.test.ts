// Numbers that are invalid or not verified are skipped.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { refusal } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('only the usable number is called; a person without one fails visibly', async (t, kind) => {
  const site = await startSite(t, kind);
  const bad = [voice('+33100000001', { valid: false }), voice('+33100000002', { verified: false })];
  const ana = await site.person('ana', { numbers: [...bad, voice('+33100000003')] });
  const bo = await site.person('bo', { numbers: bad });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000003');
  await bo.isNotCalled();
  const [row] = await site.callHistories(`&userId=${bo.id}`);
  const why = 'has no number that is valid and verified';
  assert.deepEqual([row?.attempt, row?.status, row?.reasonCode, row?.detail], [0, 4, 'unverified', why]);
  assert.equal((await site.callHistories()).length, 2);
});

testOnAnyStore('no sentence shows a number to those who may not read the directory', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000002', { verified: false }), voice('+33100000003', { verified: false })];
  const bo = await site.person('bo', { numbers });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [bo])]));
  await site.ask('POST', '/call/test', { userIds: [bo.id] });
  await site.settle();
  const reader = site.as(await site.keyFor(['calls:read', 'alarms:read', 'history:read']));
  for (const path of ['/call/histories?limit=1000', `/alarms/${alarm}/explain`, '/calls', `/alarms/${alarm}/timeline`])
    assert.doesNotMatch((await reader.request('GET', path)).text, /3310000000/, path);
  assert.match((await reader.request('GET', '/call/histories')).text, /numbers •••002, •••003 are not verified/);
  assert.equal((await reader.list('/call/histories?search=33100000002')).paging.total, 0);
  await site.expectWhatRings();
});

testOnAnyStore(
  'an emergency number of any country is not saved, and one that is stored is neither called nor verified',
  async (t, kind) => {
    const site = await startSite(t, kind);
    for (const address of ['+112', '0112', '133', '113', '115', '111', '100', '101', '119', '190'])
      assert.deepEqual(
        refusal(await site.request('POST', '/users', { name: 'x', numbers: [voice(address)] })),
        [422, 'numbers[0].address'],
        address,
      );
    const ana = await site.person('ana', { numbers: [voice('201'), voice('202')] });
    const bo = await site.person('bo', { numbers: [voice('203', { verified: false })] });
    await executeSql(site.app, "UPDATE user_numbers SET address = '112' WHERE address = '201'");
    await executeSql(site.app, "UPDATE user_numbers SET address = '190' WHERE address = '203'");
    // As another version would have left it: this one would read only what it has changed itself.
    await executeSql(site.app, "UPDATE meta SET value = '7' WHERE key = 'directory_version'");
    await site.restart();
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group);
    assert.equal((await ana.isCalled()).address, '202');
    await ana.takes();
    const [number] = (await site.ask<{ numbers: { id: number }[] }>('GET', `/users/${bo.id}`)).numbers;
    const verify = await site.request('POST', `/users/${bo.id}/numbers/${number?.id}/verify`, {});
    assert.deepEqual(refusal(verify), [422, 'address']);
  },
);
