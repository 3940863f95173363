// Search finds words of any script, treats no text as syntax, and finds the same on both databases.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { List } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type Problem = { readonly errors?: readonly { readonly field: string }[] };

const bodies = [
  { path: 'Plant/Pump-7', alarmMessage: 'Température élevée à l’été', value: '93.5' },
  { path: 'Plant/Pump-70', alarmMessage: 'TEMPERATURE 100% "high"', value: 'ERROR' },
  { path: 'Straße/ÖL_tank', alarmMessage: '🔥 Feuer! im Öltank' },
  { path: 'Αθήνα', alarmMessage: 'ΟΔΟΣ κλειστή' },
  { path: '工場/ポンプ', alarmMessage: '温度 高い' },
  { path: "O'Brien; DROP TABLE alarms--", alarmMessage: '<b>a*b</b> \\ back_slash' },
];

async function found(site: Site, search: string, list = '') {
  const { items, paging } = await site.list(`/alarms${list}?limit=100&search=${encodeURIComponent(search)}`);
  assert.equal(paging.total, items.length);
  return items.map(({ id }) => id);
}

const all = [1, 2, 3, 4, 5, 6];
const searches: readonly [search: string, ids: readonly number[]][] = [
  ['', all],
  ['   ', all],
  ['pump', [1, 2]],
  ['PUMP', [1, 2]],
  ['pum', [1, 2]],
  ['ump', []],
  ['pump 7', [1, 2]],
  ['7 pump', [1]],
  ['70 pump', [2]],
  ['pump-7', [1, 2]],
  ['pump/7 plant', [1]],
  ['temperature', [1, 2]],
  ['TEMPÉRATURE', [1, 2]],
  ['tempe\u0301rature elevee', [1]],
  ['ete', [1]],
  ['élevée pump', [1]],
  ['93.5', [1]],
  ['error', [2]],
  ['"high"', [2]],
  ['"temperature high"', [2]],
  ['100%', [2]],
  ['%', all],
  ['_', all],
  ['*', all],
  ['p*', [1, 2]],
  ['p%p', []],
  ['p_mp', []],
  ['strasse', [3]],
  ['STRASSE ol', [3]],
  ['öl', [3]],
  ['öltank', [3]],
  ['🔥', [3]],
  ['🔥 feuer', [3]],
  ['🔥🔥', []],
  ['αθηνα', [4]],
  ['οδος', [4]],
  ['ΟΔΟΣ ΚΛΕΙΣΤΗ', [4]],
  ['工場', [5]],
  ['温度 高', [5]],
  ['ﾎﾟﾝﾌﾟ', [5]],
  ["o'brien", [6]],
  ["' OR 1=1 --", []],
  ["'; DROP TABLE alarms;--", [6]],
  ['drop table alarms', [6]],
  ['a*b', [6]],
  ['\\', all],
  ['back_slash', [6]],
  ['pump OR feuer', []],
  ['pump NOT 70', []],
  ['NEAR(pump 7)', []],
  ['path:pump', []],
  ['pump* AND', []],
  ['\u0001\u001f pump', [1, 2]],
  ['\ufffd', all],
];

testOnAnyStore(
  'words are found regardless of case, accents and punctuation; no text is parsed as a query language',
  async (t, kind) => {
    const site = await startSite(t, kind);
    for (const body of bodies) await site.alarms.send(body);
    const results = await Promise.all(searches.map(async ([search]) => [search, await found(site, search)]));
    assert.deepEqual(results, searches);
    const entries = searches.filter(([search]) => !['93.5', 'error'].includes(search));
    const inHistories = await Promise.all(
      entries.map(async ([search]) => [search, await found(site, search, '/histories')]),
    );
    assert.deepEqual(inHistories, entries, 'of histories: tag name and message');
    const inStatistics = await Promise.all(
      entries.map(async ([search]) => [search, await found(site, search, '/statistics')]),
    );
    assert.deepEqual(inStatistics, entries, 'of statistics as well');
    assert.deepEqual([await found(site, '93.5', '/histories'), await found(site, 'error', '/statistics')], [[], []]);
  },
);

