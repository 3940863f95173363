// Providers are rows: their secrets are never shown, they are used in order, and one that fails is followed by the next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SipProvider } from '../../../src/channels/voice/sip-provider.ts';
import { ShellConversation } from '../../../src/cli/shell-conversation.ts';
import { sipProviders } from '../../../src/domain/channels/kinds/sip.ts';
import { readSettings } from '../../../src/domain/channels/settings.ts';
import { englishReason } from '../../../src/domain/channels/words/catalogue.ts';
import { failOver } from '../../../src/operations/calls/delivery/fail-over.ts';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { refusal } from '../../harness/site/site-caller.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { loseResponse } from '../../harness/site/store-faults.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

type Health = { readonly state: string; readonly reason: string; readonly inUse: number };
type Shown = { readonly id: number; readonly secrets: readonly string[]; readonly health: Health };

const simulated = (name: string, order: number, fault: string, more: object = {}) => ({
  name,
  order,
  channel: 'voice',
  kind: 'simulator',
  settings: { fault },
  ...more,
});

async function anaOnDuty(site: Site, count = 1) {
  const people = [];
  for (let n = 1; n <= count; n++)
    people.push(await site.person(`p${n}`, { numbers: [voice(`+3310000000${n}`, { countTry: 2 })] }));
  const group = await site.group('Pumps', [await site.team('Night', people)]);
  return { people, group };
}

const refuse = () => Promise.reject(new Error('nothing is said'));
const mutePorts = {
  conversations: new ShellConversation('', 'en', () => {}),
  speech: { say: refuse, check: async () => undefined },
  recordings: { read: refuse },
  onTrouble: () => {},
};

const healthOf = async (site: Site, id: number) => (await site.ask<Shown>('GET', `/providers/${id}`)).health;

testOnAnyStore('a provider is made, seen, changed and removed; its secrets are never shown', async (t, kind) => {
  const site = await startSite(t, kind);
  const secret = 'pass-word-4711';
  const id = await site.create('/providers', { ...trunk, secrets: { password: secret } });
  const shown = await site.request('GET', `/providers/${id}`);
  assert.deepEqual((shown.body as Shown).secrets, ['password']);
  const tag = shown.headers.get('etag') ?? '';
  const changed = { ...trunk, name: 'PBX north', lines: 2 };
  const put = () =>
    site.app.request('PUT', `/api/v1/providers/${id}`, {
      token: site.token,
      body: changed,
      headers: { 'if-match': tag },
    });
  assert.deepEqual([(await put()).status, (await put()).status], [200, 412]);
  const kept = await site.ask<Shown>('GET', `/providers/${id}`);
  assert.deepEqual(kept.secrets, ['password'], 'a secret that is not named stays');
  const everything = JSON.stringify([
    shown.body,
    kept,
    await site.list('/journal?limit=1000'),
    await site.list('/providers'),
  ]);
  assert.doesNotMatch(everything, new RegExp(secret));
  assert.match(everything, /provider\.created/);
  assert.doesNotMatch(JSON.stringify(site.app.logLines), new RegExp(secret));
  assert.equal((await site.request('DELETE', `/providers/${id}`)).status, 200);
  assert.equal((await site.request('GET', `/providers/${id}`)).status, 404);
});

testOnAnyStore('providers are listed, and found by the words of their names', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', trunk);
  const names = async (query: string) => (await site.list(`/providers?limit=10${query}`)).items.map(({ name }) => name);
  assert.deepEqual(await names(''), ['Simulated phones', 'PBX']);
  assert.deepEqual(await names('&search=pb'), ['PBX']);
});

testOnAnyStore('mistakes in a provider are named by field', async (t, kind) => {
  const site = await startSite(t, kind);
  const fieldsOf = async (body: object) => {
    const { status, body: answer } = await site.request('POST', '/providers', { ...trunk, ...body });
    const errors = (answer as { errors?: { field: string }[] }).errors ?? [];
    return [status, ...errors.map(({ field }) => field).sort()];
  };
  assert.deepEqual(await fieldsOf({ kind: 'pigeon' }), [422, 'kind']);
  assert.deepEqual(await fieldsOf({ channel: 'email' }), [422, 'channel']);
  assert.deepEqual(await fieldsOf({ settings: { host: 'a b', user: 'x\r\nRoute: y', port: 0, colour: 1 } }), [
    422,
    'settings.colour',
    'settings.host',
    'settings.port',
    'settings.user',
  ]);
  assert.deepEqual(await fieldsOf({ secrets: { pin: '1' } }), [422, 'secrets.pin']);
});

