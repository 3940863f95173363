// Webhooks: one dead receiver harms no other, messages about an alarm keep their order, and reports need a signature.

import assert from 'node:assert/strict';
import { sendReport, WebhookReceiver } from '../../harness/channels/webhook-receiver.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const hook = (address: string, more: object = {}) => ({
  channel: 'webhook',
  address,
  countTry: 3,
  timeToRetry: 60,
  timeToAck: 600,
  ...more,
});

async function hooked(site: Site, receiver: WebhookReceiver, numbers: readonly object[], more: object = {}) {
  const provider = await site.create('/providers', { name: 'Hooks', ...receiver.provider(), ...more });
  const people = [];
  for (const [n, number] of numbers.entries()) people.push(await site.person(`p${n}`, { numbers: [number] }));
  const team = await site.team('Night', people);
  return { provider, team, group: await site.group('Pumps', [team]) };
}

const received = (receiver: WebhookReceiver, count: number) =>
  until(
    () => receiver.messages,
    ({ length }) => length >= count,
  );

/** Lets the server's clock go on until the condition holds. */
function laterUntil<T>(site: Site, look: () => T | Promise<T>, isWished: (value: T) => boolean): Promise<T> {
  const laterLook = () => {
    site.app.clock.advance(1_000);
    void site.app.poll();
    return look();
  };
  return until(laterLook, isWished);
}

