// Toll limits hold back calls that would cost too much in a day, visibly and never for priority 1; numbers of dear services
// and of countries that are not allowed are refused when they are saved.

import assert from 'node:assert/strict';
import { keepClock } from '../../../harness/site/kept-clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

type Limits = Readonly<Record<string, unknown>>;

async function limit(site: Site, tolls: Limits): Promise<void> {
  await site.ask('PUT', '/callpolicy', { priorities: [{ priority: 1, untilAcknowledged: true }], tolls });
}

async function anaOnDuty(site: Site, address = '+33100000001') {
  const ana = await site.person('ana', { numbers: [voice(address, { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  return { ana, group };
}

const held = async (site: Site, user = 'ana') =>
  (await site.callHistories()).filter((row) => row.user === user && row.outcome === 'limited').map((row) => row.detail);

testOnStores('a person gets no more calls a day than the limit, and the next day the rest', async (t, kind) => {
  const site = await startSite(t, kind);
  await limit(site, { perPersonDay: 2 });
  const { ana, group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  for (let time = 1; time <= 2; time++) {
    await ana.isCalled();
    await site.advance('60s');
  }
  await ana.isNotCalled();
  assert.deepEqual(await held(site), ['limit of 2 a day to one person; calls go on at 2026-11-16 00:00']);
  const { items } = await site.list('/calls?limit=10');
  const people = items.flatMap((call) => call.people as { user: string; step: string }[]);
  assert.ok(
    people.some(({ user, step }) => user === 'ana' && step === 'limited'),
    JSON.stringify(people),
  );
  await site.expectWhatRings();
  await site.advance('12h');
  assert.ok((await ana.messages()).filter(({ direction }) => direction !== 'from').length > 2, 'called the next day');
  assert.equal((await site.ask('GET', `/alarms/${alarm}`)).ackUser ?? '', '');
  await site.expectWhatRings();
});

testOnStores('explain shows a toll limit before it holds anybody back', async (t, kind) => {
  const site = await startSite(t, kind);
  await limit(site, { perPersonDay: 1 });
  const { ana, group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  const forecast = JSON.stringify(await site.ask('GET', `/alarms/${alarm}/explain`));
  assert.match(forecast, /limit of 1 a day to one person/);
  await ana.takes();
});

testOnAnyStore('no toll limit holds back priority 1', async (t, kind) => {
  const site = await startSite(t, kind);
  await limit(site, { perPersonDay: 1, perCountryDay: 1, budgetDay: 0 });
  const { ana, group } = await anaOnDuty(site);
  await site.alarms.raise(group, { priority: 1 });
  for (let time = 1; time <= 3; time++) {
    await ana.isCalled();
    await site.advance('60s');
  }
  await ana.isCalled();
  await ana.takes();
  assert.deepEqual(await held(site), []);
});

testOnAnyStore('a limit of a country leaves the numbers of other countries and the other channels', async (t, kind) => {
  const site = await startSite(t, kind);
  await limit(site, { perCountryDay: 1 });
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+41100000001', { countTry: 1 })];
  const ana = await site.person('ana', { numbers });
  const bo = await site.person('bo', {
    numbers: [voice('+33100000002', { countTry: 1 }), { channel: 'email', address: 'bo@example.org', timeToAck: 600 }],
  });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.settle();
  const rows = async () =>
    (await site.callHistories())
      .filter(({ attempt }) => attempt !== 0)
      .map(({ user, address }) => `${user} ${address}`);
  assert.deepEqual((await rows()).sort(), ['ana +33100000001', 'bo bo@example.org'], 'the limit of +33 is used up');
  await site.advance('31s');
  assert.ok((await rows()).includes('ana +41100000001'));
  await ana.takes();
  await site.expectWhatRings();
});

testOnAnyStore(
  'at 80 % of the budget an alarm warns, and when it is spent only priority 1 is called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/providers', { name: 'Dear', channel: 'voice', kind: 'simulator', cost: 0.5 });
    await limit(site, { budgetDay: 1 });
    const { ana, group } = await anaOnDuty(site);
    await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await site.advance('60s');
    await ana.isCalled();
    await site.advance('2m');
    assert.ok((await site.systemAlarms()).includes('system/budget'));
    assert.deepEqual(await held(site), ['budget of 1 a day; calls go on at 2026-11-16 00:00']);
    await site.alarms.raise(group, { path: 'Fire', alarmMessage: 'fire', priority: 1 });
    await ana.isCalled(/fire/);
    await ana.takes();
    await site.expectWhatRings();
  },
);

testOnAnyStore('a provider that has carried as much as it may in a day is followed by the next', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', { name: 'Cheap', channel: 'voice', kind: 'simulator', order: 1, perDay: 1 });
  await site.create('/providers', { name: 'Other', channel: 'voice', kind: 'simulator', order: 2 });
  const { ana, group } = await anaOnDuty(site);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.advance('60s');
  await ana.isCalled();
  const providers = (await site.callHistories()).map(({ provider }) => provider);
  assert.deepEqual(providers.sort(), ['Cheap', 'Other']);
  await ana.takes();
});

testOnAnyStore('numbers that would be dear, abroad or no numbers are refused by field', async (t, kind) => {
  const site = await startSite(t, kind);
  const old = await site.create('/users', { name: 'old', numbers: [voice('+49301234567')] });
  await limit(site, { allowedPrefixes: ['+33', '+1', '+44'] });
  const numbers = ['+33 1 23 45 67 89', '+1900 555 0100', '+44 70 1234 5678', '+49301234567', '0123456789', '112'].map(
    (address) => voice(address),
  );
  const { status, body } = await site.request('POST', '/users', { name: 'ana', numbers });
  const { errors } = body as { errors: { field: string; message: string }[] };
  assert.equal(status, 422);
  assert.deepEqual(
    errors.map(({ field }) => field),
    [1, 2, 3, 4, 5].map((index) => `numbers[${index}].address`),
  );
  const id = await site.create('/users', { name: 'ana', numbers: numbers.slice(0, 1) });
  const stored = await site.ask<{ numbers: { address: string }[] }>('GET', `/users/${id}`);
  assert.equal(stored.numbers[0]?.address, '+33123456789');
  const unchanged = await site.request('PUT', `/users/${old}`, { name: 'old', numbers: [voice('+49301234567')] });
  assert.equal(unchanged.status, 200, 'a number that was stored before stays');
});

testOnAnyStore(
  'a country forbidden after its numbers were stored keeps all but priority 1 from them, and saving names the people',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, group } = await anaOnDuty(site, '+49301234567');
    await site.person('bo', { numbers: [voice('+49301234568'), { channel: 'email', address: 'bo@example.org' }] });
    const policy = { priorities: [{ priority: 1, untilAcknowledged: true }], tolls: { allowedPrefixes: ['+33'] } };
    const saved = await site.request('PUT', '/callpolicy', policy);
    assert.match(saved.headers.get('tocsin-warnings') ?? '', /1 people have no number in these countries/);
    assert.deepEqual((saved.body as { onlyPriority1: unknown }).onlyPriority1, {
      count: 1,
      users: [{ userId: ana.id, user: 'ana' }],
    });
    const { items } = await site.list('/oncall/readiness');
    assert.deepEqual(
      items.flatMap(({ unreachable }) => (unreachable as { cause: string }[]).map(({ cause }) => cause)),
      ['notAllowed'],
    );
    await site.alarms.raise(group, { priority: 3 });
    await ana.isNotCalled();
    await site.expectWhatRings();
    await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.takes();
  },
);

testOnStores(
  'after the clock was set back over midnight a limit counts the whole day that it is again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await limit(site, { perPersonDay: 1 });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    // It is 13:00; at 22:00 ana is called, and at ten past midnight the clock is set back by an hour.
    await site.advance('9h');
    await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 3 });
    await ana.isCalled(/first/);
    await ana.takes();
    await site.advance('130m');
    await using keeper = await keepClock(site);
    await keeper.setClock(-3_600_000);
    await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/clock'));
    await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
    await ana.isNotCalled();
    assert.deepEqual(await held(site), ['limit of 1 a day to one person; calls go on at 00:00']);
    await site.advance('49m');
    await ana.isNotCalled();
    // How far the clock was set back is measured, and on a busy machine a few seconds off.
    const isRinging = async () => (await ana.messages()).some(({ state }) => state === 'ringing');
    for (let n = 0; n < 12 && !(await isRinging()); n++) await site.advance('10s');
    await ana.isCalled(/second/);
    await ana.takes();
    await site.expectWhatRings();
  },
);