testOnAnyStore('a stored password is not sent to another host: it must be given again', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/providers', { ...trunk, secrets: { password: 'pass-word-4711' } });
  const put = async (of: number, body: object) => refusal(await site.request('PUT', `/providers/${of}`, body));
  const elsewhere = { ...trunk, settings: { ...trunk.settings, host: 'elsewhere.example' } };
  assert.deepEqual(await put(id, elsewhere), [422, 'secrets.password']);
  const { settings } = await site.ask<{ settings: { host: string } }>('GET', `/providers/${id}`);
  assert.equal(settings.host, trunk.settings.host);
  assert.deepEqual(await put(id, { ...elsewhere, secrets: { password: 'pass-word-4712' } }), [200, undefined]);
  assert.deepEqual(await put(id, { ...trunk, secrets: { password: null } }), [200, undefined], 'or removed');

  const mail = { host: 'mail.example', user: 'tocsin', from: 'tocsin@example.org' };
  const smtp = (more: object) => ({ name: 'Mail', channel: 'email', kind: 'smtp', settings: { ...mail, ...more } });
  const mails = await site.create('/providers', { ...smtp({}), secrets: { password: 'pass-word-4711' } });
  assert.deepEqual(await put(mails, smtp({ imapHost: 'elsewhere.example' })), [422, 'secrets.password']);
  const own = { imapPassword: 'pass-word-4713' };
  assert.deepEqual(await put(mails, { ...smtp({ imapHost: 'imap.example' }), secrets: own }), [200, undefined]);
  assert.deepEqual(await put(mails, smtp({ imapHost: 'elsewhere.example' })), [422, 'secrets.imapPassword']);
  const back = { ...smtp({ imapHost: 'imap.example' }), secrets: { imapPassword: null } };
  assert.deepEqual(await put(mails, back), [422, 'secrets.password'], 'which would open the mailbox then');
  assert.deepEqual(await put(mails, smtp({ imapHost: 'imap.example', mailbox: 'Alarms' })), [200, undefined]);
});

testOnAnyStore(
  'a webhook provider without a secret, or with one that can be guessed, is not saved',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const hooks = { name: 'Hooks', channel: 'webhook', kind: 'webhook' };
    const answer = async (method: string, path: string, secrets: object) => {
      const { status, body } = await site.request(method, path, { ...hooks, secrets });
      return [status, (body as { detail?: string }).detail];
    };
    const missing = [422, 'secrets.secret is missing.'];
    assert.deepEqual(await answer('POST', '/providers', {}), missing);
    const short = [422, 'secrets.secret must have at least 16 characters.'];
    assert.deepEqual(await answer('POST', '/providers', { secret: 'short' }), short);
    const id = await site.create('/providers', { ...hooks, secrets: { secret: 'at least 16 characters' } });
    assert.deepEqual(await answer('PUT', `/providers/${id}`, { secret: null }), missing);
    assert.equal((await answer('PUT', `/providers/${id}`, {}))[0], 200, 'the one that is stored stays');
  },
);

test('a code that nobody hears says how long the telephone rang', async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  const provider = new SipProvider(1, readSettings(sipProviders.fields, settings).values, undefined, mutePorts);
  t.after(() => provider.close());
  const impatient = new AbortController();
  const code = { userId: 1, channel: 'voice', address: '201', text: 'Your code is 1', language: 'en' };
  const sent = provider.sendCode(code, impatient.signal);
  await until(
    () => peer.calls,
    (calls) => calls === 1,
  );
  impatient.abort();
  const outcome = await sent;
  assert.match(outcome.kind === 'failed' ? englishReason(outcome.reason) : '', /^nobody answered within \d+ s$/);
});