testOnAnyStore('receivers that are dead do not open the circuit breaker for the others', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const dead = Array.from({ length: 6 }, (_, n) => hook(`http://127.0.0.1:1/${n}`, { countTry: 1 }));
  const settings = { allowHttp: true, allowPrivate: true, ports: [1, receiver.port] };
  const { provider, group } = await hooked(site, receiver, [...dead, hook(receiver.url('alive'))], { settings });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await received(receiver, 1);
  const rows = async () => (await site.list(`/call/histories?limit=100&alarmId=${alarm}`)).items;
  const failed = await until(rows, (all) => all.filter(({ outcome }) => outcome === 'undeliverable').length === 6);
  assert.match(String(failed.find(({ outcome }) => outcome)?.detail), /nothing listens there/);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${provider}`);
  assert.equal(health.state, 'up');
});

testOnAnyStore(
  'a message about an alarm waits for the one before; that about another alarm does not',
  async (t, kind) => {
    const receiver = await WebhookReceiver.start(t, 503);
    const site = await startSite(t, kind);
    const number = hook(receiver.url('ana'), { final: false, countTry: 9, followUps: { taken: true, back: true } });
    const { group, team } = await hooked(site, receiver, [number]);
    const isAbout =
      (alarm: number) =>
      ({ body }: (typeof receiver.messages)[number]) =>
        body.items.some(({ alarmId }) => alarmId === alarm);
    const pump1 = await site.alarms.raise(group, { priority: 3 });
    await received(receiver, 1);
    await site.alarms.returnsToNormal();
    const pump2 = await site.alarms.raise(await site.group('Others', [team]), { priority: 3, path: 'Plant/Pump2' });
    const [, second] = await received(receiver, 2);
    assert.ok(second && isAbout(pump2)(second), 'another alarm is not held up');
    await laterUntil(
      site,
      () => receiver.messages.filter(isAbout(pump1)),
      ({ length }) => length === 3,
    );
    const isNews = ({ body }: (typeof receiver.messages)[number]) =>
      body.items.every(({ alarmId }) => alarmId === null);
    assert.equal(receiver.messages.filter(isNews).length, 0, 'the news wait for the message that is tried again');
    receiver.answer = 200;
    await laterUntil(site, () => receiver.messages.some(isNews), Boolean);
    const [...all] = receiver.messages;
    assert.ok(all.findIndex(isNews) > all.findLastIndex(isAbout(pump1)));
    assert.match(all.find(isNews)?.body.text ?? '', /Back to normal/);
  },
);

testOnAnyStore('a receiver that asks for time gets it', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 429);
  receiver.headers = { 'retry-after': '200' };
  const site = await startSite(t, kind);
  const { group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const begun = site.app.clock.now();
  await site.alarms.raise(group, { priority: 3 });
  await received(receiver, 1);
  await laterUntil(
    site,
    () => receiver.messages.length,
    (count) => count === 2,
  );
  assert.ok(site.app.clock.now() - begun >= 200_000, `${site.app.clock.now() - begun} ms`);
});

testOnAnyStore('a report without the right signature, time or code changes nothing', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const { provider, group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [message] = await received(receiver, 1);
  const { attempt = 0, replyCode: code = '' } = message?.body ?? {};
  const take = { id: '1', attempt, event: 'answer', answer: 'take', code };
  const now = site.app.clock.now();
  const statuses = [
    await sendReport(site, provider, take, { secret: 'another secret of somebody' }),
    await sendReport(site, provider, take, { at: now - 301_000 }),
    await sendReport(site, provider, take, { at: now + 301_000 }),
    await site.request('POST', `/providers/${provider}/reports`, take),
    await sendReport(site, provider + 1, take),
    await sendReport(site, provider, { ...take, id: '2', attempt: attempt + 1 }),
    await sendReport(site, provider, { ...take, id: '3', code: '0000' }),
  ].map(({ status }) => status);
  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 404, 422]);
  const { text } = await sendReport(site, provider + 1, take);
  assert.match(text, new RegExp(`no signature of a webhook provider ${provider + 1} .* check the id`));
  assert.equal((await site.alarms.get(alarm)).ackUser ?? '', '');
  const taken = await sendReport(site, provider, take);
  assert.deepEqual((taken.body as { taken: unknown }).taken, [alarm]);
  assert.match((taken.body as { text: string }).text, /\w/);
  assert.equal((await site.alarms.get(alarm)).ackUser, 'p0');
});

testOnAnyStore(
  'ten wrong codes of a webhook end the guessing, and the right one counts again after an hour',
  async (t, kind) => {
    const receiver = await WebhookReceiver.start(t, 200);
    const site = await startSite(t, kind);
    const { provider, group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
    const alarm = await site.alarms.raise(group, { priority: 1 });
    const [message] = await received(receiver, 1);
    const { attempt, replyCode: right = '' } = message?.body ?? {};
    const guess = (id: string, code: string) =>
      sendReport(site, provider, { id, attempt, event: 'answer', answer: 'take', code });
    for (let n = 0; n < 10; n++) {
      const wrong = String(1000 + n) === right ? '2000' : String(1000 + n);
      assert.equal((await guess(`guess ${n}`, wrong)).status, 422, `guess ${n}`);
    }
    const { status, headers } = await guess('right', right);
    assert.deepEqual([status, headers.get('retry-after')], [429, '3600']);
    assert.equal((await site.alarms.get(alarm)).ackUser, '');
    site.app.clock.advance(3_600_001);
    assert.equal((await guess('later', right)).status, 200);
    assert.equal((await site.alarms.get(alarm)).ackUser, 'p0');
    await site.expectWhatRings();
  },
);

testOnAnyStore('a report that came after too many wrong codes counts when it is repeated later', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const { provider, group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const alarm = await site.alarms.raise(group, { priority: 1 });
  const [message] = await received(receiver, 1);
  const { attempt, replyCode: right = '' } = message?.body ?? {};
  const report = (id: string, code: string) =>
    sendReport(site, provider, { id, attempt, event: 'answer', answer: 'take', code });
  const wrong = right === '1000' ? '2000' : '1000';
  for (let n = 0; n < 10; n++) await report(`guess ${n}`, wrong);
  assert.equal((await report('right', right)).status, 429);
  site.app.clock.advance(3_600_001);
  const repeated = await report('right', right);
  assert.deepEqual([repeated.status, (repeated.body as { taken: unknown }).taken], [200, [alarm]]);
  assert.deepEqual((await report('right', right)).body, repeated.body, 'and is stored from then on');
});

testOnAnyStore('a webhook that the first provider may not request is carried by the one that may', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const settings = { allowHttp: true, allowPrivate: true, ports: [1] };
  await site.create('/providers', { ...receiver.provider(), name: 'Narrow', order: 1, settings });
  const { group } = await hooked(site, receiver, [hook(receiver.url('ana'))], { order: 2 });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await received(receiver, 1);
  const rows = () => site.list(`/call/histories?alarmId=${alarm}`);
  const { items } = await until(rows, (list) => list.items.some(({ detail }) => /answered 200/.test(String(detail))));
  assert.deepEqual(
    items.map(({ provider }) => provider),
    ['Hooks'],
  );
});

testOnAnyStore('a webhook whose name has a private address is carried by the provider that may', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const narrow = { allowHttp: true, allowPrivate: false, ports: [receiver.port] };
  const id = await site.create('/providers', { ...receiver.provider(), name: 'Narrow', order: 1, settings: narrow });
  const address = receiver.url('ana').replace('127.0.0.1', 'localhost');
  const { group } = await hooked(site, receiver, [hook(address)], { order: 2 });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await received(receiver, 1);
  const rows = () => site.list(`/call/histories?alarmId=${alarm}`);
  const { items } = await until(rows, (list) => list.items.some(({ detail }) => /answered 200/.test(String(detail))));
  assert.deepEqual(
    items.map(({ attempt, provider }) => [attempt, provider]),
    [[1, 'Hooks']],
  );
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${id}`);
  assert.notEqual(health.state, 'down', 'the limits of a provider are no fault of it');
  const own = (await site.alarms.fromTocsin()).map(({ path }) => String(path));
  assert.deepEqual(
    own.filter((path) => path.includes('provider')),
    [],
  );
});