testOnAnyStore('the full path is searched: the name of the data server, with any other words', async (t, kind) => {
  const site = await startSite(t, kind);
  const boilers = await site.create('/dataservers', { name: 'Boiler house' });
  const own = await site.alarms.send({ path: 'pump', dataServerId: boilers, alarmMessage: 'too hot' });
  const other = await site.alarms.send({ path: 'pump boiler', alarmMessage: 'too cold' });
  const ids = (searches: readonly string[]) => Promise.all(searches.map((search) => found(site, search)));
  assert.deepEqual(
    await ids([
      'boiler',
      'house',
      'hou',
      'boiler house\\pump',
      'house hot',
      'hot hou',
      'house cold',
      'api',
      'boiler zzz',
    ]),
    [[own, other], [own], [own], [own], [own], [own], [], [other], []],
  );
  await site.ask('PUT', `/dataservers/${boilers}`, { name: 'Œuvre' });
  assert.deepEqual(await ids(['house', 'oeuvre', 'oeuv']), [[], [own], [own]]);
});

testOnAnyStore('every word of a search must match, however many there are', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump', alarmMessage: 'is too hot' });
  const many = 'pump is too hot '.repeat(6);
  assert.deepEqual(
    [await found(site, `${many} pu`), await found(site, `${many} cold pu`), await found(site, `${many} cold`)],
    [[id], [], []],
  );
});

testOnAnyStore('an alarm is found by its current texts, not by replaced ones', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump', alarmMessage: 'hot', value: 'eighty' });
  await site.alarms.send({ path: 'Pump', alarmMessage: 'burning', value: 'ninety' });
  assert.deepEqual(
    await Promise.all(['pump', 'burning', 'ninety', 'hot', 'eighty'].map((search) => found(site, search))),
    [[id], [id], [id], [], []],
  );
  await site.request('POST', `/alarms/${id}/comments`, { comment: 'Valve stuck' });
  await site.alarms.send({ path: 'Pump', alarmMessage: 'ablaze' });
  assert.deepEqual(
    [await found(site, 'stuck'), await found(site, 'valve ablaze'), await found(site, 'burning')],
    [[id], [id], []],
  );
  await site.request('POST', `/alarms/${id}/comments`, { comment: 'Valve replaced' });
  assert.deepEqual([await found(site, 'stuck'), await found(site, 'replaced')], [[], [id]]);
});

testOnAnyStore('the comment of an acknowledgement is found in alarms, histories and statistics', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump' });
  await site.request('POST', `/alarms/${id}/acknowledge`, { comment: 'Gasket blown' });
  assert.deepEqual(await found(site, 'gasket'), [id]);
  assert.deepEqual(await found(site, 'gasket', '/histories'), [1]);
  assert.deepEqual(await found(site, 'pump gasket', '/statistics'), [id]);
});

testOnAnyStore('a comment is found in histories and statistics', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump' });
  await site.request('POST', `/alarms/${id}/comments`, { comment: 'Gasket blown' });
  assert.deepEqual(await found(site, 'gasket', '/histories'), [1]);
  assert.deepEqual(await found(site, 'gasket', '/statistics'), [id]);
});

testOnAnyStore('interventions are found by user name', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump' });
  await site.alarms.acknowledge(id);
  assert.deepEqual(
    await Promise.all(['ADM', 'admin', 'pump', 'admin x'].map((search) => found(site, search, '/interventions'))),
    [[1], [1], [], []],
  );
  const none = (await site.request('GET', '/alarms/interventions?search=adm&limit=0')).body as List;
  assert.deepEqual([none.items, none.paging.total], [[], 1]);
  const beyond = (await site.request('GET', '/alarms/interventions?search=adm&offset=1')).body as List;
  assert.deepEqual([beyond.items, beyond.paging.total], [[], 1]);
});

testOnAnyStore(
  'interventions show and find the display name, else first and last name, else the name',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const password = 'a lantern in the rain';
    const people = [
      { name: 'zoe.smith', firstName: 'Zoë', lastName: 'Smith', displayName: 'Captain Œdipe', password },
      { name: 'bo', firstName: 'Bo', lastName: 'Diaz', password },
      { name: 'cy', firstName: ' ', password },
    ];
    const ids: number[] = [];
    for (const person of people) {
      ids.push(await site.create('/users', person));
      const alarm = await site.alarms.send({ path: person.name });
      await site.as(await site.app.signIn(person.name, password)).alarms.acknowledge(alarm);
      assert.equal((await site.alarms.get(alarm)).ackUser, person.name);
    }
    const shown = async (): Promise<readonly unknown[]> =>
      (await site.ask<List>('GET', '/alarms/interventions')).items.map(({ user }) => user);
    assert.deepEqual(await shown(), ['Captain Œdipe', 'Bo Diaz', 'cy']);
    const [zoe, bo, cy] = ids;
    for (const [search, expected] of [
      ['captain oed', [zoe]],
      ['zoe', [zoe]],
      ['diaz', [bo]],
      ['cy', [cy]],
      ['zoe diaz', []],
    ] as const)
      assert.deepEqual(await found(site, search, '/interventions'), expected, search);
    await site.ask('DELETE', `/users/${zoe}`);
    assert.deepEqual(await shown(), ['zoe.smith', 'Bo Diaz', 'cy']);
  },
);