testOnAnyStore('a provider that is down is followed by the next at once, and no try is used up', async (t, kind) => {
  const site = await startSite(t, kind);
  const dead = await site.create('/providers', simulated('First', 1, 'dead'));
  await site.create('/providers', simulated('Second', 2, 'none'));
  const { people, group } = await anaOnDuty(site);
  const [ana] = people;
  await site.alarms.raise(group, { priority: 3 });
  await ana?.isCalled();
  assert.deepEqual(
    (await site.callHistories()).map(({ attempt, outcome }) => [attempt, outcome]),
    [[1, undefined]],
  );
  assert.equal((await healthOf(site, dead)).state, 'unknown', 'one failure does not open the breaker');
  await ana?.takes();
});

testOnStores(
  'a fail-over that is stored but whose response is lost happens once: the next provider is not blamed, and carries the call',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/providers', simulated('First', 1, 'dead'));
    const second = await site.create('/providers', simulated('Second', 2, 'none'));
    const { people, group } = await anaOnDuty(site);
    const { isLost } = loseResponse(site.app.store, failOver);
    await site.alarms.raise(group, { priority: 3 });
    await people[0]?.isCalled();
    assert.equal(isLost(), true);
    assert.equal((await healthOf(site, second)).reason, '');
    await people[0]?.takes();
  },
);

testOnAnyStore(
  'a last fail-over whose response is lost blames no provider twice, and the attempt ends',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const only = await site.create('/providers', simulated('Only', 1, 'dead'));
    const { group } = await anaOnDuty(site);
    const { isLost } = loseResponse(site.app.store, failOver);
    const alarm = await site.alarms.raise(group, { priority: 3 });
    await until(
      async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items[0]?.outcome,
      (outcome) => outcome === 'providerDown',
    );
    assert.equal(isLost(), true);
    const tables = await tablesOf(site.app.environment);
    const rows = await tables.all('provider_health').finally(() => tables.close());
    assert.equal(Number(rows.find(({ provider_id }) => Number(provider_id) === only)?.failures), 1);
    await site.expectWhatRings();
  },
);

testOnAnyStore('after five failures a provider is down until it works again, and an alarm says so', async (t, kind) => {
  const site = await startSite(t, kind);
  const dead = await site.create('/providers', simulated('First', 1, 'dead'));
  await site.create('/providers', simulated('Second', 2, 'none'));
  const { people, group } = await anaOnDuty(site, 5);
  await site.alarms.raise(group, { priority: 3 });
  for (const person of people) await person.isCalled();
  assert.equal((await healthOf(site, dead)).state, 'down');
  assert.ok((await site.systemAlarms()).includes(`system/provider/${dead}`));
  await site.request('PUT', `/providers/${dead}`, simulated('First', 1, 'none'));
  const tested = await site.ask<{ ok: boolean }>('POST', `/providers/${dead}/test`);
  assert.equal(tested.ok, true);
  assert.equal((await healthOf(site, dead)).state, 'up');
  await site.expectWhatRings();
});

testOnAnyStore('a provider that never answers is given up after ten seconds', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', simulated('First', 1, 'silent'));
  await site.create('/providers', simulated('Second', 2, 'none'));
  const { people, group } = await anaOnDuty(site);
  await site.alarms.raise(group, { priority: 3 });
  const rings = async () => ((await people[0]?.messages()) ?? []).some(({ state }) => state === 'ringing');
  const begin = site.app.clock.now();
  const ringsASecondLater = () => {
    site.app.clock.advance(1_000);
    void site.app.poll();
    return rings();
  };
  await until(ringsASecondLater, (isRinging) => isRinging);
  assert.ok(site.app.clock.now() - begin >= 10_000);
  await people[0]?.isCalled();
  await people[0]?.takes();
});