testOnAnyStore('a webhook that no provider may request is a bad number', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const settings = { allowHttp: true, allowPrivate: false, ports: [receiver.port] };
  const address = receiver.url('ana').replace('127.0.0.1', 'localhost');
  const { group } = await hooked(site, receiver, [hook(address)], { settings });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = () => site.list(`/call/histories?alarmId=${alarm}`);
  const { items } = await until(rows, (list) => list.items.some(({ endTime }) => endTime !== undefined));
  assert.deepEqual(
    items.map(({ outcome }) => outcome),
    ['badNumber'],
  );
  assert.match(String(items[0]?.detail), /private network/);
  assert.equal(receiver.messages.length, 0);
  await site.expectWhatRings();
});

testOnAnyStore('an answer that comes too late is told what became of the alarm', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const { provider, group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [message] = await received(receiver, 1);
  const { attempt, replyCode: code } = message?.body ?? {};
  await site.alarms.acknowledge(alarm);
  const late = await sendReport(site, provider, { id: '1', attempt, event: 'answer', answer: 'take', code });
  assert.deepEqual([late.status, (late.body as { taken: unknown }).taken], [200, []]);
  assert.match((late.body as { text: string }).text, /admin/);
});

testOnAnyStore('the report of a webhook takes nothing for a person who was removed', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const { provider, group, team } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [message] = await received(receiver, 1);
  const { attempt, replyCode: code } = message?.body ?? {};
  const [p0] = (await site.list('/users?search=p0')).items;
  await site.ask('PUT', `/teams/${team}`, { name: 'Night' });
  await site.ask('DELETE', `/users/${p0?.id}`);
  const answer = await sendReport(site, provider, { id: '1', attempt, event: 'answer', answer: 'take', code });
  assert.deepEqual(answer.body, { taken: [], text: 'You are no longer called here. Nothing was changed.' });
  assert.deepEqual([(await site.alarms.get(alarm)).state, (await site.alarms.get(alarm)).ackUser], [3, '']);
  await site.expectWhatRings();
});

testOnAnyStore('receipts that come late, twice or in the wrong order take no step back', async (t, kind) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, kind);
  const { provider, group } = await hooked(site, receiver, [hook(receiver.url('ana'))]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [message] = await received(receiver, 1);
  const report = async (id: string, event: string) => {
    const { status } = await sendReport(site, provider, { id, attempt: message?.body.attempt, event });
    assert.equal(status, 200);
    return (await site.list(`/call/histories?alarmId=${alarm}`)).items[0];
  };
  site.app.clock.advance(3_600_000);
  const read = (await report('1', 'read'))?.readTime;
  assert.match(String(read), /T14:00:00/);
  site.app.clock.advance(60_000);
  assert.equal((await report('2', 'delivered'))?.deliveredTime, undefined, 'it was read before');
  assert.equal((await report('3', 'read'))?.readTime, read);
});