testOnAnyStore(
  'the first five hundred words of a very long message are indexed, and so is the value after it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const words = Array.from({ length: 14_000 }, (_, n) => `w${n.toString(36)}x`);
    const id = await site.alarms.send({
      path: 'novel',
      alarmMessage: words.join(' ').slice(0, 65_000),
      value: 'zebra',
    });
    for (const [search, isFound] of [
      ['novel', true],
      [words[499], true],
      [words[510], false],
      ['zebra', true],
    ] as const) {
      const found = (await site.alarms.list(`?search=${search}`)).items.map((alarm) => alarm.id);
      assert.deepEqual(found, isFound ? [id] : [], search);
    }
  },
);

testOnAnyStore('a word of emoji or rare characters is found, however long it is', async (t, kind) => {
  const site = await startSite(t, kind);
  const long = `a${'😀'.repeat(40)}`;
  const id = await site.alarms.send({ path: long, alarmMessage: '𠀀'.repeat(300) });
  for (const search of [long, `a${'😀'.repeat(3)}`, '𠀀'.repeat(300), `b${'😀'.repeat(40)}`]) {
    const expected = search.startsWith('b') ? [] : [id];
    for (const list of ['', '/histories'])
      assert.deepEqual(await found(site, search, list), expected, `${list} ${search}`);
  }
});

testOnStores('a word that a thousand texts contain is found like a rare one', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const hundreds of [0, 510]) {
    const alarms = Array.from({ length: 510 }, (_, n) => ({
      path: `Tank/${hundreds + n}`,
      alarmMessage: 'level low',
    }));
    assert.equal((await site.request('POST', '/alarms/batch', alarms)).status, 200);
  }
  await site.request('POST', '/alarms/17/acknowledge', { comment: 'seen' });
  const total = async (list: string, search: string) => {
    const answer = await site.request('GET', `/alarms${list}?limit=0&search=${encodeURIComponent(search)}`);
    return (answer.body as List).paging.total;
  };
  for (const list of ['/histories', '/statistics']) {
    assert.deepEqual([await total(list, 'low'), await total(list, 'low level')], [1020, 1020], list);
    assert.deepEqual([await total(list, 'low 1019'), await total(list, 'low seen')], [1, 1], list);
  }
  const { items } = (await site.request('GET', '/alarms/histories?limit=2&offset=3&sort=-id&search=low')).body as List;
  assert.deepEqual(
    items.map(({ id }) => id),
    [1017, 1016],
  );
  assert.deepEqual(await found(site, 'low level seen', '/histories'), [17]);
});

testOnAnyStore('search text that is too long, malformed or full of SQL characters causes no fault', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'Pump' });
  for (const list of ['', '/histories', '/statistics', '/interventions']) {
    const long = await site.request('GET', `/alarms${list}?search=${'pump%20'.repeat(1_450)}`);
    assert.deepEqual([long.status, (long.body as Problem).errors?.[0]?.field], [400, 'search'], `10 KB at ${list}`);
    const nul = await site.request('GET', `/alarms${list}?search=pu%00mp`);
    assert.deepEqual([nul.status, (nul.body as Problem).errors?.[0]?.field], [422, 'search'], `NUL at ${list}`);
    for (const broken of ['%ED%A0%80', '%FF%FE', '%', '%zz', '%F0%9F']) {
      const { status } = await site.request('GET', `/alarms${list}?search=${broken}`);
      assert.ok([200, 400, 422].includes(status), `${broken} at ${list}: ${status}`);
    }
  }
  assert.deepEqual(await found(site, 'pump '.repeat(204)), [1], '1,020 characters');
  assert.deepEqual(await found(site, 'x'.repeat(1_024)), []);
  assert.deepEqual(await found(site, `pump ${'%_*"\'\\()[]{}^~:|&!-+'.repeat(40)}`), [1]);
});