test('a PBX that never answers is named in the history', async (t) => {
  const peer = await SipPeer.start(t, { kind: 'silence' });
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const { group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await until(
    () => peer.calls,
    (calls) => calls === 1,
  );
  const aSecondLater = async () => {
    site.app.clock.advance(1_000);
    await site.app.poll();
    return (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  };
  const [row] = await until(aSecondLater, ([one]) => one?.endTime !== undefined);
  assert.match(String(row?.detail), new RegExp(`the PBX cannot be reached: no response from 127.0.0.1:${peer.port}`));
  await site.expectWhatRings();
});

testOnAnyStore('calls beyond the lines of a provider wait, and are made when a line is free', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/providers', simulated('One line', 1, 'none', { lines: 1 }));
  const { people, group } = await anaOnDuty(site, 2);
  await site.alarms.raise(group, { priority: 3 });
  const ringing = async () => {
    const all = await Promise.all(people.map(async (person) => ({ person, messages: await person.messages() })));
    return all.filter(({ messages }) => messages.some(({ state }) => state === 'ringing')).map(({ person }) => person);
  };
  const [first] = await until(ringing, (found) => found.length === 1);
  assert.equal((await healthOf(site, id)).inUse, 1);
  await site.ask('POST', `/simulator/phones/${first?.id}/hangup`);
  const [second] = await until(ringing, (found) => found.length === 1 && found[0] !== first);
  assert.notEqual(second?.id, first?.id);
  assert.equal((await healthOf(site, id)).inUse, 1);
  await second?.takes();
});

testOnAnyStore('an answering machine acknowledges nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', simulated('Machine', 1, 'voicemail'));
  const { group } = await anaOnDuty(site);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  await until(rows, ([row]) => row?.answerTime !== undefined);
  site.app.clock.advance(20_000);
  await site.app.poll();
  const [row] = await until(rows, ([one]) => one?.endTime !== undefined);
  assert.equal(row?.outcome, 'voicemail');
  assert.equal((await site.ask<{ ackUser?: string }>('GET', `/alarms/${alarm}`)).ackUser ?? '', '');
});

testOnAnyStore('from the first real provider on, simulated phones do not ring for other channels', async (t, kind) => {
  const office = new PostOffice();
  const site = await startSite(t, kind, { openers: { sip: () => office } });
  const { people, group } = await anaOnDuty(site);
  await site.create('/providers', trunk);
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => office.asked.length,
    (count) => count === 1,
  );
  assert.deepEqual(await people[0]?.messages(), []);
});

testOnAnyStore('receipts that lie, or come twice and in the wrong order, take no step back', async (t, kind) => {
  const site = await startSite(t, kind);
  const text = { ...simulated('Liar', 1, 'lying-receipt'), channel: 'sms' };
  await site.create('/providers', text);
  const ana = await site.person('ana', { numbers: [{ channel: 'sms', address: '+33100000001', timeToAck: 600 }] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const [row] = await until(
    async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items,
    ([one]) => one?.readTime !== undefined && one.status === 3,
  );
  assert.deepEqual([row?.provider, row?.ackTime, row?.status], ['Liar', undefined, 3], 'a receipt is no answer');
  assert.deepEqual(await ana.messages(), []);
});

testOnAnyStore('a receipt that comes after the delivery has ended is stored with its time', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', { ...simulated('Late', 1, 'late-receipt'), channel: 'sms' });
  const ana = await site.person('ana', { numbers: [{ channel: 'sms', address: '+33100000001', timeToAck: 600 }] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const rows = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  await until(rows, ([one]) => one?.status === 3);
  assert.equal((await rows())[0]?.deliveredTime, undefined);
  site.app.clock.advance(30_000);
  await site.app.poll();
  const [row] = await until(rows, ([one]) => one?.deliveredTime !== undefined);
  assert.match(String(row?.deliveredTime), /T13:00:30/);
});

testOnAnyStore('a number that does not exist is tried once, and an alarm says whose it is', async (t, kind) => {
  const gone = { kind: 'failed', retry: 'never', outcome: 'badNumber', reason: 'the PBX answered 404' } as const;
  const office = new PostOffice(gone);
  const site = await startSite(t, kind, { openers: { sip: () => office } });
  const { group } = await anaOnDuty(site);
  await site.create('/providers', trunk);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  await until(
    () => site.systemAlarms(),
    (paths) => paths.includes('system/bad-number/2/voice'),
  );
  const rows = (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items;
  assert.deepEqual(
    rows.map(({ user, outcome }) => [user, outcome]),
    [['p1', 'badNumber']],
  );
  await site.expectWhatRings();
});
